// Reads of variables that have not been written. Only certain cases are reported: no write precedes the read
// in the text, and no loop around the read, inside the variable's scope, has a write that an earlier
// iteration could have done.
#include "frontend/check/unwritten.hpp"

#include <algorithm>

#include "frontend/check/checker.hpp"

namespace coopc::frontend {

void UnwrittenVariables::declare(Checker& c, VarId v) {
  c.program.variables[v].unwritten = true;
  declared_.push_back({v, loop_, false});
}

void UnwrittenVariables::use(VarId v, ExprId e) { uses_.push_back({v, e, loop_, false}); }

void UnwrittenVariables::readToo(ExprId root) {
  const auto u = std::find_if(uses_.rbegin(), uses_.rend(), [&](const Use& x) { return x.expr == root; });
  if (u != uses_.rend()) u->isRead = true;
}

void UnwrittenVariables::write(Checker& c, ExprId root, VarId v) {
  c.program.variables[v].unwritten = false;
  for (size_t i = uses_.size(); i-- > 0;) {
    if (uses_[i].expr != root) continue;
    if (!uses_[i].isRead) forget(root);
    return;
  }
}

void UnwrittenVariables::forget(ExprId root) {
  for (size_t i = uses_.size(); i-- > 0;) {
    if (uses_[i].expr != root) continue;
    uses_.erase(uses_.begin() + static_cast<ptrdiff_t>(i));
    return;
  }
}

void UnwrittenVariables::finishFunction(Checker& c) {
  // After an error, writes may have been skipped.
  if (!uses_.empty() && c.diagnostics.errorCount() == 0) {
    const auto byExpression = [](const Use& a, const Use& b) { return a.expr < b.expr; };
    std::stable_sort(uses_.begin(), uses_.end(), byExpression);
    for (const Use& u : uses_) {
      const auto at =
          std::lower_bound(declared_.begin(), declared_.end(), u.variable,
                           [](const Declared& d, VarId variable) { return d.variable < variable; });
      const Variable& v = c.program.variables[u.variable];
      if (at->reported || (u.loop != at->loop && !v.unwritten)) continue;
      at->reported = true;
      c.report(DiagKind::Uninitialized, c.expr(u.expr).loc, {c.names.text(v.name)})
          .note(v.loc, "it is declared here");
    }
  }
  declared_.clear();
  uses_.clear();
  loop_ = loops_ = 0;
}

}  // namespace coopc::frontend
