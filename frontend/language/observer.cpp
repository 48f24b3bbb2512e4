// The observer's notes: one list each, in the order in which the compile reads the text.
#include "frontend/language/observer.hpp"

namespace coopc::frontend {

Observer::Observer() { clear(); }

void Observer::clear() {
  macros.clear();
  macroUses.clear();
  inactive.clear();
  inclusions.clear();
  declarations.clear();
  uses.clear();
  fields.clear();
  scopes.assign(1, {});
  calls.clear();
  arguments.clear();
  unknownCalls.clear();
  definitions.clear();
  externals.clear();
  here = nullptr;
  openScopes_.assign(1, 0);
  openCalls_.clear();
}

void Observer::define(NameId name, SourceLoc at, SourceLoc end, bool functionLike) {
  macros.push_back({name, at, end, functionLike});
}

void Observer::useMacro(NameId name, SourceLoc at, SourceLoc definition) {
  macroUses.push_back({name, at, definition});
}

void Observer::skip(SourceLoc begin, SourceLoc end) { inactive.push_back({begin, end}); }

void Observer::include(SourceLoc at, uint32_t length, FileId file) {
  inclusions.push_back({at, length, file});
}

void Observer::declare(SymbolKind kind, NameId name, uint32_t id, uint32_t member, SourceLoc at) {
  declarations.push_back({kind, name, id, member, at, here != nullptr ? *here : at, openScopes_.back()});
}

void Observer::declareFunction(FnId function, SourceLoc at, bool hasBody) {
  definitions.push_back({function, at, hasBody});
}

void Observer::use(SymbolKind kind, NameId name, uint32_t id, uint32_t member, SourceLoc at) {
  uses.push_back({kind, name, id, member, at});
}

void Observer::field(TypeId base, NameId name, SourceLoc dot, SourceLoc at) {
  fields.push_back({base, name, dot, at});
}

void Observer::openScope(SourceLoc at) {
  scopes.push_back({at, {}, openScopes_.back()});
  openScopes_.push_back(static_cast<uint32_t>(scopes.size() - 1));
}

void Observer::closeScope(SourceLoc at) {
  if (openScopes_.size() < 2) return;
  scopes[openScopes_.back()].end = at;
  openScopes_.pop_back();
}

void Observer::openCall(NameId callee, SourceLoc at, SourceLoc open) {
  calls.push_back({callee, at, open, {}, {}});
  openCalls_.push_back(static_cast<uint32_t>(calls.size() - 1));
}

void Observer::argument(SourceLoc at, bool comma) { arguments.push_back({openCalls_.back(), at, comma}); }

void Observer::closeCall(SourceLoc close) {
  calls[openCalls_.back()].close = close;
  openCalls_.pop_back();
}

// A call is resolved when its arguments have been read, so it is among the last calls that began.
void Observer::resolveCall(SourceLoc at, FnId function) {
  for (size_t i = calls.size(); i-- > 0;) {
    if (!(calls[i].at == at)) continue;
    calls[i].function = function;
    return;
  }
}

void Observer::external(SourceLoc begin, SourceLoc end) { externals.push_back({begin, end}); }

}  // namespace coopc::frontend
