// Fixes for methods of HLSL's textures, which are functions of samplers and images in GLSL (8.9, 8.12):
// `t.Sample(s, p)` is `texture(sampler2D(t, s), p)`, or `texture(t, p)` where `t` is a sampler already. A
// texture without a sampler is read by functions of GL_EXT_samplerless_texture_functions.
#include <algorithm>

#include "api/query/call_text.hpp"
#include "frontend/base/characters.hpp"

namespace coopc {

namespace fe = frontend;

namespace {

class HlslMethod : CallText {
 public:
  HlslMethod(const Query::Impl& d, const TextRange& method) : CallText(d, method) {}

  std::vector<Fix> run() {
    if (!readArguments() || !readObject()) return {};
    sample();
    compare();
    levelOfDetail();
    load();
    dimensions();
    if (samplerless_ && !d_.isOn(fe::ExtensionId::GL_EXT_samplerless_texture_functions, at_.file, at_.begin))
      for (Fix& fix : fixes_)
        fix.edits.insert(
            fix.edits.begin(),
            d_.extensionLine(fe::extensionName(fe::ExtensionId::GL_EXT_samplerless_texture_functions)));
    return std::move(fixes_);
  }

 private:
  // --- The object

  // Reads the object in front of `.method`: its tokens and its type. The call begins with the object.
  bool readObject() {
    const std::vector<fe::Token>& tokens = list_.tokens;
    const size_t method = first_;
    if (method < 2 || tokens[method - 1].kind != Tok::Dot) return false;
    const size_t dot = method - 1;
    size_t at = dot;
    for (;;) {
      if (at == 0) return false;
      --at;
      size_t depth = 0;  // back over an index or the brackets around an expression
      const bool bracket = tokens[at].kind == Tok::RightBracket;
      if (bracket) {
        for (;; --at) {
          if (tokens[at].kind == Tok::RightBracket) ++depth;
          if (tokens[at].kind == Tok::LeftBracket && --depth == 0) break;
          if (at == 0 || tokens[at].kind == Tok::Semicolon) return false;
        }
        continue;
      }
      if (!fe::isName(tokens[at])) return false;
      if (at == 0 || tokens[at - 1].kind != Tok::Dot) break;
      --at;
    }
    first_ = at;
    object_ = text_.substr(list_.begin(at), list_.end(dot - 1) - list_.begin(at));
    objectRepeats_ = isRepeatable(at, dot);
    const uint32_t raw = d_.sources().loc(at_.file, list_.begin(dot)).raw;
    for (const fe::Observer::Field& f : d_.observer.fields)
      if (f.dot.raw == raw) objectType_ = f.base;
    if (d_.program.types.kind(objectType_) != fe::TypeKind::Image) return false;
    image_ = d_.program.types[objectType_].image();
    return image_.dim != fe::ImageDim::Rect && image_.dim != fe::ImageDim::Subpass;
  }

  bool isCombined() const {
    return image_.kind == fe::ImageKind::Combined || image_.kind == fe::ImageKind::CombinedShadow;
  }
  // Components of a coordinate in the image, without the layer.
  uint32_t dimensionCount() const {
    switch (image_.dim) {
      case fe::ImageDim::D1:
      case fe::ImageDim::Buffer: return 1;
      case fe::ImageDim::D2: return 2;
      default: return 3;
    }
  }

  // The sampler of a function that samples, with the method's first argument, a sampler in HLSL. "": none.
  std::string sampler(bool shadow) const {
    if (isCombined())
      return shadow == (image_.kind == fe::ImageKind::CombinedShadow) ? std::string(object_) : std::string();
    if (image_.kind != fe::ImageKind::Texture || !isKnown(0)) return {};
    if (d_.program.types.kind(type(0)) != fe::TypeKind::Image) return {};
    const fe::ImageKind given = d_.program.types[type(0)].image().kind;
    if (given != (shadow ? fe::ImageKind::SamplerShadow : fe::ImageKind::Sampler)) return {};
    // GL_KHR_vulkan_glsl: `sampler2D(texture2D, sampler)`; both or none are for comparisons.
    std::string made = d_.typeText(objectType_);
    const size_t word = made.find("texture");
    if (word == std::string::npos) return {};
    made.replace(word, 7, "sampler");
    if (shadow) made += "Shadow";
    return made + "(" + std::string(object_) + ", " + written(0) + ")";
  }

  // Whether all of the arguments have types: one without a type must be fixed first.
  bool areKnown(size_t from) const {
    for (size_t n = from; n < arguments_.size(); ++n)
      if (!isKnown(n)) return false;
    return true;
  }
  bool isFragment() const { return d_.session->options.stage == fe::Stage::Fragment; }

  // --- Methods

  // The arguments after the sampler are the function's, and HLSL's offset is last.
  void sample() {
    struct Row {
      std::string_view method, function;
      size_t arguments;  // after the sampler, without the offset
      size_t beforeOffset;
      std::string_view last;  // one that the function has besides
      bool fragment;
    };
    static constexpr Row kRows[] = {
        {"Sample", "texture", 1, 1, "", false},
        {"SampleBias", "texture", 2, 1, "", true},
        {"SampleLevel", "textureLod", 2, 2, "", false},
        {"SampleGrad", "textureGrad", 3, 3, "", false},
        {"Gather", "textureGather", 1, 1, "", false},
        {"GatherRed", "textureGather", 1, 1, ", 0", false},
        {"GatherGreen", "textureGather", 1, 1, ", 1", false},
        {"GatherBlue", "textureGather", 1, 1, ", 2", false},
        {"GatherAlpha", "textureGather", 1, 1, ", 3", false},
    };
    for (const Row& row : kRows) {
      if (row.method != name_ || arguments_.size() < row.arguments + 1) continue;
      const bool offset = arguments_.size() == row.arguments + 2;
      const std::string of = sampler(false);
      // Cubes have no offsets in GLSL; in HLSL, a clamp stands there.
      if (of.empty() || arguments_.size() > row.arguments + 2 || !areKnown(1) ||
          (offset && image_.dim == fe::ImageDim::Cube) || (row.fragment && !isFragment()))
        return;
      std::string call = std::string(row.function) + (offset ? "Offset(" : "(") + of;
      for (size_t n = 1; n <= row.arguments; ++n) {
        call += ", " + written(n);
        if (offset && n == row.beforeOffset) call += ", " + written(row.arguments + 1);
      }
      return offer(call + std::string(row.last) + ")");
    }
  }

  // GLSL takes the reference after the coordinates: in the same vector, except for arrays of cubes and for
  // gathers (8.9.2).
  void compare() {
    const bool gathers = name_ == "GatherCmp", zero = name_ == "SampleCmpLevelZero";
    if ((!gathers && !zero && name_ != "SampleCmp") || arguments_.size() < 3 || arguments_.size() > 4) return;
    const std::string of = sampler(true);
    if (of.empty() || !areKnown(1)) return;
    const bool offset = arguments_.size() == 4;
    if (offset && image_.dim == fe::ImageDim::Cube) return;  // a clamp
    const bool apart = image_.dim == fe::ImageDim::Cube && image_.arrayed;
    const std::string word = offset ? "Offset(" : "(", last = offset ? ", " + written(3) : std::string();
    if (gathers)
      return offer("textureGather" + word + of + ", " + written(1) + ", " + written(2) + last + ")");
    if (apart) {
      if (!zero) offer("texture(" + of + ", " + written(1) + ", " + written(2) + ")");
      return;
    }
    const uint32_t given = dimensionCount() + (image_.arrayed ? 1 : 0);
    const std::string between =
        given == 1 ? ", 0.0, " : ", ";  // sampler1DShadow has a component without a use
    const std::string place =
        "vec" + std::to_string(std::max(given, 2u) + 1) + "(" + written(1) + between + written(2) + ")";
    if (!zero) return offer("texture" + word + of + ", " + place + last + ")");
    // textureLod does not exist for all; gradients of zero select level zero too (8.9).
    const bool levels = image_.dim == fe::ImageDim::D1 || (image_.dim == fe::ImageDim::D2 && !image_.arrayed);
    if (levels) return offer("textureLod" + word + of + ", " + place + ", 0.0" + last + ")");
    const std::string gradient = "vec" + std::to_string(dimensionCount()) + "(0.0)";
    offer("textureGrad" + word + of + ", " + place + ", " + gradient + ", " + gradient + last + ")");
  }

  void levelOfDetail() {
    const bool clamped = name_ == "CalculateLevelOfDetail";
    if ((!clamped && name_ != "CalculateLevelOfDetailUnclamped") || arguments_.size() != 2 || !isFragment())
      return;
    const std::string of = sampler(false);
    if (!of.empty() && areKnown(1))
      offer("textureQueryLod(" + of + ", " + written(1) + ")" + (clamped ? ".x" : ".y"));
  }

  // An integer coordinate of `count` components: HLSL converts unsigned ones.
  std::string coordinate(const std::string& text, uint32_t count) const {
    const bool isSigned = fe::basicScalar(type(0)) == fe::Scalar::Int;
    if (isSigned) return text;
    return (count == 1 ? "int" : "ivec" + std::to_string(count)) + "(" + text + ")";
  }

  // For textures with levels, the last component of HLSL's coordinates is the level.
  void load() {
    if (name_ != "Load" || arguments_.empty() || !areKnown(0) || image_.dim == fe::ImageDim::Cube) return;
    if (!isScalar(0) && !isVector(0)) return;
    const fe::Scalar scalar = fe::basicScalar(type(0));
    if (scalar != fe::Scalar::Int && scalar != fe::Scalar::Uint) return;
    const uint32_t needed = dimensionCount() + (image_.arrayed ? 1 : 0), given = fe::basicRows(type(0));
    if (image_.kind == fe::ImageKind::Storage) {
      if (arguments_.size() == 1 && given == needed)
        offer("imageLoad(" + std::string(object_) + ", " + coordinate(written(0), needed) + ")");
      return;
    }
    if (image_.kind != fe::ImageKind::Texture && image_.kind != fe::ImageKind::Combined) return;
    samplerless_ = image_.kind == fe::ImageKind::Texture;
    const std::string head = "texelFetch(" + std::string(object_) + ", ";
    if (image_.dim == fe::ImageDim::Buffer) {
      if (arguments_.size() == 1 && given == 1) offer(head + coordinate(written(0), 1) + ")");
      return;
    }
    if (image_.multisampled) {
      if (arguments_.size() == 2 && given == needed)
        offer(head + coordinate(written(0), needed) + ", " + written(1) + ")");
      return;
    }
    if (given != needed + 1 || arguments_.size() > 2 || !isRepeatable(0)) return;
    const std::string whole = operand(0);
    const std::string place = coordinate(whole + "." + std::string("xyz").substr(0, needed), needed);
    const std::string level = coordinate(whole + "." + std::string("xyzw").substr(needed, 1), 1);
    if (arguments_.size() == 2)
      offer("texelFetchOffset(" + std::string(object_) + ", " + place + ", " + level + ", " + written(1) +
            ")");
    else
      offer(head + place + ", " + level + ")");
  }

  // Whether the name that `place` begins with occurs in a text.
  static bool mentions(std::string_view text, std::string_view place) {
    size_t length = 0;
    while (length < place.size() && fe::isWordChar(place[length])) ++length;
    const std::string_view name = place.substr(0, length);
    for (size_t at = 0; (at = text.find(name, at)) != std::string_view::npos; at += length) {
      const size_t end = at + length;
      const bool begins = at == 0 || !fe::isWordChar(text[at - 1]);
      if (length == 0 || (begins && (end == text.size() || !fe::isWordChar(text[end])))) return true;
    }
    return false;
  }

  // HLSL writes sizes into the arguments: [level,] width, [height, [depth,]] [layers,] [levels or samples].
  void dimensions() {
    if (name_ != "GetDimensions" || !areKnown(0) || !objectRepeats_) return;
    const bool isImage = image_.kind == fe::ImageKind::Storage;
    if (!isImage && image_.kind != fe::ImageKind::Texture && !isCombined()) return;
    const uint32_t sizes =
        (image_.dim == fe::ImageDim::Cube ? 2 : dimensionCount()) + (image_.arrayed ? 1 : 0);
    const bool hasLevels = !isImage && !image_.multisampled && image_.dim != fe::ImageDim::Buffer;
    const bool withLevel = hasLevels && arguments_.size() == sizes + 2;
    const bool withSamples = image_.multisampled && arguments_.size() == sizes + 1;
    if (arguments_.size() != sizes && !withLevel && !withSamples) return;
    const size_t firstSize = withLevel ? 1 : 0;
    for (size_t n = 0; n < arguments_.size(); ++n)
      if (!isScalar(n) || !isRepeatable(n)) return;
    // Each size reads the object and the level again, so no size may be assigned to a variable in them.
    for (size_t n = firstSize; n < arguments_.size(); ++n)
      if (mentions(object_, written(n)) || (withLevel && mentions(written(0), written(n)))) return;
    samplerless_ = image_.kind == fe::ImageKind::Texture;
    const std::string object(object_);
    std::string size = (isImage ? "imageSize(" : "textureSize(") + object;
    if (withLevel)
      size += ", " + (fe::basicScalar(type(0)) == fe::Scalar::Int ? written(0) : "int(" + written(0) + ")");
    else if (hasLevels)
      size += ", 0";
    size += ")";
    std::string all;
    const auto assign = [&](size_t argument, const std::string& value) {
      all += (all.empty() ? "" : "; ") + written(argument) + " = " +
             convertedTo(argument, fe::Scalar::Int, value);
    };
    for (uint32_t n = 0; n < sizes; ++n)
      assign(firstSize + n, sizes == 1 ? size : size + "." + std::string("xyz").substr(n, 1));
    if (withLevel) assign(arguments_.size() - 1, "textureQueryLevels(" + object + ")");
    if (withSamples)
      assign(arguments_.size() - 1, (isImage ? "imageSamples(" : "textureSamples(") + object + ")");
    const bool one = sizes == 1 && !withLevel && !withSamples;
    if (one ? isOneStatement() : isStatement()) offer(all, Form::Statement);
  }

  std::string_view object_;
  fe::TypeId objectType_ = fe::kErrorType;
  fe::ImageDesc image_{};
  bool objectRepeats_ = false;
  bool samplerless_ = false;
};

}  // namespace

std::vector<Fix> hlslMethodFixes(const Query::Impl& d, const TextRange& method) {
  return method.valid() ? HlslMethod(d, method).run() : std::vector<Fix>();
}

}  // namespace coopc
