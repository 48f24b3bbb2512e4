// The edit that corrects the whole declaration of a decode function at once: result, qualifiers, and the
// coordinates' arrays (GL_NV_cooperative_matrix2, 8.X "Cooperative Matrix Functions").
#include "api/query/query.hpp"
#include "frontend/program/constant_values.hpp"
#include "frontend/program/type_queries.hpp"

namespace coopc {

namespace fe = frontend;

namespace {

class DecodeSignature {
 public:
  DecodeSignature(const Query::Impl& d, const DiagnosticPlaces& places) : d_(d), places_(places) {}

  std::optional<Fix> fix() {
    if (places_.notes.empty() || !places_.notes[0].valid() || !readCall() || !readDeclaration())
      return std::nullopt;
    const std::string_view text = d_.sources().text(file_);
    const std::string count = "[" + std::to_string(dimensions_) + "]";
    constexpr std::string_view kDefaults[] = {"block", "blockCoord", "coordInBlock"};
    std::string signature = component_ + " " + std::string(text.substr(name_.begin, name_.end - name_.begin));
    for (size_t n = 0; n < 3; ++n) {
      const Parameter p = n < parameters_.size() ? parameters_[n] : Parameter();
      const std::string name(p.name.empty() ? kDefaults[n] : p.name);
      signature += n == 0 ? "(const in " : ", const in ";
      signature +=
          n == 0 ? (p.type.empty() ? "Block" : std::string(p.type)) + " " + name : "uint " + name + count;
    }
    signature += ')';
    const TextRange all{file_, begin_, end_};
    if (text.substr(all.begin, all.end - all.begin) == signature) return std::nullopt;
    return Fix{"Make it `" + signature + "`", {{all, signature}}};
  }

 private:
  struct Parameter {
    std::string_view type, name;
  };

  // The type of the variable that an argument names; kErrorType: the argument is another expression.
  fe::TypeId typeOf(const TextRange& at) const {
    const Mention* m = d_.mentionAt(at.file, at.begin);
    if (m == nullptr || m->of.kind != Referent::Kind::Variable) return fe::kErrorType;
    return d_.program.variables[fe::VarId(m->of.id)].type;
  }

  // The matrix is the first argument of the call, the layout the fourth. A vector decode function, which
  // follows another one, is not handled: its result has another type.
  bool readCall() {
    const fe::Observer& o = d_.observer;
    std::vector<TextRange> arguments;
    uint32_t call = 0;
    bool found = false;
    for (const fe::Observer::Argument& a : o.arguments) {
      const TextRange at = d_.range(a.at, 0);
      if (!a.comma && at.file == places_.at.file && at.begin == places_.at.begin) {
        call = a.call;
        found = true;
      }
    }
    if (!found || d_.nameText(o.calls[call].callee) != "coopMatLoadTensorNV") return false;
    for (const fe::Observer::Argument& a : o.arguments)
      if (a.call == call && !a.comma) arguments.push_back(d_.range(a.at, 0));
    if (arguments.size() < 5) return false;
    for (size_t n = 4; n + 1 < arguments.size(); ++n)
      if (const Mention* m = d_.mentionAt(arguments[n].file, arguments[n].begin);
          m != nullptr && m->of.kind == Referent::Kind::Function)
        return false;
    const fe::TypeId matrix = typeOf(arguments[0]), layout = typeOf(arguments[3]);
    if (matrix == fe::kErrorType || layout == fe::kErrorType || fe::isBasic(matrix) || fe::isBasic(layout) ||
        d_.program.types.kind(matrix) != fe::TypeKind::CoopMat ||
        d_.program.types.kind(layout) != fe::TypeKind::TensorLayout)
      return false;
    component_ = d_.typeText(fe::basicType(d_.program.types[matrix].scalar));
    dimensions_ = fe::defaultInteger(d_.program, d_.program.types.params(layout)[0]).value_or(0);
    return dimensions_ > 0 && dimensions_ <= 5;
  }

  // The declaration's words from the result's type to the bracket that closes the parameters.
  bool readDeclaration() {
    name_ = places_.notes[0];
    file_ = name_.file;
    const FileTokens& list = d_.tokens(file_);
    const std::string_view text = d_.sources().text(file_);
    const size_t at = list.before(name_.begin);
    if (at == 0 || at + 1 >= list.tokens.size() || list.tokens[at + 1].kind != fe::Tok::LeftParen)
      return false;
    name_.end = list.end(at);
    begin_ = list.begin(at - 1);
    uint32_t depth = 0;
    std::vector<size_t> words;  // tokens of one parameter, without qualifiers and the array
    bool inArray = false;
    const auto take = [&] {
      const auto word = [&](size_t n) {
        return text.substr(list.begin(words[n]), list.end(words[n]) - list.begin(words[n]));
      };
      if (!words.empty()) parameters_.push_back({word(0), words.size() > 1 ? word(words.size() - 1) : ""});
      words.clear();
      inArray = false;
    };
    for (size_t n = at + 1; n < list.tokens.size(); ++n) {
      const fe::Tok kind = list.tokens[n].kind;
      if (kind == fe::Tok::LeftParen) ++depth;
      if (kind == fe::Tok::LeftBracket) inArray = true;
      if (kind == fe::Tok::RightParen && --depth == 0) {
        take();
        end_ = list.end(n);
        return true;
      }
      const bool qualifier = kind == fe::Tok::KwConst || kind == fe::Tok::KwIn || kind == fe::Tok::KwOut ||
                             kind == fe::Tok::KwInout;
      if (kind == fe::Tok::Comma && depth == 1)
        take();
      else if (fe::isName(list.tokens[n]) && !qualifier && !inArray)
        words.push_back(n);
    }
    return false;
  }

  const Query::Impl& d_;
  const DiagnosticPlaces& places_;
  std::string component_;
  int64_t dimensions_ = 0;
  TextRange name_;
  uint32_t file_ = 0, begin_ = 0, end_ = 0;
  std::vector<Parameter> parameters_;
};

}  // namespace

std::optional<Fix> decodeSignatureFix(const Query::Impl& d, const DiagnosticPlaces& places) {
  return DecodeSignature(d, places).fix();
}

}  // namespace coopc
