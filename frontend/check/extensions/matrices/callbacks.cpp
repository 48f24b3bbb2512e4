// Functions that matrix built-ins call: decode, combine and per-element functions. Their signatures are
// checked at the call. Their bodies are checked at the end of the text: they must contain no tangled
// instructions, directly or through functions that they call.
#include <algorithm>

#include "frontend/check/extensions/matrices/rules.hpp"
#include "frontend/check/extensions/matrices/support.hpp"
#include "frontend/language/texture_form.hpp"
#include "frontend/program/constant_values.hpp"

namespace coopc::frontend {

namespace {

// Whether the additional arguments have the types of the parameters without conversions.
bool suitsExactly(const Checker& c, FnId fn, const CallbackContract& contract) {
  const Function& f = c.program.functions[fn];
  for (uint32_t i = 0; i < contract.extra.size(); ++i) {
    if (contract.extra[i] != c.program.variables[f.params[3 + i]].type) return false;
  }
  return true;
}

// Checks one overload; reports errors if `report` is set. 8.X: all parameters are `const in`.
// `callee`: the built-in function that calls it.
bool suits(Checker& c, FnId fn, const CallbackContract& contract, NameId callee, SourceLoc use, bool report) {
  const Function f = c.program.functions[fn];
  const std::string_view name = c.names.text(f.name);
  const auto param = [&](uint32_t i) -> const Variable& { return c.program.variables[f.params[i]]; };
  const auto fail = [&]<DiagArgKind... Kinds>(DiagKindOf<Kinds...> kind, const DiagArgs<Kinds...>& args) {
    if (report)
      reportForbidden(c, kind, use, args).note(f.loc, "`" + std::string(name) + "` is declared here");
    return false;
  };
  uint32_t wanted = 0;
  switch (contract.op) {
    case BuiltinOp::CoopMatLoadTensor: wanted = 3; break;
    case BuiltinOp::CoopMatReduce: wanted = 2; break;
    case BuiltinOp::CoopMatPerElement: wanted = 3 + static_cast<uint32_t>(contract.extra.size()); break;
    default: break;  // no other operation has a callback
  }
  if (f.params.size() != wanted) {
    if (report) {
      DiagBuilder d = reportForbidden(c, DiagKind::CallbackParameterCount, use,
                                      {contract.kind, name, wanted, f.params.size()});
      d.note(f.loc, "`" + std::string(name) + "` is declared here");
      if (contract.op == BuiltinOp::CoopMatPerElement)
        d.note({}, "row, column and element, and one for each further argument of `" +
                       std::string(c.names.text(callee)) + "`, of which there are " +
                       std::to_string(contract.extra.size()));
    }
    return false;
  }
  if (f.result == kErrorType) return false;
  for (uint32_t i = 0; i < wanted; ++i) {
    const Variable& p = param(i);
    if (p.type == kErrorType) return false;
    if (p.direction != Direction::ConstIn)
      return fail(DiagKind::CallbackParameterQualifier, {i + 1, contract.kind, name});
  }
  const auto type = [&](uint32_t i, TypeId want) {
    if (param(i).type == want) return true;
    return fail(DiagKind::CallbackParameterType,
                {i + 1, contract.kind, name, c.typeText(want), c.typeText(param(i).type)});
  };
  switch (contract.op) {
    case BuiltinOp::CoopMatLoadTensor: {
      if (c.program.types.kind(param(0).type) != TypeKind::Reference) {
        return fail(DiagKind::DecodeReference, {name, c.typeText(param(0).type)});
      }
      for (uint32_t i = 1; i < 3; ++i) {
        const TypeInfo t = c.type(param(i).type);
        // Decision 12: exactly one array dimension of exactly Dim elements.
        const bool array = t.kind == TypeKind::Array && t.element() == kUint && t.hasArraySize();
        if (!array || (contract.dimensions != 0 &&
                       literalInteger(c.program, t.arraySize()) != int64_t{contract.dimensions})) {
          return fail(DiagKind::DecodeCoordinates,
                      {i + 1, name, contract.dimensions, c.typeText(param(i).type)});
        }
      }
      break;
    }
    case BuiltinOp::CoopMatReduce:
      if (!type(0, contract.component) || !type(1, contract.component)) return false;
      break;
    case BuiltinOp::CoopMatPerElement:
      if (!type(0, kUint) || !type(1, kUint) || !type(2, contract.component)) return false;
      // "The number of additional parameters and their types must match the signature of elemOp": they are
      // not converted.
      for (uint32_t i = 0; i < contract.extra.size(); ++i) {
        const Variable& p = param(3 + i);
        if (p.type == contract.extra[i]) continue;
        if (report)
          reportForbidden(
              c, DiagKind::PerElementArgument, c.expr(contract.args[3 + i]).loc,
              {4 + i, c.names.text(callee), c.typeText(contract.extra[i]), 4 + i, name, c.typeText(p.type)})
              .note(p.loc, "the parameter is declared here");
        return false;
      }
      break;
    default: break;
  }
  if (contract.vectorResult) {
    const TypeInfo r = c.type(f.result);
    const int64_t length = r.kind == TypeKind::LongVector
                               ? literalInteger(c.program, c.program.types.params(f.result)[0]).value_or(0)
                               : r.rows;
    const bool vector = r.kind == TypeKind::Vector || r.kind == TypeKind::LongVector;
    if (!vector || basicType(r.scalar) != contract.component || (length != 2 && length != 4 && length != 8)) {
      return fail(DiagKind::DecodeVectorResult, {name, c.typeText(contract.component), c.typeText(f.result)});
    }
    return true;
  }
  if (f.result != contract.component) {
    return fail(DiagKind::CallbackResultType,
                {contract.kind, name, c.typeText(contract.component), c.typeText(f.result)});
  }
  return true;
}

// Whether an expression becomes a tangled instruction (SPIR-V 2.2.5 with the matrix extensions): control
// barriers, group operations, and instructions with whole matrices as operands or results. Memory barriers
// and component access are not.
bool isTangled(const Program& program, const Expr& e) {
  if (e.op == ExprOp::CallBuiltin) {
    const auto op = e.builtin();
    if (op == BuiltinOp::Barrier || op == BuiltinOp::ControlBarrier || op == BuiltinOp::SubgroupBarrier ||
        op == BuiltinOp::BarrierArrive || op == BuiltinOp::BarrierWait ||
        op == BuiltinOp::ControlBarrierArrive || op == BuiltinOp::ControlBarrierWait)
      return true;
    const BuiltinGroup group = builtinGroup(op);
    if (group == BuiltinGroup::Subgroup || group == BuiltinGroup::Reduction ||
        group == BuiltinGroup::CoopMat || group == BuiltinGroup::Derivative ||
        (op >= BuiltinOp::SwizzleInvocations && op <= BuiltinOp::AddInvocationsExclusiveScanNonUniform))
      return true;
    if (op == BuiltinOp::SaturatedConvert) {
      const auto kind = program.types.kind(program.exprs[program.builtinArguments(e)[1]].type);
      return kind == TypeKind::CoopMat;
    }
    if (op == BuiltinOp::TextureQueryLod) return true;
    // Look-ups whose level of detail comes from derivatives, if the stage has derivatives.
    const BuiltinOp base = textureForm(op).base;
    const bool implicit = base == BuiltinOp::Texture || base == BuiltinOp::TextureProj ||
                          base == BuiltinOp::TextureOffset || base == BuiltinOp::TextureProjOffset ||
                          base == BuiltinOp::TextureFootprint || base == BuiltinOp::TextureFootprintClamp;
    if (implicit) return program.hasDerivatives();
    return op == BuiltinOp::CoopMatLoadNV || op == BuiltinOp::CoopMatStoreNV ||
           op == BuiltinOp::CoopMatMulAddNV;
  }
  const auto matrix = [&](TypeId t) {
    const TypeKind k = program.types.kind(t);
    return k == TypeKind::CoopMat || k == TypeKind::CoopMatNV;
  };
  switch (e.op) {
    case ExprOp::Convert: return matrix(e.type) || matrix(program.exprs[e.operand()].type);
    case ExprOp::Splat:
    case ExprOp::Negate:
    case ExprOp::Add:
    case ExprOp::Sub:
    case ExprOp::Mul:
    case ExprOp::Div:
    case ExprOp::AddAssign:
    case ExprOp::SubAssign:
    case ExprOp::MulAssign:
    case ExprOp::DivAssign: return matrix(e.type);
    default: return false;
  }
}

std::string_view callbackKind(BuiltinOp op) {
  switch (op) {
    case BuiltinOp::CoopMatLoadTensor: return "decode function";
    case BuiltinOp::CoopMatReduce: return "combine function";
    case BuiltinOp::CoopMatPerElement: return "per-element function";
    default: return {};
  }
}

}  // namespace

FnId checkCallback(Checker& c, NameId callee, uint32_t index, ExprId arg, const CallbackContract& contract) {
  const Expr e = c.expr(arg);
  if (e.op != ExprOp::FunctionName) {
    c.report(DiagKind::CallbackNotFunction, e.loc, {index, c.names.text(callee)});
    return {};
  }
  const FnId first = e.functionName();
  FnId found;
  uint32_t suitable = 0;
  bool exact = false;  // an overload that needs no conversion is preferred, as in any call (6.1)
  for (FnId f = first; f; f = c.program.functions[f].nextOverload) {
    if (!suits(c, f, contract, callee, e.loc, false)) continue;
    const bool same = suitsExactly(c, f, contract);
    if (exact && !same) continue;
    suitable = same && !exact ? 1 : suitable + 1;
    exact = same;
    found = f;
  }
  if (suitable > 1) {
    c.report(DiagKind::CallbackAmbiguous, e.loc,
             {c.names.text(c.program.functions[first].name), c.names.text(callee)});
    return {};
  }
  if (suitable == 0) {
    // Errors are reported for the only overload, or for the first one declared.
    suits(c, first, contract, callee, e.loc, true);
    if (!c.options.checksOff) return {};
    found = first;
  }
  c.program.exprs[arg].setFunctionName(found);
  c.program.functions[found].usedAsCallback = true;
  c.callbacks.push_back({found, e.loc, contract.op});
  return found;
}

void checkMatrixProgram(Checker& c) {
  warnTensorStrides(c);
  const Program& program = c.program;
  std::vector<FnId> reported;
  for (const Checker::Callback& callback : c.callbacks) {
    if (std::find(reported.begin(), reported.end(), callback.function) != reported.end()) continue;
    reported.push_back(callback.function);
    // Breadth-first over the calls, so that the chain in the notes is a shortest one.
    std::vector<FnId> queue{callback.function};
    std::vector<uint32_t> parent{kNone};
    std::vector<SourceLoc> calledAt{SourceLoc{}};
    bool done = false;
    for (uint32_t at = 0; at < queue.size() && !done; ++at) {
      const Function& f = program.functions[queue[at]];
      for (const ExprId id : f.exprs) {
        const Expr& e = program.exprs[id];
        if (e.op == ExprOp::Call) {
          const FnId callee = program.callee(e);
          if (std::find(queue.begin(), queue.end(), callee) == queue.end()) {
            queue.push_back(callee);
            parent.push_back(at);
            calledAt.push_back(e.loc);
          }
          continue;
        }
        if (!isTangled(program, e)) continue;
        const ResolvedLoc place = c.diagnostics.sources().resolve(e.loc);
        size_t end = place.column > 0 ? place.column - 1 : 0;
        const size_t begin = end;
        const auto word = [](char ch) {
          return (ch >= 'a' && ch <= 'z') || (ch >= 'A' && ch <= 'Z') || (ch >= '0' && ch <= '9') ||
                 ch == '_';
        };
        while (end < place.lineText.size() && word(place.lineText[end])) ++end;
        if (end == begin && end < place.lineText.size()) ++end;
        const std::string what(place.lineText.substr(std::min(begin, place.lineText.size()), end - begin));
        DiagBuilder report = reportForbidden(
            c, DiagKind::TangledInCallback, e.loc,
            {callbackKind(callback.op), c.names.text(program.functions[callback.function].name), what});
        for (uint32_t step = at; parent[step] != kNone; step = parent[step]) {
          report.note(calledAt[step], "`" + std::string(c.names.text(program.functions[queue[step]].name)) +
                                          "` is called here");
        }
        report.note(callback.loc, "passed to the built-in here");
        done = true;
        break;
      }
    }
  }
}

}  // namespace coopc::frontend
