// Private variables that only one function uses, the function of exactly one entry point, become local
// variables of that function, which other passes can turn into values. The function must not be called, so
// that it runs once per invocation and initializes the variable once.
#include "spirv/constant_pool.hpp"
#include "spirv/instruction_walk.hpp"
#include "spirv/instructions.hpp"
#include "spirv/opt/passes.hpp"

namespace coopc::spirv {
namespace {

bool isChain(spv::Op op) { return op == spv::Op::OpAccessChain || op == spv::Op::OpInBoundsAccessChain; }

class PrivateToLocal {
 public:
  explicit PrivateToLocal(Module& module) : m_(module), constants_(module, ConstantPool::Types::Stay) {}

  bool run() {
    if (!findPrivates()) return false;
    user_.resize(m_.bound);
    uses_.assign(m_.bound, EntryUse::None);
    findGlobalUses();
    findFunctionUses();
    if (!choose()) return false;
    rewrite();
    return true;
  }

 private:
  static constexpr Id kMany = Id(0xFFFFFFFF);

  // Whether a function runs for exactly one entry point. Several: for more than one, or it is also called.
  enum class EntryUse : uint8_t { None, OneEntryPoint, Several };

  bool findPrivates() {
    rootOf_.resize(m_.bound);
    bool any = false;
    for (uint32_t n = 0; n < m_.functionsAt; ++n) {
      const Instruction& i = m_.instructions[n];
      const auto variable = as<op::Variable>(m_, i);
      if (!variable || variable.storageClass() != spv::StorageClass::Private) continue;
      rootOf_[i.result.index()] = i.result;
      any = true;
    }
    return any;
  }

  // Finds entry points, and globals that use a variable (as another variable's initializer).
  void findGlobalUses() {
    for (uint32_t n = 0; n < m_.functionsAt; ++n) {
      const Instruction& i = m_.instructions[n];
      switch (i.op()) {
        case spv::Op::OpEntryPoint: {
          EntryUse& use = uses_[op::EntryPoint(m_, i).entryPoint().index()];
          use = use == EntryUse::None ? EntryUse::OneEntryPoint : EntryUse::Several;
          break;
        }
        case spv::Op::OpName:
        case spv::Op::OpDecorate:
        case spv::Op::OpMemberName:
        case spv::Op::OpMemberDecorate: break;
        default:
          m_.forEachUse(i, [&](IdWord id) {
            if (rootOf_[id.index()]) user_[id.index()] = kMany;
          });
          break;
      }
    }
  }

  void findFunctionUses() {
    Id function;
    for (uint32_t n = m_.functionsAt; n < m_.instructions.size(); ++n) {
      const Instruction& i = m_.instructions[n];
      if (i.op() == spv::Op::OpFunction) function = i.result;
      if (const auto call = as<op::FunctionCall>(m_, i)) {
        EntryUse& called = uses_[call.function().index()];
        if (called != EntryUse::None) called = EntryUse::Several;
      }
      m_.forEachOperandId(i, [this, n, function, roots = rootOf_.data()](IdWord id) {
        if (roots[id.index()]) use(m_.instructions[n], function, id);
      });
    }
  }

  // Notes that a function's instruction uses a private variable, or a pointer into one.
  void use(const Instruction& i, Id function, IdWord id) {
    const Id root = rootOf_[id.index()];
    // A variable that is used other than as the pointer of an access keeps its storage class.
    const bool chain = isChain(i.op());
    const uint32_t allowed = chain || i.op() == spv::Op::OpLoad ? 3 : i.op() == spv::Op::OpStore ? 1 : 0;
    const bool asPointer = allowed != 0 && id.isAt(m_.at(i) + allowed);
    Id& user = user_[root.index()];
    user = asPointer && (!user || user == function) ? function : kMany;
    if (asPointer && chain) rootOf_[i.result.index()] = root;
  }

  // Collects the variables that become local in moved_. False if there are none.
  bool choose() {
    moves_.assign(m_.bound, 0);
    for (uint32_t n = 0; n < m_.functionsAt; ++n) {
      const Instruction& i = m_.instructions[n];
      if (i.op() != spv::Op::OpVariable || rootOf_[i.result.index()] != i.result) continue;
      const Id f = user_[i.result.index()];
      if (!f || f == kMany || uses_[f.index()] != EntryUse::OneEntryPoint) continue;
      moves_[i.result.index()] = 1;
      moved_.push_back(i.result);
    }
    return !moved_.empty();
  }

  void rewrite() {
    std::vector<Instruction> all;
    all.reserve(m_.instructions.size() + moved_.size());
    Id function;
    bool entryBlock = false;
    for (uint32_t n = 0; n < m_.instructions.size(); ++n) {
      Instruction i = m_.instructions[n];
      if (i.op() == spv::Op::OpEntryPoint) removeFromInterface(i);
      if (i.op() == spv::Op::OpVariable && n < m_.functionsAt && moves_[i.result.index()] != 0) continue;
      if (i.op() == spv::Op::OpFunction) {
        function = i.result;
        entryBlock = true;
      }
      if (isChain(i.op()) && rootOf_[i.result.index()] && moves_[rootOf_[i.result.index()].index()] != 0)
        m_.setType(i, localPointer(i.type));
      all.push_back(i);
      if (i.op() == spv::Op::OpLabel && entryBlock) {
        entryBlock = false;
        for (Id id : moved_) {
          if (user_[id.index()] == function) all.push_back(local(*m_.def(id)));
        }
      }
    }
    m_.instructions.swap(all);
    m_.functionsAt -= uint32_t(moved_.size());
    constants_.flushAndCompact();
  }

  void removeFromInterface(Instruction& entryPoint) {
    uint32_t* w = m_.at(entryPoint);
    const uint32_t first = 3 + literalStringWords(w + 3, entryPoint.length - 3u);
    uint32_t kept = first;
    for (uint32_t k = first; k < entryPoint.length; ++k) {
      if (moves_[w[k]] == 0) w[kept++] = w[k];
    }
    entryPoint.length = uint16_t(kept);
    w[0] = instructionHead(entryPoint.op(), kept);
  }

  Id localPointer(Id pointer) {
    return constants_.typePointer(spv::StorageClass::Function, as<op::TypePointer>(m_, pointer).type());
  }

  Instruction local(const Instruction& global) {
    const Id pointer = localPointer(global.type);
    constexpr auto storage = spv::StorageClass::Function;
    const op::Variable variable(m_, global);
    return m_.make<op::Variable>(pointer, global.result,
                                 {.storageClass = storage, .initializer = variable.initializer()});
  }

  Module& m_;
  ConstantPool constants_;
  // By id, as all of these: a private variable, or the one from which an access chain is derived.
  std::vector<Id> rootOf_;
  std::vector<Id> user_;        // private variable -> the function that uses it, or kMany
  std::vector<EntryUse> uses_;  // function
  std::vector<uint8_t> moves_;  // private variables that become local
  std::vector<Id> moved_;       // the same, listed
};

}  // namespace

bool privateToLocal(Module& module) { return PrivateToLocal(module).run(); }

}  // namespace coopc::spirv
