// Multiply-adds of granules. They remain native multiply-adds: block rows x block columns of them for each
// step along K. Their operands are in registers or, if the plan streams them, are loaded into workgroup
// memory by all invocations first.
//
// An operand passes through registers on its way to workgroup memory, in pieces of 16 bytes. The pieces of
// the next step are loaded before the native multiply-adds of the current step and stored after them, which
// hides the latency of memory. The next step is the next chunk along K, the next multiply-add of the block,
// or the first one of a loop's next iteration (load_ahead.hpp).
#include <algorithm>

#include "spirv/instructions.hpp"
#include "spirv/lower/granules/granules.hpp"
#include "spirv/lower/known_bits.hpp"

namespace coopc::spirv::lower {

namespace {

// The largest number of pieces of a multiply-add's operands that one invocation holds, each in four 32-bit
// registers.
constexpr uint32_t kMostPieces = 24;
// The limit where loops are not unrolled, because code should be short.
constexpr uint32_t kMostPiecesInLoops = 4;

}  // namespace

struct Granules::Operand {
  const PlannedMatrix* type = nullptr;
  const Instruction* load = nullptr;  // the per-element operation that loads the operand, if it is streamed
  SharedRows rows;
  Parts parts;  // the granules, if it is not streamed
  bool isB = false;
  bool byColumns = false;  // the layout in workgroup memory
  // A chunk in workgroup memory: lines of `perLine` pieces of `bytes` each.
  uint32_t lines = 0, perLine = 0, bytes = 0;
  uint32_t turns = 0;  // pieces per invocation

  uint32_t pieces() const { return lines * perLine; }
  uint32_t elements() const { return bytes * 8 / type->is.componentBits; }  // of a piece
};

const TensorFunction* Granules::wideLoadOf(const Instruction& load) const {
  const Id function = op::CooperativeMatrixPerElementOpNV(m_, load).func();
  for (const TensorFunction& t : options_.tensors) {
    if (t.function == function && t.wide && m_.def(t.wide) != nullptr && m_.def(t.wideTest) != nullptr)
      return &t;
  }
  return nullptr;
}

std::vector<Granules::Operand> Granules::operandsOf(const PlannedMultiply& p) {
  const op::CooperativeMatrixMulAddKHR product(m_, m_.instructions[p.instruction]);
  std::vector<Operand> operands(2);
  for (Operand& o : operands) {
    o.isB = &o == &operands[1];
    const Id value = o.isB ? product.b() : product.a();
    o.type = matrixOf(value);
    if (!(o.isB ? p.streamB : p.streamA)) continue;
    o.load = m_.def(value);
    const MatrixType& t = o.type->is;
    o.byColumns = o.isB ? p.columnsB : p.columnsA;
    const bool stepsAlong = o.isB == o.byColumns;
    const uint32_t along = stepsAlong ? p.chunk : o.isB ? t.columns : t.rows;
    o.lines = !stepsAlong ? p.chunk : o.isB ? t.columns : t.rows;
    o.bytes = along * t.componentBits / 8 % 16 == 0 ? 16 : unit_;
    o.perLine = along * t.componentBits / 8 / o.bytes;
    o.turns = (o.pieces() + plan_.invocations - 1) / plan_.invocations;
    const uint32_t first = o.isB ? plan_.streamedBytes(m_, p, false) : 0;
    o.rows = {t.component, t.componentBits, code_.u32(first / unit_), plan_.rowBytes(along, t.componentBits)};
  }
  return operands;
}

bool Granules::throughRegisters(const std::vector<Operand>& operands) const {
  uint32_t pieces = 0;
  for (const Operand& o : operands) pieces += o.turns;
  return pieces <= (options_.unroll == Unroll::Yes ? kMostPieces : kMostPiecesInLoops);
}

// --- Pieces ---------------------------------------------------------------------------------------------------------------
// The number of an invocation's piece: neighbours have neighbouring ones.
Id Granules::pieceNumber(const Operand& o, NamedId turn, bool clamped) {
  const Group all = group(*o.type);
  const Id stride = code_.u32(all.invocations), first = code_.mul(turn, stride);
  const Id number = code_.add(first, all.index);
  if (!clamped || o.pieces() % all.invocations == 0) return number;
  // Invocations without a piece load the last one again.
  const Id last = code_.u32(o.pieces() - 1), boolean = code_.typeBool(), u32 = code_.typeU32();
  const Id exists = code_.op(spv::Op::OpULessThan, boolean, {number, last});
  return code_.op(spv::Op::OpSelect, u32, {exists, number, last});
}

// The type of a piece: a 32-bit number, or a vector of them.
Id Granules::pieceType(const Operand& o) {
  const uint32_t words = o.bytes / 4;
  const Id u32 = code_.typeU32();
  return words == 1 ? u32 : code_.typeVector(u32, words);
}

// From the T f(row, column, element, ...) that loads an operand makes P g(row, column, ...), which loads the piece that begins there,
// element by element. It is a function because every piece of a chunk, in the loop and ahead of it, is loaded in this way.
Id Granules::pieceFunction(const Operand& o, Way way, const std::vector<Id>& extras) {
  const Id function = op::CooperativeMatrixPerElementOpNV(m_, *o.load).func();
  for (const PieceFunction& f : pieceFunctions_) {
    if (f.function == function && f.byColumns == o.byColumns && f.bytes == o.bytes && f.way == way)
      return f.made;
  }
  const uint32_t bits = o.type->is.componentBits;
  const Id result = pieceType(o), element = code_.undef(o.type->is.component);
  std::vector<Id> parameters(2, code_.typeU32());
  for (const Id extra : extras) parameters.push_back(code_.typeOf(extra));
  const Id made = code_.addFunction(result, parameters, [&](const std::vector<Id>& p) {
    const std::vector<Id> others(p.begin() + 2, p.end());
    const auto elements = [&](Id from, uint32_t count) {
      std::vector<Id> values;
      for (uint32_t n = 0; n < count; ++n) {
        const Id step = code_.u32(n), place = code_.add(from, step);
        const Id row = o.byColumns ? place : p[0], column = o.byColumns ? p[1] : place;
        values.push_back(callForElement(function, row, column, element, others));
      }
      return packed(values, bits);
    };
    const Id start = o.byColumns ? p[0] : p[1];
    Id piece;
    if (way == Way::WordByWord) {
      const Id count = code_.u32(o.bytes / 4), each = code_.u32(32 / bits), none = code_.undef(result);
      piece = code_.loop(count, options_.unroll, {none}, [&](Id index, std::vector<Id>& carried) {
        const Id moved = code_.mul(index, each), from = code_.add(start, moved);
        const Id word = elements(from, 32 / bits)[0];
        carried[0] = code_.op(spv::Op::OpVectorInsertDynamic, result, {carried[0], word, index});
      })[0];
    } else {
      const std::vector<Id> numbers = elements(start, o.elements());
      const std::vector<Word> words(numbers.begin(), numbers.end());
      piece =
          words.size() == 1 ? numbers[0] : code_.op(spv::Op::OpCompositeConstruct, result, Operands(words));
    }
    code_.effect(spv::Op::OpReturnValue, {piece});
  });
  code_.name(made, "loadPiece");
  pieceFunctions_.push_back({function, o.byColumns, o.bytes, way, made});
  return made;
}

Id Granules::loadPiece(const Operand& o, uint32_t firstStep, Id number, const std::vector<Id>& extras,
                       Way way) {
  const Id perLine = code_.u32(o.perLine), size = code_.u32(o.elements()), first = code_.u32(firstStep);
  const Id line = code_.div(number, perLine), which = code_.mod(number, perLine);
  const Id start = code_.mul(which, size);
  const Id row = o.byColumns ? start : line, column = o.byColumns ? line : start;
  const Id matrixRow = o.isB ? code_.add(row, first) : row;
  const Id matrixColumn = o.isB ? column : code_.add(column, first);
  const Id function = way == Way::Wide ? wideLoadOf(*o.load)->wide : pieceFunction(o, way, extras);
  std::vector<Word> words{function, matrixRow, matrixColumn};
  words.insert(words.end(), extras.begin(), extras.end());
  const Id type = pieceType(o);
  return code_.op(spv::Op::OpFunctionCall, type, Operands(words));
}

void Granules::storePiece(const Operand& o, Id number, Id piece) {
  const Id perLine = code_.u32(o.perLine), size = code_.u32(o.elements()), u32 = code_.typeU32();
  const Id line = code_.div(number, perLine), which = code_.mod(number, perLine);
  const Id start = code_.mul(which, size);
  const Id first = from(o.rows, line, start).base, unit = unitType(), variable = areaVariable();
  for (uint32_t n = 0; n < o.bytes / unit_; ++n) {
    const Id step = code_.u32(n), at = code_.add(first, step);
    const Id pointer = code_.access(spv::StorageClass::Workgroup, unit, variable, {at});
    Id value = piece;
    if (o.bytes != unit_ && unit_ == 4) value = code_.extract(u32, piece, {n});
    if (o.bytes != unit_ && unit_ == 8)
      value = code_.op(spv::Op::OpVectorShuffle, unit, {piece, piece, 2 * n, 2 * n + 1});
    code_.storeShared(pointer, value);
  }
}

// Whether a piece can be loaded in one access: constant true or false, or the result of a run-time test of
// this load, which is uniform across the workgroup.
Id Granules::mayBeWide(const Operand& o, const std::vector<Id>& extras) {
  const TensorFunction* wide = wideLoadOf(*o.load);
  if (wide == nullptr || o.bytes != 16 || wide->wideAlongRows == o.byColumns) return code_.boolean(false);
  if (returnsTrue(m_, wide->wideTest, numbersOf(o), wide->promised)) return code_.boolean(true);
  const Id boolean = code_.typeBool();
  std::vector<Word> words{wide->wideTest};
  words.insert(words.end(), extras.begin(), extras.end());
  return code_.op(spv::Op::OpFunctionCall, boolean, Operands(words));
}

// Loads the steps from firstStep on of an operand into registers, by all invocations of the workgroup.
Granules::Pieces Granules::fetch(const Operand& o, uint32_t firstStep, const std::vector<Id>& extras) {
  const Id may = mayBeWide(o, extras);
  const auto load = [&](uint32_t turn, Way way) {
    const Id which = code_.u32(turn), number = pieceNumber(o, which, true);
    return loadPiece(o, firstStep, number, extras, way);
  };
  Pieces pieces;
  const Instruction* known = code_.global(may);
  if (known != nullptr) {
    const Way way = known->op() == spv::Op::OpConstantTrue ? Way::Wide : Way::Elements;
    for (uint32_t n = 0; n < o.turns; ++n) pieces.push_back(load(n, way));
    return pieces;
  }
  std::vector<Id> variables;
  const Id type = pieceType(o);
  for (uint32_t n = 0; n < o.turns; ++n) variables.push_back(code_.localVariable(type));
  const Id boolean = code_.typeBool(), mayNot = code_.op(spv::Op::OpLogicalNot, boolean, {may});
  for (const Way way : {Way::Wide, Way::WordByWord}) {
    code_.ifThen(way == Way::Wide ? may : mayNot, [&] {
      for (uint32_t n = 0; n < o.turns; ++n) {
        const Id piece = load(n, way);
        code_.store(variables[n], piece);
      }
    });
  }
  for (const Id variable : variables) pieces.push_back(code_.load(type, variable));
  return pieces;
}

void Granules::stage(const Operand& o, const Pieces& pieces) {
  for (uint32_t n = 0; n < o.turns; ++n) {
    const Id turn = code_.u32(n), number = pieceNumber(o, turn, false);
    if ((n + 1) * plan_.invocations <= o.pieces()) {
      storePiece(o, number, pieces[n]);
      continue;
    }
    const Id end = code_.u32(o.pieces()), exists = code_.less(number, end);
    code_.ifThen(exists, [&] { storePiece(o, number, pieces[n]); });
  }
}

// The same directly to workgroup memory, for operands that would need too many registers.
void Granules::transfer(const Operand& o, uint32_t firstStep, const std::vector<Id>& extras) {
  const auto all = [&](Way way) {
    const Id turns = code_.u32(o.turns), end = code_.u32(o.pieces());
    code_.loop(turns, options_.unroll, [&](Id turn) {
      const Id number = pieceNumber(o, turn, false);
      const auto move = [&] {
        const Id piece = loadPiece(o, firstStep, number, extras, way);
        storePiece(o, number, piece);
      };
      if (o.pieces() % plan_.invocations == 0) return move();
      const Id exists = code_.less(number, end);
      code_.ifThen(exists, move);
    });
  };
  const Id may = mayBeWide(o, extras);
  if (const Instruction* known = code_.global(may); known != nullptr)
    return all(known->op() == spv::Op::OpConstantTrue ? Way::Wide : Way::Elements);
  const Id boolean = code_.typeBool(), mayNot = code_.op(spv::Op::OpLogicalNot, boolean, {may});
  code_.ifThen(may, [&] { all(Way::Wide); });
  code_.ifThen(mayNot, [&] { all(Way::WordByWord); });
}

// --- Loads ahead ------------------------------------------------------------------------------------------------------------
std::vector<Id> Granules::numbersOf(const Operand& o) const {
  std::vector<Id> numbers;
  for (const Id extra : op::CooperativeMatrixPerElementOpNV(m_, *o.load).operands()) numbers.push_back(extra);
  return numbers;
}

// Whether fetchNext() loads anything.
bool Granules::fetchesNext(const PlannedMultiply& p) {
  if (p.next != kNone) return throughRegisters(operandsOf(plan_.multiplies[p.next]));
  return p.turns != kNone && !carried_[p.turns].empty();
}

void Granules::fetchNext(uint32_t n) {
  const PlannedMultiply& p = plan_.multiplies[n];
  if (p.next != kNone) {
    const std::vector<Operand> operands = operandsOf(plan_.multiplies[p.next]);
    if (!throughRegisters(operands)) return;
    fetched_.clear();
    for (const Operand& o : operands) {
      fetched_.emplace_back();
      if (o.load == nullptr) continue;
      const uint32_t load = m_.definitions[o.load->result.index()];
      Recomputed here(code_, [&](uint32_t at) { return at > p.instruction && at < load; });
      std::vector<Id> numbers = numbersOf(o);
      for (Id& number : numbers) number = here.value(number);
      fetched_.back() = fetch(o, 0, numbers);
    }
    ahead_ = p.next;
    return;
  }
  if (!fetchesNext(p)) return;
  // The last iteration loads its own operands again, which is harmless. A branch would keep the driver's
  // compiler from moving the loads.
  const AheadLoop& loop = plan_.loops[p.turns];
  const auto inLoop = [&](uint32_t at) { return loop.contains(at); };
  Recomputed now(code_, [&](uint32_t at) { return loop.contains(at) && at > p.instruction; });
  Recomputed then(code_, inLoop);
  for (const Id phi : loop.phis) {
    const Id value = now.value(turned(m_, *m_.def(phi), loop.turn));
    then.know(phi, value);
  }
  Id goesOn = loop.atTop ? then.value(loop.condition) : now.value(loop.condition);
  const Id boolean = code_.typeBool();
  if (!loop.stays) goesOn = code_.op(spv::Op::OpLogicalNot, boolean, {goesOn});
  const std::vector<Operand> operands = operandsOf(plan_.multiplies[loop.first]);
  for (size_t k = 0; k < operands.size(); ++k) {
    if (operands[k].load == nullptr) continue;
    std::vector<Id> numbers = numbersOf(operands[k]);
    for (Id& number : numbers) {
      const Id again = number, next = then.value(number), type = m_.typeOf(number);
      if (next != again) number = code_.op(spv::Op::OpSelect, type, {goesOn, next, again});
    }
    const Pieces pieces = fetch(operands[k], 0, numbers);
    for (size_t piece = 0; piece < pieces.size(); ++piece)
      code_.store(carried_[p.turns][k][piece], pieces[piece]);
  }
}

void Granules::fetchFirst(Id block) {
  for (uint32_t n = 0; n < plan_.loops.size(); ++n) {
    const AheadLoop& loop = plan_.loops[n];
    if (loop.before != block) continue;
    const std::vector<Operand> operands = operandsOf(plan_.multiplies[loop.first]);
    if (!throughRegisters(operands)) continue;
    Recomputed first(code_, [&](uint32_t at) { return loop.contains(at); });
    for (const Id phi : loop.phis) first.know(phi, turned(m_, *m_.def(phi), loop.before));
    const auto load = [&] {
      for (size_t k = 0; k < operands.size(); ++k) {
        if (operands[k].load == nullptr) continue;
        std::vector<Id> numbers = numbersOf(operands[k]);
        for (Id& number : numbers) number = first.value(number);
        const Pieces pieces = fetch(operands[k], 0, numbers);
        for (size_t piece = 0; piece < pieces.size(); ++piece)
          code_.store(carried_[n][k][piece], pieces[piece]);
      }
    };
    const Id boolean = code_.typeBool();
    carried_[n].resize(operands.size());
    for (size_t k = 0; k < operands.size(); ++k) {
      const Id type = pieceType(operands[k]);
      for (uint32_t piece = 0; operands[k].load != nullptr && piece < operands[k].turns; ++piece)
        carried_[n][k].push_back(code_.localVariable(type));
    }
    if (!loop.atTop) {
      load();
      continue;
    }
    // A loop without iterations may have nothing to load.
    Id enters = first.value(loop.condition);
    if (!loop.stays) enters = code_.op(spv::Op::OpLogicalNot, boolean, {enters});
    code_.ifThen(enters, load);
  }
}

// --- The multiply-add ---------------------------------------------------------------------------------------------------------
// One step's granules: a column of the block of A, a row of that of B.
Granules::Parts Granules::operandGranules(const Operand& operand, uint32_t firstStep, uint32_t step) {
  const PlannedMatrix& t = *operand.type;
  const uint32_t k = operand.isB ? t.granuleRows : t.granuleColumns;
  const uint32_t count = operand.isB ? t.blockColumns : t.blockRows;
  Parts result;
  for (uint32_t n = 0; n < count; ++n) {
    if (operand.load == nullptr) {
      const uint32_t at = (firstStep + step) / k;
      result.push_back(operand.parts[operand.isB ? at * t.blockColumns + n : n * t.blockColumns + at]);
      continue;
    }
    const Id along = code_.u32(step);
    const Id row = operand.isB ? along : rowOf(t, n), column = operand.isB ? columnOf(t, n) : along;
    const Id pointer =
        pointerTo(operand.rows, operand.byColumns ? column : row, operand.byColumns ? row : column);
    result.push_back(loadGranule(native(t), pointer, operand.rows.stride, operand.byColumns));
  }
  return result;
}

// The operands' first chunk in registers: either it was loaded ahead, or it is loaded now.
std::vector<Granules::Pieces> Granules::firstPieces(uint32_t n, const std::vector<Operand>& operands) {
  if (ahead_ == n) return std::move(fetched_);
  const uint32_t loop = plan_.multiplies[n].carried;
  std::vector<Pieces> pieces(operands.size());
  for (size_t k = 0; k < operands.size(); ++k) {
    if (operands[k].load == nullptr) continue;
    if (loop == kNone || carried_[loop].empty()) {
      pieces[k] = fetch(operands[k], 0, numbersOf(operands[k]));
      continue;
    }
    for (const Id variable : carried_[loop][k]) {
      const Id type = as<op::TypePointer>(m_, code_.global(code_.typeOf(variable))).type();
      pieces[k].push_back(code_.load(type, variable));
    }
  }
  return pieces;
}

void Granules::multiply(const Instruction& i) {
  const PlannedMultiply* planned = plan_.multiply(m_.definitions[i.result.index()]);
  const PlannedMatrix* d = plan_.matrix(i.type);
  if (planned == nullptr || d == nullptr) return refuse("a multiply-add that is not in the plan");
  const PlannedMultiply& p = *planned;
  const auto number = uint32_t(planned - plan_.multiplies.data());
  const op::CooperativeMatrixMulAddKHR product(m_, i);
  const Id c = product.c();
  std::vector<Word> mask;
  if (product.hasCooperativeMatrixOperands()) mask.push_back(product.cooperativeMatrixOperands());
  std::vector<Operand> operands = operandsOf(p);
  for (Operand& o : operands) {
    if (o.load == nullptr) o.parts = parts(o.isB ? product.b() : product.a());
  }
  if (d->is.component != matrixOf(c)->is.component && operands[0].type->is.columns != p.k)
    return refuse("a multiply-add whose addend has other components than its result");
  Parts sums = parts(c);
  const uint32_t depth = operands[0].type->is.columns;
  const bool streams = p.streamA || p.streamB, registers = streams && throughRegisters(operands);
  const Id type = native(*d);
  std::vector<Pieces> pieces;
  if (registers) pieces = firstPieces(number, operands);
  ahead_ = kNone;
  for (uint32_t first = 0; first < depth; first += p.chunk) {
    const bool inTwoParts =
        options_.splitBarriers && registers && (first + p.chunk < depth || fetchesNext(p));
    if (streams) {
      enterShared(spv::Scope::Workgroup);
      for (size_t k = 0; k < operands.size(); ++k) {
        if (operands[k].load == nullptr) continue;
        if (registers)
          stage(operands[k], pieces[k]);
        else
          transfer(operands[k], first, numbersOf(operands[k]));
      }
      // Where barriers have two parts, the next pieces are requested while others still store theirs.
      if (inTwoParts)
        code_.arrive(spv::Scope::Workgroup);
      else
        code_.barrier(spv::Scope::Workgroup);
    }
    if (registers && first + p.chunk < depth) {
      for (size_t k = 0; k < operands.size(); ++k) {
        if (operands[k].load != nullptr)
          pieces[k] = fetch(operands[k], first + p.chunk, numbersOf(operands[k]));
      }
    } else if (registers) {
      fetchNext(number);
    }
    if (inTwoParts) code_.wait(spv::Scope::Workgroup);
    for (uint32_t step = 0; step < p.chunk; step += p.k) {
      const Parts a = operandGranules(operands[0], first, step);
      const Parts b = operandGranules(operands[1], first, step);
      for (uint32_t row = 0; row < d->blockRows; ++row) {
        for (uint32_t column = 0; column < d->blockColumns; ++column) {
          Id& sum = sums[row * d->blockColumns + column];
          std::vector<Word> words{a[row], b[column], sum};
          words.insert(words.end(), mask.begin(), mask.end());
          sum = code_.op(spv::Op::OpCooperativeMatrixMulAddKHR, type, Operands(words));
        }
      }
    }
  }
  define(i, std::move(sums));
}

}  // namespace coopc::spirv::lower
