// Queries about hints that an editor may show inside a text: names of parameters, offsets of members, sizes
// of arrays and shapes of matrices that are not written as numbers.
#include <initializer_list>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "api/query/query.hpp"
#include "frontend/program/constant_values.hpp"
#include "frontend/program/type_queries.hpp"

namespace coopc {

namespace fe = frontend;

namespace {

class HintFinder {
 public:
  HintFinder(const Query::Impl& d, uint32_t file, uint32_t begin, uint32_t end)
      : d_(d), file_(file), begin_(begin), end_(end) {}

  std::vector<Hint> run() {
    arguments();
    for (const Mention& m : d_.mentions()) {
      if (m.at.file != file_ || !m.declaration || m.inMacro || m.at.end < begin_ || m.at.end > end_) continue;
      if (m.of.kind == Referent::Kind::Member) {
        const fe::StructInfo& of = d_.program.structs[fe::StructId(m.of.id)];
        sizes(m, d_.program.members[of.members[m.of.member]].type);
        layout(m);
      } else if (m.of.kind == Referent::Kind::Variable) {
        sizes(m, d_.program.variables[fe::VarId(m.of.id)].type);
      }
    }
    return std::move(all_);
  }

 private:
  void arguments() {
    const fe::Observer& o = d_.observer;
    std::vector<uint32_t> position(o.calls.size());
    std::set<uint32_t> seen;  // a macro may read an argument several times
    for (const fe::Observer::Argument& a : o.arguments) {
      if (a.comma) continue;
      const fe::Observer::Call& call = o.calls[a.call];
      const uint32_t index = position[a.call]++;
      if (!call.function || a.at.inMacro()) continue;
      const TextRange at = d_.range(a.at, 0);
      if (at.file != file_ || at.begin < begin_ || at.begin > end_) continue;
      const fe::Function& f = d_.program.functions[call.function];
      if (index >= f.params.size()) continue;
      const fe::NameId name = d_.program.variables[f.params[index]].name;
      // If the argument is a name equal to the parameter's, a hint would only repeat it.
      if (!name || d_.nameRange(d_.sources().loc(file_, at.begin), name).valid()) continue;
      if (!seen.insert(at.begin).second) continue;
      all_.push_back({Hint::Kind::Parameter, at.begin, std::string(d_.nameText(name)) + ":"});
    }
  }

  void layout(const Mention& m) {
    const NameInfo info = d_.describeMember(fe::StructId(m.of.id), m.of.member);
    if (!info.layout && info.heapOffset.empty()) return;
    const size_t semicolon = d_.sources().text(file_).find(';', m.at.end);
    std::string text = "offset " + (info.layout ? std::to_string(info.layout->offset) : info.heapOffset);
    if (info.layout && info.layout->padding != 0)
      text += ", " + std::to_string(info.layout->padding) + " bytes of padding before";
    all_.push_back({Hint::Kind::Layout,
                    semicolon == std::string_view::npos ? m.at.end : static_cast<uint32_t>(semicolon + 1),
                    std::move(text)});
  }

  // Hints for the type before a declared name, and for the brackets after the name.
  void sizes(const Mention& m, fe::TypeId type) {
    if (type == fe::kErrorType || fe::isBasic(type)) return;
    const FileTokens& list = d_.tokens(file_);
    const size_t name = list.before(m.at.begin);
    if (name >= list.tokens.size()) return;
    shape(list, name, fe::elementOf(d_.program, type));
    // The brackets after the name have the outermost dimensions (GLSL 4.60, 4.1.9).
    for (size_t open = name + 1; kindAt(list, open) == fe::Tok::LeftBracket;) {
      if (fe::isBasic(type) || d_.program.types.kind(type) != fe::TypeKind::Array) return;
      const size_t close = closing(list, open);
      if (close >= list.tokens.size()) return;
      const fe::TypeInfo info = d_.program.types[type];
      if (info.hasArraySize() && !isLiteral(list, open + 1, close))
        size(list.begin(close), open + 1 == close ? "" : "= ", {info.arraySize()});
      type = info.element();
      open = close + 1;
    }
  }

  // A matrix's type ends before the first name that is declared with it. Its arguments: component type,
  // scope, rows, columns.
  void shape(const FileTokens& list, size_t name, fe::TypeId type) {
    if (fe::isBasic(type) || name == 0 || kindAt(list, name - 1) != fe::Tok::RightAngle) return;
    const fe::TypeKind kind = d_.program.types.kind(type);
    if (kind != fe::TypeKind::CoopMat && kind != fe::TypeKind::CoopMatNV) return;
    size_t first = name - 1;
    while (first > 0 && list.tokens[first].kind != fe::Tok::LeftAngle) --first;
    std::vector<size_t> commas;
    uint32_t depth = 0;
    for (size_t at = first + 1; at < name; ++at) {
      const fe::Tok token = list.tokens[at].kind;
      if (token == fe::Tok::LeftParen) ++depth;
      if (token == fe::Tok::RightParen && depth > 0) --depth;
      if (depth == 0 && (token == fe::Tok::Comma || at + 1 == name)) commas.push_back(at);
    }
    if (commas.size() < 4) return;  // the type is a macro
    if (isLiteral(list, commas[1] + 1, commas[2]) && isLiteral(list, commas[2] + 1, commas[3])) return;
    const auto params = d_.program.types.params(type);
    size(list.end(name - 1), "", {params[1], params[2]});
  }

  // "= 8", "8×16 by default"; nothing if a number is not known.
  void size(uint32_t at, std::string text, std::initializer_list<fe::ConstId> numbers) {
    bool specialized = false, first = true;
    for (const fe::ConstId number : numbers) {
      const std::optional<int64_t> value = fe::defaultInteger(d_.program, number);
      if (!value) return;
      specialized |= d_.program.constants[number].isSpec;
      text += (std::exchange(first, false) ? "" : "\u00d7") + std::to_string(*value);
    }
    all_.push_back({Hint::Kind::Size, at, text + (specialized ? " by default" : "")});
  }

  static fe::Tok kindAt(const FileTokens& list, size_t at) {
    return at < list.tokens.size() ? list.tokens[at].kind : fe::Tok::End;
  }
  static bool isLiteral(const FileTokens& list, size_t begin, size_t end) {
    return end == begin + 1 && fe::isNumberLiteral(list.tokens[begin].kind);
  }
  // The bracket that closes the one at `open`, or the end.
  static size_t closing(const FileTokens& list, size_t open) {
    uint32_t depth = 0;
    for (size_t at = open; at < list.tokens.size(); ++at) {
      if (list.tokens[at].kind == fe::Tok::LeftBracket) ++depth;
      if (list.tokens[at].kind == fe::Tok::RightBracket && --depth == 0) return at;
    }
    return list.tokens.size();
  }

  const Query::Impl& d_;
  uint32_t file_, begin_, end_;
  std::vector<Hint> all_;
};

}  // namespace

std::vector<Hint> Query::hints(uint32_t file, uint32_t begin, uint32_t end) const {
  if (!impl_->session || file >= impl_->sources().fileCount()) return {};
  return HintFinder(*impl_, file, begin, end).run();
}

}  // namespace coopc
