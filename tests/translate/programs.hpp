// The programs in programs/, of any stage.
#pragma once

#include <string>

#include "coopc/coopc.hpp"

namespace coopc::tests {

/// Options for a text. The ending of the file's name gives the stage.
inline Options optionsFor(const std::string& fileName) {
  Options options;
  options.targetEnv = TargetEnv::Vulkan1_3;
  stageByName(fileName.substr(fileName.rfind('.') + 1), options.stage);
  return options;
}

}  // namespace coopc::tests
