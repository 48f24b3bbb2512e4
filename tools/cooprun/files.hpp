// Files and folders that cooprun's commands read and write.
#pragma once

#include <cstddef>
#include <initializer_list>
#include <string>

#include "harness/result.hpp"

namespace coopc::cooprun {

// Up to 64 MiB. An error has the path.
harness::Result<std::string> readText(const std::string& path);

// False: the file could not be written whole.
bool writeFile(const std::string& path, const void* data, size_t bytes);

// Makes the folders that are not "" and not there yet, with a message where that fails: before anything runs, as a case
// without files to write would not notice.
bool makeFolders(std::initializer_list<std::string> folders);

// Can a file of that name be written? Asked before what takes long, whose results go there. "" is no file, and can.
bool canBeWritten(const std::string& path);

}  // namespace coopc::cooprun
