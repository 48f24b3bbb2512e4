// --sandbox. The folders are opened before any text is read, because names in texts may be hostile as well.
#include "tools/coopc/sandbox.hpp"

#include <sys/stat.h>

#include "base/sandbox.hpp"
#include "base/system.hpp"
#include "tools/coopc/driver.hpp"

namespace coopc::tool {
namespace {

std::string folderOf(const std::string& path) {
  const std::string folder(pathFolder(path));
  return folder.empty() ? "." : folder;
}

}  // namespace

std::string enterSandboxFor(const CommandLine& line) {
  SandboxFiles files;
  files.read = line.includeFolders;
  for (const Input& input : line.inputs)
    if (input.path != "-") files.read.push_back(folderOf(input.path));
  // Names of shipped profiles are not files, and give no access.
  for (const std::string& name : {line.profile, line.lowering.profile})
    if (!name.empty()) files.read.push_back(name);
  std::vector<std::string> written = writtenFiles(line);
  for (const std::string& name : {line.output, line.numbers, line.dependencyFile})
    if (isDevicePath(name)) written.push_back(name);
  for (const std::string& name : written) {
    struct stat info {};
    files.write.push_back(stat(name.c_str(), &info) == 0 ? name : folderOf(name));
  }
  return enterSandbox(&files);
}

}  // namespace coopc::tool
