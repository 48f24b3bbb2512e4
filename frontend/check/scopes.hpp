// Names in scope. Each name refers to its innermost declaration (NameInfo::symbol), and each symbol to the
// one that it hides: a look-up is one array access, and leaving a scope undoes its declarations in reverse
// order.
#pragma once

#include <cassert>
#include <cstdint>
#include <vector>

#include "frontend/base/source.hpp"
#include "frontend/language/ids.hpp"
#include "frontend/language/names.hpp"
#include "frontend/language/observer.hpp"
#include "frontend/language/types.hpp"

namespace coopc::frontend {

struct Symbol {
  SymbolKind kind;
  NameId name;
  uint32_t id;      ///< an id whose type depends on the kind; read by variable(), function() and type()
  uint32_t member;  ///< BlockMember: its index
  uint32_t depth;   ///< 0: global scope
  uint32_t hidden;  ///< the symbol that it hides; kNone if there is none
  SourceLoc loc;

  VarId variable() const {
    assert(kind == SymbolKind::Variable || kind == SymbolKind::BlockMember || kind == SymbolKind::BlockName);
    return VarId(id);
  }
  FnId function() const {
    assert(kind == SymbolKind::Function);
    return FnId(id);
  }
  TypeId type() const {
    assert(kind == SymbolKind::Type);
    return TypeId(id);
  }
};

class Scopes {
 public:
  Scopes(Names& names, Observer* observer) : names_(names), observer_(observer) {}
  void push() { marks_.push_back(static_cast<uint32_t>(symbols_.size())); }
  void pop() {
    for (auto i = static_cast<uint32_t>(symbols_.size()); i-- > marks_.back();)
      names_[symbols_[i].name].symbol = symbols_[i].hidden;
    symbols_.resize(marks_.back());
    marks_.pop_back();
  }
  uint32_t depth() const { return static_cast<uint32_t>(marks_.size()); }
  /// The innermost declaration, or nullptr. Built-ins are not in here (NameInfo::builtinName, builtinSymbol).
  const Symbol* find(NameId name) const {
    const uint32_t s = names_[name].symbol;
    return s == kNone ? nullptr : &symbols_[s];
  }
  Symbol* findInCurrent(NameId name) {
    const uint32_t s = names_[name].symbol;
    return s == kNone || symbols_[s].depth != depth() ? nullptr : &symbols_[s];
  }
  void declareVariable(NameId name, VarId id, SourceLoc loc) {
    declare(SymbolKind::Variable, name, id.index(), loc);
  }
  void declareFunction(NameId name, FnId id, SourceLoc loc) {
    declare(SymbolKind::Function, name, id.index(), loc);
  }
  void declareType(NameId name, TypeId id, SourceLoc loc) {
    declare(SymbolKind::Type, name, id.index(), loc);
  }
  void declareBlockMember(NameId name, VarId block, uint32_t member, SourceLoc loc) {
    declare(SymbolKind::BlockMember, name, block.index(), loc, member);
  }
  void declareBlockName(NameId name, VarId block, SourceLoc loc) {
    declare(SymbolKind::BlockName, name, block.index(), loc);
  }
  const std::vector<Symbol>& all() const { return symbols_; }

 private:
  void declare(SymbolKind kind, NameId name, uint32_t id, SourceLoc loc, uint32_t member = 0) {
    symbols_.push_back({kind, name, id, member, depth(), names_[name].symbol, loc});
    names_[name].symbol = static_cast<uint32_t>(symbols_.size() - 1);
    if (observer_ != nullptr) [[unlikely]]
      observer_->declare(kind, name, id, member, loc);
  }

  Names& names_;
  Observer* observer_;
  std::vector<Symbol> symbols_;
  std::vector<uint32_t> marks_;
};

}  // namespace coopc::frontend
