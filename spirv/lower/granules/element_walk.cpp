// Per-element operations in three ways: by the device's own operation on each granule; by a loop over a
// granule's elements in a slice of the staging area; or by a loop over the components that an invocation
// holds, if the function does not depend on positions, or where memory is saved.
#include "spirv/lower/granules/element_walk.hpp"

#include <algorithm>
#include <iterator>

#include "spirv/instructions.hpp"

namespace coopc::spirv::lower {

// The slices that an operation uses at the same time.
Slices ElementWalk::slicesOf(const Instruction& i, uint32_t bytes) const {
  if (callsNatively(i) || plan_.isStreamed(i.result) || ignoresPositions(i)) return {};
  if (callsOnComponents(i)) return {1, held_.positionBytes(*plan_.matrix(i.type))};
  const op::CooperativeMatrixPerElementOpNV call(m_, i);
  uint32_t inputs = plan_.functions[call.func()].readsElement ? 1 : 0;
  for (const Id extra : call.operands()) inputs += matrixOf(extra) != nullptr ? 1 : 0;
  return {std::max(inputs, plan_.uses(i.result) != 0 ? 1u : 0u), bytes};
}

Id ElementWalk::callForElement(Id function, NamedUInt row, NamedUInt column, Id element,
                               const std::vector<Id>& extras) {
  const Instruction* f = m_.def(function);
  const auto type = as<op::TypeFunction>(m_, as<op::Function>(m_, f).functionType());
  const Id u32 = code_.globals.typeU32();
  std::vector<Id> arguments;
  for (const Id value : {Id(row), Id(column)}) {
    const Id parameter = type ? type.parameterTypes()[uint32_t(arguments.size())] : u32;
    arguments.push_back(parameter == u32 ? value : code_.make<op::Bitcast>(parameter, {value}));
  }
  arguments.push_back(element);
  arguments.insert(arguments.end(), extras.begin(), extras.end());
  const Id result = f == nullptr ? u32 : f->type;
  return code_.make<op::FunctionCall>(result, {.function = function, .arguments = arguments});
}

bool ElementWalk::callsNatively(const Instruction& i) const {
  return options_.perElement &&
         plan_.callsNatively(*plan_.matrix(i.type), op::CooperativeMatrixPerElementOpNV(m_, i).func());
}

// Whether the function can be called for the components that invocations hold. A function with side effects
// must be called once for each element, and drivers may hold elements of operands twice. Matrices with other
// component types may be distributed in another way.
bool ElementWalk::worksOnComponents(const Instruction& i) const {
  const PlannedMatrix& t = *plan_.matrix(i.type);
  const op::CooperativeMatrixPerElementOpNV call(m_, i);
  if (t.is.use != spv::CooperativeMatrixUse::MatrixAccumulatorKHR && plan_.functions[call.func()].hasEffects)
    return false;
  const IdRange operands = call.operands();
  return std::all_of(operands.begin(), operands.end(), [&](Id operand) {
    const PlannedMatrix* extra = matrixOf(operand);
    return extra == nullptr || extra->is.component == t.is.component;
  });
}

// Whether an invocation calls the function for its components without knowing where they are in the matrix.
// If that is too much code, a loop over the elements in the slice calls it.
bool ElementWalk::ignoresPositions(const Instruction& i) const {
  const op::CooperativeMatrixPerElementOpNV call(m_, i);
  const CalledFunction& f = plan_.functions[call.func()];
  return !f.readsRow && !f.readsColumn && !f.hasEffects && worksOnComponents(i) &&
         plan_.callsNatively(*plan_.matrix(i.type), call.func());
}

// Whether an invocation calls it for its components with their positions, which needs little memory.
bool ElementWalk::callsOnComponents(const Instruction& i) const {
  return plan_.strips() > 1 && held_.hasPositions(*plan_.matrix(i.type)) && worksOnComponents(i);
}

ElementWalk::GranuleLoop ElementWalk::begin(const Instruction& i) {
  const PlannedMatrix& t = *plan_.matrix(i.type);
  const op::CooperativeMatrixPerElementOpNV call(m_, i);
  GranuleLoop g;
  g.loop = {.type = &t, .function = call.func(), .used = plan_.uses(i.result) != 0, .inputs = {}};
  const CalledFunction& f = plan_.functions[call.func()];
  g.hasEffects = f.hasEffects;
  const auto addInput = [&](Id matrix, uint32_t extra) {
    g.loop.inputs.push_back({extra, matrixOf(matrix)->is.component});
    g.values.push_back(values_.heldParts(matrix));
    g.types.push_back(matrixOf(matrix));
  };
  if (f.readsElement) addInput(call.matrix(), kElement);
  const IdRange operands = call.operands();
  for (uint32_t k = 0; k < operands.size(); ++k) {
    const bool isMatrix = matrixOf(operands[k]) != nullptr;
    if (isMatrix) addInput(operands[k], k);
    g.extras.push_back(isMatrix ? Id() : operands[k]);
  }
  g.type = values_.native(t);
  g.zero = code_.u32(0);
  g.none = code_.globals.typeVoid();
  if (t.granules() > 1) g.made = elementsFunction(g.loop, g.extras);
  return g;
}

// Calls the function for the elements of a granule. The result is none if it is not used.
Id ElementWalk::makeGranule(const GranuleLoop& g, uint32_t n) {
  const PlannedMatrix& t = *g.loop.type;
  const UInt zero(code_, g.zero);
  const auto callForAll = [&] {
    const UInt firstRow = placement_.rowOf(t, n / t.blockColumns),
               firstColumn = placement_.columnOf(t, n % t.blockColumns);
    if (!g.made) return callForElements(g.loop, firstRow, firstColumn, g.extras);
    std::vector<Id> arguments{firstRow, firstColumn};
    std::copy_if(g.extras.begin(), g.extras.end(), std::back_inserter(arguments),
                 [&](Id extra) { return isPassed(extra); });
    code_.make<op::FunctionCall>(g.none, {.function = g.made, .arguments = arguments});
  };
  if (g.loop.used || !g.loop.inputs.empty()) area_.enterSlices(t);
  for (uint32_t s = 0; s < g.loop.inputs.size(); ++s) {
    const SharedRows rows = area_.slice(t, g.loop.inputs[s].component, s);
    const Id to = area_.pointerTo(rows, zero, zero);
    area_.storeGranule(values_.take(*g.types[s], g.values[s][n]), to, rows.stride);
  }
  if (!g.loop.inputs.empty()) code_.shared.barrier(spv::Scope::Subgroup);
  // "Calls may occur more than once" (OpCooperativeMatrixPerElementOpNV). Nevertheless, functions with side
  // effects are called only once.
  if (!g.loop.used && g.hasEffects)
    placement_.byOwners(t, callForAll);
  else
    callForAll();
  if (!g.loop.used) return {};
  code_.shared.barrier(spv::Scope::Subgroup);
  const SharedRows rows = area_.slice(t, t.is.component, 0);
  const Id from = area_.pointerTo(rows, zero, zero);
  return area_.loadGranule(g.type, from, rows.stride);
}

void ElementWalk::rewritePerElement(const Instruction& i) {
  const PlannedMatrix& t = *plan_.matrix(i.type);
  if (callsNatively(i)) return callOnGranules(i, t);
  if (ignoresPositions(i) || callsOnComponents(i)) return callOnComponents(i, t);
  const GranuleLoop g = begin(i);
  if (!g.loop.used && g.values.size() == 1 && g.types[0] == &t && values_.takesTurns(t))
    return callInTurns(g);
  GranuleList result;
  for (uint32_t n = 0; n < t.granules(); ++n) {
    const uint32_t source = plan_.sourceOf(i.result, t, n);
    result.push_back(source != n ? result[source] : makeGranule(g, n));
    if (g.loop.used && source == n) result.back() = values_.hold(t, result.back());
  }
  if (g.loop.used) values_.defineHeld(i, std::move(result));
}

// A function without a result, such as a store's, is called for the elements of one row of granules after the
// other.
void ElementWalk::callInTurns(const GranuleLoop& all) {
  const PlannedMatrix& t = *all.loop.type;
  area_.enterSlices(t);
  values_.inTurns(t, all.values[0], [&](const UInt& row, GranuleList& granules) {
    GranuleLoop g = all;
    g.values[0] = granules;
    placement_.fromRow(row, [&] {
      for (uint32_t n = 0; n < t.blockColumns; ++n) makeGranule(g, n);
    });
    const Id type = values_.heldType(t);
    for (Id& granule : granules) granule = code_.globals.undef(type);
  });
}

Id ElementWalk::loadLate(const Instruction& i, uint32_t n) {
  const auto [entry, isFirst] = late_.try_emplace(i.result);
  if (isFirst) entry->second = begin(i);
  return makeGranule(entry->second, n);
}

// Calls the function for each element of the granule whose first element is at this position of the matrix.
// `extras` has the function's arguments besides the element, except those that are loaded from slices.
void ElementWalk::callForElements(const ElementLoop& loop, NamedUInt firstRow, NamedUInt firstColumn,
                                  const std::vector<Id>& extras) {
  const PlannedMatrix& t = *loop.type;
  const Id component = t.is.component;
  const auto value = [&](const UInt& row, const UInt& column) {
    Id element = code_.globals.undef(component);
    std::vector<Id> others = extras;
    for (uint32_t s = 0; s < loop.inputs.size(); ++s) {
      const SharedRows rows = area_.slice(t, loop.inputs[s].component, s);
      const Id loaded = area_.loadElement(rows, row, column);
      (loop.inputs[s].extra == kElement ? element : others[loop.inputs[s].extra]) = loaded;
    }
    const UInt matrixRow = firstRow + row, matrixColumn = firstColumn + column;
    return callForElement(loop.function, matrixRow, matrixColumn, element, others);
  };
  const Group lanes = placement_.subgroup();
  // If the device could call the function itself, the loop exists to keep the code short.
  const Unroll unroll = options_.perElement ? Unroll::No : options_.unroll;
  if (!loop.used) {
    return placement_.forElements(lanes, t.granuleRows, t.granuleColumns, unroll, value);
  }
  const SharedRows to = area_.slice(t, component, 0);
  area_.fillRows(lanes, to, t.granuleRows, t.granuleColumns, unroll, value);
}

// The same as a function (first row, first column, extras), for operations on several granules: without it,
// each of them would repeat the loop. Constants and global variables are not passed.
Id ElementWalk::elementsFunction(const ElementLoop& loop, const std::vector<Id>& extras) {
  const Id u32 = code_.globals.typeU32(), none = code_.globals.typeVoid();
  std::vector<Id> types{u32, u32};
  for (const Id extra : extras) {
    if (isPassed(extra)) types.push_back(code_.globals.typeOf(extra));
  }
  const Id made = code_.writer.addFunction(none, types, [&](const std::vector<Id>& p) {
    std::vector<Id> own = extras;
    size_t next = 2;
    for (Id& extra : own) {
      if (isPassed(extra)) extra = p[next++];
    }
    const UInt firstRow(code_, p[0]), firstColumn(code_, p[1]);
    callForElements(loop, firstRow, firstColumn, own);
    code_.make<op::Return>();
  });
  code_.annotations.name(made, loop.used ? "fillGranule" : "forGranule");
  return made;
}

// Makes T g(row, column, element, ..., first row, first column), which is called for granules, from T f(row,
// column, element, ...).
Id ElementWalk::offsetFunction(Id function, uint32_t extras) {
  for (const auto& [known, made] : offsetFunctions_) {
    if (known == function) return made;
  }
  const Id u32 = code_.globals.typeU32();
  const Instruction* f = m_.def(function);
  const auto type = as<op::TypeFunction>(m_, as<op::Function>(m_, f).functionType());
  const IdRange own = type.parameterTypes();
  if (!type || own.size() != 3 + extras) {
    refuse("a per-element operation whose function does not take its operands");
    return function;
  }
  std::vector<Id> parameters{u32, u32};
  for (uint32_t k = 0; k < extras + 1; ++k) parameters.push_back(own[2 + k]);
  parameters.push_back(u32);
  parameters.push_back(u32);
  const Id result = f->type;
  const Id made = code_.writer.addFunction(result, parameters, [&](const std::vector<Id>& p) {
    const UInt firstRow(code_, p[p.size() - 2]), firstColumn(code_, p[p.size() - 1]);
    const UInt row = p[0] + firstRow, column = p[1] + firstColumn;
    const std::vector<Id> others(p.begin() + 3, p.end() - 2);
    const Id value = callForElement(function, row, column, p[2], others);
    code_.make<op::ReturnValue>({value});
  });
  offsetFunctions_.push_back({function, made});
  return made;
}

void ElementWalk::callOnGranules(const Instruction& i, const PlannedMatrix& t) {
  const op::CooperativeMatrixPerElementOpNV call(m_, i);
  const Id function = call.func(), type = values_.native(t);
  const bool used = plan_.uses(i.result) != 0;
  const CalledFunction& f = plan_.functions[function];
  const Id moved = offsetFunction(function, call.operands().size());
  if (report_.isRefused()) return;
  const GranuleList elements =
      f.readsElement ? values_.parts(call.matrix()) : GranuleList(t.granules(), code_.globals.undef(type));
  std::vector<GranuleList> extras;
  for (const Id extra : call.operands()) {
    extras.push_back(matrixOf(extra) != nullptr ? values_.parts(extra) : GranuleList(t.granules(), extra));
  }
  GranuleList result;
  const auto write = [&] {
    for (uint32_t n = 0; n < t.granules(); ++n) {
      std::vector<Id> arguments;
      for (const GranuleList& extra : extras) arguments.push_back(extra[n]);
      arguments.push_back(placement_.rowOf(t, n / t.blockColumns));
      arguments.push_back(placement_.columnOf(t, n % t.blockColumns));
      result.push_back(code_.make<op::CooperativeMatrixPerElementOpNV>(
          type, {.matrix = elements[n], .func = moved, .operands = arguments}));
    }
  };
  if (f.hasEffects && !used)
    placement_.byOwners(t, write);
  else
    write();
  if (used) values_.define(i, std::move(result));
}

void ElementWalk::callOnComponents(const Instruction& i, const PlannedMatrix& t) {
  const op::CooperativeMatrixPerElementOpNV operation(m_, i);
  const Id function = operation.func(), type = values_.native(t);
  const bool used = plan_.uses(i.result) != 0, hasEffects = plan_.functions[function].hasEffects;
  if (!used && !hasEffects) return;
  struct Input {
    uint32_t extra;  // kElement, or which of the operands after the function
    const PlannedMatrix* type;
    GranuleList held;
    Id variable;
  };
  std::vector<Input> inputs;
  const auto addInput = [&](uint32_t extra, Id matrix) {
    inputs.push_back({extra, matrixOf(matrix), values_.heldParts(matrix), code_.localVariable(type)});
  };
  if (plan_.functions[function].readsElement) addInput(kElement, operation.matrix());
  const IdRange operands = operation.operands();
  for (uint32_t k = 0; k < operands.size(); ++k) {
    if (matrixOf(operands[k]) != nullptr) addInput(k, operands[k]);
  }
  const bool inPlace = ignoresPositions(i);
  const Positions positions = inPlace ? Positions{} : held_.findPositions(t);
  const Id made = used ? code_.localVariable(type) : Id();
  const auto callFor = [&](const UInt& index, NamedUInt row, NamedUInt column) {
    Id element = code_.globals.undef(t.is.component);
    std::vector<Id> extras(operands.begin(), operands.end());
    for (const Input& input : inputs) {
      (input.extra == kElement ? element : extras[input.extra]) =
          held_.component(t, input.variable, index).load();
    }
    const Id value = callForElement(function, row, column, element, extras);
    if (used) held_.component(t, made, index).store(value);
  };
  const auto call = [&](uint32_t n) {
    for (const Input& input : inputs) {
      const Id granule = values_.take(*input.type, input.held[n]);
      code_.store(input.variable, granule);
    }
    if (inPlace) {
      const UInt nowhere = code_.u32(0), length = lengthOf(type);
      return loop(code_, length, options_.unroll,
                  [&](const UInt& index) { callFor(index, nowhere, nowhere); });
    }
    const UInt firstRow = placement_.rowOf(t, n / t.blockColumns),
               firstColumn = placement_.columnOf(t, n % t.blockColumns);
    held_.forComponents(positions, {0, t.granuleRows}, true,
                        [&](const UInt& index, const UInt& row, const UInt& column) {
                          const UInt matrixRow = firstRow + row, matrixColumn = firstColumn + column;
                          callFor(index, matrixRow, matrixColumn);
                        });
  };
  GranuleList result;
  for (uint32_t n = 0; n < t.granules(); ++n) {
    if (!used) {
      placement_.byOwners(t, [&] { call(n); });
      continue;
    }
    if (const uint32_t source = plan_.sourceOf(i.result, t, n); source != n) {
      result.push_back(result[source]);
      continue;
    }
    call(n);
    const Id granule = code_.load(type, made);
    result.push_back(values_.hold(t, granule));
  }
  if (used) values_.defineHeld(i, std::move(result));
}

}  // namespace coopc::spirv::lower
