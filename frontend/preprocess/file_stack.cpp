// Enters and leaves files, and counts their bytes.
#include "frontend/preprocess/file_stack.hpp"

#include "base/memory_budget.hpp"

namespace coopc::frontend::preprocessing {

bool FileStack::begin(FileId main) {
  main_ = main;
  c_.out.includes.push_back(main);
  included_.emplace(c_.sources.name(main));
  bytes_ = c_.sources.text(main).size();
  return bytes_ <= c_.options.limits.sourceBytes;
}

void FileStack::enter(FileId file, size_t openConditionals) {
  files_.push_back({TokenReader(c_.names, c_.diagnostics, c_.sources.text(file), c_.sources.loc(file, 0).raw,
                                c_.sources.lexedText(file)),
                    file, static_cast<uint32_t>(openConditionals)});
  reader_ = &files_.back().reader;
}

void FileStack::leave() {
  files_.pop_back();
  reader_ = &files_.back().reader;
}

bool FileStack::count(uint64_t bytes) {
  // Empty files that include each other must also reach a limit.
  constexpr uint64_t kPerFile = 1024;
  bytes_ += bytes + kPerFile;
  return bytes_ <= c_.options.limits.sourceBytes;
}

void FileStack::listIncluded(FileId file) {
  if (addName(included_, c_.sources.name(file))) c_.out.includes.push_back(file);
}

// False if the name was there already.
bool FileStack::addName(std::unordered_set<std::string>& names, std::string_view name) {
  constexpr size_t kNode = 64;
  if (!names.emplace(name).second) return false;
  MemoryBudget::take(kNode + name.size());
  return true;
}

}  // namespace coopc::frontend::preprocessing
