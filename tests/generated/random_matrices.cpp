// The generator of random programs over cooperative matrices, and its model; see random_matrices.hpp.
#include "tests/generated/random_matrices.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <functional>
#include <utility>

#include "tests/support/random.hpp"

namespace coopc::tests {

namespace {

enum class Component { S8, U8, S32, U32, F16, F32 };
constexpr size_t kComponents = 6;
constexpr std::array<const char*, kComponents> kNames = {"int8_t", "uint8_t",   "int",
                                                         "uint",   "float16_t", "float"};
constexpr std::array<const char*, kComponents> kFileNames = {"s8", "u8", "s32", "u32", "f16", "f32"};
// By component: the number up to which all whole numbers are exact. 0 for integers.
constexpr std::array<int64_t, kComponents> kExact = {0, 0, 0, 0, 2048, 1 << 24};

bool isFloat(Component c) { return c == Component::F16 || c == Component::F32; }

enum class Use { A, B, Accumulator };
constexpr std::array<const char*, 3> kUses = {"gl_MatrixUseA", "gl_MatrixUseB", "gl_MatrixUseAccumulator"};

struct Shape {
  Component component;
  Use use;
  uint32_t rows, columns;
  bool operator==(const Shape&) const = default;
};

using Values = std::vector<int64_t>;

struct Matrix {
  std::string name;
  Shape shape;
  size_t value;  // index into the state
};

// Wraps or keeps the number as the type holds it. Returns false if a floating-point number would not be
// exact.
bool fit(Component c, int64_t& v) {
  switch (c) {
    case Component::S8: v = static_cast<int8_t>(static_cast<uint64_t>(v)); return true;
    case Component::U8: v = static_cast<uint8_t>(static_cast<uint64_t>(v)); return true;
    case Component::S32: v = static_cast<int32_t>(static_cast<uint64_t>(v)); return true;
    case Component::U32: v = static_cast<uint32_t>(static_cast<uint64_t>(v)); return true;
    default: return std::abs(v) <= kExact[static_cast<size_t>(c)];
  }
}
bool fit(Component c, Values& values) {
  return std::all_of(values.begin(), values.end(), [&](int64_t& v) { return fit(c, v); });
}

std::string number(int64_t n) { return std::to_string(n); }

constexpr size_t kInputs = 509;  // numbers of each input buffer, which repeat
constexpr size_t kInputSize = 4096;
constexpr size_t kOutputs = 4096;  // numbers of each output buffer

class Program {
 public:
  Program(bool tensors, uint64_t seed, std::string name)
      : random_{(seed + 3) * 0x9E3779B97F4A7C15u ^ uint64_t{tensors}},
        tensors_(tensors),
        name_(std::move(name)) {}

  std::vector<RandomFile> files() {
    chooseShapes();
    for (size_t c = 0; c < kComponents; ++c) {
      const auto component = static_cast<Component>(c);
      for (size_t i = 0; i < kInputs; ++i)
        inputs_[c].push_back(component == Component::U8 || component == Component::U32
                                 ? random_.below(16)
                                 : static_cast<int64_t>(random_.below(15)) - 7);
      outputs_[c].assign(kOutputs, 0);
    }
    makeFunctions();
    for (const Shape& s : shapes_) declare(s);
    for (uint32_t i = 0, n = 3 + random_.below(6); i < n; ++i) statement(2);
    for (const Matrix& m : matrices_) store(m);
    return {{name_ + ".comp", shader()}, {name_ + ".toml", description()}};
  }

 private:
  uint32_t below(size_t n) { return random_.below(n); }
  bool chance(uint32_t percent) { return below(100) < percent; }

  // ----------------------------------------------------------------------------------------------- shapes

  void chooseShapes() {
    m_ = 16;
    n_ = 16;
    k_ = 16;
    workgroup_ = chance(tensors_ ? 50 : 25);
    const auto family = below(4);
    const Component inputs[] = {Component::S8, Component::U8, Component::F16, Component::F16};
    const Component results[] = {Component::S32, Component::U32, Component::F32, Component::F16};
    if (family < 2) k_ = 32;  // more devices have this size for bytes
    in_ = inputs[family];
    result_ = results[family];
    shapes_ = {{in_, Use::A, m_, k_},
               {in_, Use::B, k_, n_},
               {result_, Use::Accumulator, m_, n_},
               {result_, Use::Accumulator, m_, n_}};
    const Component others[] = {Component::S32, Component::U32, Component::F16, Component::F32};
    shapes_.push_back({others[below(4)], Use::Accumulator, m_, n_});
    if (m_ == n_ && m_ == k_) shapes_.push_back({in_, Use::Accumulator, m_, n_});
  }
  std::string typeName(const Shape& s) const {
    return std::string("coopmat<") + kNames[static_cast<size_t>(s.component)] + ", " +
           (workgroup_ ? "gl_ScopeWorkgroup" : "gl_ScopeSubgroup") + ", " + number(s.rows) + ", " +
           number(s.columns) + ", " + kUses[static_cast<size_t>(s.use)] + ">";
  }

  // ------------------------------------------------------------------------------------------- statements

  using Step = std::function<bool()>;
  struct Statement {
    std::string text;
    Step step;  // false: a number would not be exact
  };

  // Runs the statement in the model. A statement whose result would not be exact is not written.
  void add(const Statement& s) {
    const std::vector<Values> before = state_;
    if (!s.step()) {
      state_ = before;
      return;
    }
    body_ += "  " + s.text + "\n";
  }

  Values& of(const Matrix& m) { return state_[m.value]; }
  const Matrix& any() { return matrices_[below(matrices_.size())]; }
  // A matrix of this shape, which may be the one that has it.
  const Matrix& like(const Shape& s) {
    std::vector<const Matrix*> all;
    for (const Matrix& m : matrices_)
      if (m.shape == s) all.push_back(&m);
    return *all[below(all.size())];
  }
  const Matrix* find(const std::function<bool(const Shape&)>& right) {
    std::vector<const Matrix*> all;
    for (const Matrix& m : matrices_)
      if (right(m.shape)) all.push_back(&m);
    return all.empty() ? nullptr : all[below(all.size())];
  }

  void declare(const Shape& s) {
    const Matrix m{"m" + number(static_cast<int64_t>(matrices_.size())), s, state_.size()};
    state_.emplace_back(size_t{s.rows} * s.columns, 0);
    matrices_.push_back(m);
    if (chance(25)) {
      const int64_t value = below(6);
      const std::string type = typeName(s);
      body_ += "  " + type + " " + m.name + " = " + type + "(" + literal(s.component, value) + ");\n";
      of(m).assign(of(m).size(), value);
      return;
    }
    body_ += "  " + typeName(s) + " " + m.name + ";\n";
    add(load(m));
  }

  static std::string literal(Component c, int64_t v) {
    return std::string(kNames[static_cast<size_t>(c)]) + "(" + number(v) + ")";
  }

  Statement load(const Matrix& m) {
    if (tensors_ && chance(60)) return tensorLoad(m);
    const auto c = static_cast<size_t>(m.shape.component);
    const bool columns = chance(40);
    const uint32_t width = columns ? m.shape.rows : m.shape.columns,
                   height = columns ? m.shape.columns : m.shape.rows;
    // Offsets and strides are multiples of 16 bytes, as Vulkan requires.
    const uint32_t stride = width + 16 * below(3);
    const uint32_t offset = 16 * below((kInputSize - stride * height) / 16);
    return {
        "coopMatLoad(" + m.name + ", in_" + kFileNames[c] + ", " + number(offset) + ", " + number(stride) +
            ", gl_CooperativeMatrixLayout" + (columns ? "ColumnMajor" : "RowMajor") + ");",
        [this, m, c, columns, stride, offset] {
          for (uint32_t row = 0; row < m.shape.rows; ++row)
            for (uint32_t column = 0; column < m.shape.columns; ++column)
              of(m)[size_t{row} * m.shape.columns + column] =
                  inputs_[c][(offset + (columns ? column * stride + row : row * stride + column)) % kInputs];
          return true;
        }};
  }

  // The coordinate after clamping to a dimension of this size, or -1 if it stays outside
  // (GL_NV_cooperative_matrix2, 8.X).
  static int64_t clamped(int64_t at, int64_t size, uint32_t mode) {
    if (at >= 0 && at < size) return at;
    switch (mode) {
      case 1: return -1;
      case 2: return std::clamp<int64_t>(at, 0, size - 1);
      case 3: return at % size;
      default: {
        const int64_t turn = at % (2 * size - 2);
        return turn >= size ? 2 * size - 2 - turn : turn;
      }
    }
  }

  Statement tensorLoad(const Matrix& m) {
    const auto c = static_cast<size_t>(m.shape.component);
    const uint32_t mode = below(4) + 1, id = names_++;
    const int64_t height = 5 + below(12), width = 5 + below(12), stride = width + below(4);
    const int64_t row = below(12), column = below(12), fill = below(9);
    const bool turned = chance(30);
    // The bits of the fill value, as the type has them.
    const bool real = isFloat(m.shape.component);
    const int64_t given = real ? 0 : fill;
    const std::string t = "t" + number(id);
    const char* const kModes[] = {"", "Constant", "ClampToEdge", "Repeat", "MirrorRepeat"};
    const std::string modeName = std::string("gl_CooperativeMatrixClampMode") + kModes[mode] + "NV";
    const uint32_t rows = turned ? m.shape.columns : m.shape.rows,
                   columns = turned ? m.shape.rows : m.shape.columns;
    std::string text = "tensorLayoutNV<2, " + modeName + "> " + t + " = createTensorLayoutNV(2, " + modeName +
                       "); " + t + " = setTensorLayoutDimensionNV(" + t + ", " + number(height) + ", " +
                       number(width) + "); " + t + " = setTensorLayoutStrideNV(" + t + ", " + number(stride) +
                       ", 1); ";
    if (mode == 1 && given != 0)
      text += t + " = setTensorLayoutClampValueNV(" + t + ", " + number(given) + "u); ";
    text += "coopMatLoadTensorNV(" + m.name + ", in_" + kFileNames[c] + ", 0, sliceTensorLayoutNV(" + t +
            ", " + number(row) + ", " + number(rows) + ", " + number(column) + ", " + number(columns) + ")";
    if (turned) text += ", createTensorViewNV(2, false, 1, 0)";
    return {"{ " + text + "); }", [=, this] {
              for (uint32_t i = 0; i < m.shape.rows; ++i)
                for (uint32_t j = 0; j < m.shape.columns; ++j) {
                  const int64_t y = clamped(row + (turned ? j : i), height, mode),
                                x = clamped(column + (turned ? i : j), width, mode);
                  of(m)[size_t{i} * m.shape.columns + j] =
                      y < 0 || x < 0 ? given : inputs_[c][static_cast<size_t>(y * stride + x) % kInputs];
                }
              return true;
            }};
  }

  Statement multiply() {
    const Matrix &a = *find([](const Shape&s) { return s.use == Use::A; }),
                 &b = *find([](const Shape&s) { return s.use == Use::B; });
    const Shape result{result_, Use::Accumulator, m_, n_};
    const Matrix c = like(result), d = like(result);
    return {d.name + " = coopMatMulAdd(" + a.name + ", " + b.name + ", " + c.name + ");", [=, this] {
              Values sum = of(c);
              for (uint32_t i = 0; i < m_; ++i)
                for (uint32_t j = 0; j < n_; ++j) {
                  int64_t most = std::abs(sum[i * n_ + j]);
                  for (uint32_t k = 0; k < k_; ++k) {
                    const int64_t product = of(a)[i * k_ + k] * of(b)[k * n_ + j];
                    sum[i * n_ + j] += product;
                    most += std::abs(product);
                  }
                  // The sum must be exact in any order.
                  if (isFloat(result_) && most > kExact[static_cast<size_t>(result_)]) return false;
                }
              of(d) = sum;
              return fit(result_, of(d));
            }};
  }

  Statement elementwise() {
    const Matrix a = any(), b = like(a.shape), d = like(a.shape);
    const Component c = a.shape.component;
    const int form = static_cast<int>(below(6));
    const int64_t scale = below(3) + 1;
    const std::string text[] = {a.name + " + " + b.name,
                                a.name + " - " + b.name,
                                "-" + a.name,
                                a.name + " * " + literal(c, scale),
                                a.name + " * " + b.name,
                                a.name + " + " + typeName(a.shape) + "(" + literal(c, scale) + ")"};
    const bool compound = form < 2 && chance(30);
    return {
        compound ? d.name + (form == 0 ? " += " : " -= ") + b.name + ";" : d.name + " = " + text[form] + ";",
        [=, this] {
          const Values x = compound ? of(d) : of(a), y = of(b);
          Values& z = of(d);
          for (size_t i = 0; i < z.size(); ++i)
            z[i] = form == 0   ? x[i] + y[i]
                   : form == 1 ? x[i] - y[i]
                   : form == 2 ? -x[i]
                   : form == 3 ? x[i] * scale
                   : form == 4 ? x[i] * y[i]
                               : x[i] + scale;
          return fit(c, z);
        }};
  }

  Statement eachComponent() {
    const Matrix a = any();
    const Component c = a.shape.component;
    const int64_t scale = below(3), more = below(5);
    const std::string i = "i" + number(names_++);
    return {"for (int " + i + " = 0; " + i + " < " + a.name + ".length(); ++" + i + ") " + a.name + "[" + i +
                "] = " + a.name + "[" + i + "] * " + literal(c, scale) + " + " + literal(c, more) + ";",
            [=, this] {
              for (int64_t& v : of(a)) v = v * scale + more;
              return fit(c, of(a));
            }};
  }

  Statement convert() {
    const Matrix a = any();
    const Matrix d = *find([&](const Shape& s) {
      return s.rows == a.shape.rows && s.columns == a.shape.columns &&
             (s.use == a.shape.use || a.shape.use == Use::Accumulator);
    });
    const Component to = d.shape.component;
    return {d.name + " = " + typeName(d.shape) + "(" + a.name + ");", [=, this] {
              Values v = of(a);
              // A floating-point number that does not fit an integer type has an undefined result.
              for (int64_t& x : v) {
                const int64_t before = x;
                if (!fit(to, x) || (isFloat(a.shape.component) && x != before)) return false;
              }
              of(d) = v;
              return true;
            }};
  }

  Statement perElement() {
    const Matrix a = any(), d = like(a.shape);
    const Component c = a.shape.component;
    const int64_t more = below(5);
    return {"coopMatPerElementNV(" + d.name + ", " + a.name + ", element_" +
                kFileNames[static_cast<size_t>(c)] + ", " + literal(c, more) + ");",
            [=, this] {
              const Values x = of(a);
              for (uint32_t i = 0; i < a.shape.rows; ++i)
                for (uint32_t j = 0; j < a.shape.columns; ++j) {
                  const size_t at = size_t{i} * a.shape.columns + j;
                  of(d)[at] = (i + j) % 3 == 0 ? x[at] + more : int64_t{i} - x[at];
                }
              return fit(c, of(d));
            }};
  }

  Statement reduce() {
    // The extension requires floating-point components.
    const Matrix* from =
        find([](const Shape& s) { return s.use == Use::Accumulator && isFloat(s.component); });
    if (from == nullptr) return elementwise();
    const Matrix a = *from, d = like(a.shape);
    const Component c = a.shape.component;
    const uint32_t way = below(3), function = below(3);
    const char* const kWays[] = {"Row", "Column", "RowAndColumn"};
    const char* const kFunctions[] = {"sum", "least", "most"};
    return {"coopMatReduceNV(" + d.name + ", " + a.name + ", gl_CooperativeMatrixReduce" + kWays[way] +
                "NV, " + kFunctions[function] + "_" + kFileNames[static_cast<size_t>(c)] + ");",
            [=, this] {
              const Values x = of(a);
              const uint32_t rows = a.shape.rows, columns = a.shape.columns;
              for (uint32_t i = 0; i < rows; ++i)
                for (uint32_t j = 0; j < columns; ++j) {
                  int64_t sum = 0, size = 0, least = INT64_MAX, most = INT64_MIN;
                  for (uint32_t r = 0; r < rows; ++r)
                    for (uint32_t k = 0; k < columns; ++k) {
                      if ((way == 0 && r != i) || (way == 1 && k != j)) continue;
                      const int64_t v = x[size_t{r} * columns + k];
                      sum += v;
                      size += std::abs(v);
                      least = std::min(least, v);
                      most = std::max(most, v);
                    }
                  if (isFloat(c) && size > kExact[static_cast<size_t>(c)]) return false;
                  of(d)[size_t{i} * columns + j] = function == 0 ? sum : function == 1 ? least : most;
                }
              return fit(c, of(d));
            }};
  }

  // Transposes an accumulator into a matrix B.
  Statement transpose() {
    const Matrix* d = find([](const Shape& s) { return s.use == Use::B; });
    const Matrix* a = find([&](const Shape& s) {
      return s.use == Use::Accumulator && s.component == d->shape.component && s.rows == d->shape.columns &&
             s.columns == d->shape.rows;
    });
    if (a == nullptr) return elementwise();
    const Matrix to = *d, from = *a;
    return {"coopMatTransposeNV(" + to.name + ", " + from.name + ");", [=, this] {
              for (uint32_t i = 0; i < to.shape.rows; ++i)
                for (uint32_t j = 0; j < to.shape.columns; ++j)
                  of(to)[size_t{i} * to.shape.columns + j] = of(from)[size_t{j} * from.shape.columns + i];
              return true;
            }};
  }

  // Calls a function with matrices, structures and arrays of them.
  Statement call() {
    const Matrix a = any(), b = like(a.shape), d = like(a.shape);
    const size_t shape =
        static_cast<size_t>(std::find(shapes_.begin(), shapes_.end(), a.shape) - shapes_.begin());
    const uint32_t times = below(4);
    return {d.name + " = work" + number(static_cast<int64_t>(shape)) + "(" + a.name + ", " + b.name +
                ", given + " + number(times) + ");",
            [=, this] {
              const Values x = of(a), y = of(b);
              // As makeFunctions() writes it: pair[0] = a, pair[1] = b; times times, they change in turn.
              Values pair[2] = {x, y};
              for (uint32_t i = 0; i < times; ++i)
                for (size_t e = 0; e < x.size(); ++e) pair[i % 2][e] = pair[i % 2][e] - pair[(i + 1) % 2][e];
              Values& z = of(d);
              for (size_t e = 0; e < z.size(); ++e) z[e] = pair[0][e] + pair[1][e];
              bool exact = fit(a.shape.component, z);
              for (Values& p : pair) exact = exact && fit(a.shape.component, p);
              return exact;
            }};
  }

  Statement simple() {
    switch (below(tensors_ ? 12 : 10)) {
      case 0:
      case 1: return multiply();
      case 2:
      case 3: return elementwise();
      case 4: return eachComponent();
      case 5: return convert();
      case 6: return perElement();
      case 7: return reduce();
      case 8: return transpose();
      case 9: return call();
      default: return load(any());
    }
  }

  Statement several(int depth) {
    Statement all;
    std::vector<Step> steps;
    for (uint32_t i = 0, n = below(3) + 1; i < n; ++i) {
      const Statement s = nested(depth - 1);
      all.text += s.text + " ";
      steps.push_back(s.step);
    }
    all.step = [steps] { return std::all_of(steps.begin(), steps.end(), [](const Step& s) { return s(); }); };
    return all;
  }

  // `given` is 0, but the compiler cannot know that.
  Statement nested(int depth) {
    if (depth <= 0 || chance(65)) return simple();
    const Statement inner = several(depth);
    if (chance(50)) {
      const int64_t times = below(3);
      const std::string i = "i" + number(names_++);
      return {
          "for (int " + i + " = given; " + i + " < " + number(times) + "; ++" + i + ") { " + inner.text + "}",
          [inner, times] {
            for (int64_t n = 0; n < times; ++n)
              if (!inner.step()) return false;
            return true;
          }};
    }
    const Statement other = several(depth);
    const bool first = chance(50);
    return {std::string("if (given ") + (first ? "==" : "!=") + " 0) { " + inner.text + "} else { " +
                other.text + "}",
            first ? inner.step : other.step};
  }

  void statement(int depth) { add(nested(depth)); }

  void store(const Matrix& m) {
    const auto c = static_cast<size_t>(m.shape.component);
    const bool columns = chance(40);
    const uint32_t width = columns ? m.shape.rows : m.shape.columns,
                   height = columns ? m.shape.columns : m.shape.rows;
    if (used_[c] + width * height > kOutputs) return;
    const uint32_t offset = used_[c];
    used_[c] += width * height;
    if (tensors_ && !columns && chance(50)) {
      const std::string t = "t" + number(names_++);
      body_ += "  { tensorLayoutNV<2> " + t + " = createTensorLayoutNV(2); " + t +
               " = setTensorLayoutDimensionNV(" + t + ", " + number(height) + ", " + number(width) +
               "); coopMatStoreTensorNV(" + m.name + ", out_" + kFileNames[c] + ", " + number(offset) +
               ", sliceTensorLayoutNV(" + t + ", 0, " + number(height) + ", 0, " + number(width) + ")); }\n";
    } else {
      body_ += "  coopMatStore(" + m.name + ", out_" + kFileNames[c] + ", " + number(offset) + ", " +
               number(width) + ", gl_CooperativeMatrixLayout" + (columns ? "ColumnMajor" : "RowMajor") +
               ");\n";
    }
    for (uint32_t row = 0; row < m.shape.rows; ++row)
      for (uint32_t column = 0; column < m.shape.columns; ++column)
        outputs_[c][offset + (columns ? column * m.shape.rows + row : row * m.shape.columns + column)] =
            of(m)[size_t{row} * m.shape.columns + column];
  }

  // ------------------------------------------------------------------------------------------------ texts

  void makeFunctions() {
    for (size_t c = 0; c < kComponents; ++c) {
      const std::string t = kNames[c], n = kFileNames[c];
      functions_ += t + " element_" + n + "(const in uint row, const in uint column, const in " + t +
                    " x, const in " + t + " more) {\n  return (row + column) % 3u == 0u ? x + more : " + t +
                    "(row) - x;\n}\n";
      functions_ += t + " sum_" + n + "(const in " + t + " x, const in " + t + " y) { return x + y; }\n";
      functions_ +=
          t + " least_" + n + "(const in " + t + " x, const in " + t + " y) { return min(x, y); }\n";
      functions_ +=
          t + " most_" + n + "(const in " + t + " x, const in " + t + " y) { return x > y ? x : y; }\n";
    }
    for (size_t s = 0; s < shapes_.size(); ++s) {
      if (std::find(shapes_.begin(), shapes_.end(), shapes_[s]) - shapes_.begin() !=
          static_cast<std::ptrdiff_t>(s))
        continue;
      const std::string t = typeName(shapes_[s]), n = number(static_cast<int64_t>(s));
      functions_ += "struct Pair" + n + " { " + t + " m[2]; int steps; };\nvoid step" + n + "(inout Pair" +
                    n + " p) {\n  p.m[p.steps % 2] -= p.m[(p.steps + 1) % 2];\n  ++p.steps;\n}\n" + t +
                    " work" + n + "(" + t + " x, " + t + " y, int times) {\n  Pair" + n +
                    " p;\n  p.m[0] = x;\n  p.m[1] = y;\n  p.steps = 0;\n" + "  while (p.steps < times) step" +
                    n + "(p);\n  return p.m[0] + p.m[1];\n}\n";
    }
  }

  std::string shader() const {
    std::string text =
        "#version 460\n#extension GL_KHR_cooperative_matrix : require\n"
        "#extension GL_NV_cooperative_matrix2 : require\n#extension GL_KHR_memory_scope_semantics : require\n"
        "#extension GL_EXT_shader_explicit_arithmetic_types : require\n"
        "#extension GL_EXT_shader_16bit_storage : require\n#extension GL_EXT_shader_8bit_storage : require\n"
        "layout(local_size_x = 32) in;\n";
    for (size_t c = 0; c < kComponents; ++c) {
      const std::string n = kFileNames[c];
      text += "layout(set = 0, binding = " + number(static_cast<int64_t>(c)) + ") readonly buffer In_" + n +
              " { " + kNames[c] + " in_" + n +
              "[]; };\nlayout(set = 0, binding = " + number(static_cast<int64_t>(c + kComponents)) +
              ") buffer Out_" + n + " { " + kNames[c] + " out_" + n + "[]; };\n";
    }
    text += "layout(set = 0, binding = 12) readonly buffer Given { int given_; };\n";
    return text + functions_ + "void main() {\n  int given = given_;\n" + body_ + "}\n";
  }

  static std::string list(const Values& values) {
    std::string text = "[";
    for (size_t i = 0; i < values.size(); ++i) text += (i ? ", " : "") + number(values[i]);
    return text + "]";
  }

  std::string description() const {
    std::string text =
        "name = \"" + name_ + ": " + (tensors_ ? "tensors" : "matrices") + "\"\n[shader]\nsource = \"" +
        name_ +
        ".comp\"\n[dispatch]\n[[buffer]]\nname = \"given\"\nbinding = 12\ntype = \"s32\"\ncount = 1\n"
        "fill = { pattern = \"zero\" }\n";
    for (size_t c = 0; c < kComponents; ++c) {
      const std::string n = kFileNames[c];
      text += "[[buffer]]\nname = \"in_" + n + "\"\nbinding = " + number(static_cast<int64_t>(c)) +
              "\ntype = \"" + n + "\"\ncount = " + number(kInputSize) +
              "\nfill = { pattern = \"values\", values = " + list(inputs_[c]) + " }\n";
      text += "[[buffer]]\nname = \"out_" + n +
              "\"\nbinding = " + number(static_cast<int64_t>(c + kComponents)) + "\ntype = \"" + n +
              "\"\ncount = " + number(kOutputs) + "\nfill = { pattern = \"zero\" }\n";
      text += "[[expect]]\nbuffer = \"out_" + n +
              "\"\nreference = \"values\"\narguments = { values = " + list(outputs_[c]) + " }\n";
    }
    return text;
  }

  Xorshift random_;
  bool tensors_, workgroup_ = false;
  std::string name_, functions_, body_;
  uint32_t m_ = 0, n_ = 0, k_ = 0, names_ = 0;
  Component in_ = Component::S8, result_ = Component::S32;
  std::vector<Shape> shapes_;
  std::vector<Matrix> matrices_;
  std::vector<Values> state_;
  std::array<Values, kComponents> inputs_, outputs_;
  std::array<uint32_t, kComponents> used_{};
};

}  // namespace

std::vector<RandomFile> randomMatrices(bool tensors, uint64_t seed, const std::string& name) {
  return Program(tensors, seed, name).files();
}

}  // namespace coopc::tests
