// Words to a module. One pass over the words; checks that need the whole module (undefined ids) come at the
// end.
#include "spirv/reader.hpp"

#include <array>
#include <cstring>
#include <string_view>

#include "spirv/instruction_walk.hpp"
#include "spirv/instructions.hpp"
#include "spirv/leading_ids.hpp"

namespace coopc::spirv {
namespace {

uint32_t swapBytes(uint32_t w) { return w >> 24 | (w >> 8 & 0xFF00) | (w << 8 & 0xFF0000) | w << 24; }

class ModuleReader {
 public:
  ModuleReader(std::span<const uint32_t> words, Module& module, ReadError& error, bool literalSets)
      : words_(words), module_(module), error_(error), literalSets_(literalSets) {}

  bool run() {
    if (words_.size() < kHeaderWords)
      return fail(0, "a module has at least 5 words, this one " + std::to_string(words_.size()));
    if (words_[0] != spv::MagicNumber) return fail(0, "wrong magic number");
    const uint32_t bound = words_[3];
    if (bound == 0 || bound > kMaxIdBound) {
      return fail(3, "id bound " + std::to_string(bound) + " is outside 1 to " + std::to_string(kMaxIdBound));
    }
    module_.version = words_[1];
    module_.generator = words_[2];
    module_.bound = bound;
    module_.words.append(words_.data(), words_.size());
    module_.instructions.reserve(words_.size() / 4);
    module_.definitions.assign(bound, kNone);
    uses_.assign(bound, 0);

    InstructionWalk walk(words_);
    while (walk.next()) {
      if (!instruction(walk)) return false;
    }
    if (walk.fault() == InstructionWalk::Fault::NoWords) return fail(walk.at(), "an instruction of 0 words");
    if (walk.fault() == InstructionWalk::Fault::PastEnd)
      return fail(walk.at(), "an instruction goes past the end of the module");
    if (state_ != State::Globals && state_ != State::Between)
      return fail(words_.size(), "OpFunctionEnd is missing");
    if (!sawFunction_) module_.functionsAt = uint32_t(module_.instructions.size());

    for (uint32_t id = 1; id < bound; ++id) {
      if (uses_[id] != 0 && module_.definitions[id] == kNone) {
        return fail(uses_[id], "id " + std::to_string(id) + " is used but not defined");
      }
    }
    for (const Instruction& i : module_.instructions) {
      if (!i.type) continue;
      const OpInfo* type = opInfo(module_.opOf(i.type));
      if (type == nullptr || !type->isType()) {
        return fail(i.at, "id " + std::to_string(i.type.index()) + " is used as a type but is not one");
      }
    }
    return true;
  }

 private:
  enum class State { Globals, Parameters, InBlock, AfterBlock, Between };

  bool fail(size_t word, std::string message) {
    error_.word = word;
    error_.message = std::move(message);
    return false;
  }

  bool failOp(size_t at, uint32_t opcode, const char* text) {
    return fail(at, std::string(opName(opcode)) + " " + text);
  }

  bool instruction(const InstructionWalk& walk) {
    const size_t at = walk.at();
    const uint32_t length = walk.length(), opcode = uint32_t(walk.op());
    const std::span<const uint32_t> w = walk.words();
    const OpInfo* info = opInfo(opcode);
    if (info == nullptr) return fail(at, "unknown opcode " + std::to_string(opcode));

    Instruction i;
    i.at = uint32_t(at);
    i.opcode = uint16_t(opcode);
    i.length = uint16_t(length);
    const uint32_t lead = uint32_t(info->hasType()) + uint32_t(info->hasResult());
    if (length < 1 + lead) return failOp(at, opcode, "has too few words");
    if (info->hasType()) i.type = Id(w[1]);
    if (info->hasResult()) i.result = Id(w[lead]);

    if (i.op() == spv::Op::OpSwitch && length < 3) return failOp(at, opcode, "has too few words");
    bool idsInRange = true;
    const uint32_t ids = fitsAsBefore(*info, length) ? length : leadingIds(i.op(), length, w.data());
    const bool fits = ids != 0 ? onlyIds(w.first(ids), info->hasResult() ? lead : 0, at, idsInRange)
                               : operands(i, *info, w, at, idsInRange);
    if (!idsInRange) return failOp(at, opcode, "has an id outside the bound");
    if (!fits) return failOp(at, opcode, "has operands that do not fit its grammar");

    if (i.result && module_.definitions[i.result.index()] != kNone) {
      return fail(at, "id " + std::to_string(i.result.index()) + " is defined twice");
    }
    if (i.op() == spv::Op::OpConstant || i.op() == spv::Op::OpSpecConstant) {
      const auto type = as<op::NumberType>(module_, i.type);
      if (!type) return failOp(at, opcode, "needs an integer or float type that is defined before");
      const uint32_t width = type.width();
      if (width == 0 || width > 64) return failOp(at, opcode, "has a type without a usable width");
      if (length != 3 + (width + 31) / 32)
        return failOp(at, opcode, "has a value that does not fit its type");
    }
    if (!place(i, at)) return false;
    if (info->onlyIds() && length <= kMostWords && opcode < fitting_.size())
      fitting_[opcode] |= 1u << (length - 1);
    // Not earlier: an instruction that names its own result as its type must not find itself.
    if (i.result) module_.definitions[i.result.index()] = uint32_t(module_.instructions.size());
    module_.instructions.push_back(i);
    return true;
  }

  // Most instructions are nothing but ids, and have as many as another one of their opcode had.
  bool fitsAsBefore(const OpInfo& info, uint32_t length) const {
    return info.onlyIds() && length <= kMostWords && info.opcode < fitting_.size() &&
           (fitting_[info.opcode] >> (length - 1) & 1) != 0;
  }

  // Handles an instruction whose words after the first are all ids. `result`: the index of the result's word,
  // or 0.
  bool onlyIds(std::span<const uint32_t> w, uint32_t result, size_t at, bool& idsInRange) {
    const uint32_t bound = module_.bound;
    uint32_t* const uses = uses_.data();
    bool good = true;
    for (uint32_t n = 1; n < w.size(); ++n) {
      const uint32_t id = w[n];
      if (id == 0 || id >= bound) {
        good = false;
      } else if (uses[id] == 0 && n != result) {
        uses[id] = uint32_t(at);
      }
    }
    idsInRange = good;
    return true;
  }

  // Whether the operands fit the grammar.
  bool operands(const Instruction& i, const OpInfo& info, std::span<const uint32_t> w, size_t at,
                bool& idsInRange) {
    const Set set = setOf(w);
    const bool mayBeZero = set == Set::NonSemantic;
    const bool unknown = set == Set::Other && literalSets_;
    const uint32_t bound = module_.bound;
    return visitOperands(info, w.data(), uint32_t(w.size()), module_.switchWords(i),
                         [&](OperandKind kind, uint32_t n, uint32_t) {
                           if (!isIdKind(kind)) return;
                           const Id id = Id(w[n]);
                           if (n >= 5 && ((!id && mayBeZero) || unknown)) return;
                           if (!id || id.index() >= bound) {
                             idsInRange = false;
                           } else if (kind != OperandKind::IdResult && uses_[id.index()] == 0) {
                             uses_[id.index()] = uint32_t(at);
                           }
                         });
  }

  // The kind of set to which an instruction belongs. Sets with the prefix NonSemantic. do not affect a
  // module's meaning, and glslang writes id 0 as an operand of NonSemantic.Shader.DebugInfo instructions for
  // types that it cannot describe. Sets other than GLSL.std.450 may have literals among their operands.
  enum class Set : uint8_t { None, Glsl, NonSemantic, Other };
  Set setOf(std::span<const uint32_t> w) const {
    const auto op = spv::Op(w[0] & spv::OpCodeMask);
    if ((op != spv::Op::OpExtInst && op != spv::Op::OpExtInstWithForwardRefsKHR) || w.size() < 5)
      return Set::None;
    const Instruction* set = module_.def(Id(w[3]));
    if (set == nullptr || set->op() != spv::Op::OpExtInstImport) return Set::None;
    const auto starts = [&](std::string_view name) {
      return size_t(set->length - 2) * 4 > name.size() &&
             std::memcmp(words_.data() + set->at + 2, name.data(), name.size()) == 0;
    };
    return starts("NonSemantic.") ? Set::NonSemantic : starts("GLSL.std.450") ? Set::Glsl : Set::Other;
  }

  // Checks the shape of functions (SPIR-V 2.4).
  bool place(const Instruction& i, size_t at) {
    const spv::Op op = i.op();
    if (op == spv::Op::OpLine || op == spv::Op::OpNoLine || op == spv::Op::OpNop) return true;
    switch (state_) {
      case State::Globals:
      case State::Between:
        if (op == spv::Op::OpFunction) {
          if (!sawFunction_) module_.functionsAt = uint32_t(module_.instructions.size());
          sawFunction_ = true;
          state_ = State::Parameters;
          return true;
        }
        if (isTerminator(op) || op == spv::Op::OpLabel || op == spv::Op::OpFunctionParameter ||
            op == spv::Op::OpFunctionEnd) {
          return failOp(at, i.opcode, "outside a function");
        }
        // Non-semantic instructions may stand between functions.
        if (state_ == State::Between && op != spv::Op::OpExtInst &&
            op != spv::Op::OpExtInstWithForwardRefsKHR) {
          return failOp(at, i.opcode, "after the first function");
        }
        return true;
      case State::Parameters:
        if (op == spv::Op::OpFunctionParameter) return true;
        [[fallthrough]];
      case State::AfterBlock:
        if (op == spv::Op::OpLabel) {
          state_ = State::InBlock;
          return true;
        }
        if (op == spv::Op::OpFunctionEnd) {
          state_ = State::Between;
          return true;
        }
        // Debug information may end a scope after a block's terminator.
        if (state_ == State::AfterBlock) {
          const Set set = setOf(words_.subspan(at, i.length));
          if (set == Set::NonSemantic || (set == Set::Other && literalSets_)) return true;
        }
        return failOp(at, i.opcode, "outside a block");
      case State::InBlock:
        if (op == spv::Op::OpLabel || op == spv::Op::OpFunction || op == spv::Op::OpFunctionEnd ||
            op == spv::Op::OpFunctionParameter) {
          return failOp(at, i.opcode, "inside a block");
        }
        if (isTerminator(op)) state_ = State::AfterBlock;
        return true;
    }
    return true;
  }

  std::span<const uint32_t> words_;
  Module& module_;
  ReadError& error_;
  bool literalSets_;
  static constexpr uint32_t kMostWords = 32;
  std::array<uint32_t, 512> fitting_{};  // by opcode: lengths of instructions that are only ids, as bits
  std::vector<uint32_t> uses_;           // id -> word of the first use, 0 when unused
  State state_ = State::Globals;
  bool sawFunction_ = false;
};

}  // namespace

std::optional<std::vector<uint32_t>> wordsFromBytes(std::span<const unsigned char> bytes, ReadError& error) {
  if (bytes.size() % 4 != 0 || bytes.size() < 20) {
    error = {"the length is " + std::to_string(bytes.size()) + " bytes: not a SPIR-V module", 0};
    return std::nullopt;
  }
  std::vector<uint32_t> words(bytes.size() / 4);
  std::memcpy(words.data(), bytes.data(), bytes.size());
  if (words[0] == swapBytes(spv::MagicNumber)) {
    for (uint32_t& word : words) word = swapBytes(word);
  }
  if (words[0] != spv::MagicNumber) {
    error = {"wrong magic number", 0};
    return std::nullopt;
  }
  return words;
}

std::string describe(const ReadError& error) {
  return "not a module: word " + std::to_string(error.word) + ": " + error.message;
}

std::optional<Module> readModule(std::span<const uint32_t> words, ReadError& error, bool literalSets) {
  std::optional<Module> module(std::in_place);
  if (!ModuleReader(words, *module, error, literalSets).run()) module.reset();
  return module;
}

std::optional<Module> indexModule(std::span<const uint32_t> words) {
  if (words.size() < kHeaderWords) return std::nullopt;
  std::optional<Module> indexed(std::in_place);
  Module& module = *indexed;
  module.version = words[kHeaderVersion];
  module.generator = words[kHeaderGenerator];
  module.bound = words[kHeaderBound];
  if (module.bound == 0 || module.bound > kMaxIdBound) return std::nullopt;
  module.words.append(words.data(), words.size());
  module.instructions.reserve(words.size() / 4);
  InstructionWalk walk(words);
  while (walk.next()) {
    Instruction i;
    i.at = uint32_t(walk.at());
    i.opcode = uint16_t(walk.op());
    i.length = uint16_t(walk.length());
    const OpInfo* info = opInfo(i.opcode);
    if (info == nullptr || i.length <= uint32_t(info->hasType()) + uint32_t(info->hasResult()))
      return std::nullopt;
    if (info->hasType()) i.type = Id(walk.words()[1]);
    if (info->hasResult()) i.result = Id(walk.words()[1 + uint32_t(info->hasType())]);
    if (i.result.index() >= module.bound) return std::nullopt;
    module.instructions.push_back(i);
  }
  if (walk.fault() != InstructionWalk::Fault::None) return std::nullopt;
  module.reindex();
  return indexed;
}

}  // namespace coopc::spirv
