// GL_ARB_fragment_shader_interlock: a shader has one critical section, in main and outside of control flow,
// so that each invocation enters it exactly once.
#include "frontend/check/extensions/fragment_interlock.hpp"

#include <optional>

#include "frontend/program/walk.hpp"

namespace coopc::frontend {
namespace {

struct Section {
  Checker& c;
  FragmentEntry& fragment;
  std::optional<SourceLoc> begin = {}, end = {};

  void call(const Expr& e, bool allowed);
};

std::string_view nameOf(BuiltinOp op) {
  return op == BuiltinOp::BeginInterlock ? "beginInvocationInterlockARB" : "endInvocationInterlockARB";
}

bool isInterlock(const Expr& e) {
  return e.op == ExprOp::CallBuiltin &&
         (e.builtin() == BuiltinOp::BeginInterlock || e.builtin() == BuiltinOp::EndInterlock);
}

void Section::call(const Expr& e, bool allowed) {
  if (!isInterlock(e)) return;
  const BuiltinOp op = e.builtin();
  if (fragment.interlock == FragmentInterlock::None) fragment.interlock = FragmentInterlock::PixelOrdered;
  if (!allowed) {
    c.report(DiagKind::InterlockPlace, e.loc, {nameOf(op)});
    return;
  }
  std::optional<SourceLoc>& place = op == BuiltinOp::BeginInterlock ? begin : end;
  if (place)
    c.report(DiagKind::InterlockOrder, e.loc, {nameOf(op), "but is also called before"})
        .note(*place, "the other call is here");
  else if (op == BuiltinOp::EndInterlock && !begin)
    c.report(DiagKind::InterlockOrder, e.loc, {nameOf(op), "after `beginInvocationInterlockARB`"});
  place = e.loc;
}

}  // namespace

void declareInterlock(Checker& c, FragmentEntry& fragment, const LayoutQualifiers& layout) {
  const auto interlock = static_cast<FragmentInterlock>(layout.get(LayoutId::Interlock));
  if (fragment.interlock != FragmentInterlock::None && fragment.interlock != interlock)
    c.report(DiagKind::InterlockLayouts, layout.at(LayoutId::Interlock));
  fragment.interlock = interlock;
}

void finishInterlock(Checker& c) {
  Program& p = c.program;
  auto* fragment = std::get_if<FragmentEntry>(&p.entry);
  if (fragment == nullptr || !p.extensionsSeen.has(ExtensionId::GL_ARB_fragment_shader_interlock)) return;
  Section section{c, *fragment};
  forEachExpressionWithFlow(p, [&](const Expr& e, bool once) { section.call(e, once); });
  if (section.begin && !section.end)
    c.report(DiagKind::InterlockOrder, *section.begin,
             {"endInvocationInterlockARB", "after `beginInvocationInterlockARB`"});
}

}  // namespace coopc::frontend
