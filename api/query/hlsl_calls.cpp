// Fixes for calls of HLSL's functions that need more than another name in GLSL: `saturate(x)` is
// `clamp(x, 0.0, 1.0)`, `mul(a, b)` is a product. They are made of the arguments' text and types, and fit the
// expression around the call. An argument that a fix would write twice must have no side effects.
#include "api/query/call_text.hpp"

namespace coopc {

namespace fe = frontend;

namespace {

class HlslCall : CallText {
 public:
  HlslCall(const Query::Impl& d, const TextRange& name, std::string_view suggestion)
      : CallText(d, name), suggestion_(suggestion) {}

  HlslFixes run() {
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
    return {std::move(fixes_), renames_};
  }

 private:
  // --- Functions

  void saturate() {
    offer("clamp(" + written(0) + ", " + constant("0.0", 0) + ", " + constant("1.0", 0) + ")");
  }

  // HLSL multiplies a vector before a matrix as a row and after it as a column, as GLSL does. GLSL makes
  // matrices of columns: one that was made of HLSL's rows is transposed, and the operands are in reverse
  // order then.
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

  // The angle is read again after the sine was written, so the sine's variable must not occur in it.
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

  // HLSL's functions of atomic operations return the old value in a last parameter, GLSL's as the result.
  // Without that parameter, another name is enough. HLSL converts arguments that GLSL's functions do not
  // accept (8.11: both have one type).
  void interlocked() {
    if (!name_.starts_with("Interlocked") || suggestion_.empty()) return;
    const bool stores = name_ == "InterlockedCompareStore";
    const size_t given = suggestion_ == "atomicCompSwap" ? 3 : 2;
    const bool returns = !stores && arguments_.size() == given + 1;
    renames_ = false;
    if (arguments_.size() != given && !returns) return;
    // In GLSL, elements of images and textures are not variables.
    for (size_t n = 0; n < arguments_.size(); ++n)
      if (!isScalar(n)) return;
    const fe::Scalar memory = fe::basicScalar(type(0));
    bool converts = false;
    std::string call = std::string(suggestion_) + "(" + written(0);
    for (size_t n = 1; n < given; ++n) {
      const bool differs = fe::basicScalar(type(n)) != memory;
      converts = converts || differs;
      call += ", " + (differs ? d_.typeText(type(0)) + "(" + written(n) + ")" : written(n));
    }
    call += ")";
    if (returns) {
      call = written(given) + " = " + convertedTo(given, memory, call);
      if (!isOneStatement()) call = "(" + call + ")";
    } else if (!converts) {
      renames_ = true;
      return;
    }
    if (isOneStatement())
      offer(call, Form::Statement);
    else
      offer(call);
  }

  // In Direct3D 9's functions, the level or the bias is the last component of the coordinates.
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

  // `float3x4` has 3 rows. HLSL's constructor takes components row by row, GLSL's column by column.
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

  std::string_view suggestion_;  // another name for it, by the diagnostic
  bool renames_ = true;
};

}  // namespace

HlslFixes hlslCallFixes(const Query::Impl& d, const TextRange& name, std::string_view suggestion) {
  return name.valid() ? HlslCall(d, name, suggestion).run() : HlslFixes();
}

}  // namespace coopc
