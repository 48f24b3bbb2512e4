// A parser that executes as it goes: one function for each production. The first failure is kept, and what follows it sees the
// end of the text and comes to its end by itself: the page's build has no exceptions.
//
//   program    := { [ statement ] ";" }
//   statement  := coopmat "<" type "," scope "," number "," number "," use ">" name [ "[" ... "]" ]
//               | [ "shared" ] type name "[" ... "]" | [ "const" ] [ type [ "<" ... ">" ] ] name "=" value | load-or-store | value
//               | name operator "=" value | name ( "++" | "--" ) | ( "++" | "--" ) name
//   value      := binary [ "?" value ":" value ]
//   binary     := unary { operator unary }, by the precedences of operators.hpp
//   unary      := ( "-" | "~" | "!" ) unary | number | name | name "(" [ value { "," value } ] ")" | "(" value ")"
#include "tools/cooplayout/tensor_program.hpp"

#include <algorithm>
#include <variant>
#include <vector>

#include <spirv/unified1/spirv.hpp11>

#include "base/number_type.hpp"
#include "layout/clamp_mode_names.hpp"
#include "tools/cooplayout/arguments.hpp"
#include "tools/cooplayout/conditions.hpp"
#include "tools/cooplayout/macros.hpp"
#include "tools/cooplayout/operators.hpp"

namespace coopc::cooplayout {
namespace {

using layout::ClampMode;
using MatrixOrder = spv::CooperativeMatrixLayout;
using layout::Coord;
using layout::MemoryLayout;
using layout::SignedCoord;
using layout::TensorLayout;
using layout::TensorView;

struct Matrix {
  std::optional<layout::Use> use;
  uint32_t bytes = 0;
  uint32_t rows = 0;
  uint32_t columns = 0;
};
using Value = std::variant<int64_t, TensorLayout, TensorView, Matrix>;

struct Failure {
  size_t at = 0;
  std::string message;
};

enum class Function : uint8_t {
  CreateLayout,
  BlockSize,
  Dimension,
  Stride,
  Slice,
  ClampValue,
  CreateView,
  ViewDimensions,
  ViewStride,
  ViewClip,
  Cast,
  Min,
  Max,
  Clamp,
};
struct Named {
  std::string_view name;
  Function function;
};
constexpr Named kFunctions[] = {
    {"createTensorLayoutNV", Function::CreateLayout},
    {"setTensorLayoutBlockSizeNV", Function::BlockSize},
    {"setTensorLayoutDimensionNV", Function::Dimension},
    {"setTensorLayoutStrideNV", Function::Stride},
    {"sliceTensorLayoutNV", Function::Slice},
    {"setTensorLayoutClampValueNV", Function::ClampValue},
    {"createTensorViewNV", Function::CreateView},
    {"setTensorViewDimensionsNV", Function::ViewDimensions},
    {"setTensorViewStrideNV", Function::ViewStride},
    {"setTensorViewClipNV", Function::ViewClip},
    {"min", Function::Min},
    {"max", Function::Max},
    {"clamp", Function::Clamp},
    {"uint", Function::Cast},
    {"int", Function::Cast},
    {"uint32_t", Function::Cast},
    {"int32_t", Function::Cast},
};

struct Constant {
  std::string_view name;
  int64_t value;
};
constexpr Constant kConstants[] = {
    {"true", 1},
    {"false", 0},
    {"gl_CooperativeMatrixLayoutRowMajor", int64_t(MatrixOrder::RowMajorKHR)},
    {"gl_CooperativeMatrixLayoutColumnMajor", int64_t(MatrixOrder::ColumnMajorKHR)},
    {"gl_CooperativeMatrixLayoutRowBlockedInterleavedARM", int64_t(MatrixOrder::RowBlockedInterleavedARM)},
    {"gl_CooperativeMatrixLayoutColumnBlockedInterleavedARM",
     int64_t(MatrixOrder::ColumnBlockedInterleavedARM)},
};

struct Type {
  std::string_view name;
  uint32_t bytes;
};
// GLSL's names, and a format that only tensor cores have.
constexpr Type kTypes[] = {
    {"float16_t", 2}, {"float32_t", 4},   {"float64_t", 8},   {"bfloat16_t", 2}, {"float", 4},
    {"double", 8},    {"int8_t", 1},      {"uint8_t", 1},     {"int16_t", 2},    {"uint16_t", 2},
    {"int32_t", 4},   {"uint32_t", 4},    {"int64_t", 8},     {"uint64_t", 8},   {"int", 4},
    {"uint", 4},      {"floate4m3_t", 1}, {"floate5m2_t", 1}, {"tf32", 4},
};

// For a vector type, the prefix before "vec4".
constexpr Type kVectorPrefixes[] = {
    {"", 4},    {"i", 4},   {"u", 4},   {"d", 8},  {"f16", 2}, {"f32", 4}, {"f64", 8}, {"i8", 1},
    {"i16", 2}, {"i32", 4}, {"i64", 8}, {"u8", 1}, {"u16", 2}, {"u32", 4}, {"u64", 8},
};

// The size of an array's element, which is a scalar or a vector.
std::optional<uint32_t> elementBytesOf(std::string_view type) {
  if (const std::optional<uint32_t> scalar = componentBytesOf(type)) return scalar;
  for (const uint32_t count : {2u, 4u}) {
    for (const Type& prefix : kVectorPrefixes) {
      if (type.starts_with(prefix.name) && type.substr(prefix.name.size()) == (count == 2 ? "vec2" : "vec4"))
        return count * prefix.bytes;
    }
  }
  return std::nullopt;
}

constexpr std::pair<std::string_view, layout::Use> kUses[] = {
    {"gl_MatrixUseA", layout::Use::A},
    {"gl_MatrixUseB", layout::Use::B},
    {"gl_MatrixUseAccumulator", layout::Use::Accumulator},
};

constexpr int kMaxNesting = 64;

class Runner {
 public:
  Runner(std::string_view text, const std::map<std::string, int64_t>& names) : text_(text), given_(names) {
    for (const auto& [name, value] : names) variables_[name] = value;
  }

  // A whole shader, from its first to its last line. Statements that are not understood are skipped, unless
  // load or store `which` needs them.
  TensorProgram runShader(uint32_t which) {
    for (skip(); at_ < text_.size(); skip()) {
      if (take(";") || take("{") || take("}") || takeBranch()) continue;
      const size_t start = at_;
      assigned_.clear();
      access_ = false;
      loopHeader_ = false;
      statement();
      if (access_ && accesses_++ == which) return result_;
      if (failure_) passOver();
      if (loopHeader_) skipHeader();
      if (at_ == start) ++at_;
    }
    failWhich();
    return result_;
  }

  // All statements, or, for a shader, those up to load or store `which`.
  TensorProgram run(std::optional<uint32_t> which) {
    for (skip(); at_ < text_.size(); skip()) {
      if (take(";")) continue;
      access_ = false;
      statement();
      skip();
      if (at_ < text_.size() && !take(";")) fail(at_, Condition::Grammar, "';' is missing");
      if (access_ && !failure_ && which && accesses_++ == *which) return result_;
    }
    if (which) failWhich();
    return result_;
  }

  const std::optional<Failure>& failure() const { return failure_; }
  // The loads and stores that were executed, or that failed.
  const std::vector<MatrixAccess>& listed() const { return listed_; }
  size_t lineOf(size_t at) const {
    return static_cast<size_t>(std::count(text_.begin(), text_.begin() + static_cast<ptrdiff_t>(at), '\n')) +
           1;
  }

 private:
  // The first failure counts.
  void fail(Failure failure) {
    if (failure_) return;
    failure_ = std::move(failure);
    stoppedAt_ = at_;
    at_ = text_.size();
  }
  void fail(size_t at, Condition condition, const std::string& whatIsWrong) {
    fail(Failure{at, described(condition, whatIsWrong)});
  }
  Value failed(size_t at, Condition condition, const std::string& whatIsWrong) {
    fail(at, condition, whatIsWrong);
    return int64_t{0};
  }
  void failWhich() {
    fail(at_, Condition::WhichLoad,
         "there are " + std::to_string(accesses_) +
             " loads and stores of matrices; --load counts them from 0");
  }

  // In a shader: continue with the next statement. The variable that this one would have assigned has no
  // value, and the failure is recorded as the reason.
  void passOver() {
    if (!assigned_.empty()) {
      variables_.erase(assigned_);
      failed_.emplace(assigned_, *failure_);
    }
    failure_.reset();
    at_ = stoppedAt_;
    while (at_ < text_.size() && text_[at_] != ';' && text_[at_] != '{' && text_[at_] != '}') ++at_;
  }

  // The beginning of a branch, or of a loop without an initialization. What follows is a statement or a block.
  bool takeBranch() {
    const size_t start = at_;
    const std::string_view first = word();
    if (first == "else" || first == "do") return true;
    if ((first == "if" || first == "while" || first == "switch") && take("(")) {
      skipHeader();
      return true;
    }
    at_ = start;
    return false;
  }

  // Skips the header of a loop after its initialization. Only the initialization and, once, the body are
  // executed.
  void skipHeader() {
    for (int depth = 1; depth > 0 && at_ < text_.size(); ++at_)
      depth += text_[at_] == '(' ? 1 : text_[at_] == ')' ? -1 : 0;
  }

  // Blanks and attributes.
  void skip() {
    for (;;) {
      while (at_ < text_.size() && (text_[at_] == ' ' || (text_[at_] >= '\t' && text_[at_] <= '\r'))) ++at_;
      const std::string_view rest = text_.substr(at_);
      if (!rest.starts_with("[[")) return;
      const size_t end = rest.find("]]");
      at_ += end == std::string_view::npos ? rest.size() : end + 2;
    }
  }

  bool take(std::string_view token) {
    skip();
    if (!text_.substr(at_).starts_with(token)) return false;
    at_ += token.size();
    return true;
  }
  void expect(std::string_view token) {
    if (!take(token)) fail(at_, Condition::Grammar, "'" + std::string(token) + "' is missing");
  }

  static bool isWord(char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
  }
  std::string_view word() {
    skip();
    const size_t start = at_;
    while (at_ < text_.size() && isWord(text_[at_])) ++at_;
    return text_.substr(start, at_ - start);
  }

  // Skips what is between "<" and ">": the value that follows has the same parameters.
  void skipParameters() {
    if (!take("<")) return;
    for (int depth = 1; depth > 0; ++at_) {
      if (at_ >= text_.size()) return fail(at_, Condition::Grammar, "'>' is missing");
      depth += text_[at_] == '<' ? 1 : text_[at_] == '>' ? -1 : 0;
    }
  }

  void statement() {
    skip();
    const size_t start = at_;
    std::string_view first = word();
    // A specialization constant, or the initialization of a loop.
    if ((first == "layout" || first == "for") && take("(")) {
      loopHeader_ = first == "for";
      while (first == "layout" && at_ < text_.size() && text_[at_++] != ')') {
      }
      first = word();
    }
    if (first == "const") {
      skip();
      first = word();
    }
    if (first == "shared") first = word();
    if (first == "coopmat") return matrix();
    if (first.starts_with("coopMatLoad") || first.starts_with("coopMatStore"))
      listed_.push_back({std::string(first), lineOf(start)});
    if (first == "coopMatLoadTensorNV") return access(layout::Access::Load);
    if (first == "coopMatStoreTensorNV") return access(layout::Access::Store);
    if (first == "coopMatLoad") return plainAccess(layout::Access::Load);
    if (first == "coopMatStore") return plainAccess(layout::Access::Store);
    if (array(first)) return;
    const bool type = first == "tensorLayoutNV" || first == "tensorViewNV" || componentBytesOf(first);
    if (type) skipParameters();
    // If a second name follows, this is a declaration.
    const size_t beforeName = at_;
    skip();
    std::string_view name = type && at_ < text_.size() && isWord(text_[at_]) ? word() : first;
    if (!type) at_ = beforeName;
    skip();
    if (text_.substr(at_).starts_with("=") && !text_.substr(at_).starts_with("==") && !name.empty()) {
      ++at_;
      assigned_ = name;
      const Value assigned = value(0);
      if (failure_) return;
      failed_.erase(assigned_);
      // A value from outside overrides a constant's own value.
      if (given_.count(assigned_) == 0) variables_[assigned_] = assigned;
      store(assigned);
      return;
    }
    if (!type && change(name)) return;
    at_ = start;
    store(value(0));
  }

  // What can follow `name`: an operator with "=" and a value, or "++" or "--", which may also precede a name.
  bool change(std::string_view name) {
    const size_t start = at_;
    const std::string_view rest = text_.substr(at_);
    const bool one = rest.starts_with("++") || rest.starts_with("--");
    const Operator* op = operatorAt(rest);
    if (op == nullptr || (name.empty() && !one)) return false;
    // Comparisons and logical operators do not have such a form: "<=" is itself a comparison.
    const bool arithmetic = op->precedence > 2 && op->precedence != 6 && op->precedence != 7;
    if (!one && !(arithmetic && rest.substr(op->text.size()).starts_with("="))) return false;
    at_ += one ? 2 : op->text.size() + 1;
    assigned_ = name.empty() ? word() : name;
    const int64_t by = one ? 1 : number(value(0));
    const auto known = variables_.find(assigned_);
    if (failure_ || known == variables_.end() || given_.count(assigned_) != 0) return true;
    if (const auto* was = std::get_if<int64_t>(&known->second))
      known->second = operated(*op, *was, by, start);
    return true;
  }

  void store(const Value& value) {
    // The last layout and view count, unless a load or store determines them.
    if (accessed_ || failure_) return;
    if (const auto* t = std::get_if<TensorLayout>(&value)) result_.layout = *t;
    if (const auto* v = std::get_if<TensorView>(&value)) result_.view = *v;
  }

  void matrix() {
    expect("<");
    const size_t typeAt = at_;
    const std::optional<uint32_t> bytes = componentBytesOf(word());
    if (!bytes) return fail(typeAt, Condition::ComponentType, "this is not a component type");
    expect(",");
    word();
    expect(",");
    Matrix m;
    m.bytes = *bytes;
    m.rows = size(number(value(0)));
    expect(",");
    m.columns = size(number(value(0)));
    expect(",");
    const std::string_view useName = word();
    for (const auto& [name, known] : kUses) {
      if (useName == name) m.use = known;
    }
    expect(">");
    if (failure_) return;
    variables_[std::string(word())] = m;
    skipIndex();
    use(m);
  }

  // type name "[" ...: the array element in which plain loads count. If members of one name differ between
  // blocks, it is unknown.
  bool array(std::string_view type) {
    const std::optional<uint32_t> bytes = elementBytesOf(type);
    const size_t start = at_;
    const std::string name(word());
    if (!bytes || name.empty() || !take("[")) {
      at_ = start;
      return false;
    }
    while (at_ < text_.size() && text_[at_] != ';') ++at_;
    const auto [known, isNew] = arrays_.emplace(name, *bytes);
    if (!isNew && known->second != *bytes) known->second = 0;
    return true;
  }

  // Skips "[" ... "]".
  void skipIndex() {
    if (!take("[")) return;
    for (int depth = 1; depth > 0; ++at_) {
      if (at_ >= text_.size()) return fail(at_, Condition::Grammar, "']' is missing");
      depth += text_[at_] == '[' ? 1 : text_[at_] == ']' ? -1 : 0;
    }
  }
  uint32_t size(int64_t n) {
    if (n < 1 || n > 65536)
      fail(at_, Condition::MatrixSize,
           std::to_string(n) + " rows or columns are not in the range 1 to 65536");
    return static_cast<uint32_t>(n);
  }
  void use(const Matrix& m) {
    result_.rows = m.rows;
    result_.columns = m.columns;
    result_.componentBytes = m.bytes;
    result_.use = m.use;
  }

  // The beginning of all loads and stores: "(" matrix "," memory "," offset ","
  int64_t accessStart(layout::Access kind) {
    access_ = true;
    expect("(");
    skip();
    const size_t matrixAt = at_;
    const auto matrix = variables_.find(std::string(word()));
    skipIndex();
    if (matrix != variables_.end() && std::holds_alternative<Matrix>(matrix->second)) {
      use(std::get<Matrix>(matrix->second));
    } else if (matrix != variables_.end()) {
      fail(matrixAt, Condition::ValueType, "this is not a matrix");
    }
    expect(",");
    // The memory can be any expression, up to the first comma outside brackets. Its last name is that of the
    // array.
    size_t nameEnds = at_;
    for (int depth = 0; at_ < text_.size() && (depth > 0 || text_[at_] != ','); ++at_) {
      depth += text_[at_] == '(' || text_[at_] == '[' ? 1 : text_[at_] == ')' || text_[at_] == ']' ? -1 : 0;
      if (depth == 0 && isWord(text_[at_])) nameEnds = at_ + 1;
    }
    size_t nameStarts = nameEnds;
    while (nameStarts > 0 && isWord(text_[nameStarts - 1])) --nameStarts;
    const auto known = arrays_.find(std::string(text_.substr(nameStarts, nameEnds - nameStarts)));
    result_.elementBytes = known == arrays_.end() ? 0 : known->second;
    expect(",");
    const int64_t offset = number(value(0));
    if (offset < 0) fail(at_, Condition::ElementOffset, "the element offset is negative");
    expect(",");
    result_.access = kind;
    return offset;
  }

  // coopMat... "(" matrix "," memory "," offset "," stride "," memory layout ")"
  void plainAccess(layout::Access kind) {
    layout::StridedMatrix plain;
    plain.offset = static_cast<uint32_t>(accessStart(kind));
    plain.stride = static_cast<uint32_t>(number(value(0)));
    expect(",");
    plain.memoryLayout = static_cast<MemoryLayout>(number(value(0)));
    if (failure_) return;
    result_.plain = plain;
    result_.layout.reset();
    result_.view.reset();
    accessed_ = true;
    expect(")");
  }

  // coopMat...TensorNV "(" matrix "," memory "," offset "," layout [ "," view ] [ "," decode ] ")"
  void access(layout::Access kind) {
    const int64_t offset = accessStart(kind);
    const auto t = as<TensorLayout>(value(0), "a tensor layout");
    if (failure_) return;
    result_.plain.reset();
    result_.layout = t;
    result_.view.reset();
    result_.elementOffset = static_cast<uint64_t>(offset);
    accessed_ = true;
    while (take(",")) {
      skip();
      const size_t before = at_;
      const std::string name(word());
      skip();
      // A name that is neither a variable nor followed by a call is a decode function.
      if (variables_.count(name) == 0 && (at_ >= text_.size() || text_[at_] != '(')) continue;
      at_ = before;
      result_.view = as<TensorView>(value(0), "a tensor view");
    }
    expect(")");
  }

  template <class T>
  T as(const Value& value, const char* what) {
    const T* typed = std::get_if<T>(&value);
    if (typed != nullptr) return *typed;
    fail(at_, Condition::ValueType, std::string("what ends here is not ") + what);
    return T{};
  }
  int64_t number(const Value& value) { return as<int64_t>(value, "a number"); }

  Value value(int depth) {
    const Value condition = binary(0, depth);
    if (failure_ || !take("?")) return condition;
    const bool first = number(condition) != 0;
    Value yes = value(depth + 1);
    expect(":");
    Value no = value(depth + 1);
    return first ? yes : no;
  }
  // 32-bit arithmetic, because all numbers here are int or uint.
  static int64_t wrapped(int64_t n) { return n > UINT32_MAX || n < INT32_MIN ? static_cast<int32_t>(n) : n; }

  Value binary(int least, int depth) {
    Value left = unary(depth);
    for (;;) {
      skip();
      const size_t start = at_;
      const Operator* op = operatorAt(text_.substr(at_));
      if (failure_ || op == nullptr || op->precedence <= least) return left;
      at_ += op->text.size();
      const int64_t a = number(left);
      const int64_t b = number(binary(op->precedence, depth + 1));
      if (failure_) return left;
      left = operated(*op, a, b, start);
    }
  }
  Value operated(const Operator& op, int64_t a, int64_t b, size_t at) {
    if ((op.text == "/" || op.text == "%") && b == 0)
      return failed(at, Condition::Division, "a division by zero");
    return wrapped(applied(op, a, b));
  }

  Value unary(int depth) {
    if (depth > kMaxNesting) return failed(at_, Condition::Nesting, "nested too deeply");
    if (take("-")) return wrapped(-number(unary(depth + 1)));
    if (take("~")) return wrapped(~number(unary(depth + 1)));
    if (take("!")) return int64_t{number(unary(depth + 1)) == 0};
    if (take("(")) {
      const Value inner = value(depth + 1);
      expect(")");
      return inner;
    }
    skip();
    const size_t start = at_;
    std::string name(word());
    if (name.empty()) return failed(start, Condition::Grammar, "a value is missing");
    // gl_WorkGroupID.x, parameters.rows: names with values from outside.
    while (name[0] > '9' && take(".")) name += "." + std::string(word());
    if (name[0] >= '0' && name[0] <= '9') {
      const std::optional<int64_t> n = numberOf(name);
      if (!n || *n > UINT32_MAX || *n < 0)
        return failed(start, Condition::NumberRange, "'" + name + "' is not a number of 32 bits");
      return *n;
    }
    const auto* function = std::find_if(std::begin(kFunctions), std::end(kFunctions),
                                        [&](const Named& f) { return f.name == name; });
    if (function != std::end(kFunctions)) return call(*function, start, depth);
    for (const Constant& constant : kConstants) {
      if (constant.name == name) return constant.value;
    }
    for (const layout::ClampModeName& clamp : layout::kClampModeNames) {
      if (clamp.glsl == name) return int64_t(clamp.mode);
    }
    const auto variable = variables_.find(name);
    if (const auto why = failed_.find(name); why != failed_.end()) {
      fail(why->second);
      return int64_t{0};
    }
    if (variable == variables_.end())
      return failed(start, Condition::NoValue,
                    "'" + name + "' has no value; --set " + name + "=N gives it one");
    return variable->second;
  }

  Value call(const Named& function, size_t start, int depth) {
    expect("(");
    std::vector<Value> arguments;
    if (!take(")")) {
      do arguments.push_back(value(depth + 1));
      while (take(","));
      expect(")");
    }
    const auto lacks = [&](size_t count) {
      if (arguments.size() == count) return false;
      fail(start, Condition::ArgumentCount,
           std::string(function.name) + " has " + std::to_string(arguments.size()) +
               " arguments instead of " + std::to_string(count));
      return true;
    };
    const auto word32 = [&](size_t i) { return static_cast<uint32_t>(number(arguments[i])); };
    // Arguments from `first` on, `step` apart.
    const auto coord = [&](size_t first, size_t step, uint32_t dim) {
      Coord result{};
      for (uint32_t i = 0; i < dim; ++i) result[i] = word32(first + step * i);
      return result;
    };
    const auto refused = [&](const layout::Broken& broken) {
      fail(Failure{start, described(broken)});
      return Value(int64_t{0});
    };
    const Value none = int64_t{0};
    if (arguments.empty() && lacks(1)) return none;
    switch (function.function) {
      case Function::Cast:
        if (lacks(1)) return none;
        return static_cast<int64_t>(number(arguments[0]));
      case Function::Min:
        if (lacks(2)) return none;
        return std::min(number(arguments[0]), number(arguments[1]));
      case Function::Max:
        if (lacks(2)) return none;
        return std::max(number(arguments[0]), number(arguments[1]));
      case Function::Clamp:
        if (lacks(3)) return none;
        return std::min(std::max(number(arguments[0]), number(arguments[1])), number(arguments[2]));
      case Function::CreateLayout: {
        if (arguments.size() > 2 && lacks(2)) return none;
        const auto made = layout::createTensorLayout(
            word32(0), arguments.size() > 1 ? static_cast<ClampMode>(word32(1)) : ClampMode::Undefined);
        if (!made) return refused(made.broken());
        return *made;
      }
      case Function::CreateView: {
        Coord permutation{0, 1, 2, 3, 4};
        const uint32_t dim = word32(0);
        if (arguments.size() > 2) {
          if (lacks(size_t{2} + std::min(dim, layout::kMaxDim))) return none;
          permutation = coord(2, 1, std::min(dim, layout::kMaxDim));
        }
        const auto made = layout::createTensorView(dim, arguments.size() > 1 && word32(1) != 0, permutation);
        if (!made) return refused(made.broken());
        return *made;
      }
      case Function::ViewDimensions:
      case Function::ViewStride:
      case Function::ViewClip: {
        const auto v = as<TensorView>(arguments[0], "a tensor view");
        if (lacks(function.function == Function::ViewClip ? 5 : size_t{1} + v.dim)) return none;
        if (function.function == Function::ViewDimensions)
          return layout::setViewDimension(v, coord(1, 1, v.dim));
        if (function.function == Function::ViewStride) return layout::setViewStride(v, coord(1, 1, v.dim));
        return layout::setViewClip(v, word32(1), word32(2), word32(3), word32(4));
      }
      default: break;
    }
    const auto t = as<TensorLayout>(arguments[0], "a tensor layout");
    if (lacks(function.function == Function::ClampValue ? 2
              : function.function == Function::Slice    ? size_t{1} + 2 * t.dim
                                                        : size_t{1} + t.dim))
      return none;
    switch (function.function) {
      case Function::BlockSize: return layout::setBlockSize(t, coord(1, 1, t.dim));
      case Function::Dimension: return layout::setDimension(t, coord(1, 1, t.dim));
      case Function::Stride: return layout::setStride(t, coord(1, 1, t.dim));
      case Function::Slice: {
        const Coord offset = coord(1, 2, t.dim);
        SignedCoord signedOffset{};
        for (uint32_t i = 0; i < t.dim; ++i) signedOffset[i] = static_cast<int32_t>(offset[i]);
        return layout::slice(t, signedOffset, coord(2, 2, t.dim));
      }
      default: return layout::setClampValue(t, word32(1));
    }
  }

  std::string_view text_;
  size_t at_ = 0;
  std::optional<Failure> failure_;
  size_t stoppedAt_ = 0;  // how far the text was read when it failed
  std::map<std::string, Value> variables_;
  std::map<std::string, uint32_t> arrays_;  // size of their elements; 0: different sizes
  const std::map<std::string, int64_t>& given_;
  TensorProgram result_;
  bool accessed_ = false;
  // For whole shaders: the current statement, the loads and stores before it, and why names have no value.
  std::string assigned_;
  bool access_ = false;
  bool loopHeader_ = false;  // the current statement is the first one in a loop's header
  uint32_t accesses_ = 0;
  std::vector<MatrixAccess> listed_;
  std::map<std::string, Failure> failed_;
};

}  // namespace

std::optional<uint32_t> componentBytesOf(std::string_view type) {
  for (const Type& t : kTypes) {
    if (t.name == type) return t.bytes;
  }
  if (const std::optional<NumberType> number = parseNumberType(type)) return uint32_t(byteSize(*number));
  return std::nullopt;
}

bool isShader(std::string_view text) { return text.find("void main(") != std::string_view::npos; }

std::optional<TensorProgram> runTensorProgram(std::string_view source,
                                              const std::map<std::string, int64_t>& names, std::string& error,
                                              std::optional<uint32_t> which) {
  const std::string text = withoutMacros(source, names);
  Runner runner(text, names);
  TensorProgram program = isShader(text) ? runner.runShader(which.value_or(0)) : runner.run(which);
  if (!runner.failure()) return program;
  const Failure& failure = *runner.failure();
  const std::string_view before = std::string_view(text).substr(0, failure.at);
  const size_t start = before.rfind('\n') + 1;
  error = std::to_string(runner.lineOf(failure.at)) + ":" + std::to_string(before.size() - start + 1) + ": " +
          failure.message;
  return std::nullopt;
}

std::vector<MatrixAccess> matrixAccesses(std::string_view source,
                                         const std::map<std::string, int64_t>& names) {
  const std::string text = withoutMacros(source, names);
  Runner runner(text, names);
  // No text has so many: all are passed.
  constexpr uint32_t kNone = UINT32_MAX;
  if (isShader(text))
    runner.runShader(kNone);
  else
    runner.run(kNone);
  return runner.listed();
}

}  // namespace coopc::cooplayout
