// One compile as a client asks for it: a text, the files that it includes, and options of coopc's command
// line. A request has all that its compile reads; files of the server are not in reach.
#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "coopc/coopc.hpp"
#include "tools/coopc/options.hpp"

namespace service {

struct CompileRequest {
  std::string name;  ///< in messages; its ending tells the stage
  std::string source;
  std::vector<std::string> options;                        ///< as on coopc's command line
  std::vector<std::pair<std::string, std::string>> files;  ///< what #include finds: paths and texts
  coopc::tool::CommandLine line;                           ///< the options, parsed
};

/// Reads the JSON object {"name", "source", "options", "files"} and checks the options: those that name files
/// or ask for something else than a module or its assembly are refused. "" or the reason.
std::string readRequest(std::string_view json, CompileRequest& request);
/// Checks name and options of a request, and parses them. "" or the reason.
std::string checkRequest(CompileRequest& request);

/// All that decides about the result, for caches. `build` identifies this compiler.
std::string keyOf(const CompileRequest& request, std::string_view build);
/// A text of the request, for ResultCache.
coopc::SharedText fileOf(const CompileRequest& request, const std::string& name);

/// Compiles it in this thread. `memoryLimit`: Options::memoryLimit.
coopc::Result compile(const CompileRequest& request, size_t memoryLimit);

/// Requests and results between the server and its workers.
std::string toBytes(const CompileRequest& request);
bool fromBytes(std::string_view bytes, CompileRequest& request);
std::string toBytes(const coopc::Result& result);
bool fromBytes(std::string_view bytes, coopc::Result& result);

/// The body of an answer: {"status", "module" in base64, "assembly", "messages", "diagnostics"}.
std::string answerJson(const coopc::Result& result, std::string_view status);
/// {"status": STATUS, "messages": WHY}
std::string errorJson(std::string_view status, std::string_view why);

}  // namespace service
