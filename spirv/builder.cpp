// Encodes instructions into the sections of a module, and finds types and constants again by a hash of their
// words.
#include "spirv/builder.hpp"

#include <algorithm>
#include <cstring>

#include "base/memory_budget.hpp"
#include "spirv/instruction_walk.hpp"
#include "spirv/literal_operands.hpp"
#include "spirv/literal_string.hpp"

namespace coopc::spirv {
namespace {

// The longest prefix of at most `limit` bytes that does not split a UTF-8 sequence (literals are UTF-8,
// 2.2.1).
size_t utf8Cut(std::string_view text, size_t limit) {
  if (text.size() <= limit) return text.size();
  size_t cut = limit;
  while (cut > 0 && limit - cut < 4 && (static_cast<unsigned char>(text[cut]) & 0xC0) == 0x80) --cut;
  return cut == 0 ? limit : cut;
}

uint32_t mix(uint32_t hash, uint32_t word) {
  hash = (hash ^ word) * 0x9E3779B1u;
  return hash ^ hash >> 15;
}

}  // namespace

void Builder::reset() {
  for (WordBuffer& section : sections_) section.clear();
  locals_.clear();
  localsAt_ = 0;
  openSection_ = 0;
  openAt_ = 0;
  for (Slot& slot : slots_) slot = {};
  slotsUsed_ = 0;
  laterCapabilities_.clear();
  laterExtensions_.clear();
  extensionCount_ = 0;
  nextId_ = 1;
  overflow_ = false;
  inFunction_ = false;
}

bool Builder::fits(size_t words) {
  if (words <= kMaxInstructionWords) return true;
  overflow_ = true;
  return false;
}

void Builder::op(Section section, spv::Op opcode, Operands operands) {
  const size_t n = 1 + operands.size();
  if (!fits(n)) return;
  uint32_t* at = sections_[unsigned(section)].extend(n);
  at[0] = instructionHead(opcode, n);
  for (size_t i = 0; i < operands.size(); ++i) at[1 + i] = operands[i];
}

Id Builder::opResult(Section section, spv::Op opcode, NamedId type, Operands operands) {
  const Id result = id();
  opWithId(section, opcode, type, result, operands);
  return result;
}

void Builder::opWithId(Section section, spv::Op opcode, NamedId type, NamedId result, Operands operands) {
  const size_t n = 3 + operands.size();
  if (!fits(n)) return;
  uint32_t* at = sections_[unsigned(section)].extend(n);
  at[0] = instructionHead(opcode, n);
  at[1] = type.index();
  at[2] = result.index();
  for (size_t i = 0; i < operands.size(); ++i) at[3 + i] = operands[i];
}

void Builder::opWithId(Section section, spv::Op opcode, Id result, Operands operands) {
  const size_t n = 2 + operands.size();
  if (!fits(n)) return;
  uint32_t* at = sections_[unsigned(section)].extend(n);
  *at++ = instructionHead(opcode, n);
  *at++ = result.index();
  for (Word word : operands) *at++ = word;
}

void Builder::opText(Section section, spv::Op opcode, std::initializer_list<Word> before,
                     std::string_view text) {
  text = untilZero(text);
  const size_t n = 1 + before.size() + literalTextWords(text);
  if (!fits(n)) return;
  uint32_t* at = sections_[unsigned(section)].extend(n);
  *at++ = instructionHead(opcode, n);
  for (Word word : before) *at++ = word;
  packLiteralText(at, text);
}

void Builder::beginOp(Section section, spv::Op opcode) {
  openSection_ = unsigned(section);
  openAt_ = sections_[openSection_].size();
  sections_[openSection_].push(uint32_t(opcode));
}

void Builder::endOp() {
  WordBuffer& buffer = sections_[openSection_];
  const size_t n = buffer.size() - openAt_;
  if (!fits(n)) {
    buffer.truncate(openAt_);
    return;
  }
  buffer[openAt_] |= uint32_t(n) << spv::WordCountShift;
}

bool Builder::hasCapability(spv::Capability capability) const {
  const WordBuffer& buffer = sections_[unsigned(Section::Capabilities)];
  const size_t searched = std::min(buffer.size(), size_t{2} * kSearched);
  for (size_t i = 0; i < searched; i += 2) {
    if (buffer[i + 1] == uint32_t(capability)) return true;
  }
  return buffer.size() > searched && laterCapabilities_.contains(uint32_t(capability));
}

void Builder::capability(spv::Capability capability) {
  if (hasCapability(capability)) return;
  if (sections_[unsigned(Section::Capabilities)].size() >= size_t{2} * kSearched)
    laterCapabilities_.insert(uint32_t(capability));
  make<op::Capability>(Section::Capabilities, {.capability = capability});
}

void Builder::extension(std::string_view name) {
  name = untilZero(name);
  const size_t n = literalTextWords(name);
  // Names in the registry are short, but a program's own (GL_EXT_spirv_intrinsics) may have any length.
  uint32_t few[64];
  std::vector<uint32_t> many(n > std::size(few) ? n : 0);
  uint32_t* const packed = many.empty() ? few : many.data();
  packLiteralText(packed, name);
  auto i = InstructionWalk::ofPart(words(Section::Extensions).words());
  for (uint32_t searched = 0; searched < kSearched && i.next(); ++searched) {
    if (i.length() == n + 1 && std::memcmp(i.words().data() + 1, packed, n * 4) == 0) return;
  }
  if (extensionCount_ >= kSearched && !laterExtensions_.emplace(name).second) return;
  ++extensionCount_;
  make<op::Extension>(Section::Extensions, {.name = name});
}

Id Builder::extInstSet(std::string_view name) {
  return intern(Section::ExtInstImports, spv::Op::OpExtInstImport, Id(), false,
                literalOperands(untilZero(name)));
}

void Builder::memoryModel(spv::AddressingModel addressing, spv::MemoryModel memory) {
  make<op::MemoryModel>(Section::MemoryModel, {.addressingModel = addressing, .memoryModel = memory});
}

void Builder::entryPoint(spv::ExecutionModel model, Id function, std::string_view name,
                         std::span<const Id> interface) {
  make<op::EntryPoint>(
      Section::EntryPoints,
      {.executionModel = model, .entryPoint = function, .name = name, .interface = interface});
}

void Builder::name(Id target, std::string_view text) {
  text = text.substr(0, utf8Cut(text, (kMaxInstructionWords - 3) * 4));
  opText(Section::Names, spv::Op::OpName, {target}, text);
}

void Builder::memberName(Id type, uint32_t member, std::string_view text) {
  text = text.substr(0, utf8Cut(text, (kMaxInstructionWords - 4) * 4));
  opText(Section::Names, spv::Op::OpMemberName, {type, member}, text);
}

void Builder::decorate(Id target, spv::Decoration decoration, std::initializer_list<Word> operands) {
  uint32_t* at = sections_[unsigned(Section::Annotations)].extend(3 + operands.size());
  *at++ = instructionHead(spv::Op::OpDecorate, 3 + operands.size());
  *at++ = target.index();
  *at++ = uint32_t(decoration);
  for (Word word : operands) *at++ = word;
}

void Builder::memberDecorate(Id type, uint32_t member, spv::Decoration decoration,
                             std::initializer_list<Word> operands) {
  uint32_t* at = sections_[unsigned(Section::Annotations)].extend(4 + operands.size());
  *at++ = instructionHead(spv::Op::OpMemberDecorate, 4 + operands.size());
  *at++ = type.index();
  *at++ = member;
  *at++ = uint32_t(decoration);
  for (Word word : operands) *at++ = word;
}

Id Builder::string(std::string_view text) {
  text = untilZero(text);
  text = text.substr(0, utf8Cut(text, (kMaxInstructionWords - 3) * 4));
  return intern(Section::Strings, spv::Op::OpString, Id(), false, literalOperands(text));
}

void Builder::source(spv::SourceLanguage language, uint32_t version, Id file, std::string_view text) {
  text = untilZero(text);
  if (!file || text.empty()) {
    make<op::Source>(Section::Strings, {.sourceLanguage = language, .version = version, .file = file});
    return;
  }
  // OpSource has four words before its text, OpSourceContinued has one. Each text ends in at least one zero
  // byte.
  const size_t first = utf8Cut(text, (kMaxInstructionWords - 5) * 4);
  make<op::Source>(
      Section::Strings,
      {.sourceLanguage = language, .version = version, .file = file, .source = text.substr(0, first)});
  for (text.remove_prefix(first); !text.empty();) {
    const size_t part = utf8Cut(text, (kMaxInstructionWords - 2) * 4);
    make<op::SourceContinued>(Section::Strings, {.continuedSource = text.substr(0, part)});
    text.remove_prefix(part);
  }
}

void Builder::setLineFiles(std::span<const Id> ids) {
  for (const Section section : {Section::Globals, Section::Functions}) {
    WordBuffer& buffer = sections_[unsigned(section)];
    auto i = InstructionWalk::ofPart(buffer.words());
    while (i.next()) {
      const auto line = as<op::Line>(i);
      const uint32_t file = line.file().index();
      if (line && file < ids.size()) buffer[i.at() + op::Line::At::file] = ids[file].index();
    }
  }
}

void Builder::replaceFunctions(Operands instructions) {
  WordBuffer& buffer = sections_[unsigned(Section::Functions)];
  buffer.clear();
  for (const Word word : instructions) buffer.push(word);
}

void Builder::growSlots() {
  const size_t size = slots_.empty() ? 256 : slots_.size() * 2;
  MemoryBudget::take((size - slots_.size()) * sizeof(Slot));
  std::vector<Slot> old(size);
  old.swap(slots_);
  const size_t mask = slots_.size() - 1;
  for (const Slot& slot : old) {
    if (slot.at == 0) continue;
    size_t i = slot.hash & mask;
    while (slots_[i].at != 0) i = (i + 1) & mask;
    slots_[i] = slot;
  }
}

Id Builder::intern(Section section, spv::Op opcode, Id type, bool hasType, Operands operands) {
  const size_t lead = hasType ? 3 : 2;
  const size_t n = lead + operands.size();
  if (!fits(n)) return id();
  const uint32_t head = instructionHead(opcode, n);
  uint32_t hash = mix(mix(unsigned(section) + 1, head), type.index());
  for (Word word : operands) hash = mix(hash, word);

  if ((slotsUsed_ + 1) * 2 > slots_.size()) growSlots();
  WordBuffer& buffer = sections_[unsigned(section)];
  const size_t mask = slots_.size() - 1;
  size_t i = hash & mask;
  for (; slots_[i].at != 0; i = (i + 1) & mask) {
    if (slots_[i].hash != hash || slots_[i].section != section) continue;
    const size_t at = slots_[i].at - 1;
    if (buffer[at] != head || (hasType && buffer[at + 1] != type.index())) continue;
    if (operands.empty() || std::memcmp(&buffer[at + lead], operands.data(), operands.size() * 4) == 0) {
      return Id(buffer[at + lead - 1]);
    }
  }
  slots_[i] = {hash, uint32_t(buffer.size() + 1), section};
  ++slotsUsed_;

  const Id result = id();
  uint32_t* at = buffer.extend(n);
  *at++ = head;
  if (hasType) *at++ = type.index();
  *at++ = result.index();
  for (Word word : operands) *at++ = word;
  return result;
}

Id Builder::type(spv::Op opcode, Operands operands) {
  return intern(Section::Globals, opcode, Id(), false, operands);
}

void Builder::forwardPointer(Id pointerType, spv::StorageClass storage) {
  make<op::TypeForwardPointer>(Section::Globals, {.pointerType = pointerType, .storageClass = storage});
}

Id Builder::constant(spv::Op opcode, NamedId type, Operands operands) {
  return intern(Section::Globals, opcode, type, true, operands);
}

Id Builder::typeFunction(Id result, Operands parameters) {
  constexpr size_t kMaxParameters = 255;  // 2.17
  if (parameters.size() > kMaxParameters) {
    overflow_ = true;
    parameters = parameters.first(kMaxParameters);
  }
  return type<op::TypeFunction>({.returnType = result, .parameterTypes = parameters});
}

void Builder::beginFunction(NamedId result, NamedId resultType, spv::FunctionControlMask control,
                            NamedId functionType) {
  inFunction_ = true;
  localsAt_ = 0;
  locals_.clear();
  makeWithId<op::Function>(Section::Functions, resultType, result,
                           {.functionControl = control, .functionType = functionType});
}

Id Builder::parameter(Id type) { return make<op::FunctionParameter>(Section::Functions, type); }

void Builder::label(Id block) {
  makeWithId<op::Label>(Section::Functions, block);
  if (localsAt_ == 0) localsAt_ = sections_[unsigned(Section::Functions)].size();
}

Id Builder::localVariable(NamedId pointerType, NamedId initializer) {
  const Id result = id();
  const size_t n = initializer ? 5 : 4;
  uint32_t* at = locals_.extend(n);
  at[0] = instructionHead(spv::Op::OpVariable, n);
  at[1] = pointerType.index();
  at[2] = result.index();
  at[3] = uint32_t(spv::StorageClass::Function);
  if (initializer) at[4] = initializer.index();
  return result;
}

void Builder::endFunction() {
  make<op::FunctionEnd>(Section::Functions);
  if (localsAt_ != 0)
    sections_[unsigned(Section::Functions)].insert(localsAt_, locals_.data(), locals_.size());
  locals_.clear();
  localsAt_ = 0;
  inFunction_ = false;
}

std::vector<uint32_t> Builder::finish(uint32_t version, uint32_t generator) const {
  size_t total = 5;
  for (const WordBuffer& section : sections_) total += section.size();
  std::vector<uint32_t> module;
  module.reserve(total);
  const uint32_t head[] = {spv::MagicNumber, version, generator, nextId_, 0};
  module.insert(module.end(), std::begin(head), std::end(head));
  for (const WordBuffer& section : sections_) module.insert(module.end(), section.begin(), section.end());
  return module;
}

}  // namespace coopc::spirv
