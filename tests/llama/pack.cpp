// Writes and reads folders with the modules of many variants.
#include "tests/llama/pack.hpp"

#include <cerrno>
#include <cstring>
#include <filesystem>
#include <fstream>

#include <nlohmann/json.hpp>

#include "tests/llama/rewriting.hpp"

namespace coopc::tests::llama {
namespace {

namespace fs = std::filesystem;
namespace hn = coopc::harness;
using Json = nlohmann::json;

Json toJson(const Reflection& r) {
  Json json;
  json["pushBytes"] = r.pushBytes;
  json["otherBindings"] = r.otherBindings;
  json["buffers"] = Json::array();
  for (const BoundBuffer& b : r.buffers)
    json["buffers"].push_back({b.set, b.binding, b.uniform, static_cast<int>(b.element), b.written});
  json["constants"] = Json::array();
  for (const SpecConstant& c : r.specConstants) json["constants"].push_back({c.id, c.name, c.localSize});
  json["push"] = Json::array();
  for (const PushMember& m : r.push) json["push"].push_back({m.name, m.offset, m.bytes, m.isFloat});
  return json;
}

Reflection reflectionFrom(const Json& json) {
  Reflection r;
  r.pushBytes = json.at("pushBytes").get<uint32_t>();
  r.otherBindings = json.at("otherBindings").get<bool>();
  for (const Json& b : json.at("buffers")) {
    BoundBuffer buffer;
    buffer.set = b.at(0).get<uint32_t>();
    buffer.binding = b.at(1).get<uint32_t>();
    buffer.uniform = b.at(2).get<bool>();
    buffer.element = static_cast<Element>(b.at(3).get<int>());
    buffer.written = b.at(4).get<bool>();
    r.buffers.push_back(buffer);
  }
  for (const Json& c : json.at("constants"))
    r.specConstants.push_back({c.at(0).get<uint32_t>(), c.at(1).get<std::string>(), c.at(2).get<bool>()});
  for (const Json& m : json.at("push"))
    r.push.push_back(
        {m.at(0).get<std::string>(), m.at(1).get<uint32_t>(), m.at(2).get<uint32_t>(), m.at(3).get<bool>()});
  return r;
}

hn::Error problem(const std::string& path) { return hn::Error{path + ": " + std::strerror(errno)}; }

}  // namespace

PackWriter::~PackWriter() {
  if (words_ != nullptr) std::fclose(words_);
}

hn::Status PackWriter::begin() {
  std::error_code error;
  fs::create_directories(folder_, error);
  if (error) return hn::Error{folder_ + ": " + error.message()};
  const std::string path = folder_ + "/modules.bin";
  words_ = std::fopen(path.c_str(), "wb");
  if (words_ == nullptr) return problem(path);
  return std::nullopt;
}

hn::Status PackWriter::add(const Subject& subject, const Reflection& reflection, Modules modules) {
  PackedVariant v;
  v.subject = subject;
  v.reflection = reflection;
  for (size_t k = 0; k < kModules; ++k) {
    std::vector<uint32_t>& words = modules[k];
    forgetNames(words);
    v.length[k] = words.size();
    const auto [it, fresh] = stored_.try_emplace(std::move(words), written_);
    v.offset[k] = it->second;
    if (!fresh) continue;
    if (std::fwrite(it->first.data(), 4, it->first.size(), words_) != it->first.size())
      return problem(folder_);
    written_ += it->first.size();
  }
  variants_.push_back(std::move(v));
  return std::nullopt;
}

hn::Status PackWriter::end() {
  const bool closed = std::fclose(words_) == 0;
  words_ = nullptr;
  if (!closed) return problem(folder_);
  Json list = Json::array();
  for (const PackedVariant& v : variants_) {
    Json json = toJson(v.reflection);
    json["name"] = v.subject.name;
    json["file"] = v.subject.file;
    json["offset"] = v.offset;
    json["length"] = v.length;
    list.push_back(std::move(json));
  }
  const std::string path = folder_ + "/index.json";
  std::ofstream out(path, std::ios::binary);
  out << list.dump() << '\n';
  out.close();
  if (!out) return problem(path);
  return std::nullopt;
}

hn::Result<Pack> Pack::open(const std::string& folder) {
  const std::string path = folder + "/index.json";
  std::ifstream in(path, std::ios::binary);
  if (!in) return problem(path);
  Pack pack;
  pack.words_ = folder + "/modules.bin";
  // This program wrote the file, so its contents are trusted, but it may be truncated.
  const Json list = Json::parse(in, nullptr, false);
  if (!list.is_array()) return hn::Error{path + ": not an index"};
  for (const Json& json : list) {
    PackedVariant v;
    v.subject.name = json.at("name").get<std::string>();
    v.subject.file = json.at("file").get<std::string>();
    v.reflection = reflectionFrom(json);
    v.offset = json.at("offset").get<std::array<uint64_t, kModules>>();
    v.length = json.at("length").get<std::array<uint64_t, kModules>>();
    pack.variants_.push_back(std::move(v));
  }
  return pack;
}

hn::Result<Modules> Pack::modules(const PackedVariant& variant) const {
  std::ifstream in(words_, std::ios::binary);
  if (!in) return problem(words_);
  Modules modules;
  for (size_t k = 0; k < kModules; ++k) {
    modules[k].resize(variant.length[k]);
    in.seekg(static_cast<std::streamoff>(variant.offset[k] * 4));
    in.read(reinterpret_cast<char*>(modules[k].data()), static_cast<std::streamsize>(variant.length[k] * 4));
    if (!in) return hn::Error{words_ + ": cut off"};
  }
  return modules;
}

}  // namespace coopc::tests::llama
