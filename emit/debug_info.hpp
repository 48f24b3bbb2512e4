// Information for stepping in debuggers: NonSemantic.Shader.DebugInfo with the source texts, functions,
// blocks, lines and variables.
#pragma once

#include <vector>

#include "emit/declarations.hpp"

namespace coopc::emit {

/// It records locations while functions are emitted, and writes its instructions after everything else, so
/// that their ids come last and the module without them is the plain one.
class DebugInfo : public Part {
 public:
  DebugInfo(ModuleState& m, Declarations& declarations);

  /// Begins the function `f`, whose result id is `id`. The next announcements are its parameters and
  /// variables.
  void beginFunction(FnId f, Id id);
  /// A block, or a loop with its header. Returns the scope around it, for leaveBlock().
  uint32_t enterBlock(SourceLoc loc);
  void leaveBlock(uint32_t outer) { scope_ = outer; }
  /// Called after an OpLabel or OpLine has been written into a function.
  void label() { labelScopes_.push_back(scope_); }
  void line(frontend::FileId file, uint32_t line, uint32_t column) {
    lines_.push_back({scope_, file, line, column});
  }
  /// `isValue`: the id is the parameter itself, not a pointer to it.
  void variable(VarId v, Id id, bool isValue);

  void write(Id entryPoint);

 private:
  struct Place {
    frontend::FileId file;
    uint32_t line, column;
  };
  struct Scope {
    uint32_t parent;
    FnId function;  ///< none: a block
    Id functionId;
    SourceLoc loc;
    Id id;  ///< when it is written
  };
  struct Line {
    uint32_t scope;
    frontend::FileId file;
    uint32_t line, column;
  };
  struct Local {
    VarId variable;
    Id id;
    uint32_t scope;
    bool isValue;
  };
  struct FunctionCode {
    uint32_t scope;
    size_t firstLocal;
  };
  struct Source {
    frontend::FileId file;
    Id id;
  };

  Place placeOf(SourceLoc loc) const;
  /// Writes an instruction of the set at module scope, or after the words of functions: a view of op::debug.
  template <class Instruction>
  Id instruction(const typename Instruction::Fields& fields = {}) {
    return instruction(Instruction::kNumber, Words(fields.words()));
  }
  Id instruction(uint32_t number, Words operands);
  template <class Instruction>
  void inFunction(std::vector<Word>& words, const typename Instruction::Fields& fields) {
    inFunction(words, Instruction::kNumber, Words(fields.words()));
  }
  void inFunction(std::vector<Word>& words, uint32_t number, Words operands);
  Id sourceOf(frontend::FileId file);
  Id scopeId(uint32_t scope);
  Id functionType(const frontend::Function& f);
  Id typeOf(TypeId t);
  Id basicTypeOf(TypeId t);
  Id compositeOf(TypeId t, frontend::StructId s);
  Id unsignedSize(ConstId c);
  Id cooperativeTypeOf(TypeId t, const TypeInfo& a);
  Id opaqueTypeOf(TypeId t);
  bool isNewType(TypeId t) const;
  bool hasNewTypes() const;
  Id localVariable(const Local& local);
  void globalVariables();
  void beginCode(std::vector<Word>& out, const FunctionCode& code, size_t endLocal);
  void writeFunctions();

  Declarations& declared;
  std::vector<Scope> scopes_;
  std::vector<uint32_t> labelScopes_;
  std::vector<Line> lines_;
  std::vector<Local> locals_;
  std::vector<Local> globals_;
  std::vector<FunctionCode> functions_;
  uint32_t scope_ = 0;

  Id set_, void_, unit_, expression_;
  std::vector<Source> sources_;
  IdVector<TypeId, Id> types_;
};

}  // namespace coopc::emit
