// The output of cooprun: devices and results, as text or JSON.
#pragma once

#include <string>
#include <vector>

#include "harness/cases/run.hpp"
#include "vulkan/executor/instance.hpp"

namespace coopc::cooprun {

struct CaseReport {
  std::string name;
  std::string file;
  harness::CaseResult result;
  std::vector<std::string> code;  ///< what --disassemble found, line by line
};

std::string devicesAsText(const std::vector<vk::PhysicalDevice>& devices);
std::string devicesAsJson(const std::vector<vk::PhysicalDevice>& devices);
/// One device, with the properties that profiles have.
std::string deviceAsJson(const vk::PhysicalDevice& device);
/// The same without properties of this machine and run: the contents of a file in profiles/. `source` says
/// where the profile is from; it is left out if it is empty.
std::string profileAsJson(const vk::PhysicalDevice& device, const std::string& source = {});

/// `device` may be null if nothing ran.
std::string caseAsText(const CaseReport& report);
std::string reportsAsJson(const std::vector<CaseReport>& reports, const vk::PhysicalDevice* device);
std::string deviceLine(const vk::PhysicalDevice& device);

}  // namespace coopc::cooprun
