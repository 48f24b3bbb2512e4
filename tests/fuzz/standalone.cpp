// Runs a target without libFuzzer: on each file of a folder, and on a fixed number of mutations of them, with
// a fixed seed.
//
//     TARGET FOLDER [--runs N] [--seed N]
//
// An input that ends the program, takes more than two seconds of processor time, or more than 512 MiB, is
// written to NAME-fault in the current folder. Deterministic: the same folder, number and seed make the same
// inputs.
#include <algorithm>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fcntl.h>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <sys/resource.h>
#include <sys/time.h>
#include <unistd.h>
#include <vector>

#include "tests/fuzz/fuzz.hpp"
#include "tests/support/mutation.hpp"

namespace {

using Bytes = std::vector<uint8_t>;

constexpr size_t kCapacity = 16384;
constexpr int kSeconds = 2;
constexpr size_t kMemory = size_t{512} << 20;

// The input that is running and the file for it, for the signal handler.
const Bytes* current = nullptr;
char faultFile[256];

extern "C" void onSignal(int signal) {
  if (current != nullptr) {
    const int file = open(faultFile, O_WRONLY | O_CREAT | O_TRUNC, 0644);
    if (file >= 0 && write(file, current->data(), current->size()) == ssize_t(current->size())) {
      constexpr char kHang[] = "\nfault: more than two seconds\n";
      constexpr char kText[] = "\nthe input is in ";
      if (signal == SIGPROF) (void)!write(2, kHang, sizeof kHang - 1);
      (void)!write(2, kText, sizeof kText - 1);
      (void)!write(2, faultFile, std::strlen(faultFile));
      (void)!write(2, "\n", 1);
    }
  }
  _exit(1);
}

void runOne(const Bytes& input) {
  current = &input;
  const itimerval limit{{0, 0}, {kSeconds, 0}}, none{};
  setitimer(ITIMER_PROF, &limit, nullptr);
  LLVMFuzzerTestOneInput(input.data(), input.size());
  setitimer(ITIMER_PROF, &none, nullptr);
  current = nullptr;
}

uint64_t randomState = 1;

size_t randomBelow(size_t count) {
  coopc::tests::Random random(randomState++);
  return random.below(count);
}

std::vector<Bytes> readFolder(const std::string& folder) {
  std::vector<std::filesystem::path> paths;
  for (const auto& entry : std::filesystem::directory_iterator(folder))
    if (entry.is_regular_file()) paths.push_back(entry.path());
  std::sort(paths.begin(), paths.end());
  std::vector<Bytes> inputs;
  for (const auto& path : paths) {
    std::ifstream file(path, std::ios::binary);
    inputs.emplace_back(std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>());
  }
  return inputs;
}

}  // namespace

// Changes, inserts or removes a byte.
extern "C" size_t LLVMFuzzerMutate(uint8_t* data, size_t size, size_t capacity) {
  const size_t kind = randomBelow(3);
  if (size == 0 || (kind == 0 && size < capacity)) {
    if (capacity == 0) return 0;
    const size_t at = randomBelow(size + 1);
    std::memmove(data + at + 1, data + at, size - at);
    data[at] = uint8_t(randomBelow(256));
    return size + 1;
  }
  const size_t at = randomBelow(size);
  if (kind == 1 && size > 1) {
    std::memmove(data + at, data + at + 1, size - at - 1);
    return size - 1;
  }
  data[at] = uint8_t(randomBelow(256));
  return size;
}

int main(int argc, char** argv) {
  std::string folder;
  uint64_t runs = 1000, seed = 1;
  for (int i = 1; i < argc; ++i) {
    const std::string_view argument = argv[i];
    if (argument == "--runs" && i + 1 < argc)
      runs = std::strtoull(argv[++i], nullptr, 10);
    else if (argument == "--seed" && i + 1 < argc)
      seed = std::strtoull(argv[++i], nullptr, 10);
    else
      folder = argument;
  }
  const std::vector<Bytes> inputs = folder.empty() ? std::vector<Bytes>() : readFolder(folder);
  if (inputs.empty()) {
    std::fprintf(stderr, "usage: %s FOLDER [--runs N] [--seed N]; FOLDER has inputs\n", argv[0]);
    return 2;
  }
  std::snprintf(faultFile, sizeof faultFile, "%s-fault", std::filesystem::path(argv[0]).filename().c_str());
  for (const int signal : {SIGABRT, SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGPROF, SIGTRAP})
    std::signal(signal, onSignal);
#ifndef COOPC_SANITIZED
  const rlimit memory{kMemory, kMemory};
  setrlimit(RLIMIT_AS, &memory);
#endif
  for (const Bytes& input : inputs) runOne(input);
  randomState = seed << 32;
  coopc::tests::Random random(seed);
  for (uint64_t i = 0; i < runs; ++i) {
    Bytes input = inputs[random.below(inputs.size())];
    size_t size = std::min(input.size(), kCapacity);
    input.resize(kCapacity);
    for (size_t changes = 1 + random.below(3); changes > 0; --changes)
      size = LLVMFuzzerCustomMutator(input.data(), size, kCapacity, unsigned(random.next()));
    input.resize(size);
    input.shrink_to_fit();
    runOne(input);
  }
  std::printf("%zu inputs and %llu mutations\n", inputs.size(), static_cast<unsigned long long>(runs));
  return 0;
}
