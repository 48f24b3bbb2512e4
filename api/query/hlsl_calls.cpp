// Fixes for calls of HLSL's functions that are more than another name in GLSL: `saturate(x)` is
// `clamp(x, 0.0, 1.0)`, `mul(a, b)` is a product. They are made of the arguments' text and types, and fit the
// expression around the call. An argument that a fix would write twice must have no effects.
#include <algorithm>
#include <optional>

#include "api/query/query.hpp"

namespace coopc {

namespace fe = frontend;

namespace {

using fe::Tok;

// The kind of replacement, which decides where it needs parentheses.
enum class Form : uint8_t { Operand, Product, Sum, Statement };

bool isOperator(Tok kind) { return kind == Tok::Equal || (kind >= Tok::Bang && kind <= Tok::OrAssign); }
bool isAssigning(Tok kind) {
  return kind == Tok::Equal || kind == Tok::IncOp || kind == Tok::DecOp ||
         (kind >= Tok::MulAssign && kind <= Tok::OrAssign);
}
bool isOpening(Tok kind) {
  return kind == Tok::LeftParen || kind == Tok::LeftBracket || kind == Tok::LeftBrace;
}
bool isClosing(Tok kind) {
  return kind == Tok::RightParen || kind == Tok::RightBracket || kind == Tok::RightBrace;
}

class HlslCall {
 public:
  HlslCall(const Query::Impl& d, const TextRange& name, std::string_view suggestion)
      : d_(d),
        list_(d.tokens(name.file)),
        text_(d.sources().text(name.file)),
        at_(name),
        suggestion_(suggestion) {}

  std::vector<Fix> run() {
    if (!readArguments()) return {};
    struct Row {
      std::string_view name;
      size_t arguments;
      void (HlslCall::*make)();
    };
    static constexpr Row kRows[] = {
        {"saturate", 1, &HlslCall::saturate},
        {"mul", 2, &HlslCall::product},
        {"fmod", 2, &HlslCall::remainder},
        {"rcp", 1, &HlslCall::reciprocal},
        {"log10", 1, &HlslCall::logarithm},
        {"isfinite", 1, &HlslCall::isFinite},
        {"sincos", 3, &HlslCall::sineAndCosine},
        {"clip", 1, &HlslCall::clip},
        {"f16tof32", 1, &HlslCall::unpackHalf},
        {"f32tof16", 1, &HlslCall::packHalf},
        {"asdouble", 2, &HlslCall::packDouble},
        {"WaveGetLaneCount", 0, &HlslCall::subgroupVariable},
        {"WaveGetLaneIndex", 0, &HlslCall::subgroupVariable},
        {"AllMemoryBarrierWithGroupSync", 0, &HlslCall::barrier},
        {"DeviceMemoryBarrierWithGroupSync", 0, &HlslCall::barrier},
    };
    for (const Row& row : kRows)
      if (row.name == name_ && row.arguments == arguments_.size()) (this->*row.make)();
    interlocked();
    textureLevel();
    matrixConstructor();
    return std::move(fixes_);
  }

 private:
  struct Argument {
    size_t first, end;  // indices of tokens
    fe::TypeId type;    // kErrorType: not known
  };

  // `name ( arguments )`, with the types that the checker gave them.
  bool readArguments() {
    const std::vector<fe::Token>& tokens = list_.tokens;
    first_ = list_.before(at_.begin);
    if (first_ + 1 >= tokens.size() || list_.begin(first_) != at_.begin || !fe::isName(tokens[first_]) ||
        tokens[first_ + 1].kind != Tok::LeftParen)
      return false;
    name_ = d_.nameText(tokens[first_].name());
    size_t depth = 0, begin = first_ + 2;
    for (last_ = first_ + 1; last_ < tokens.size(); ++last_) {
      const Tok kind = tokens[last_].kind;
      if (kind == Tok::Semicolon || kind == Tok::Hash) return false;  // `#`: directives among the arguments
      const bool ends = kind == Tok::RightParen && depth == 1;
      if ((ends || (kind == Tok::Comma && depth == 1)) && begin < last_) {
        arguments_.push_back({begin, last_, fe::kErrorType});
        begin = last_ + 1;
      }
      if (ends) break;
      if (isOpening(kind)) ++depth;
      if (isClosing(kind)) --depth;
    }
    if (last_ >= tokens.size()) return false;
    for (const fe::Observer::UnknownCall& call : d_.observer.unknownCalls) {
      if (!(d_.range(call.at, at_.end - at_.begin) == at_)) continue;
      for (size_t n = 0; n < call.arguments.size() && n < arguments_.size(); ++n)
        arguments_[n].type = call.arguments[n];
    }
    return true;
  }

  // --- The text

  std::string written(size_t argument) const {
    const Argument& a = arguments_[argument];
    return std::string(text_.substr(list_.begin(a.first), list_.end(a.end - 1) - list_.begin(a.first)));
  }
  // As an operand of an operator.
  std::string operand(size_t argument) const {
    const Argument& a = arguments_[argument];
    size_t depth = 0;
    for (size_t i = a.first; i < a.end; ++i) {
      const Tok kind = list_.tokens[i].kind;
      if (isOpening(kind)) ++depth;
      if (isClosing(kind)) --depth;
      if (depth == 0 && isOperator(kind)) return "(" + written(argument) + ")";
    }
    return written(argument);
  }

  // Whether a second evaluation changes nothing: there are no assignments, and no calls but of constructors
  // and of built-in functions without effects.
  bool isRepeatable(size_t argument) const {
    const Argument& a = arguments_[argument];
    for (size_t i = a.first; i < a.end; ++i) {
      const fe::Token& token = list_.tokens[i];
      if (isAssigning(token.kind)) return false;
      if (!fe::isName(token) || i + 1 >= a.end || list_.tokens[i + 1].kind != Tok::LeftParen) continue;
      const fe::NameInfo& name = d_.names()[token.name()];
      const bool declared = d_.mentionAt(at_.file, list_.begin(i)) != nullptr;
      const std::string_view text = name.text();
      if (declared || (name.builtinName == 0 && name.builtinType == 0) || text.starts_with("atomic") ||
          text.starts_with("imageAtomic"))
        return false;
    }
    return true;
  }

  Tok before() const { return first_ == 0 ? Tok::Semicolon : list_.tokens[first_ - 1].kind; }
  Tok behind() const { return last_ + 1 < list_.tokens.size() ? list_.tokens[last_ + 1].kind : Tok::End; }
  bool isStatement() const {
    const Tok kind = before();
    return behind() == Tok::Semicolon &&
           (kind == Tok::Semicolon || kind == Tok::LeftBrace || kind == Tok::RightBrace);
  }
  // The same for a replacement that is one statement, which may be that of an `if` or a loop.
  bool isOneStatement() const {
    const Tok kind = before();
    return isStatement() || (behind() == Tok::Semicolon && (kind == Tok::RightParen || kind == Tok::KwElse));
  }

  // Whether no operator around the call binds its replacement.
  bool standsAlone(Form form) const {
    if (form == Form::Operand || form == Form::Statement) return true;
    const Tok left = before(), right = behind();
    const bool afterValue = first_ >= 2 && !isOperator(list_.tokens[first_ - 2].kind) &&
                            !isOpening(list_.tokens[first_ - 2].kind) &&
                            list_.tokens[first_ - 2].kind != Tok::Comma &&
                            list_.tokens[first_ - 2].kind != Tok::KwReturn;
    const bool added = form == Form::Product && (left == Tok::Plus || left == Tok::Dash) && afterValue;
    const bool isLeft = added || isOpening(left) || isAssigning(left) || left == Tok::Semicolon ||
                        left == Tok::RightBrace || left == Tok::Comma || left == Tok::Question ||
                        left == Tok::Colon || left == Tok::KwReturn;
    const bool isRight = (form == Form::Product && (right == Tok::Plus || right == Tok::Dash)) ||
                         isClosing(right) || right == Tok::Semicolon || right == Tok::Comma ||
                         right == Tok::Question || right == Tok::Colon;
    return isLeft && isRight;
  }

  // The call's text is replaced; `said` follows the title. A statement's last `;` is there already.
  void offer(const std::string& replacement, Form form = Form::Operand, std::string_view said = {}) {
    std::string title = "Replace by `" + replacement;
    if (form == Form::Statement) title += ';';
    title += '`';
    title += said;
    const std::string text = standsAlone(form) ? replacement : "(" + replacement + ")";
    fixes_.push_back({std::move(title), {{{at_.file, at_.begin, list_.end(last_)}, text}}});
  }

  // --- Types

  fe::TypeId type(size_t argument) const { return arguments_[argument].type; }
  bool isScalar(size_t argument) const { return fe::isScalarType(type(argument)); }
  bool isVector(size_t argument) const { return fe::isVectorType(type(argument)); }
  // A constant of the component type of an argument.
  std::string constant(std::string_view value, size_t argument) const {
    const fe::TypeId of = type(argument);
    std::string text(value);
    if (!fe::isBasic(of)) return text;
    if (fe::basicScalar(of) == fe::Scalar::Float16) return "float16_t(" + text + ")";
    return fe::basicScalar(of) == fe::Scalar::Double ? text + "lf" : text;
  }

  // --- Functions

  void saturate() {
    offer("clamp(" + written(0) + ", " + constant("0.0", 0) + ", " + constant("1.0", 0) + ")");
  }

  // HLSL multiplies a vector before a matrix as a row and after it as a column, as GLSL does. A matrix that
  // was made of HLSL's rows is transposed in GLSL, which is made of columns: the order is reversed then.
  void product() {
    const std::string plain = operand(0) + " * " + operand(1), reversed = operand(1) + " * " + operand(0);
    const fe::TypeId a = type(0), b = type(1);
    if (isVector(0) && isVector(1)) return offer("dot(" + written(0) + ", " + written(1) + ")");
    if (isScalar(0) || isScalar(1)) return offer(plain, Form::Product);
    // GLSL 4.60, 5.9: the columns of the left operand are the rows of the right one; a vector on the left is
    // a row.
    const auto multiplies = [](fe::TypeId left, fe::TypeId right) {
      if (!fe::isBasic(left) || !fe::isBasic(right)) return true;
      return (fe::isVectorType(left) ? fe::basicRows(left) : fe::basicColumns(left)) == fe::basicRows(right);
    };
    if (multiplies(a, b)) offer(plain, Form::Product, ", if GLSL's matrices are HLSL's");
    if (multiplies(b, a)) offer(reversed, Form::Product, ", if GLSL's columns are HLSL's rows");
  }

  // HLSL's fmod rounds the quotient to zero, GLSL's mod rounds it down.
  void remainder() {
    if (isRepeatable(0) && isRepeatable(1))
      offer(operand(0) + " - " + operand(1) + " * trunc(" + operand(0) + " / " + operand(1) + ")", Form::Sum);
    offer("mod(" + written(0) + ", " + written(1) + ")", Form::Operand,
          ", whose result has the sign of `" + written(1) + "`");
  }

  void reciprocal() { offer(constant("1.0", 0) + " / " + operand(0), Form::Product); }
  void logarithm() { offer("log2(" + written(0) + ") * " + constant("0.30103", 0), Form::Product); }

  void isFinite() {
    if (!isRepeatable(0)) return;
    const std::string x = written(0);
    if (!isVector(0)) return offer("!(isnan(" + x + ") || isinf(" + x + "))");
    const std::string size = std::to_string(fe::basicRows(type(0)));
    offer("not(bvec" + size + "(uvec" + size + "(isnan(" + x + ")) | uvec" + size + "(isinf(" + x + "))))");
  }

  // The angle is read again after the sine was written.
  void sineAndCosine() {
    const Argument& x = arguments_[0];
    const fe::Token& sine = list_.tokens[arguments_[1].first];
    if (!isStatement() || !isRepeatable(0) || !fe::isName(sine)) return;
    for (size_t i = x.first; i < x.end; ++i)
      if (fe::isName(list_.tokens[i]) && list_.tokens[i].name() == sine.name()) return;
    offer(written(1) + " = sin(" + written(0) + "); " + written(2) + " = cos(" + written(0) + ")",
          Form::Statement);
  }

  void clip() {
    if (!isStatement() || d_.session->options.stage != fe::Stage::Fragment) return;
    if (isScalar(0))
      return offer("if (" + operand(0) + " < " + constant("0.0", 0) + ") discard", Form::Statement);
    if (!isVector(0)) return;
    const std::string zero = d_.typeText(type(0)) + "(" + constant("0.0", 0) + ")";
    offer("if (any(lessThan(" + written(0) + ", " + zero + "))) discard", Form::Statement);
  }

  void unpackHalf() {
    if (!isVector(0)) offer("unpackHalf2x16(" + written(0) + ").x");
  }
  void packHalf() {
    if (!isVector(0)) offer("packHalf2x16(vec2(" + written(0) + ", 0.0))");
  }
  void packDouble() {
    if (isScalar(0)) offer("packDouble2x32(uvec2(" + written(0) + ", " + written(1) + "))");
  }

  void subgroupVariable() {
    offer(name_ == "WaveGetLaneCount" ? "gl_SubgroupSize" : "gl_SubgroupInvocationID");
  }

  void barrier() {
    if (!isStatement() || !fe::stageInfo(d_.session->options.stage).has(fe::kHasWorkgroup)) return;
    offer(name_.starts_with("All") ? "memoryBarrier(); barrier()"
                                   : "memoryBarrierBuffer(); memoryBarrierImage(); barrier()",
          Form::Statement);
  }

  // HLSL's functions of atomic operations have the old value as a last parameter, GLSL's return it.
  void interlocked() {
    const size_t needed = suggestion_ == "atomicCompSwap" ? 4 : 3;
    if (!name_.starts_with("Interlocked") || suggestion_.empty() || arguments_.size() != needed ||
        !isOneStatement())
      return;
    std::string call = written(needed - 1) + " = " + std::string(suggestion_) + "(";
    for (size_t n = 0; n + 1 < needed; ++n) call += (n == 0 ? "" : ", ") + written(n);
    offer(call + ")", Form::Statement);
  }

  // Level or bias of Direct3D 9's functions are the last component of the coordinates.
  void textureLevel() {
    struct Row {
      std::string_view name, coordinates;
    };
    constexpr Row kRows[] = {{"tex1D", "x"}, {"tex2D", "xy"}, {"tex3D", "xyz"}, {"texCUBE", "xyz"}};
    for (const Row& row : kRows) {
      const bool level = name_ == std::string(row.name) + "lod",
                 bias = name_ == std::string(row.name) + "bias";
      if ((!level && !bias) || arguments_.size() != 2 || !isRepeatable(1)) continue;
      offer((level ? "textureLod(" : "texture(") + written(0) + ", " + operand(1) + "." +
            std::string(row.coordinates) + ", " + operand(1) + ".w)");
    }
  }

  // `float3x4` has 3 rows, by which HLSL's constructor is given its components; GLSL's is given columns.
  void matrixConstructor() {
    const size_t x = name_.size() < 3 ? std::string_view::npos : name_.size() - 2;
    if (x == std::string_view::npos || name_[x] != 'x' || arguments_.size() < 2) return;
    const std::string_view base = name_.substr(0, x - 1);
    const char rows = name_[x - 1], columns = name_[x + 1];
    if (rows < '2' || rows > '4' || columns < '2' || columns > '4') return;
    std::string made = base == "float" ? "mat" : base == "double" ? "dmat" : base == "half" ? "f16mat" : "";
    if (made.empty()) return;
    made += rows;
    if (rows != columns) (made += 'x') += columns;
    made += text_.substr(list_.begin(first_ + 1), list_.end(last_) - list_.begin(first_ + 1));
    offer("transpose(" + made + ")", Form::Operand, ", if GLSL's matrices are HLSL's");
    if (rows == columns) offer(made, Form::Operand, ", if GLSL's columns are HLSL's rows");
  }

  const Query::Impl& d_;
  const FileTokens& list_;
  std::string_view text_;
  TextRange at_;                 // the function's name
  std::string_view suggestion_;  // another name for it, by the diagnostic
  std::string_view name_;
  size_t first_ = 0, last_ = 0;  // the tokens of the name and of the closing bracket
  std::vector<Argument> arguments_;
  std::vector<Fix> fixes_;
};

}  // namespace

std::vector<Fix> hlslCallFixes(const Query::Impl& d, const TextRange& name, std::string_view suggestion) {
  return name.valid() ? HlslCall(d, name, suggestion).run() : std::vector<Fix>();
}

}  // namespace coopc
