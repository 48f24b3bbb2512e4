// Files and folders that cooprun's commands read and write.
#pragma once

#include <initializer_list>
#include <string>
#include <string_view>
#include <vector>

#include "harness/result.hpp"

namespace coopc::cooprun {

/// Reads a whole file ("-": the standard input). The error has the path and the reason.
harness::Result<std::string> readText(const std::string& path);

/// The file's text; if it cannot be read, `path` itself, which is then the name of something that ships.
std::string fileOrName(const std::string& path);

/// Replaces a file ("-": the standard output). The error has the path and the reason.
harness::Status writeFile(const std::string& path, std::string_view bytes);

/// The bytes of words or other plain values.
template <typename T>
std::string_view bytesOf(const std::vector<T>& values) {
  return {reinterpret_cast<const char*>(values.data()), values.size() * sizeof(T)};
}

/// Creates the folders that are not "" and do not exist, with a message if that fails. Called before anything
/// runs, because a case that writes no files would not notice.
bool makeFolders(std::initializer_list<std::string> folders);

/// Whether a file with that name can be written. Checked before a long run whose results go there. "" and "-"
/// are not files, and can always be written.
bool canBeWritten(const std::string& path);

}  // namespace coopc::cooprun
