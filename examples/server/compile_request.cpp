// Requests from JSON, as bytes, and compiled.
#include "compile_request.hpp"

#include <algorithm>
#include <cstring>
#include <filesystem>
#include <optional>

#include "base/base64.hpp"
#include "base/binary_entry.hpp"
#include "base/json.hpp"
#include "base/system.hpp"

namespace service {
namespace {

using coopc::json::Value;

constexpr size_t kMostFiles = 1000;  // and options, of one request

// Without `.` and `..`, except those at its start.
std::string normal(std::string_view path) { return std::filesystem::path(path).lexically_normal().string(); }

// Names appear in messages and are looked up among the request's files: plain relative paths.
bool isName(std::string_view name) {
  if (name.empty() || name.size() > 255 || name.front() == '-' || name.front() == '@' || name.front() == '/')
    return false;
  for (const char c : name)
    if (static_cast<unsigned char>(c) < 0x21 || c == 0x7f) return false;
  return !normal(name).starts_with("..");
}

std::string text(const Value& object, std::string_view member, std::string& out) {
  const Value* value = object.find(member);
  if (value == nullptr || !value->isString()) return "'" + std::string(member) + "' must be a string";
  out = value->text();
  return {};
}

std::string jsonText(std::string_view text) { return Value(text).dump(); }

std::string_view bytesOf(const std::vector<uint32_t>& words) {
  return {reinterpret_cast<const char*>(words.data()), words.size() * sizeof(uint32_t)};
}

void addTexts(std::string& bytes, const std::vector<std::string>& texts) {
  coopc::addRaw(bytes, uint64_t(texts.size()));
  for (const std::string& text : texts) coopc::addBlock(bytes, text);
}

bool readTexts(coopc::EntryReader& in, std::vector<std::string>& texts) {
  uint64_t count = 0;
  if (!in.raw(count)) return false;
  std::string_view text;
  for (uint64_t n = 0; n < count; ++n) {
    if (!in.block(text)) return false;
    texts.emplace_back(text);
  }
  return true;
}

}  // namespace

std::string checkRequest(CompileRequest& request) {
  if (request.files.size() > kMostFiles || request.options.size() > kMostFiles)
    return "more than " + std::to_string(kMostFiles) + " files or options";
  if (!isName(request.name)) return "'name' must be a relative path, as a.comp";
  std::vector<std::string> arguments;
  for (const std::string& option : request.options) {
    if (option.size() < 2 || option.front() != '-')
      return "'" + option + "' is not an option (values are joined: -DNAME=1, --target-env=vulkan1.3)";
    // It would read a file while it is parsed.
    if (option.starts_with("-flimit-file")) return "'" + option + "' names a file of the server";
    arguments.push_back(option);
  }
  arguments.insert(arguments.end(), {"-c", request.name});
  coopc::tool::CommandLine line;
  std::string error;
  if (!coopc::tool::parseCommandLine(std::move(arguments), line, error)) return error;
  using coopc::tool::CommandLine;
  using coopc::tool::Mode;
  if (line.show != CommandLine::Show::Nothing ||
      (line.mode != Mode::Compile && line.mode != Mode::Assemble) || line.inputs.size() != 1 ||
      line.inputs[0].assembly || line.dependenciesOnly || line.dependencies)
    return "only modules and assembly (-S) are made here, of GLSL";
  if (!line.output.empty() || !line.numbers.empty() || !line.includeFolders.empty() ||
      !line.cache.folder.empty() || !line.dependencyFile.empty() || !line.lowering.profile.empty() ||
      !line.profile.empty() || !line.options.glslangProgram.empty())
    return "options that name files or devices are not taken here";
  request.line = std::move(line);
  return {};
}

std::string readRequest(std::string_view json, CompileRequest& request) {
  Value body;
  std::string error;
  if (!coopc::json::parse(json, body, error)) return error;
  if (!body.isObject()) return "the body must be a JSON object";
  if (std::string why = text(body, "name", request.name); !why.empty()) return why;
  if (std::string why = text(body, "source", request.source); !why.empty()) return why;
  for (const auto& [key, value] : body.members()) {
    if (key == "options") {
      if (!value.isArray()) return "'options' must be an array of strings";
      for (const Value& option : value.items()) {
        if (!option.isString()) return "'options' must be an array of strings";
        request.options.push_back(option.text());
      }
    } else if (key == "files") {
      if (!value.isObject()) return "'files' must be an object of texts by path";
      for (const auto& [path, file] : value.members()) {
        if (!file.isString() || !isName(path)) return "'files' must be an object of texts by relative path";
        request.files.emplace_back(normal(path), file.text());
      }
    } else if (key != "name" && key != "source") {
      return "unknown member '" + key + "'";
    }
  }
  std::sort(request.files.begin(), request.files.end());
  return checkRequest(request);
}

std::string keyOf(const CompileRequest& request, std::string_view build) {
  std::string key;
  coopc::addBlock(key, coopc::version());
  coopc::addBlock(key, build);
  return key + toBytes(request);
}

coopc::SharedText fileOf(const CompileRequest& request, const std::string& name) {
  for (const auto& [path, text] : request.files)
    if (path == name) return coopc::SharedText(text);
  return {};
}

coopc::Result compile(const CompileRequest& request, size_t memoryLimit) {
  coopc::Options options = request.line.options;
  options.stage = request.line.inputs[0].stage;
  options.output =
      request.line.mode == coopc::tool::Mode::Assemble ? coopc::Output::Assembly : coopc::Output::Module;
  options.allowGlslang = false;  // a separate program, which the memory limit does not reach
  options.memoryLimit = memoryLimit;
  // "NAME" in the including file's folder, then among all files; <NAME> only among all files.
  options.include = [&request](std::string_view name, bool angled, std::string_view from,
                               uint32_t) -> std::optional<coopc::Include> {
    std::vector<std::string> places;
    if (!angled) places.push_back(std::string(coopc::pathFolder(from)) + std::string(name));
    places.emplace_back(name);
    coopc::Include include;
    for (const std::string& place : places) {
      include.name = normal(place);
      include.shared = fileOf(request, include.name);
      if (include.shared) return include;
    }
    return std::nullopt;
  };
  return coopc::compile(request.source, request.name, options);
}

std::string toBytes(const CompileRequest& request) {
  std::string bytes;
  coopc::addBlock(bytes, request.name);
  coopc::addBlock(bytes, request.source);
  addTexts(bytes, request.options);
  coopc::addRaw(bytes, uint64_t(request.files.size()));
  for (const auto& [path, text] : request.files) {
    coopc::addBlock(bytes, path);
    coopc::addBlock(bytes, text);
  }
  return bytes;
}

bool fromBytes(std::string_view bytes, CompileRequest& request) {
  coopc::EntryReader in(bytes);
  std::string_view name, source, path, text;
  uint64_t files = 0;
  if (!in.block(name) || !in.block(source) || !readTexts(in, request.options) || !in.raw(files)) return false;
  request.name = name;
  request.source = source;
  for (uint64_t n = 0; n < files; ++n) {
    if (!in.block(path) || !in.block(text)) return false;
    request.files.emplace_back(path, text);
  }
  return in.atEnd();
}

std::string toBytes(const coopc::Result& result) {
  std::string bytes;
  coopc::addRaw(bytes, result.status);
  coopc::addRaw(bytes, result.errorCount);
  coopc::addRaw(bytes, result.warningCount);
  for (const std::string* text : {&result.messages, &result.json, &result.text})
    coopc::addBlock(bytes, *text);
  coopc::addBlock(bytes, bytesOf(result.words));
  addTexts(bytes, result.dependencies);
  addTexts(bytes, result.missing);
  return bytes;
}

bool fromBytes(std::string_view bytes, coopc::Result& result) {
  coopc::EntryReader in(bytes);
  std::string_view messages, json, text, words;
  if (!in.raw(result.status) || !in.raw(result.errorCount) || !in.raw(result.warningCount) ||
      !in.block(messages) || !in.block(json) || !in.block(text) || !in.block(words) ||
      !readTexts(in, result.dependencies) || !readTexts(in, result.missing) || !in.atEnd())
    return false;
  result.ok = result.status == coopc::Status::Ok;
  result.messages = messages;
  result.json = json;
  result.text = text;
  result.words.resize(words.size() / sizeof(uint32_t));
  std::memcpy(result.words.data(), words.data(), result.words.size() * sizeof(uint32_t));
  return true;
}

std::string answerJson(const coopc::Result& result, std::string_view status) {
  std::string out = "{\"status\": " + jsonText(status);
  if (result.ok) out += ", \"module\": \"" + coopc::base64(bytesOf(result.words)) + '"';
  if (!result.text.empty()) out += ", \"assembly\": " + jsonText(result.text);
  out += ", \"messages\": " + jsonText(result.messages);
  return out + ", \"diagnostics\": " + (result.json.empty() ? "[]" : result.json) + "}\n";
}

std::string errorJson(std::string_view status, std::string_view why) {
  return "{\"status\": " + jsonText(status) + ", \"messages\": " + jsonText(why) + "}\n";
}

}  // namespace service
