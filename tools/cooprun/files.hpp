// Files and folders that cooprun's commands read and write.
#pragma once

#include <initializer_list>
#include <string>
#include <string_view>
#include <vector>

#include "harness/result.hpp"

namespace coopc::cooprun {

/// A whole file ("-": the standard input). An error has the path and the reason.
harness::Result<std::string> readText(const std::string& path);

/// The file's text, or where it cannot be read the text that was given: the name of something that ships.
std::string fileOrName(const std::string& path);

/// Replaces a file ("-": the standard output). An error has the path and the reason.
harness::Status writeFile(const std::string& path, std::string_view bytes);

/// The bytes of words or other plain values.
template <typename T>
std::string_view bytesOf(const std::vector<T>& values) {
  return {reinterpret_cast<const char*>(values.data()), values.size() * sizeof(T)};
}

/// Makes the folders that are not "" and not there yet, with a message where that fails: before anything runs, as a case
/// without files to write would not notice.
bool makeFolders(std::initializer_list<std::string> folders);

/// Can a file of that name be written? Asked before what takes long, whose results go there. "" and "-" are not files, and can.
bool canBeWritten(const std::string& path);

}  // namespace coopc::cooprun
