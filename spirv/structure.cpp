// Checks a module's structure: the instructions one by one, then each function with its control flow graph.
#include "spirv/structure.hpp"

#include <array>

#include "spirv/enums_supplement.hpp"
#include "spirv/instruction_walk.hpp"
#include "spirv/opt/cfg.hpp"
#include "spirv/opt/support.hpp"

namespace coopc::spirv {
namespace {

class Structure {
 public:
  explicit Structure(const Module& module) : m_(module) {}

  std::string run(FunctionWords functionWords) {
    blockOf_.assign(m_.bound, 0);
    isType_.assign(m_.bound, 0);
    isType_[0] = 1;
    const bool asRead = functionWords == FunctionWords::AsRead;
    const Instruction* const instructions = m_.instructions.data();
    const uint32_t count = uint32_t(m_.instructions.size()), functionsAt = m_.functionsAt;
    for (uint32_t n = 0; n < count && fault_.empty(); ++n) {
      const Instruction& i = instructions[n];
      if (i.op() == spv::Op::OpNop) continue;
      if (asRead && n >= functionsAt) {
        place(i);
      } else if (!isLikeBefore(i, n)) {
        words(i, n);
      }
    }
    for (uint32_t n = functionsAt; n < count && fault_.empty();)
      n = instructions[n].op() == spv::Op::OpFunction ? function(n) : n + 1;
    return fault_;
  }

 private:
  void fail(const Instruction& i, const std::string& what) {
    if (!fault_.empty()) return;
    fault_ = std::string(opName(i.opcode));
    if (i.result) fault_ += " " + id(i.result);
    fault_ += " " + what;
  }

  static std::string id(Id value) { return "%" + std::to_string(value.index()); }

  // --- One instruction --------------------------------------------------------------------------------------------
  // The most frequent ones: in a function, nothing but ids, as many as another one of the opcode had (or those of endOfIds()). The same
  // checks as those of words(), with what that found out about the opcode and the type.
  bool isLikeBefore(const Instruction& i, uint32_t n) const {
    if (n < m_.functionsAt || i.opcode >= lead_.size() || lead_[i.opcode] == 0 || i.length == 0 ||
        size_t(i.at) + i.length > m_.words.size())
      return false;
    const uint32_t* w = m_.at(i);
    const uint8_t lead = lead_[i.opcode];
    const uint32_t end = hasFitted(i) ? i.length : endOfIds(i, w);
    if (end == 0) return false;
    const Id type = Id((lead & kHasType) != 0 ? w[1] : 0u);
    const Id result = Id((lead & kHasResult) != 0 ? w[(lead & kHasType) != 0 ? 2 : 1] : 0u);
    return w[0] == instructionHead(i.op(), i.length) && i.type == type && i.result == result &&
           areDefined(w + 1, end - 1) && isType_[type.index()] != 0 &&
           (!result || m_.definitions[result.index()] == n);
  }

  // What is not known of an instruction in a function whose words fit the grammar.
  void place(const Instruction& i) {
    const bool core = i.opcode < lead_.size();
    if (!core || lead_[i.opcode] == 0) {
      if (isGlobal(i.op(), *opInfo(i.opcode))) return fail(i, "stands behind the first function");
      if (core) lead_[i.opcode] = kPlaced;
    }
    if (i.op() == spv::Op::OpVariable) variable(i);
    if (isExtended(i.op())) set(i);
  }

  static bool isExtended(spv::Op op) {
    return op == spv::Op::OpExtInst || op == spv::Op::OpExtInstWithForwardRefsKHR;
  }
  // Which of its operands are ids depends on it.
  void set(const Instruction& i) {
    if (m_.opOf(m_.idAt(i, 3)) != spv::Op::OpExtInstImport) fail(i, "is of no set");
  }

  // Of the whole module, as passes move variables into functions.
  void variable(const Instruction& i) {
    if (m_.opOf(i.type) != spv::Op::OpTypePointer) return fail(i, "is not a pointer");
    if (i.length > 4) same(i, pointee(i.result), m_.typeOf(m_.idAt(i, 4)), "its initial value");
  }

  void words(const Instruction& i, uint32_t n) {
    const OpInfo* info = opInfo(i.opcode);
    if (info == nullptr) return fail(i, "has an opcode that the grammar does not know");
    if (i.length == 0 || size_t(i.at) + i.length > m_.words.size()) return fail(i, "lies outside the module");
    const uint32_t* w = m_.at(i);
    if (w[0] != instructionHead(i.op(), i.length)) return fail(i, "has another first word");
    const uint32_t lead = uint32_t(info->hasType()) + uint32_t(info->hasResult());
    if (i.length <= lead) return fail(i, "has too few words");
    if (i.type != Id(info->hasType() ? w[1] : 0u) || i.result != Id(info->hasResult() ? w[lead] : 0u))
      return fail(i, "has another type or result in its words");
    const bool inFunctions = n >= m_.functionsAt;
    if (!inFunctions || !fitsAsBefore(i, *info) || !areDefined(w + 1, i.length - 1u))
      operands(i, n, *info, lead);
    if (i.result && fault_.empty() && m_.definitions[i.result.index()] != n)
      return fail(i, "is not where the module's index has it");
    if (i.type && fault_.empty() && isType_[i.type.index()] == 0) {
      const OpInfo* type = opInfo(m_.opOf(i.type));
      if (type == nullptr || !type->isType())
        fail(i, "has " + id(i.type) + " as its type, which is not a type");
      isType_[i.type.index()] = 1;
    }
    if (i.op() == spv::Op::OpVariable && fault_.empty()) variable(i);
    if (isExtended(i.op()) && fault_.empty()) set(i);
  }

  void operands(const Instruction& i, uint32_t n, const OpInfo& info, uint32_t lead) {
    const uint32_t* w = m_.at(i);
    const bool inFunctions = n >= m_.functionsAt;
    // Operands of non-semantic instructions may be 0.
    const bool extended = isExtended(i.op());
    if (i.op() == spv::Op::OpSwitch && i.length < 3) return fail(i, "has too few words");
    const auto idWord = [&](Id used, bool isResult) {
      if (!used || used.index() >= m_.bound)
        return fail(i, "has " + id(used) + ", which is outside the bound");
      if (m_.def(used) == nullptr) return fail(i, "uses " + id(used) + ", which is not defined");
      if (!isResult) global(i, n, used);
    };
    // Most instructions are nothing but ids, or have nothing but numbers behind them.
    if (const uint32_t end = info.onlyIds() ? i.length : endOfIds(i, w); end != 0) {
      if (!inFunctions || !areDefined(w + 1, end - 1)) {
        for (uint32_t at = 1; at < end; ++at) idWord(Id(w[at]), info.hasResult() && at == lead);
      }
      if (info.onlyIds() && !fitsIds(info, i.length - 1u))
        return fail(i, "has operands that do not fit the grammar");
    } else {
      const bool fits =
          visitOperands(info, w, i.length, m_.switchWords(i), [&](OperandKind kind, uint32_t at, uint32_t) {
            if (isValueEnum(kind) && enumerantInfo(kind, w[at]) == nullptr)
              return fail(i, "has the unknown enumerant " + std::to_string(w[at]));
            if (!isIdKind(kind) || (extended && at >= 5)) return;
            if (at > 1 && (i.op() == spv::Op::OpDecorate || i.op() == spv::Op::OpMemberDecorate))
              return fail(i, "has an id as an operand of the decoration");  // OpDecorateId's
            idWord(Id(w[at]), kind == OperandKind::IdResult);
          });
      if (!fits) return fail(i, "has operands that do not fit the grammar");
    }
    if (!inFunctions) return;
    if (isGlobal(i.op(), info)) return fail(i, "stands behind the first function");
    if (i.opcode >= fitting_.size() || i.op() == spv::Op::OpVariable) return;
    if (info.onlyIds() && i.length <= kMostWords) fitting_[i.opcode] |= 1u << (i.length - 1);
    lead_[i.opcode] =
        uint8_t(kPlaced | (info.hasType() ? kHasType : 0) | (info.hasResult() ? kHasResult : 0));
  }

  // For frequent instructions whose words fit the grammar whatever they are after that many, of which all but the first are ids;
  // otherwise 0.
  static uint32_t endOfIds(const Instruction& i, const uint32_t* w) {
    constexpr auto kAligned = uint32_t(spv::MemoryAccessMask::Aligned);
    switch (i.op()) {
      case spv::Op::OpLoad: return i.length == 4 || (i.length == 6 && w[4] == kAligned) ? 4 : 0;
      case spv::Op::OpStore: return i.length == 3 || (i.length == 5 && w[3] == kAligned) ? 3 : 0;
      case spv::Op::OpVariable:
        return i.length == 4 && spv::StorageClass(w[3]) == spv::StorageClass::Function ? 3 : 0;
      case spv::Op::OpCompositeExtract: return i.length >= 4 ? 4 : 0;
      case spv::Op::OpCompositeInsert:
      case spv::Op::OpVectorShuffle: return i.length >= 5 ? 5 : 0;
      case spv::Op::OpBranchConditional: return i.length == 4 ? 4 : 0;
      case spv::Op::OpSelectionMerge: return i.length == 3 ? 2 : 0;
      case spv::Op::OpConstant: return i.length >= 4 ? 3 : 0;
      case spv::Op::OpTypeInt: return i.length == 4 ? 2 : 0;
      case spv::Op::OpTypeVector: return i.length == 4 ? 3 : 0;
      default: return 0;
    }
  }

  bool areDefined(const uint32_t* ids, uint32_t count) const {
    const uint32_t* definitions = m_.definitions.data();
    const uint32_t bound = m_.bound;
    for (uint32_t k = 0; k < count; ++k)
      if (ids[k] >= bound || definitions[ids[k]] == kNone) return false;
    return true;
  }

  // Whether an instruction that is nothing but ids has as many as another one of its opcode that stood rightly in a function: the
  // same numbers come again and again.
  bool fitsAsBefore(const Instruction& i, const OpInfo& info) const { return info.onlyIds() && hasFitted(i); }
  bool hasFitted(const Instruction& i) const {
    return i.length != 0 && i.length <= kMostWords && i.opcode < fitting_.size() &&
           (fitting_[i.opcode] >> (i.length - 1) & 1) != 0;
  }
  // Whether it may have so many.
  static bool fitsIds(const OpInfo& info, uint32_t count) {
    uint32_t least = 0, most = 0, step = 0;
    for (const OperandInfo& operand : grammarOperands(info.operandList)) {
      const uint32_t ids = operand.kind == OperandKind::PairIdRefIdRef ? 2 : 1;
      if (operand.quantifier == Quantifier::One) least += ids;
      if (operand.quantifier == Quantifier::Any) {
        step = ids;
      } else {
        most += ids;
      }
    }
    if (count < least) return false;
    return step == 0 ? count <= most : count <= most || (count - most) % step == 0;
  }

  static bool isGlobal(spv::Op op, const OpInfo& info) {
    if (info.isType() || isConstantOp(op) || isAnnotation(op)) return true;
    switch (op) {
      case spv::Op::OpSpecConstant:
      case spv::Op::OpSpecConstantTrue:
      case spv::Op::OpSpecConstantFalse:
      case spv::Op::OpSpecConstantComposite:
      case spv::Op::OpSpecConstantOp:
      case spv::Op::OpCapability:
      case spv::Op::OpExtension:
      case spv::Op::OpExtInstImport:
      case spv::Op::OpMemoryModel:
      case spv::Op::OpEntryPoint:
      case spv::Op::OpExecutionMode:
      case spv::Op::OpExecutionModeId:
      case spv::Op::OpTypeForwardPointer:
      case spv::Op::OpString: return true;
      default: return false;
    }
  }

  static bool isAnnotation(spv::Op op) {
    return op == spv::Op::OpName || op == spv::Op::OpMemberName || op == spv::Op::OpDecorationGroup ||
           isBetween(op, spv::Op::OpDecorate, spv::Op::OpGroupMemberDecorate) ||
           op == spv::Op::OpDecorateId || op == spv::Op::OpDecorateString ||
           op == spv::Op::OpMemberDecorateString;
  }

  // Instructions before the functions may only use earlier instructions, except for names and entry points
  // (and structures, whose members may be forward-declared pointers).
  void global(const Instruction& i, uint32_t n, Id used) {
    if (n >= m_.functionsAt || isAnnotation(i.op())) return;
    const uint32_t at = m_.definitions[used.index()];
    if (i.op() == spv::Op::OpEntryPoint || i.op() == spv::Op::OpExecutionMode ||
        i.op() == spv::Op::OpExecutionModeId) {
      const spv::Op op = m_.instructions[at].op();
      const bool first = used == m_.idAt(i, i.op() == spv::Op::OpEntryPoint ? 2 : 1);
      if (first ? op != spv::Op::OpFunction : at >= m_.functionsAt)
        fail(i, "uses " + id(used) + ", which is not what it may name");
      return;
    }
    // Debug information may refer to functions and to later instructions.
    if (isExtended(i.op())) return;
    const bool announced = i.op() == spv::Op::OpTypeForwardPointer ||
                           (m_.instructions[at].op() == spv::Op::OpTypePointer && opInfo(i.opcode)->isType());
    if (at >= n && !(announced && at < m_.functionsAt)) fail(i, "uses " + id(used) + ", which comes later");
  }

  // --- One function -----------------------------------------------------------------------------------------------
  // Returns the index after it.
  uint32_t function(uint32_t begin) {
    const uint32_t end = layout(begin);
    if (!fault_.empty()) return end;
    const Instruction& head = m_.instructions[begin];
    if (m_.opOf(m_.idAt(head, 4)) != spv::Op::OpTypeFunction) {
      fail(head, "has no function type");
    } else if (blocks_ != 0) {  // not a declaration
      blocks(begin);
    }
    return end;
  }

  // Where blocks begin and end, and which block has which definition.
  uint32_t layout(uint32_t begin) {
    const Instruction* const instructions = m_.instructions.data();
    const uint32_t count = uint32_t(m_.instructions.size());
    uint32_t* const blockOf = blockOf_.data();
    uint32_t end = begin + 1;
    bool inBlock = false;
    blocks_ = 0;
    // The block before which there is none has parameters, which are not looked up there; the id 0 is none.
    for (; end < count; ++end) {
      const Instruction& i = instructions[end];
      const spv::Op op = i.op();
      // Most instructions are neither labels nor terminators.
      static_assert(spv::Op::OpLabel > spv::Op::OpLoopMerge && spv::Op::OpBranch > spv::Op::OpLoopMerge);
      if (op >= spv::Op::OpLoopMerge || op == spv::Op::OpFunction || op == spv::Op::OpFunctionEnd) {
        if (op == spv::Op::OpFunctionEnd) break;
        if (op == spv::Op::OpLabel) {
          if (inBlock) fail(i, "stands inside a block");
          inBlock = true;
          ++blocks_;
        } else if (isTerminator(op)) {
          if (!inBlock) fail(i, "stands outside a block");
          inBlock = false;
        } else if (op == spv::Op::OpFunction) {
          fail(i, "stands inside a function");
        }
        if (!fault_.empty()) return end;
      }
      blockOf[i.result.index()] = blocks_ - 1;
    }
    if (end == count || inBlock) fail(instructions[begin], "does not end");
    return end + 1;
  }

  void blocks(uint32_t begin) {
    if (!cfg_.build(m_, begin)) return fail(m_.instructions[begin], "has branches that make no graph");
    begin_ = begin;
    precedes_.assign(cfg_.blocks.size(), kNone);
    markedFor_ = kNone;
    for (uint32_t b = 0; b < cfg_.blocks.size() && fault_.empty(); ++b) block(b);
  }

  void block(uint32_t b) {
    const Block& block = cfg_.blocks[b];
    const bool reachable = cfg_.reachable(b);
    if (reachable && cfg_.idom(b) != kNone && cfg_.idom(b) > b)
      fail(m_.instructions[block.first], "comes before the block that dominates it");
    bool head = true, merged = false;
    for (uint32_t n = block.first + 1; n <= block.last && fault_.empty(); ++n) {
      const Instruction& i = m_.instructions[n];
      switch (i.op()) {
        case spv::Op::OpNop:
        case spv::Op::OpLine:
        case spv::Op::OpNoLine: continue;
        case spv::Op::OpPhi:
          if (!head) fail(i, "stands behind other instructions");
          if (reachable) phi(b, i);
          break;
        case spv::Op::OpVariable:
          if (b != 0) fail(i, "stands outside the first block");
          break;
        case spv::Op::OpSelectionMerge:
        case spv::Op::OpLoopMerge: merged = true; continue;
        default: head = false; break;
      }
      if (merged && n != block.last) fail(i, "stands between a merge instruction and the end of the block");
      if (!reachable) {
        staysInFunction(i);
        continue;
      }
      if (i.op() != spv::Op::OpPhi) uses(b, n);
      types(i);
    }
  }

  // Whether an id is defined before the functions, or is none.
  bool precedesFunctions(Id id) const {
    return id.index() >= m_.bound || m_.definitions[id.index()] == kNone ||
           m_.definitions[id.index()] < m_.functionsAt;
  }
  // Whether an instruction is of the function that is looked at.
  bool isOfFunction(uint32_t n) const { return n >= begin_ && n < cfg_.functionEnd; }

  // What holds in unreachable blocks too, where a value need not dominate its uses.
  void staysInFunction(const Instruction& i) {
    m_.forEachUse(i, [&](Id used) {
      if (precedesFunctions(used)) return;
      if (m_.opOf(used) == spv::Op::OpFunction) return functionAsOperand(i, used);
      if (!isOfFunction(m_.definitions[used.index()])) fail(i, "uses " + id(used) + " of another function");
    });
  }

  void functionAsOperand(const Instruction& user, Id function) {
    if (!mayNameFunction(user.op())) fail(user, "uses the function " + id(function) + " as a value");
  }

  void phi(uint32_t b, const Instruction& i) {
    const auto predecessors = cfg_.predecessors(b);
    if ((i.length - 3u) != predecessors.size() * 2)
      return fail(i, "has " + std::to_string((i.length - 3u) / 2) + " values for " +
                         std::to_string(predecessors.size()) + " predecessors");
    if (markedFor_ != b) {
      for (uint32_t p : predecessors) precedes_[p] = b;
      markedFor_ = b;
    }
    for (uint32_t k = 3; k + 1 < i.length; k += 2) {
      const Id value = m_.idAt(i, k);
      const uint32_t from = cfg_.blockOf(m_.idAt(i, k + 1));
      if (from == kNone || precedes_[from] != b)
        return fail(i, "names " + id(m_.idAt(i, k + 1)) + ", which is not a predecessor");
      if (m_.opOf(value) == spv::Op::OpFunction) return functionAsOperand(i, value);
      if (m_.typeOf(value) != i.type) return fail(i, "takes " + id(value) + " of another type");
      if (cfg_.reachable(from)) dominated(i, value, from, cfg_.blocks[from].last + 1);
    }
  }

  // Of operands: a type comes before the functions, as it was found to be one.
  void uses(uint32_t b, uint32_t n) {
    const Instruction& i = m_.instructions[n];
    const uint32_t first = cfg_.blocks[b].first;
    const uint32_t* const definitions = m_.definitions.data();
    const uint32_t bound = m_.bound, functionsAt = m_.functionsAt;
    m_.forEachOperandId(i, [=, this](Id used) {
      if (used.index() >= bound) return;
      const uint32_t at = definitions[used.index()];
      // Before the functions, nowhere, or in the same block.
      if (at < functionsAt || at == kNone || (at > first && at < n)) return;
      useOfElsewhere(b, n, used);
    });
  }

  void useOfElsewhere(uint32_t b, uint32_t n, Id used) {
    const Instruction& i = m_.instructions[n];
    const spv::Op op = m_.opOf(used);
    if (op == spv::Op::OpFunction) return functionAsOperand(i, used);
    if (op != spv::Op::OpLabel) return dominated(i, used, b, n);
    if (!isTerminator(i.op()) && i.op() != spv::Op::OpSelectionMerge && i.op() != spv::Op::OpLoopMerge)
      fail(i, "uses the label " + id(used) + " as a value");
  }

  // `user` is in block `b`, before instruction `n`.
  void dominated(const Instruction& user, Id value, uint32_t b, uint32_t n) {
    if (precedesFunctions(value)) return;
    const uint32_t at = m_.definitions[value.index()];
    if (!isOfFunction(at)) return fail(user, "uses " + id(value) + " of another function");
    if (at < cfg_.blocks.front().first) return;  // a parameter
    const uint32_t definedIn = blockOf_[value.index()];
    const bool good = definedIn == b ? at < n : cfg_.dominates(definedIn, b);
    if (!good) fail(user, "uses " + id(value) + ", which does not dominate it");
  }

  // --- Types ------------------------------------------------------------------------------------------------------
  Id pointee(Id pointer) const {
    const Instruction* type = m_.def(m_.typeOf(pointer));
    return type != nullptr && type->op() == spv::Op::OpTypePointer ? m_.idAt(*type, 3) : Id();
  }

  void same(const Instruction& i, Id type, Id other, const char* what) {
    if (type != other) fail(i, std::string("does not fit the type of ") + what);
  }

  void types(const Instruction& i) {
    switch (i.op()) {
      case spv::Op::OpBranchConditional:
        if (const Id condition = m_.idAt(i, 1); m_.opOf(m_.typeOf(condition)) != spv::Op::OpTypeBool)
          fail(i, "branches on " + id(condition) + ", which is not a Boolean");
        break;
      case spv::Op::OpSwitch:
        if (const Id selector = m_.idAt(i, 1); m_.opOf(m_.typeOf(selector)) != spv::Op::OpTypeInt)
          fail(i, "switches on " + id(selector) + ", which is not an integer");
        break;
      case spv::Op::OpLoad:
        if (const Id type = pointee(m_.idAt(i, 3))) same(i, i.type, type, "what it loads");
        break;
      case spv::Op::OpStore:
        if (const Id type = pointee(m_.idAt(i, 1))) same(i, type, m_.typeOf(m_.idAt(i, 2)), "what it stores");
        break;
      case spv::Op::OpAccessChain:
      case spv::Op::OpInBoundsAccessChain:
        if (const Id type = pointee(m_.idAt(i, 3))) chain(i, type);
        break;
      case spv::Op::OpCopyObject: same(i, i.type, m_.typeOf(m_.idAt(i, 3)), "its operand"); break;
      case spv::Op::OpSelect:
        same(i, i.type, m_.typeOf(m_.idAt(i, 4)), "its second operand");
        same(i, i.type, m_.typeOf(m_.idAt(i, 5)), "its third operand");
        break;
      case spv::Op::OpReturnValue:
        same(i, m_.instructions[begin_].type, m_.typeOf(m_.idAt(i, 1)), "its function");
        break;
      case spv::Op::OpFunctionCall: call(i); break;
      default: break;
    }
  }

  void chain(const Instruction& i, Id type) {
    for (uint32_t k = 4; k < i.length; ++k) {
      const Instruction* t = m_.def(type);
      const Instruction* index = m_.def(m_.idAt(i, k));
      if (t == nullptr || index == nullptr || m_.opOf(index->type) != spv::Op::OpTypeInt)
        return fail(i, "has an index that is not an integer");
      switch (t->op()) {
        case spv::Op::OpTypeStruct: {
          const uint32_t member = index->op() == spv::Op::OpConstant ? m_.word(*index, 3) : 0;
          if (!isConstantOp(index->op()) || member >= t->length - 2u)
            return fail(i, "goes into no member of a structure");
          type = m_.idAt(*t, 2 + member);
          break;
        }
        case spv::Op::OpTypeVector:
        case spv::Op::OpTypeMatrix:
        case spv::Op::OpTypeArray:
        case spv::Op::OpTypeRuntimeArray:
        case spv::Op::OpTypeCooperativeMatrixKHR:
        case spv::Op::OpTypeCooperativeMatrixNV:
        case enums::OpTypeVectorIdEXT: type = m_.idAt(*t, 2); break;
        default: return;  // types that this check does not cover
      }
    }
    const Instruction* result = m_.def(i.type);
    if (result == nullptr || result->op() != spv::Op::OpTypePointer) return fail(i, "gives no pointer");
    same(i, m_.idAt(*result, 3), type, "what it points to");
  }

  void call(const Instruction& i) {
    const Instruction* callee = m_.def(m_.idAt(i, 3));
    const Instruction* type =
        callee == nullptr || callee->op() != spv::Op::OpFunction ? nullptr : m_.def(m_.idAt(*callee, 4));
    if (type == nullptr || type->op() != spv::Op::OpTypeFunction) return fail(i, "calls no function");
    same(i, i.type, callee->type, "the function's result");
    if (i.length - 4 != type->length - 3) return fail(i, "has too few or too many arguments");
    for (uint32_t k = 4; k < i.length; ++k) {
      if (m_.opOf(m_.idAt(i, k)) == spv::Op::OpFunction) return fail(i, "passes a function");
      same(i, m_.idAt(*type, k - 1), m_.typeOf(m_.idAt(i, k)), "a parameter");
    }
  }

  const Module& m_;
  Cfg cfg_;
  static constexpr uint32_t kMostWords = 32;
  std::array<uint32_t, 512>
      fitting_{};  // by opcode: numbers of ids that were found to fit in functions, as bits
  enum : uint8_t { kPlaced = 1, kHasType = 2, kHasResult = 4 };
  std::array<uint8_t, 512>
      lead_{};                     // by opcode: it may stand in functions; and what comes before its operands
  std::vector<uint8_t> isType_;    // by id: was found to be a type; also of the one that stands for none
  std::vector<uint32_t> blockOf_;  // id -> its block in its function
  std::vector<uint32_t> precedes_;  // block -> the last block with phis whose predecessor it is
  uint32_t markedFor_ = kNone;      // that block
  uint32_t blocks_ = 0;             // number of them in the function that is looked at
  uint32_t begin_ = 0;
  std::string fault_;
};

}  // namespace

std::string structureFault(const Module& module, FunctionWords functionWords) {
  return Structure(module).run(functionWords);
}

}  // namespace coopc::spirv
