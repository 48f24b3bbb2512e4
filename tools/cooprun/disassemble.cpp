// Has no link-time dependencies: libzstd is opened when it is needed, and nvdisasm is a separate program.
#include "tools/cooprun/disassemble.hpp"

#include <algorithm>
#include <cctype>
#include <cstdlib>
#include <cstring>
#include <dlfcn.h>
#include <filesystem>
#include <sstream>
#include <string_view>
#include <unistd.h>
#include <utility>

#include "harness/compile.hpp"
#include "harness/machine_code.hpp"
#include "tools/cooprun/files.hpp"

namespace coopc::cooprun {
namespace {

namespace fs = std::filesystem;
using Bytes = std::vector<uint8_t>;

constexpr size_t kMostUnpacked = size_t{256} << 20;

uint32_t word(std::span<const uint8_t> bytes, size_t at) {
  uint32_t value = 0;
  std::memcpy(&value, bytes.data() + at, sizeof value);
  return value;
}

bool startsWith(std::span<const uint8_t> bytes, size_t at, std::string_view text) {
  return bytes.size() >= at + text.size() && std::memcmp(bytes.data() + at, text.data(), text.size()) == 0;
}

harness::Result<Bytes> unpackZstd(std::span<const uint8_t> packed, size_t size) {
  void* library = dlopen("libzstd.so.1", RTLD_NOW | RTLD_LOCAL);
  if (library == nullptr)
    return harness::Error{"libzstd.so.1, which unpacks the driver's binary, is not there"};
  using Decompress = size_t (*)(void*, size_t, const void*, size_t);
  using IsError = unsigned (*)(size_t);
  const auto decompress = reinterpret_cast<Decompress>(dlsym(library, "ZSTD_decompress"));
  const auto isError = reinterpret_cast<IsError>(dlsym(library, "ZSTD_isError"));
  harness::Result<Bytes> result = harness::Error{"the driver's binary cannot be unpacked"};
  if (decompress != nullptr && isError != nullptr && size <= kMostUnpacked) {
    Bytes bytes(size);
    const size_t got = decompress(bytes.data(), bytes.size(), packed.data(), packed.size());
    if (isError(got) == 0) {
      bytes.resize(got);
      result = std::move(bytes);
    }
  }
  dlclose(library);
  return result;
}

// Searches PATH, then the place where CUDA is installed.
std::string findNvdisasm() {
  const char* path = std::getenv("PATH");
  std::istringstream folders(std::string(path != nullptr ? path : "") + ":/usr/local/cuda/bin");
  for (std::string folder; std::getline(folders, folder, ':');) {
    const std::string file = folder + "/nvdisasm";
    if (!folder.empty() && access(file.c_str(), X_OK) == 0) return file;
  }
  return {};
}

class Writer {
 public:
  Writer(const DisassembleOptions& options, std::string stem, std::vector<std::string>& report)
      : options_(options), stem_(std::move(stem)), report_(report) {}

  void text(const std::string& name, const std::string& content) {
    if (write(name, content)) report_.push_back("written: " + stem_ + "." + name);
  }

  void nvidia(const vk::ShaderCode& code) {
    const harness::Result<Bytes> machine = nvidiaCode(code.bytes);
    if (!machine) {
      report_.push_back(machine.error().message);
      return;
    }
    const std::string raw = path("sass.bin");
    if (!write("sass.bin", bytesOf(*machine))) return;
    const std::string program = findNvdisasm();
    if (program.empty()) {
      report_.push_back("machine code in " + stem_ +
                        ".sass.bin; nvdisasm (of CUDA), which reads it, is not there");
      return;
    }
    const auto ran = harness::runProcess({program, "-b", options_.architecture, "-c", raw}, 60);
    if (!ran || ran->exitCode != 0) {
      report_.push_back(program + ": " + (ran ? ran->output : ran.error().message));
      return;
    }
    text("sass", ran->output);
    report_.push_back(
        describeCounts(harness::countInstructions(ran->output, harness::AssemblyForm::Nvdisasm)));
  }

 private:
  std::string path(const std::string& name) const {
    return (fs::path(options_.folder) / (stem_ + "." + name)).string();
  }
  bool write(const std::string& name, std::string_view content) {
    const harness::Status failure = writeFile(path(name), content);
    if (failure) report_.push_back(failure->message);
    return !failure;
  }

  const DisassembleOptions& options_;
  std::string stem_;
  std::vector<std::string>& report_;
};

// The driver's name for a representation, as part of a file name.
std::string fileName(std::string name) {
  for (char& c : name) c = std::isalnum(static_cast<unsigned char>(c)) != 0 ? c : '-';
  return name + ".txt";
}

}  // namespace

harness::Result<Bytes> unpackedNvidiaCode(std::span<const uint8_t> bytes) {
  const harness::Error unknown{"the driver's binary is not of the form that is known here (NVIDIA 580)"};
  constexpr size_t kBase = 8;
  constexpr size_t kTable = 40;
  constexpr size_t kEntry = 32;
  constexpr uint32_t kCode = 1;
  if (!startsWith(bytes, 0, "NVDANVVM") || !startsWith(bytes, kBase, "NVuc") || bytes.size() < kTable)
    return unknown;
  const uint32_t entries = word(bytes, 16) & 0xFFFF;
  for (size_t i = 0; i < entries; ++i) {
    const size_t at = kTable + i * kEntry;
    if (at + kEntry > bytes.size()) return unknown;
    if (word(bytes, at) != kCode) continue;
    const size_t size = word(bytes, at + 4);
    const size_t start = kBase + word(bytes, at + 8);
    if (start > bytes.size() || size > bytes.size() - start) return unknown;
    return Bytes(bytes.begin() + static_cast<std::ptrdiff_t>(start),
                 bytes.begin() + static_cast<std::ptrdiff_t>(start + size));
  }
  return unknown;
}

harness::Result<Bytes> nvidiaCode(std::span<const uint8_t> binary) {
  if (startsWith(binary, 4, "\x28\xb5\x2f\xfd")) {
    const harness::Result<Bytes> unpacked = unpackZstd(binary.subspan(4), word(binary, 0));
    if (!unpacked) return unpacked.error();
    return unpackedNvidiaCode(*unpacked);
  }
  return unpackedNvidiaCode(binary);
}

std::string describeCounts(const std::vector<harness::CountedInstruction>& counts) {
  size_t all = 0;
  for (const harness::CountedInstruction& instruction : counts) all += instruction.count;
  std::string result = std::to_string(all) + " instructions";
  for (size_t i = 0; i < counts.size(); ++i)
    result += (i == 0 ? ": " : ", ") + std::to_string(counts[i].count) + " " + counts[i].name;
  return result;
}

std::vector<std::string> disassemble(const std::vector<vk::ShaderCode>& codes, const std::string& stem,
                                     const DisassembleOptions& options) {
  std::vector<std::string> report;
  Writer writer(options, stem, report);
  for (const vk::ShaderCode& code : codes) {
    if (code.isText) {
      const std::string text(code.bytes.begin(), code.bytes.end());
      writer.text(fileName(code.name), text);
      if (const auto form = harness::assemblyForm(code.name))
        report.push_back(describeCounts(harness::countInstructions(text, *form)));
    } else if (code.name == "binary") {
      writer.nvidia(code);
    }
  }
  if (report.empty())
    report.push_back(
        "the driver shows no code: it gives neither readable representations nor pipeline binaries");
  return report;
}

}  // namespace coopc::cooprun
