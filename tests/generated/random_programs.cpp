// The generator of random programs and of the statements of stages: types first, then functions, each of
// random statements over typed random expressions; see random_programs.hpp.
#include "tests/generated/random_programs.hpp"

#include <algorithm>
#include <initializer_list>
#include <string_view>
#include <utility>
#include <vector>

namespace coopc::tests {

namespace {

enum class Scalar { Bool, Int, Uint, Float, Int64, Uint64, Int16, Uint8 };
constexpr const char* kScalarNames[] = {"bool",    "int",      "uint",    "float",
                                        "int64_t", "uint64_t", "int16_t", "uint8_t"};
constexpr const char* kVectorPrefixes[] = {"bvec",   "ivec",   "uvec",   "vec",
                                           "i64vec", "u64vec", "i16vec", "u8vec"};

struct Type {
  enum class Kind { Basic, Matrix, Array, Struct } kind = Kind::Basic;
  Scalar scalar = Scalar::Int;
  uint32_t rows = 1, columns = 1;
  uint32_t size = 0;     // of an array
  uint32_t element = 0;  // of an array: index of its type
  uint32_t structure = 0;
};

struct Variable {
  std::string name;
  uint32_t type;
  bool writable;
};
struct Parameter {
  uint32_t type;
  enum class Mode { In, ConstIn, Out, InOut } mode;
};
struct Function {
  std::string name;
  uint32_t result;  // kVoid: none
  std::vector<Parameter> parameters;
};
constexpr uint32_t kVoid = ~0u;

bool isInteger(Scalar s) { return s != Scalar::Bool && s != Scalar::Float; }
bool isSignedInteger(Scalar s) { return s == Scalar::Int || s == Scalar::Int64 || s == Scalar::Int16; }

class Generator {
 public:
  explicit Generator(uint64_t seed) : state_(seed * 0x9E3779B97F4A7C15u + 0x1234567) {
    for (int i = 0; i < 8; ++i) (void)next();
  }

  std::string program() {
    return whole(
        "layout(local_size_x = 16) in;\n"
        "layout(set = 0, binding = 0, std430) readonly buffer Given { uint given[64]; };\n"
        "layout(set = 0, binding = 1, std430) buffer Result { uint result[]; };\n");
  }

  std::string stage(const RandomStage& stage) {
    stage_ = &stage;
    return whole(stage.head +
                 "layout(set = 0, binding = 0, std430) readonly buffer Given { uint given[64]; };\n");
  }

 private:
  std::string whole(const std::string& head) {
    text_ =
        "#version 460\n#extension GL_EXT_shader_explicit_arithmetic_types : require\n"
        "#extension GL_EXT_scalar_block_layout : require\n#extension GL_EXT_shader_8bit_storage : require\n"
        "#extension GL_EXT_shader_16bit_storage : require\n" +
        head +
        "layout(constant_id = 3) const int spec = 3;\n"
        // The results are exact: multiples of 1/8 in [0, 64). None is -0, whose sign devices need not keep.
        "float q(float x) { return abs(floor((x - 64.0 * floor(x / 64.0)) * 8.0) / 8.0); }\n"
        "vec2 q(vec2 x) { return vec2(q(x.x), q(x.y)); }\n"
        "vec3 q(vec3 x) { return vec3(q(x.x), q(x.y), q(x.z)); }\n"
        "vec4 q(vec4 x) { return vec4(q(x.x), q(x.y), q(x.z), q(x.w)); }\n"
        "uint hash = 1u;\n";
    makeTypes();
    for (int i = 0, n = below(3) + 1; i < n; ++i) {
      const uint32_t t = anyType();
      const std::string name = "g" + std::to_string(i);
      globals_.push_back({name, t, true});
      line(typeName(t) + " " + name + arraySuffix(t) + ";");
    }
    for (int i = 0, n = below(2) + 1; i < n; ++i) {
      const uint32_t t = anyType();
      const std::string name = "k" + std::to_string(i);
      line("const " + typeName(t) + " " + name + arraySuffix(t) + " = " + literal(t) + ";");
      globals_.push_back({name, t, false});
    }
    if (stage_ == nullptr) makeBlocks();
    for (int i = 0, n = below(4) + 1; i < n; ++i) makeFunction(i);
    makeMain();
    return text_;
  }

  uint64_t next() {
    state_ ^= state_ << 13;
    state_ ^= state_ >> 7;
    state_ ^= state_ << 17;
    return state_ >> 11;
  }
  int below(int n) { return static_cast<int>(next() % static_cast<uint64_t>(n)); }
  bool chance(int percent) { return below(100) < percent; }
  template <typename T>
  const T& pick(const std::vector<T>& from) {
    return from[next() % from.size()];
  }
  std::string number(int n) { return std::to_string(n); }

  void line(const std::string& s) { text_ += std::string(2 * indent_, ' ') + s + "\n"; }

  // ------------------------------------------------------------------------------------------------ types

  uint32_t intern(const Type& t) {
    for (uint32_t i = 0; i < types_.size(); ++i) {
      const Type& o = types_[i];
      if (o.kind == t.kind && o.scalar == t.scalar && o.rows == t.rows && o.columns == t.columns &&
          o.size == t.size && o.element == t.element && o.structure == t.structure)
        return i;
    }
    types_.push_back(t);
    return static_cast<uint32_t>(types_.size() - 1);
  }
  uint32_t basic(Scalar s, uint32_t rows = 1) {
    Type t;
    t.scalar = s;
    t.rows = rows;
    return intern(t);
  }
  Scalar anyScalar() {
    constexpr Scalar kOften[] = {Scalar::Int,   Scalar::Int,   Scalar::Uint,
                                 Scalar::Float, Scalar::Float, Scalar::Bool};
    if (chance(80)) return kOften[below(6)];
    return static_cast<Scalar>(below(8));
  }
  uint32_t anyBasic() {
    const uint32_t rows = chance(50) ? 1 : static_cast<uint32_t>(below(3) + 2);
    return basic(anyScalar(), rows);
  }
  uint32_t anyMatrix() {
    Type t;
    t.kind = Type::Kind::Matrix;
    t.scalar = Scalar::Float;
    t.columns = static_cast<uint32_t>(below(3) + 2);
    t.rows = static_cast<uint32_t>(below(3) + 2);
    return intern(t);
  }
  uint32_t arrayOf(uint32_t element, uint32_t size) {
    Type t;
    t.kind = Type::Kind::Array;
    t.element = element;
    t.size = size;
    return intern(t);
  }
  uint32_t anyType() { return pick(pool_); }
  uint32_t scalarCount(uint32_t index) {
    const Type t = types_[index];
    if (t.kind == Type::Kind::Basic || t.kind == Type::Kind::Matrix) return t.rows * t.columns;
    uint32_t sum = 0;
    for (const uint32_t part : constituents(index)) sum += scalarCount(part);
    return sum;
  }
  // A type of the pool with few scalars, because drivers take long for large aggregates.
  uint32_t smallType(uint32_t most) {
    for (int attempt = 0; attempt < 20; ++attempt) {
      const uint32_t t = anyType();
      if (scalarCount(t) <= most) return t;
    }
    return basic(Scalar::Int);
  }

  void makeTypes() {
    for (int i = 0; i < 5; ++i) pool_.push_back(anyBasic());
    pool_.push_back(basic(Scalar::Int));
    pool_.push_back(basic(Scalar::Float, 3));
    pool_.push_back(anyMatrix());
    uint32_t size = static_cast<uint32_t>(below(4) + 1);
    pool_.push_back(arrayOf(smallType(4), size));
    for (int i = 0, n = below(3) + 1; i < n; ++i) {
      Type t;
      t.kind = Type::Kind::Struct;
      t.structure = static_cast<uint32_t>(structs_.size());
      std::vector<uint32_t> members;
      for (int m = 0, count = below(4) + 1; m < count; ++m) members.push_back(smallType(6));
      line("struct S" + number(static_cast<int>(structs_.size())) + " {");
      for (size_t m = 0; m < members.size(); ++m)
        line("  " + typeName(members[m]) + " m" + std::to_string(m) + arraySuffix(members[m]) + ";");
      line("};");
      structs_.push_back(members);
      pool_.push_back(intern(t));
    }
    size = static_cast<uint32_t>(below(3) + 1);
    pool_.push_back(arrayOf(smallType(9), size));
    if (chance(50) && scalarCount(pool_.back()) <= 12) pool_.push_back(arrayOf(pool_.back(), 2));
  }

  // The type's name without an array's sizes.
  std::string typeName(uint32_t index) {
    const Type t = types_[index];
    switch (t.kind) {
      case Type::Kind::Basic: {
        const auto s = static_cast<size_t>(t.scalar);
        return t.rows == 1 ? kScalarNames[s] : kVectorPrefixes[s] + std::to_string(t.rows);
      }
      case Type::Kind::Matrix: return "mat" + std::to_string(t.columns) + "x" + std::to_string(t.rows);
      case Type::Kind::Struct: return "S" + std::to_string(t.structure);
      case Type::Kind::Array: return typeName(t.element);
    }
    return "";
  }
  std::string arraySuffix(uint32_t index) {
    const Type t = types_[index];
    return t.kind == Type::Kind::Array ? "[" + std::to_string(t.size) + "]" + arraySuffix(t.element) : "";
  }
  std::string fullName(uint32_t index) { return typeName(index) + arraySuffix(index); }

  // ------------------------------------------------------------------------------------------ expressions

  std::string literal(uint32_t index) {
    const Type t = types_[index];
    if (t.kind == Type::Kind::Basic && t.rows == 1) {
      switch (t.scalar) {
        case Scalar::Bool: return chance(50) ? "true" : "false";
        case Scalar::Float: {
          const char* const kFractions[] = {".0", ".5", ".125", ".75"};
          const char* const fraction = kFractions[next() % 4];
          return number(below(64)) + fraction;
        }
        case Scalar::Int: return chance(20) ? "(-" + number(below(100) + 1) + ")" : number(below(1000));
        case Scalar::Uint: return number(below(5000)) + "u";
        default: return typeName(index) + "(" + number(below(100)) + ")";
      }
    }
    std::string s = fullName(index) + "(";
    const std::vector<uint32_t> parts = constituents(index);
    for (size_t i = 0; i < parts.size(); ++i) s += (i ? ", " : "") + literal(parts[i]);
    return s + ")";
  }

  std::vector<uint32_t> constituents(uint32_t index) {
    const Type t = types_[index];
    switch (t.kind) {
      case Type::Kind::Basic: return std::vector<uint32_t>(t.rows, basic(t.scalar));
      case Type::Kind::Matrix: return std::vector<uint32_t>(t.columns, basic(t.scalar, t.rows));
      case Type::Kind::Struct: return structs_[t.structure];
      case Type::Kind::Array: return std::vector<uint32_t>(t.size, t.element);
    }
    return {};
  }

  // An index in [0, size).
  std::string indexIn(uint32_t size, int depth) {
    if (depth <= 0 || chance(60)) return number(below(static_cast<int>(size)));
    const std::string dynamic = expression(basic(Scalar::Uint), depth - 1);
    return "(" + dynamic + " % " + std::to_string(size) + "u)";
  }

  struct Access {
    std::string text;
    uint32_t type;
    bool writable;
  };
  // A variable, or a part of one.
  Access access(int depth, bool writable) {
    std::vector<const Variable*> all;
    for (const Variable& v : globals_)
      if (v.writable || !writable) all.push_back(&v);
    for (const Variable& v : locals_)
      if (v.writable || !writable) all.push_back(&v);
    if (all.empty()) return {"", kVoid, false};
    const Variable& v = *all[next() % all.size()];
    Access a{v.name, v.type, v.writable};
    while (chance(70)) {
      const Type t = types_[a.type];
      if (t.kind == Type::Kind::Struct) {
        const auto m = static_cast<size_t>(below(static_cast<int>(structs_[t.structure].size())));
        a.text += ".m" + std::to_string(m);
        a.type = structs_[t.structure][m];
      } else if (t.kind == Type::Kind::Array) {
        a.text += "[" + indexIn(t.size, depth) + "]";
        a.type = t.element;
      } else if (t.kind == Type::Kind::Matrix) {
        a.text += "[" + indexIn(t.columns, depth) + "]";
        a.type = basic(t.scalar, t.rows);
      } else if (t.rows > 1) {
        if (chance(40)) {
          a.text += "[" + indexIn(t.rows, depth) + "]";
          a.type = basic(t.scalar);
          break;
        }
        // A swizzle that may be written has no component twice.
        std::string letters = std::string("xyzw").substr(0, t.rows);
        std::string chosen;
        for (int n = below(static_cast<int>(t.rows)) + 1; n > 0; --n) {
          const size_t at = next() % letters.size();
          chosen += letters[at];
          letters.erase(at, 1);
        }
        a.text += "." + chosen;
        a.type = basic(t.scalar, static_cast<uint32_t>(chosen.size()));
        if (chance(70)) break;
      } else {
        break;
      }
    }
    return a;
  }

  std::string variableOf(uint32_t type, int depth) {
    for (int attempt = 0; attempt < 8; ++attempt) {
      const Access a = access(depth, false);
      if (a.type == type) return a.text;
    }
    return "";
  }

  // A call of a function that returns the type and has no outputs.
  std::string callOf(uint32_t type, int depth) {
    if (calls_ > 12) return "";
    for (const Function& f : functions_) {
      if (f.result != type || !chance(60)) continue;
      bool pure = true;
      for (const Parameter& p : f.parameters)
        pure = pure && (p.mode == Parameter::Mode::In || p.mode == Parameter::Mode::ConstIn);
      if (!pure) continue;
      ++calls_;
      std::string s = f.name + "(";
      for (size_t i = 0; i < f.parameters.size(); ++i)
        s += (i ? ", " : "") + expression(f.parameters[i].type, depth - 2);
      return s + ")";
    }
    return "";
  }

  // Replaces each `@` in the pattern by an expression of the given type, from the last one to the first. A
  // seed must give the same program with every C++ compiler, but C++ does not define the order in which
  // operands and arguments are evaluated. So no expression elsewhere may contain two calls that draw random
  // numbers.
  std::string made(std::string_view pattern, int depth, std::initializer_list<uint32_t> types) {
    std::string text(pattern);
    size_t at = text.size();
    for (auto type = types.end(); type != types.begin();) {
      at = text.rfind('@', at - 1);
      text.replace(at, 1, expression(*--type, depth));
    }
    return text;
  }

  std::string expression(uint32_t index, int depth) {
    const Type t = types_[index];
    if (depth <= 0 || chance(15)) {
      const std::string v = chance(80) ? variableOf(index, depth) : "";
      return v.empty() ? literal(index) : v;
    }
    if (chance(12)) {
      const std::string c = callOf(index, depth);
      if (!c.empty()) return c;
    }
    if (chance(8)) return made("(@ ? @ : @)", depth - 1, {basic(Scalar::Bool), index, index});
    if (chance(25)) {
      const std::string v = variableOf(index, depth);
      if (!v.empty()) return v;
    }
    switch (t.kind) {
      case Type::Kind::Struct:
      case Type::Kind::Array: {
        std::string s = fullName(index) + "(";
        const std::vector<uint32_t> parts = constituents(index);
        for (size_t i = 0; i < parts.size(); ++i) s += (i ? ", " : "") + expression(parts[i], depth - 2);
        return s + ")";
      }
      case Type::Kind::Matrix: return matrixExpression(index, t, depth);
      case Type::Kind::Basic: break;
    }
    if (t.rows > 1 && chance(25)) return vectorConstructor(t, depth);
    if (t.scalar == Scalar::Bool) return boolExpression(t, depth);
    if (t.scalar == Scalar::Float) return floatExpression(index, t, depth);
    return integerExpression(index, t, depth);
  }

  std::string vectorConstructor(const Type& t, int depth) {
    const uint32_t own = basic(t.scalar, t.rows);
    std::string s = typeName(own) + "(";
    if (chance(20)) return s + expression(basic(t.scalar), depth - 1) + ")";
    if (t.rows < 4 && chance(20)) return s + expression(basic(t.scalar, 4), depth - 1) + ")";
    uint32_t left = t.rows;
    bool first = true;
    while (left > 0) {
      const auto n = static_cast<uint32_t>(below(static_cast<int>(std::min(left, 3u))) + 1);
      s += (first ? "" : ", ") + expression(basic(t.scalar, n), depth - 1);
      first = false;
      left -= n;
    }
    return s + ")";
  }

  std::string matrixExpression(uint32_t index, const Type& t, int depth) {
    const auto m = [&](uint32_t columns, uint32_t rows) {
      Type o = t;
      o.columns = columns;
      o.rows = rows;
      return intern(o);
    };
    const std::string name = typeName(index);
    // Every result's columns are reduced to exact numbers again.
    const auto reduced = [&](const std::string& text) {
      return "reduce" + name.substr(3) + "(" + text + ")";
    };
    needReduce(index);
    switch (below(7)) {
      case 0: return reduced(made("@ + @", depth - 1, {index, index}));
      case 1: {
        const auto inner = static_cast<uint32_t>(below(3) + 2);
        return reduced(made("@ * @", depth - 2, {m(inner, t.rows), m(t.columns, inner)}));
      }
      case 2: return "transpose(" + expression(m(t.rows, t.columns), depth - 1) + ")";
      case 3:
        return reduced(made("outerProduct(@, @)", depth - 1,
                            {basic(Scalar::Float, t.rows), basic(Scalar::Float, t.columns)}));
      case 4: return name + "(" + expression(basic(Scalar::Float), depth - 1) + ")";
      case 5: {
        const auto c = static_cast<uint32_t>(below(3) + 2), r = static_cast<uint32_t>(below(3) + 2);
        return name + "(" + expression(m(c, r), depth - 1) + ")";
      }
      default: {
        std::string s = name + "(";
        for (uint32_t c = 0; c < t.columns; ++c)
          s += (c ? ", " : "") + expression(basic(Scalar::Float, t.rows), depth - 1);
        return s + ")";
      }
    }
  }

  // Requests the function that reduces a matrix's components to exact numbers. It is written before the
  // function that calls it.
  void needReduce(uint32_t index) {
    if (std::find(reduced_.begin(), reduced_.end(), index) != reduced_.end()) return;
    reduced_.push_back(index);
    const Type t = types_[index];
    const std::string name = typeName(index);
    std::string s = name + " reduce" + name.substr(3) + "(" + name + " m) { return " + name + "(";
    for (uint32_t c = 0; c < t.columns; ++c) s += (c ? ", q(m[" : "q(m[") + std::to_string(c) + "])";
    helper_ += s + "); }\n";
  }

  std::string boolExpression(const Type& t, int depth) {
    const uint32_t single = basic(Scalar::Bool);
    if (t.rows == 1) {
      switch (below(9)) {
        case 0: return made("(@ && @)", depth - 1, {single, single});
        case 1: return made("(@ || @)", depth - 1, {single, single});
        case 2: return made("(@ ^^ @)", depth - 1, {single, single});
        case 3: return made("(!@)", depth - 1, {single});
        case 4: {
          // Compares values of any type, aggregates included.
          const uint32_t any = anyType();
          const std::string right = expression(any, depth - 2);
          const char* const sign = chance(50) ? " == " : " != ";
          return "(" + expression(any, depth - 2) + sign + right + ")";
        }
        case 5: {
          const uint32_t v = basic(Scalar::Bool, static_cast<uint32_t>(below(3) + 2));
          const std::string vector = expression(v, depth - 1);
          return std::string(chance(50) ? "any(" : "all(") + vector + ")";
        }
        case 6: {
          const uint32_t s = basic(static_cast<Scalar>(below(7) + 1));
          return made("bool(@)", depth - 1, {s});
        }
        default: {
          const uint32_t s = basic(static_cast<Scalar>(below(7) + 1));
          const char* const kOperators[] = {" < ", " <= ", " > ", " >= "};
          const std::string right = expression(s, depth - 1);
          const char* const sign = kOperators[below(4)];
          return "(" + expression(s, depth - 1) + sign + right + ")";
        }
      }
    }
    const uint32_t own = basic(Scalar::Bool, t.rows);
    if (chance(30)) return made("not(@)", depth - 1, {own});
    const uint32_t s = basic(static_cast<Scalar>(below(7) + 1), t.rows);
    const char* const kFunctions[] = {"lessThan(",         "lessThanEqual(", "greaterThan(",
                                      "greaterThanEqual(", "equal(",         "notEqual("};
    const std::string operands = made("@, @)", depth - 1, {s, s});
    return kFunctions[below(6)] + operands;
  }

  // A call of one of two functions, with operands of these types.
  std::string either(const char* first, const char* second, std::string_view operands, int depth,
                     std::initializer_list<uint32_t> types) {
    const std::string text = made(operands, depth, types);
    return (chance(50) ? first : second) + text;
  }

  std::string floatExpression(uint32_t index, const Type& t, int depth) {
    const uint32_t scalar = basic(Scalar::Float);
    const std::string name = typeName(index);
    --depth;  // of the operands
    switch (below(15)) {
      case 0: return made("q(@ + @)", depth, {index, index});
      case 1: return made("q(@ - @)", depth, {index, index});
      case 2: return made("q(@ * @)", depth, {index, index});
      case 3: return made("q(@ * @)", depth, {index, scalar});
      case 4: return made("q(-@)", depth, {index});
      case 5: return either("floor", "abs", "(@)", depth, {index});
      case 6: return either("min", "max", "(@, @)", depth, {index, index});
      case 7: return made("mix(@, @, @)", depth, {index, index, basic(Scalar::Bool, t.rows)});
      case 8: return made("clamp(@, " + name + "(1.0), " + name + "(9.5))", depth, {index});
      case 9: return made(name + "(@ & 63)", depth, {basic(Scalar::Int, t.rows)});
      case 10: return made(name + "(@)", depth, {basic(Scalar::Bool, t.rows)});
      case 11: {
        if (t.rows > 1) return made("(@ / 1.0)", depth, {index});
        const uint32_t v = basic(Scalar::Float, static_cast<uint32_t>(below(3) + 2));
        return made("q(dot(@, @))", depth, {v, v});
      }
      case 12: return t.rows == 1 ? made("fract(@)", depth, {index}) : linearAlgebra(t.rows, depth);
      case 13: return made("step(@, @)", depth, {index, index});
      default: return made("(@)", depth, {basic(Scalar::Float, t.rows)});
    }
  }

  // The product of a vector and a matrix, in either order. The matrix is a shallower expression.
  std::string linearAlgebra(uint32_t rows, int depth) {
    const auto inner = static_cast<uint32_t>(below(3) + 2);
    Type m;
    m.kind = Type::Kind::Matrix;
    m.scalar = Scalar::Float;
    m.columns = inner;
    m.rows = rows;
    const uint32_t v = basic(Scalar::Float, inner);
    if (chance(50)) {
      const std::string vector = expression(v, depth);
      return "q(" + expression(intern(m), depth - 1) + " * " + vector + ")";
    }
    std::swap(m.columns, m.rows);
    const std::string matrix = expression(intern(m), depth - 1);
    return "q(" + expression(v, depth) + " * " + matrix + ")";
  }

  std::string integerExpression(uint32_t index, const Type& t, int depth) {
    const std::string name = typeName(index);
    const Scalar s = t.scalar;
    const int inner = depth - 1;
    const auto constant = [&](int v) { return name + "(" + number(v) + ")"; };
    switch (below(16)) {
      case 0: return made("(@ + @)", inner, {index, index});
      case 1: return made("(@ - @)", inner, {index, index});
      case 2: return made("(@ * @)", inner, {index, index});
      case 3: return made("(@ & @)", inner, {index, index});
      case 4: return made("(@ | @)", inner, {index, index});
      case 5: return made("(@ ^ @)", inner, {index, index});
      case 6: {
        const std::string amount = made("(@ & " + constant(7) + "))", inner, {index});
        const char* const sign = chance(50) ? " << " : " >> ";
        return made("(@", inner, {index}) + sign + amount;
      }
      // Remainders of negative numbers are undefined, and so are divisions by zero.
      case 7: return made("(@ / ((@ & " + constant(15) + ") + " + constant(1) + "))", inner, {index, index});
      case 8:
        return made("((@ & " + constant(127) + ") % ((@ & " + constant(15) + ") + " + constant(1) + "))",
                    inner, {index, index});
      case 9: return made(chance(50) || !isSignedInteger(s) ? "(~@)" : "(-@)", inner, {index});
      case 10: {
        // A conversion between integers of any size.
        Scalar from = static_cast<Scalar>(below(8));
        if (!isInteger(from)) from = Scalar::Uint;
        return made(name + "(@)", inner, {basic(from, t.rows)});
      }
      case 11: return made(name + "(@)", inner, {basic(Scalar::Float, t.rows)});  // within [0, 64)
      case 12: return made(name + "(@)", inner, {basic(Scalar::Bool, t.rows)});
      case 13: return either("min", "max", "(@, @)", inner, {index, index});
      case 14:
        if (s == Scalar::Int && t.rows == 1) return chance(50) ? "spec" : made("bitCount(@)", inner, {index});
        if (s == Scalar::Uint && t.rows == 1) return "given[" + indexIn(64, depth) + "]";
        return made("mix(@, @, @)", inner, {index, index, basic(Scalar::Bool, t.rows)});
      default: return made("(@)", inner, {index});
    }
  }

  // ------------------------------------------------------------------------------------------- statements

  std::string fresh(const char* prefix) { return prefix + std::to_string(names_++); }

  void block(int depth, int statements) {
    const size_t mark = locals_.size();
    ++indent_;
    for (int i = 0; i < statements; ++i) statement(depth);
    --indent_;
    locals_.resize(mark);
  }

  void assignment(int depth) {
    const Access a = access(1, true);
    if (a.type == kVoid) {
      declaration(1);
      return;
    }
    const Type t = types_[a.type];
    if (t.kind == Type::Kind::Basic && isInteger(t.scalar)) {
      const int form = below(8);
      if (form == 0) {
        line(a.text + (chance(50) ? "++;" : "--;"));
        return;
      }
      if (form == 1) {
        line((chance(50) ? "++" : "--") + a.text + ";");
        return;
      }
      if (form < 4) {
        const char* const kOperators[] = {" += ", " -= ", " *= ", " &= ", " |= ", " ^= "};
        const std::string value = expression(a.type, depth);
        line(a.text + kOperators[below(6)] + value + ";");
        return;
      }
    }
    // The l-value is written twice here, so its indices must not depend on the value that is stored there.
    const bool fixed = a.text.find('%') == std::string::npos;
    if (t.kind == Type::Kind::Basic && t.scalar == Scalar::Float && fixed && chance(50)) {
      const char* const kOperators[] = {" += ", " -= ", " *= "};
      const std::string value = expression(a.type, depth);
      line(a.text + kOperators[below(3)] + value + ";");
      line(a.text + " = q(" + a.text + ");");
      return;
    }
    line(a.text + " = " + expression(a.type, depth) + ";");
  }

  void declaration(int depth) {
    const uint32_t t = chance(40) ? anyBasic() : anyType();
    const std::string name = fresh("v");
    const bool constant = chance(15);
    const std::string initial = expression(t, depth);
    line((constant ? "const " : "") + typeName(t) + " " + name + arraySuffix(t) + " = " + initial + ";");
    locals_.push_back({name, t, !constant});
  }

  // A call with outputs, each into a separate variable, because the result of aliased outputs is
  // unspecified.
  void callStatement(int depth) {
    if (functions_.empty() || calls_ > 12) {
      declaration(depth);
      return;
    }
    ++calls_;
    const Function f = pick(functions_);
    std::string s = f.name + "(";
    for (size_t i = 0; i < f.parameters.size(); ++i) {
      const Parameter p = f.parameters[i];
      s += i ? ", " : "";
      if (p.mode == Parameter::Mode::In || p.mode == Parameter::Mode::ConstIn) {
        s += expression(p.type, depth - 1);
        continue;
      }
      std::string target;
      for (int attempt = 0; attempt < 6 && target.empty(); ++attempt) {
        const Access a = access(1, true);
        if (a.type == kVoid) continue;
        std::string root;
        for (const Variable& v : locals_)
          if (a.text.rfind(v.name, 0) == 0 && (a.text.size() == v.name.size() ||
                                               a.text[v.name.size()] == '.' || a.text[v.name.size()] == '['))
            root = v.name;
        const bool local = !root.empty();
        // Each output needs a different root variable. Globals cannot be outputs, because functions may write
        // to them while they run.
        if (a.type == p.type && local && s.find(root + ".") == std::string::npos &&
            s.find(root + "[") == std::string::npos && s.find(root + ",") == std::string::npos)
          target = a.text;
      }
      if (target.empty()) {
        target = fresh("o");
        line(typeName(p.type) + " " + target + arraySuffix(p.type) + " = " + literal(p.type) + ";");
        locals_.push_back({target, p.type, true});
      }
      s += target;
    }
    s += ")";
    if (f.result != kVoid && chance(70)) {
      const std::string name = fresh("v");
      line(typeName(f.result) + " " + name + arraySuffix(f.result) + " = " + s + ";");
      locals_.push_back({name, f.result, true});
    } else {
      line(s + ";");
    }
  }

  void jump() {
    if (loops_ > 0 && chance(50))
      line(chance(50) ? "break;" : "continue;");
    else if (loops_ == 0 && switches_ > 0)
      line("break;");
    else if (inFunction_)
      line(result_ == kVoid ? "return;" : "return " + expression(result_, 1) + ";");
  }

  void statement(int depth) {
    if (++statements_ > 50) {
      assignment(1);
      return;
    }
    const int kind = below(100);
    if (depth <= 0 || kind < 35) {
      assignment(kind % 3 + 1);
    } else if (kind < 52) {
      declaration(below(3) + 1);
    } else if (kind < 60) {
      callStatement(2);
    } else if (kind < 74) {
      line("if (" + expression(basic(Scalar::Bool), 2) + ") {");
      block(depth - 1, below(3) + 1);
      if (chance(25)) {
        ++indent_;
        jump();
        --indent_;
      }
      if (chance(50)) {
        line("} else {");
        block(depth - 1, below(3) + 1);
      }
      line("}");
    } else if (kind < 90) {
      loop(depth);
    } else if (kind < 98) {
      switchStatement(depth);
    } else {
      line("{");
      block(depth - 1, below(3) + 1);
      line("}");
    }
  }

  void loop(int depth) {
    if (nesting_ >= 2) {
      assignment(1);
      return;
    }
    ++nesting_;
    ++loops_;
    const int savedSwitches = switches_;
    switches_ = 0;
    const std::string i = fresh("i");
    const std::string bound = number(below(5) + 1);
    const std::string more = chance(30) ? " && " + expression(basic(Scalar::Bool), 1) : "";
    const size_t mark = locals_.size();
    switch (below(3)) {
      case 0:
        line("for (int " + i + " = 0; " + i + " < " + bound + more + "; ++" + i + ") {");
        locals_.push_back({i, basic(Scalar::Int), false});
        block(depth - 1, below(3) + 1);
        line("}");
        break;
      case 1:
        line("int " + i + " = " + bound + ";");
        line("while (" + i + "-- > 0" + more + ") {");
        locals_.push_back({i, basic(Scalar::Int), false});
        block(depth - 1, below(3) + 1);
        line("}");
        break;
      default:
        line("int " + i + " = " + bound + ";");
        line("do {");
        locals_.push_back({i, basic(Scalar::Int), false});
        block(depth - 1, below(3) + 1);
        line("} while (--" + i + " > 0" + more + ");");
        break;
    }
    locals_.resize(mark);
    switches_ = savedSwitches;
    --loops_;
    --nesting_;
  }

  void switchStatement(int depth) {
    const bool isUnsigned = chance(50);
    const uint32_t selector = basic(isUnsigned ? Scalar::Uint : Scalar::Int);
    line("switch (" + expression(selector, 2) + (isUnsigned ? " & 7u) {" : " & 7) {"));
    ++switches_;
    ++indent_;
    const int savedLoops = loops_;
    std::vector<int> labels = {0, 1, 2, 3, 4, 5, 6, 7};
    const int cases = below(4) + 1;
    const int defaultAt = chance(60) ? below(cases) : -1;
    const size_t mark = locals_.size();
    for (int c = 0; c < cases; ++c) {
      for (int n = chance(25) ? 2 : 1; n > 0; --n) {
        const size_t at = next() % labels.size();
        line("case " + number(labels[at]) + (isUnsigned ? "u:" : ":"));
        labels.erase(labels.begin() + static_cast<std::ptrdiff_t>(at));
      }
      if (c == defaultAt) line("default:");
      line("{");
      block(depth - 1, below(2) + 1);
      line("}");
      if (chance(65)) line("break;");  // otherwise it falls through
    }
    locals_.resize(mark);
    loops_ = savedLoops;
    --indent_;
    --switches_;
    line("}");
  }

  // -------------------------------------------------------------------------------------------- functions

  void makeFunction(int number) {
    Function f;
    f.name = "f" + std::to_string(number);
    f.result = chance(75) ? anyType() : kVoid;
    std::string head = (f.result == kVoid ? "void" : fullName(f.result)) + " " + f.name + "(";
    locals_.clear();
    std::string prologue;
    for (int i = 0, n = below(4); i < n; ++i) {
      Parameter p;
      p.type = anyType();
      p.mode = static_cast<Parameter::Mode>(below(4));
      const char* const kModes[] = {"", "const in ", "out ", "inout "};
      const std::string name = "p" + std::to_string(i);
      head += std::string(i ? ", " : "") + kModes[static_cast<int>(p.mode)] + typeName(p.type) + " " + name +
              arraySuffix(p.type);
      f.parameters.push_back(p);
      locals_.push_back({name, p.type, p.mode != Parameter::Mode::ConstIn});
      if (p.mode == Parameter::Mode::Out) prologue += "  " + name + " = " + literal(p.type) + ";\n";
    }
    const size_t start = text_.size();
    line(head + ") {");
    text_ += prologue;
    result_ = f.result;
    inFunction_ = true;
    statements_ = 30;
    calls_ = 6;
    // Functions do not write to globals: the results of expressions would depend on the order of their calls.
    const std::vector<Variable> globals = globals_;
    for (Variable& g : globals_) g.writable = false;
    block(2, below(5) + 2);
    if (f.result != kVoid) line("  return " + expression(f.result, 3) + ";");
    line("}");
    globals_ = globals;
    inFunction_ = false;
    text_.insert(start, helper_);
    helper_.clear();
    functions_.push_back(f);
  }

  // Blocks of every packing with one element per invocation, which are written and read back.
  void makeBlocks() {
    const char* const kPackings[] = {"std430", "scalar", "std140"};
    for (int i = 0, n = below(2) + 1; i < n; ++i) {
      const uint32_t t = anyType(), u = anyType();
      const std::string name = "b" + std::to_string(i);
      line("struct E" + std::to_string(i) + " { " + typeName(t) + " m0" + arraySuffix(t) + "; " +
           typeName(u) + " m1" + arraySuffix(u) + "; };");
      const uint32_t structure = static_cast<uint32_t>(structs_.size());
      structs_.push_back({t, u});
      Type s;
      s.kind = Type::Kind::Struct;
      s.structure = structure;
      const uint32_t index = intern(s);
      // Struct types are named S and a number, but this one is called E.
      text_ += "#define S" + std::to_string(structure) + " E" + std::to_string(i) + "\n";
      const std::string major = chance(50) ? ", row_major" : "";
      line("layout(set = 0, binding = " + std::to_string(2 + i) + ", " + kPackings[below(3)] + major +
           ") buffer Block" + std::to_string(i) + " { E" + std::to_string(i) + " " + name + "[]; };");
      blocks_.push_back({name + "[gl_GlobalInvocationID.x]", index, true});
    }
  }

  // Statements that add every scalar of a value to the results.
  void writeOut(const std::string& value, uint32_t index) {
    const Type t = types_[index];
    if (t.kind == Type::Kind::Struct) {
      for (size_t m = 0; m < structs_[t.structure].size(); ++m)
        writeOut(value + ".m" + std::to_string(m), structs_[t.structure][m]);
      return;
    }
    if (t.kind != Type::Kind::Basic || t.rows > 1) {
      const std::vector<uint32_t> parts = constituents(index);
      for (size_t i = 0; i < parts.size(); ++i) writeOut(value + "[" + std::to_string(i) + "]", parts[i]);
      return;
    }
    std::string bits = t.scalar == Scalar::Float ? "floatBitsToUint(" + value + ")" : "uint(" + value + ")";
    if (t.scalar == Scalar::Int64 || t.scalar == Scalar::Uint64)
      bits = "(" + bits + " ^ uint(" + value + " >> 32))";
    // A scalar gets a word of the results while there are any. The others are mixed into the hash.
    if (stage_ == nullptr && results_ < kRandomResults - 1)
      line("  result[gl_GlobalInvocationID.x * 64u + " + std::to_string(++results_) + "u] = " + bits + ";");
    else
      line("  hash = hash * 31u + " + bits + ";");
  }

  // The type of a value that stages pass to each other.
  uint32_t typeOf(const RandomValue& value) {
    Type t;
    t.kind = value.columns > 1 ? Type::Kind::Matrix : Type::Kind::Basic;
    t.scalar = value.scalar == 'i'   ? Scalar::Int
               : value.scalar == 'u' ? Scalar::Uint
               : value.scalar == 'l' ? Scalar::Int64
                                     : Scalar::Float;
    t.rows = value.rows;
    t.columns = value.columns;
    const uint32_t single = intern(t);
    return value.size == 0 ? single : arrayOf(single, value.size);
  }

  void beginMain() {
    line("void main() {");
    for (Variable& g : globals_)
      if (g.writable) line("  " + g.name + " = " + literal(g.type) + ";");
    if (stage_ != nullptr) {
      line("  uint id = " + stage_->id + ";");
      line(stage_->beginning);
      line("  int a = int(given[id % 32u]);");
      line("  float f = float(given[id % 32u + 16u] & 511u) / 8.0;");
    } else {
      line("  uint id = gl_GlobalInvocationID.x;");
      line("  int a = int(given[id]);");
      line("  float f = float(given[id + 16u] & 511u) / 8.0;");
    }
    locals_.push_back({"id", basic(Scalar::Uint), false});
    locals_.push_back({"a", basic(Scalar::Int), true});
    locals_.push_back({"f", basic(Scalar::Float), true});
    if (stage_ == nullptr) return;
    for (const RandomValue& value : stage_->inputs) locals_.push_back({value.name, typeOf(value), false});
    for (const RandomValue& value : stage_->changed) locals_.push_back({value.name, typeOf(value), true});
    for (const RandomValue& value : stage_->outputs) {
      if (!value.readable) continue;
      line("  " + value.name + " = " + literal(typeOf(value)) + ";");
      locals_.push_back({value.name, typeOf(value), true});
    }
  }

  // Writes a stage's outputs, from expressions over all its variables, after its statements.
  void endStage() {
    line(stage_->beforeOutputs);
    for (const RandomValue& value : stage_->outputs)
      line("  " + value.guard + value.name + " = " +
           (value.isHash ? "hash" : expression(typeOf(value), value.guard.empty() ? 2 : 1)) + ";");
    line(stage_->afterOutputs);
  }

  void makeMain() {
    locals_.clear();
    const size_t start = text_.size();
    beginMain();
    statements_ = 0;
    calls_ = 0;
    ++indent_;
    for (const Variable& b : blocks_) line(b.name + " = " + expression(b.type, 2) + ";");
    --indent_;
    // From here on, blocks are variables like others.
    locals_.insert(locals_.end(), blocks_.begin(), blocks_.end());
    ++indent_;
    for (int i = 0, n = below(10) + 6; i < n; ++i) {
      statement(3);
      if (stage_ == nullptr || stage_->leave.empty() || !chance(8)) continue;
      const std::string leave = pick(stage_->leave);
      line("if (" + expression(basic(Scalar::Bool), 2) + ") " + leave + ";");
    }
    --indent_;
    for (const Variable& g : globals_)
      if (g.writable) writeOut(g.name, g.type);
    for (const Variable& v : locals_) writeOut(v.name, v.type);
    if (stage_ != nullptr)
      endStage();
    else
      line("  result[gl_GlobalInvocationID.x * 64u] = hash;");
    line("}");
    text_.insert(start, helper_);
    helper_.clear();
  }

  const RandomStage* stage_ = nullptr;
  uint64_t state_;
  std::string text_, helper_;
  size_t indent_ = 0;
  std::vector<Type> types_;
  std::vector<std::vector<uint32_t>> structs_;
  std::vector<uint32_t> pool_, reduced_;
  std::vector<Variable> globals_, locals_, blocks_;
  std::vector<Function> functions_;
  uint32_t result_ = kVoid, results_ = 0, names_ = 0;
  int statements_ = 0, loops_ = 0, switches_ = 0, nesting_ = 0, calls_ = 0;
  bool inFunction_ = false;
};

}  // namespace

std::string randomProgram(uint64_t seed) { return Generator(seed).program(); }

std::string randomStage(uint64_t seed, const RandomStage& stage) { return Generator(seed).stage(stage); }

}  // namespace coopc::tests
