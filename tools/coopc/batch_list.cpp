// Reads the list of --batch. The first character distinguishes JSON from lines.
//
//   ["-O", "a.comp", "-o", "a.spv"]                                  a job: its arguments
//   {"arguments": [...], "directory": "...", "name": "..."}          a job
//   {"file": ..., "directory": ..., "arguments"|"command": ...}      a job of a compilation database: the
//                                                                    program first
//   [JOB, ...]                                                       a list
//   {"jobs": [JOB, ...], "arguments": [...], "directory": "..."}     a list with what its jobs have in common
#include "base/json.hpp"
#include "tools/coopc/batch.hpp"
#include "tools/coopc/options.hpp"

namespace coopc::tool {
namespace {

using Json = json::Value;

class BatchListReader {
 public:
  BatchListReader(std::vector<BatchJob>& jobs, std::string& error) : jobs_(jobs), error_(error) {}

  bool list(const Json& value) {
    if (value.isArray()) return jobs(value);
    if (!value.isObject()) return fail("it is neither an array nor an object");
    const Json* list = nullptr;
    for (const auto& [key, member] : value.members()) {
      if (key == "jobs") {
        if (!member.isArray()) return fail("`jobs` is not an array");
        list = &member;
      } else if (key == "arguments") {
        if (!strings(member, common_)) return fail("`arguments` is not an array of strings");
      } else if (key == "directory") {
        if (!text(member, directory_)) return fail("`directory` is not a string");
      } else {
        return fail("unknown member `" + key + "`: `jobs`, `arguments` and `directory` are known");
      }
    }
    return list != nullptr ? jobs(*list) : fail("it has no member `jobs`");
  }

 private:
  bool fail(const std::string& text) {
    error_ = text;
    return false;
  }
  // A NUL would end the argument early.
  static bool text(const Json& value, std::string& out) {
    if (!value.isString()) return false;
    out = value.text();
    return out.find('\0') == std::string::npos;
  }
  static bool strings(const Json& value, std::vector<std::string>& out) {
    if (!value.isArray()) return false;
    for (const Json& member : value.items())
      if (!text(member, out.emplace_back())) return false;
    return true;
  }

  bool jobs(const Json& list) {
    jobs_.reserve(list.items().size());
    for (const Json& value : list.items()) {
      BatchJob& job = jobs_.emplace_back();
      job.directory = directory_;
      job.arguments = common_;
      std::string why;
      if (!this->job(value, job, why)) return fail("job " + std::to_string(jobs_.size()) + ": " + why);
    }
    return true;
  }

  bool job(const Json& value, BatchJob& job, std::string& why) {
    if (value.isArray()) {
      why = "it is not an array of strings";
      return strings(value, job.arguments);
    }
    if (!value.isObject()) {
      why = "it is neither an array of arguments nor an object";
      return false;
    }
    std::vector<std::string> own;
    bool given = false;
    for (const auto& [key, member] : value.members()) {
      bool good = true;
      std::string ignored;
      if (key == "arguments") {
        good = !given && strings(member, own);
        given = true;
      } else if (key == "command") {
        good = !given && text(member, ignored);
        given = true;
        if (good && !splitArguments(ignored, own)) {
          why = "`command` has a quote without an end";
          return false;
        }
      } else if (key == "directory") {
        good = text(member, job.directory);
      } else if (key == "name") {
        good = text(member, job.name);
      } else if (key == "file" || key == "output") {
        good = text(member, ignored);
      } else {
        why = "unknown member `" + key + "`";
        return false;
      }
      if (!good) {
        why = "`" + key + "` has a wrong value";
        return false;
      }
    }
    if (!given) {
      why = "it has no `arguments`";
      return false;
    }
    const bool database = value.find("file") != nullptr || value.find("command") != nullptr;
    if (database && own.empty()) {
      why = "a job of a compilation database starts with the program";
      return false;
    }
    job.arguments.insert(job.arguments.end(), own.begin() + (database ? 1 : 0), own.end());
    return true;
  }

  std::vector<BatchJob>& jobs_;
  std::string& error_;
  std::vector<std::string> common_;
  std::string directory_;
};

// Reads lines as in a response file. Empty lines and lines that start with # are skipped.
std::optional<std::vector<BatchJob>> parseLines(std::string_view text, std::string& error) {
  std::vector<BatchJob> jobs;
  size_t number = 0;
  for (size_t at = 0; at < text.size();) {
    const size_t end = std::min(text.find('\n', at), text.size());
    const std::string_view line = text.substr(at, end - at);
    at = end + 1;
    ++number;
    const size_t first = line.find_first_not_of(" \t\r");
    if (first == std::string_view::npos || line[first] == '#') continue;
    if (splitArguments(line, jobs.emplace_back().arguments)) continue;
    error = "line " + std::to_string(number) + ": quote without an end";
    return std::nullopt;
  }
  return jobs;
}

}  // namespace

std::optional<std::vector<BatchJob>> parseBatch(std::string_view text, std::string& error) {
  if (text.substr(0, kByteOrderMark.size()) == kByteOrderMark) text.remove_prefix(kByteOrderMark.size());
  const size_t first = text.find_first_not_of(" \t\r\n");
  if (first == std::string_view::npos || (text[first] != '[' && text[first] != '{'))
    return parseLines(text, error);
  Json list;
  std::vector<BatchJob> jobs;
  if (!json::parse(text, list, error) || !BatchListReader(jobs, error).list(list)) return std::nullopt;
  return jobs;
}

}  // namespace coopc::tool
