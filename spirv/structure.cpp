// Checks a module's structure: first the instructions one by one, then, in each function, those whose
// correctness depends on control flow. Most instructions use only values from before the functions,
// from the function's first block, or from before them in their own block.
#include "spirv/structure.hpp"

#include <array>

#include "spirv/cfg.hpp"
#include "spirv/composites.hpp"
#include "spirv/enums_supplement.hpp"
#include "spirv/instruction_walk.hpp"
#include "spirv/instructions.hpp"
#include "spirv/leading_ids.hpp"
#include "spirv/seen_forms.hpp"
#include "spirv/traits.hpp"

namespace coopc::spirv {
namespace {

using Found = SeenForms::Found;

class Structure {
 public:
  Structure(const Module& module, FunctionWords functionWords, Graphs& graphs)
      : m_(module), asRead_(functionWords == FunctionWords::AsRead), graphs_(graphs), seen_(module) {}

  std::string run() {
    blockOf_.assign(m_.bound, 0);
    const Instruction* const instructions = m_.instructions.data();
    const uint32_t count = uint32_t(m_.instructions.size()), functionsAt = m_.functionsAt;
    for (uint32_t n = 0; n < functionsAt && fault_.empty(); ++n)
      if (instructions[n].op() != spv::Op::OpNop) beforeFunctions(instructions[n], n);
    for (uint32_t n = functionsAt; n < count && fault_.empty();)
      n = instructions[n].op() == spv::Op::OpFunction ? function(n) : betweenFunctions(n);
    for (const Function& f : functions_)
      if (fault_.empty()) checkBlocks(f);
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

  // --- One instruction -------------------------------------------------------------------------------------
  void beforeFunctions(const Instruction& i, uint32_t n) {
    constexpr auto noneIsFar = [](uint32_t) { return true; };
    if (seen_.likeBefore<SeenForms::kBefore>(i, n, noneIsFar) == Found::Nothing) {
      checkWords(i, n);
    } else if (i.op() == spv::Op::OpVariable) {
      checkVariable(i);
    }
  }

  // Whether all operands are near (isNear), for an instruction whose words are known to fit.
  Found near(const Instruction& i, uint32_t n) const {
    Found found = Found::Near;
    m_.forEachOperandId(i, [&](Id used) {
      const uint32_t at = used.index() < m_.bound ? m_.definitions[used.index()] : kNone;
      if (at >= m_.functionsAt && at != kNone && !isNear(at, n)) found = Found::Far;
    });
    return found;
  }

  // Whether instruction `at`, which follows the first function's head, is a parameter of the current
  // function, or a value of its first block or of `n`'s block before `n`. Such a value dominates `n`, if `n`
  // can be reached at all.
  bool isNear(uint32_t at, uint32_t n) const {
    return at < n && (at > label_ || (at > begin_ && at < entryEnd_ && at != entryLabel_));
  }

  // Checks the rest of an instruction in a function whose words fit the grammar.
  void asRead(const Instruction& i) {
    if (!seen_.isPlaced(i.op())) {
      if (isGlobal(i.op(), *opInfo(i.opcode))) return fail(i, "comes after the first function");
      seen_.rememberPlaced(i.op());
    }
    if (isExtended(i.op())) checkSet(i);
  }

  static bool isExtended(spv::Op op) {
    return op == spv::Op::OpExtInst || op == spv::Op::OpExtInstWithForwardRefsKHR;
  }
  // The set of an extended instruction: which of its operands are ids depends on it.
  void checkSet(const Instruction& i) {
    if (m_.opOf(op::AnyExtInst(m_, i).set()) != spv::Op::OpExtInstImport) fail(i, "is of no set");
  }

  // Checks variables of the whole module, as passes move them into functions.
  void checkVariable(const Instruction& i) {
    if (m_.opOf(i.type) != spv::Op::OpTypePointer) return fail(i, "is not a pointer");
    const op::Variable variable(m_, i);
    if (variable.hasInitializer())
      requireSame(i, pointee(i.result), m_.typeOf(variable.initializer()), "its initial value");
  }

  void checkWords(const Instruction& i, uint32_t n) {
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
    if (!inFunctions || !seen_.fits(i, *info) || !areDefined(w + 1, i.length - 1u))
      checkOperands(i, n, *info, lead);
    if (i.result && fault_.empty() && m_.definitions[i.result.index()] != n)
      return fail(i, "is not where the module's index has it");
    if (i.type && fault_.empty() && !seen_.isType(i.type)) {
      const OpInfo* type = opInfo(m_.opOf(i.type));
      if (type == nullptr || !type->isType())
        fail(i, "has " + id(i.type) + " as its type, which is not a type");
      seen_.rememberType(i.type);
    }
    if (i.op() == spv::Op::OpVariable && !inFunctions && fault_.empty()) checkVariable(i);
    if (isExtended(i.op()) && fault_.empty()) checkSet(i);
  }

  void checkOperands(const Instruction& i, uint32_t n, const OpInfo& info, uint32_t lead) {
    const uint32_t* w = m_.at(i);
    const bool inFunctions = n >= m_.functionsAt;
    // Operands of non-semantic instructions may be 0.
    const bool extended = isExtended(i.op());
    if (i.op() == spv::Op::OpSwitch && i.length < 3) return fail(i, "has too few words");
    const auto idWord = [&](Id used, bool isResult) {
      if (!used || used.index() >= m_.bound)
        return fail(i, "has " + id(used) + ", which is outside the bound");
      if (m_.def(used) == nullptr) return fail(i, "uses " + id(used) + ", which is not defined");
      if (!isResult && !inFunctions) checkGlobal(i, n, used);
    };
    // Most instructions are nothing but ids, or have nothing but numbers after them.
    if (const uint32_t end = info.onlyIds() ? i.length : leadingIds(i.op(), i.length, w); end != 0) {
      const bool good =
          inFunctions ? areDefined(w + 1, end - 1) : usesEarlier(i, n, end, info.hasResult() ? lead : 0);
      if (!good) {
        for (uint32_t at = 1; at < end; ++at) idWord(Id(w[at]), info.hasResult() && at == lead);
      }
      if (info.onlyIds() && !fitsIds(info, i.length - 1u))
        return fail(i, "has operands that do not fit the grammar");
    } else if (isKnownPointer(i, w)) {
      for (uint32_t at : {1u, 3u}) idWord(Id(w[at]), at == 1);
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
    if (inFunctions && isGlobal(i.op(), info)) return fail(i, "comes after the first function");
    if (inFunctions || !namesFunctions(i.op())) seen_.remember(i, info, inFunctions);
  }

  // A pointer's type, whose ids have the storage class between them.
  static bool isKnownPointer(const Instruction& i, const uint32_t* w) {
    return i.op() == spv::Op::OpTypePointer && i.length == 4 &&
           w[2] <= uint32_t(spv::StorageClass::StorageBuffer);
  }

  // Whether the words of an instruction before the functions up to `end` are its result, word `result`, and
  // ids of what it may use.
  bool usesEarlier(const Instruction& i, uint32_t n, uint32_t end, uint32_t result) const {
    if (namesFunctions(i.op())) return false;
    const uint32_t limit = isAnnotation(i.op()) ? kNone : n;
    const uint32_t* w = m_.at(i);
    for (uint32_t at = 1; at < end; ++at)
      if (w[at] >= m_.bound || (at != result && m_.definitions[w[at]] >= limit)) return false;
    return true;
  }

  bool areDefined(const uint32_t* ids, uint32_t count) const {
    const uint32_t* definitions = m_.definitions.data();
    const uint32_t bound = m_.bound;
    for (uint32_t k = 0; k < count; ++k)
      if (ids[k] >= bound || definitions[ids[k]] == kNone) return false;
    return true;
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

  // Before the functions, apart from annotations.
  static bool namesFunctions(spv::Op op) {
    return op == spv::Op::OpEntryPoint || op == spv::Op::OpExecutionMode || op == spv::Op::OpExecutionModeId;
  }

  // Instructions before the functions may only use earlier instructions, except for names and entry points
  // (and structures, whose members may be forward-declared pointers).
  void checkGlobal(const Instruction& i, uint32_t n, Id used) {
    if (isAnnotation(i.op())) return;
    const uint32_t at = m_.definitions[used.index()];
    if (namesFunctions(i.op())) {
      const spv::Op op = m_.instructions[at].op();
      const auto entry = as<op::EntryPoint>(m_, i);
      const bool first = used == (entry ? entry.entryPoint() : as<op::AnyExecutionMode>(m_, i).entryPoint());
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

  // --- One function ----------------------------------------------------------------------------------------
  // One with blocks: what needs its graph.
  struct Function {
    uint32_t begin;
    uint32_t lookAt, lookEnd;  // of look_
  };

  // Non-semantic instructions. Returns the index after it.
  uint32_t betweenFunctions(uint32_t n) {
    const Instruction& i = m_.instructions[n];
    if (i.op() != spv::Op::OpNop) one(i, n);
    if (i.op() == spv::Op::OpVariable && fault_.empty()) checkVariable(i);
    return n + 1;
  }

  Found one(const Instruction& i, uint32_t n) {
    if (!asRead_) {
      if (const Found found =
              seen_.likeBefore<SeenForms::kPlaced>(i, n, [=, this](uint32_t at) { return isNear(at, n); });
          found != Found::Nothing)
        return found;
      checkWords(i, n);
    } else {
      asRead(i);
    }
    return fault_.empty() ? near(i, n) : Found::Nothing;
  }

  // Its instructions one by one, and where its blocks begin and end. Returns the index after it.
  uint32_t function(uint32_t begin) {
    const Instruction* const instructions = m_.instructions.data();
    const uint32_t count = uint32_t(m_.instructions.size());
    enter(begin);
    const uint32_t lookAt = uint32_t(look_.size());
    uint32_t n = begin + 1;
    for (; n < count && fault_.empty(); ++n) {
      const Instruction& i = instructions[n];
      if (i.op() == spv::Op::OpNop) continue;
      const Found found = one(i, n);
      if (found == Found::Nothing) break;  // a fault
      const uint8_t role = i.opcode < kRoles.size() ? kRoles[i.opcode] : roleOf(i.op());
      if (role != 0) {
        if (i.op() == spv::Op::OpFunctionEnd) break;
        if ((role & kFrame) != 0) checkFrame(i, n);
      }
      // The block before which there is none has parameters, which are not looked up there; the id 0 is none.
      blockOf_[i.result.index()] = blocks_ - 1;
      if (found != Found::Near || (role & kGraph) != 0) look_.push_back({n, found != Found::Near});
    }
    if (fault_.empty() && (n == count || inBlock_)) fail(instructions[begin], "does not end");
    if (blocks_ != 0) functions_.push_back({begin, lookAt, uint32_t(look_.size())});  // not a declaration
    return n + 1;
  }

  void enter(uint32_t begin) {
    const Instruction& head = m_.instructions[begin];
    one(head, begin);
    if (fault_.empty() && m_.opOf(op::Function(m_, head).functionType()) != spv::Op::OpTypeFunction)
      fail(head, "has no function type");
    begin_ = begin;
    label_ = entryLabel_ = entryEnd_ = kNone;
    blocks_ = 0;
    inBlock_ = false;
  }

  // The checks that instructions of an opcode need, in addition to the check of their words.
  enum : uint8_t {
    kFrame = 1,  // where it stands
    kGraph = 2,  // its types, and where it stands, if it can be reached at all
  };
  static constexpr uint8_t roleOf(spv::Op op) {
    switch (op) {
      case spv::Op::OpFunction:
      case spv::Op::OpFunctionEnd:
      case spv::Op::OpLabel:
      case spv::Op::OpVariable:
      case spv::Op::OpSelectionMerge:
      case spv::Op::OpLoopMerge: return kFrame;
      case spv::Op::OpPhi:
      case spv::Op::OpBranchConditional:
      case spv::Op::OpSwitch:
      case spv::Op::OpReturnValue: return kFrame | kGraph;
      case spv::Op::OpLoad:
      case spv::Op::OpStore:
      case spv::Op::OpAccessChain:
      case spv::Op::OpInBoundsAccessChain:
      case spv::Op::OpCopyObject:
      case spv::Op::OpSelect:
      case spv::Op::OpFunctionCall: return kGraph;
      default: return isTerminator(op) ? kFrame : 0;
    }
  }
  static constexpr std::array<uint8_t, 512> rolesOf() {
    std::array<uint8_t, 512> roles{};
    for (uint32_t op = 0; op < roles.size(); ++op) roles[op] = roleOf(spv::Op(op));
    return roles;
  }
  static const std::array<uint8_t, 512> kRoles;

  void checkFrame(const Instruction& i, uint32_t n) {
    switch (i.op()) {
      case spv::Op::OpFunction: return fail(i, "stands inside a function");
      case spv::Op::OpLabel:
        if (inBlock_) fail(i, "stands inside a block");
        inBlock_ = true;
        if (blocks_ == 0) entryLabel_ = n;
        if (blocks_ == 1) entryEnd_ = n;
        label_ = n;
        ++blocks_;
        return;
      case spv::Op::OpPhi:
        if (!isAtHead(n)) fail(i, "comes after other instructions");
        return;
      case spv::Op::OpVariable:
        if (blocks_ > 1) fail(i, "stands outside the first block");
        return checkVariable(i);
      case spv::Op::OpSelectionMerge:
      case spv::Op::OpLoopMerge:
        if (!inBlock_) fail(i, "stands outside a block");
        return checkMerge(n);
      default:
        if (!inBlock_) fail(i, "stands outside a block");
        inBlock_ = false;
        return;
    }
  }

  static bool isNothing(spv::Op op) {
    return op == spv::Op::OpNop || op == spv::Op::OpLine || op == spv::Op::OpNoLine;
  }

  // A phi. The one before it was looked at itself.
  bool isAtHead(uint32_t n) const {
    for (--n; n > begin_; --n) {
      switch (const spv::Op op = m_.instructions[n].op()) {
        case spv::Op::OpLabel:
        case spv::Op::OpPhi: return true;
        case spv::Op::OpVariable:
        case spv::Op::OpSelectionMerge:
        case spv::Op::OpLoopMerge: break;
        default:
          if (!isNothing(op)) return false;
          break;
      }
    }
    return true;
  }

  // A merge instruction. One after it is looked at itself; so is where a block ends that has no terminator.
  void checkMerge(uint32_t n) {
    for (++n; n < m_.instructions.size(); ++n) {
      const Instruction& i = m_.instructions[n];
      const spv::Op op = i.op();
      if (isNothing(op)) continue;
      if (op != spv::Op::OpSelectionMerge && op != spv::Op::OpLoopMerge && op != spv::Op::OpLabel &&
          op != spv::Op::OpFunctionEnd && !isTerminator(op))
        fail(i, "stands between a merge instruction and the end of the block");
      return;
    }
  }

  void checkBlocks(const Function& f) {
    begin_ = f.begin;
    cfg_ = graphs_.of(m_, f.begin);
    if (cfg_ == nullptr) return fail(m_.instructions[f.begin], "has branches that make no graph");
    const uint32_t count = uint32_t(cfg_->blocks.size());
    for (uint32_t b = 0; b < count; ++b) {
      if (cfg_->reachable(b) && cfg_->idom(b) != kNone && cfg_->idom(b) > b)
        fail(m_.instructions[cfg_->blocks[b].first], "comes before the block that dominates it");
    }
    precedes_.assign(count, kNone);
    markedFor_ = kNone;
    uint32_t b = 0, last = cfg_->blocks[0].last;
    for (uint32_t k = f.lookAt; k < f.lookEnd && fault_.empty(); ++k) {
      const Look& next = look_[k];
      while (last < next.instruction && b + 1 < count) last = cfg_->blocks[++b].last;
      lookAt(b, next);
    }
  }

  struct Look {
    uint32_t instruction;
    bool far;  // uses what is not near
  };

  void lookAt(uint32_t b, const Look& look) {
    const Instruction& i = m_.instructions[look.instruction];
    if (!cfg_->reachable(b)) {
      if (look.far) staysInFunction(i);
    } else if (i.op() == spv::Op::OpPhi) {
      checkPhi(b, i);
    } else {
      if (look.far) checkUses(b, look.instruction);
      checkTypes(i);
    }
  }

  // Whether an id is defined before the functions, or is none.
  bool precedesFunctions(Id id) const {
    return id.index() >= m_.bound || m_.definitions[id.index()] == kNone ||
           m_.definitions[id.index()] < m_.functionsAt;
  }
  // Whether an instruction is of the function that is looked at.
  bool isOfFunction(uint32_t n) const { return n >= begin_ && n < cfg_->functionEnd; }

  // Checks what also holds in unreachable blocks, where a value need not dominate its uses.
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

  void checkPhi(uint32_t b, const Instruction& i) {
    const auto predecessors = cfg_->predecessors(b);
    if ((i.length - 3u) != predecessors.size() * 2)
      return fail(i, "has " + std::to_string((i.length - 3u) / 2) + " values for " +
                         std::to_string(predecessors.size()) + " predecessors");
    if (markedFor_ != b) {
      for (uint32_t p : predecessors) precedes_[p] = b;
      markedFor_ = b;
    }
    for (const auto [value, parent] : op::Phi(m_, i).incoming()) {
      const uint32_t from = cfg_->blockOf(parent);
      if (from == kNone || precedes_[from] != b)
        return fail(i, "names " + id(parent) + ", which is not a predecessor");
      if (m_.opOf(value) == spv::Op::OpFunction) return functionAsOperand(i, value);
      if (m_.typeOf(value) != i.type) return fail(i, "takes " + id(value) + " of another type");
      if (cfg_->reachable(from)) checkDominance(i, value, from, cfg_->blocks[from].last + 1);
    }
  }

  // Checks the operands only. The type comes before the functions: the check of types established that.
  void checkUses(uint32_t b, uint32_t n) {
    const Instruction& i = m_.instructions[n];
    const uint32_t first = cfg_->blocks[b].first;
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
    if (op != spv::Op::OpLabel) return checkDominance(i, used, b, n);
    if (!isTerminator(i.op()) && i.op() != spv::Op::OpSelectionMerge && i.op() != spv::Op::OpLoopMerge)
      fail(i, "uses the label " + id(used) + " as a value");
  }

  // `user` is in block `b`, before instruction `n`.
  void checkDominance(const Instruction& user, Id value, uint32_t b, uint32_t n) {
    if (precedesFunctions(value)) return;
    const uint32_t at = m_.definitions[value.index()];
    if (!isOfFunction(at)) return fail(user, "uses " + id(value) + " of another function");
    if (at < cfg_->blocks.front().first) return;  // a parameter
    const uint32_t definedIn = blockOf_[value.index()];
    const bool good = definedIn == b ? at < n : cfg_->dominates(definedIn, b);
    if (!good) fail(user, "uses " + id(value) + ", which does not dominate it");
  }

  // --- Types -----------------------------------------------------------------------------------------------
  Id pointee(Id pointer) const { return as<op::TypePointer>(m_, m_.typeOf(pointer)).type(); }

  void requireSame(const Instruction& i, Id type, Id other, const char* what) {
    if (type != other) fail(i, std::string("does not fit the type of ") + what);
  }

  void checkTypes(const Instruction& i) {
    switch (i.op()) {
      case spv::Op::OpBranchConditional:
        if (const Id condition = op::BranchConditional(m_, i).condition();
            m_.opOf(m_.typeOf(condition)) != spv::Op::OpTypeBool)
          fail(i, "branches on " + id(condition) + ", which is not a Boolean");
        break;
      case spv::Op::OpSwitch:
        if (const Id selector = op::Switch(m_, i).selector();
            m_.opOf(m_.typeOf(selector)) != spv::Op::OpTypeInt)
          fail(i, "switches on " + id(selector) + ", which is not an integer");
        break;
      case spv::Op::OpLoad:
        if (const Id type = pointee(op::Load(m_, i).pointer())) requireSame(i, i.type, type, "what it loads");
        break;
      case spv::Op::OpStore: {
        const op::Store store(m_, i);
        if (const Id type = pointee(store.pointer()))
          requireSame(i, type, m_.typeOf(store.object()), "what it stores");
        break;
      }
      case spv::Op::OpAccessChain:
      case spv::Op::OpInBoundsAccessChain:
        if (const Id type = pointee(op::AnyAccessChain(m_, i).base())) checkChain(i, type);
        break;
      case spv::Op::OpCopyObject:
        requireSame(i, i.type, m_.typeOf(op::CopyObject(m_, i).operand()), "its operand");
        break;
      case spv::Op::OpSelect:
        requireSame(i, i.type, m_.typeOf(op::Select(m_, i).object1()), "its second operand");
        requireSame(i, i.type, m_.typeOf(op::Select(m_, i).object2()), "its third operand");
        break;
      case spv::Op::OpReturnValue:
        requireSame(i, m_.instructions[begin_].type, m_.typeOf(op::ReturnValue(m_, i).value()),
                    "its function");
        break;
      case spv::Op::OpFunctionCall: checkCall(i); break;
      default: break;
    }
  }

  void checkChain(const Instruction& i, Id type) {
    for (const Id chosen : op::AnyAccessChain(m_, i).indexes()) {
      const Instruction* t = m_.def(type);
      const Instruction* index = m_.def(chosen);
      if (t == nullptr || index == nullptr || m_.opOf(index->type) != spv::Op::OpTypeInt)
        return fail(i, "has an index that is not an integer");
      const bool isStruct = t->op() == spv::Op::OpTypeStruct;
      if (!isStruct && partTypes(m_, *t).empty()) return;  // types that this check does not cover
      const std::optional<uint32_t> member =
          isConstantOp(index->op()) ? std::optional(as<op::Constant>(m_, *index).value()) : std::nullopt;
      type = partType(m_, t, member);
      if (isStruct && !type) return fail(i, "goes into no member of a structure");
    }
    const auto result = as<op::TypePointer>(m_, i.type);
    if (!result) return fail(i, "gives no pointer");
    requireSame(i, result.type(), type, "what it points to");
  }

  void checkCall(const Instruction& i) {
    const op::FunctionCall view(m_, i);
    const Instruction* callee = m_.def(view.function());
    const auto type = as<op::TypeFunction>(m_, as<op::Function>(m_, callee).functionType());
    if (!type) return fail(i, "calls no function");
    requireSame(i, i.type, callee->type, "the function's result");
    const IdRange arguments = view.arguments(), parameters = type.parameterTypes();
    if (arguments.size() != parameters.size()) return fail(i, "has too few or too many arguments");
    for (uint32_t k = 0; k < arguments.size(); ++k) {
      if (m_.opOf(arguments[k]) == spv::Op::OpFunction) return fail(i, "passes a function");
      requireSame(i, parameters[k], m_.typeOf(arguments[k]), "a parameter");
    }
  }

  const Module& m_;
  const bool asRead_;
  Graphs& graphs_;
  SeenForms seen_;
  const Cfg* cfg_ = nullptr;        // of the function that is looked at
  std::vector<uint32_t> blockOf_;   // id -> its block in its function
  std::vector<uint32_t> precedes_;  // block -> the last block with phis whose predecessor it is
  uint32_t markedFor_ = kNone;      // that block
  std::vector<Function> functions_;
  std::vector<Look> look_;
  // State of the function that is being checked:
  uint32_t begin_ = 0;
  uint32_t blocks_ = 0;          // the number of blocks that have begun
  bool inBlock_ = false;         // the last one has not ended
  uint32_t label_ = kNone;       // of the last one
  uint32_t entryLabel_ = kNone;  // of the first one
  uint32_t entryEnd_ = kNone;    // the label of the second one
  std::string fault_;
};

constinit const std::array<uint8_t, 512> Structure::kRoles = Structure::rolesOf();

}  // namespace

std::string structureFault(const Module& module, FunctionWords functionWords) {
  Graphs graphs;
  return structureFault(module, functionWords, graphs);
}

std::string structureFault(const Module& module, FunctionWords functionWords, Graphs& graphs) {
  return Structure(module, functionWords, graphs).run();
}

}  // namespace coopc::spirv
