// The features come from the layer's own decision (layer/offer.hpp), and the driver's faults from a run of
// the suite.
#include "tools/cooprun/doctor.hpp"

#include <cstdio>
#include <cstdlib>
#include <fcntl.h>
#include <filesystem>
#include <unistd.h>
#include <vector>

#include <nlohmann/json.hpp>

#include "layer/offer.hpp"
#include "tools/cooprun/files.hpp"
#include "tools/cooprun/report.hpp"
#include "tools/cooprun/suite.hpp"

namespace coopc::cooprun {
namespace {

// How the device provides a feature.
std::string standing(const layer::Offer& offer, const layer::GivenFeature& g) {
  if (offer.gives(g.feature)) return "lowered";
  if (!offer.device.features.has(g.feature)) return "missing";
  return offer.target.faulty[size_t(g.feature)] ? "native, known to be faulty" : "native";
}

// Discards the standard output during its lifetime.
class Silence {
 public:
  Silence() {
    std::fflush(stdout);
    before_ = dup(STDOUT_FILENO);
    const int nowhere = open("/dev/null", O_WRONLY);
    if (nowhere < 0) return;
    dup2(nowhere, STDOUT_FILENO);
    close(nowhere);
  }
  ~Silence() {
    std::fflush(stdout);
    if (before_ < 0) return;
    dup2(before_, STDOUT_FILENO);
    close(before_);
  }
  Silence(const Silence&) = delete;
  Silence& operator=(const Silence&) = delete;

 private:
  int before_ = -1;
};

// Runs the suite's cases with the driver's own matrices for a minute. Returns the exit code of `cooprun
// suite`.
int runSuite(const std::string& program, uint32_t device, const std::string& report) {
  std::vector<std::string> arguments = {program, "suite",     "--device", std::to_string(device), "--limit",
                                        "300",   "--seconds", "60",       "--case-seconds",       "20"};
  if (!report.empty()) arguments.insert(arguments.end(), {"--json", report});
  std::vector<char*> argv;
  for (std::string& argument : arguments) argv.push_back(argument.data());
  argv.push_back(nullptr);
  return suiteMain(int(arguments.size()), argv.data());
}

}  // namespace

int doctor(const vk::PhysicalDevice& device, const std::string& program, bool json) {
  std::string problems;
  const layer::Offer offer = layer::makeOffer(device, {}, problems);
  if (!json) {
    std::printf("%s\n", deviceLine(device).c_str());
    for (const layer::GivenFeature& g : layer::lowerableFeatures())
      std::printf("  %-52s %s\n", std::string(spirv::vulkan::name(g.feature)).c_str(),
                  standing(offer, g).c_str());
    if (!device.features.has(vk::Feature::cooperativeMatrix)) {
      std::printf("the driver has no matrices of its own that could be faulty\n");
      return 0;
    }
    std::printf("the driver's own matrices, in a minute of the conformance suite:\n");
    std::fflush(stdout);
    return runSuite(program, device.index, "") == 1 ? 1 : 0;
  }
  using Json = nlohmann::ordered_json;
  Json report;
  report["coopc"] = COOPC_VERSION;
  report["device"] = Json::parse(deviceAsJson(device));
  for (const layer::GivenFeature& g : layer::lowerableFeatures())
    report["features"][std::string(spirv::vulkan::name(g.feature))] = standing(offer, g);
  std::string folder = (std::filesystem::temp_directory_path() / "coopc-doctor-XXXXXX").string();
  int code = 0;
  const bool native = device.features.has(vk::Feature::cooperativeMatrix);
  if (native && mkdtemp(folder.data()) != nullptr) {
    const std::string file = folder + "/suite.json";
    {
      const Silence silence;
      code = runSuite(program, device.index, file);
    }
    const auto text = readText(file);
    report["suite"] = text ? Json::parse(*text, nullptr, false) : Json();
    std::error_code ignored;
    std::filesystem::remove_all(folder, ignored);
  }
  std::printf("%s\n", report.dump(2, ' ', false, Json::error_handler_t::replace).c_str());
  return code == 1 ? 1 : 0;
}

}  // namespace coopc::cooprun
