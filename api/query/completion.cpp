// Queries about names that may be written at a place: completion, and the forms of the call whose arguments
// are being written.
#include <algorithm>
#include <set>

#include "api/query/query.hpp"
#include "frontend/base/characters.hpp"
#include "frontend/check/builtins/availability.hpp"
#include "frontend/check/builtins/resolve.hpp"
#include "frontend/check/qualifiers.hpp"
#include "frontend/language/keywords.hpp"
#include "frontend/program/type_queries.hpp"

namespace coopc {

namespace fe = frontend;

namespace {

// Finds the names that may be written at one place.
class Completer {
 public:
  Completer(const Query::Impl& d, fe::FileId file, uint32_t offset)
      : d_(d),
        file_(file),
        offset_(offset),
        text_(d.sources().text(file)),
        options_(d.session->options),
        ignored_(d.sources()),
        checker_(options_, ignored_, d.session->names, scratch_) {
    options_.observer = nullptr;
    d.setAvailability(checker_, file, offset);
    out_.items.reserve(2048);
    begin_ = offset;
    while (begin_ > 0 && fe::isWordChar(text_[begin_ - 1])) --begin_;
    uint32_t end = offset;
    while (end < text_.size() && fe::isWordChar(text_[end])) ++end;
    out_.replaced = {file, begin_, end};
  }

  // Whether the operand of the `.` before the place was not understood.
  bool isOperandUnknown() const { return operandUnknown_; }

  Completions run() {
    if (directive()) return std::move(out_);
    if (d_.inComment(file_, offset_)) return {};
    const FileTokens& list = d_.tokens(file_);
    before_ = begin_ == 0 ? list.tokens.size() : list.before(begin_ - 1);
    if (before_ < list.tokens.size()) {
      const fe::Tok kind = list.tokens[before_].kind;
      if (kind == fe::Tok::Dot) {
        members(list.begin(before_));
        return std::move(out_);
      }
      if (isInNumber(list) || isNewName(list)) return std::move(out_);
      if (layoutList(list)) return std::move(out_);
    }
    if (const fe::Observer::Macro* macro = d_.macroDefinedAt(file_, offset_))
      for (const TextRange& p : d_.macroParameters(*macro))
        add(text_.substr(p.begin, p.end - p.begin), NameKind::Parameter);
    scope();
    macros();
    builtins();
    keywords();
    return std::move(out_);
  }

 private:
  void add(std::string_view name, NameKind kind, std::string detail = {}, std::string call = {}) {
    if (isNew(checker_.names.intern(name)))
      out_.items.push_back({std::string(name), kind, std::move(detail), std::move(call)});
  }
  // Whether the name is offered for the first time. Details are made for those only.
  bool isNew(fe::NameId name) {
    if (name.index() >= seen_.size()) seen_.resize(name.index() + 1024);
    const bool first = !seen_[name.index()];
    seen_[name.index()] = true;
    return first;
  }

  // Whether a new name is being declared: the place is after a type, on its line.
  bool isNewName(const FileTokens& list) const {
    const fe::Token& token = list.tokens[before_];
    const uint32_t end = list.end(before_);
    if (text_.substr(end, begin_ - end).find_first_of("\r\n") != std::string_view::npos) return false;
    if (token.kind == fe::Tok::KwStruct || token.kind == fe::Tok::KwVoid) return begin_ > end;
    if (!fe::isName(token) || begin_ == end) return false;
    if (const Mention* m = d_.mentionAt(file_, list.begin(before_)))
      return m->of.kind == Referent::Kind::Struct && !m->declaration;
    return d_.names()[token.name()].builtinType != 0;
  }
  // Whether the place is in a number or at its end, where more of it may follow.
  bool isInNumber(const FileTokens& list) const {
    const size_t here = offset_ == 0 ? list.tokens.size() : list.before(offset_ - 1);
    return here < list.tokens.size() && fe::isNumberLiteral(list.tokens[here].kind) &&
           offset_ <= list.end(here);
  }

  // Completes in the line of a directive. False for code, and for conditions and bodies of macros, where
  // names are completed as in code.
  bool directive() {
    const size_t line = begin_ == 0 ? 0 : text_.find_last_of("\r\n", begin_ - 1) + 1;
    std::string_view head = text_.substr(line, offset_ - line);
    const auto skipBlanks = [&] {
      while (!head.empty() && (head.front() == ' ' || head.front() == '\t')) head.remove_prefix(1);
    };
    skipBlanks();
    if (head.empty() || head.front() != '#') return false;
    head.remove_prefix(1);
    skipBlanks();
    size_t size = 0;
    while (size < head.size() && fe::isWordChar(head[size])) ++size;
    const std::string_view word = head.substr(0, size);
    if (size == head.size()) {
      for (const char* name : {"define", "undef", "if", "ifdef", "ifndef", "elif", "else", "endif", "error",
                               "pragma", "extension", "version", "line", "include"})
        add(name, NameKind::Directive);
      return true;
    }
    head.remove_prefix(size);
    if (word == "include") return includePath(head);
    if (word == "extension") {
      extension(head);
      return true;
    }
    if (word == "define") {
      // The macro's name, and the names of its parameters, are new.
      const size_t name = head.find_first_not_of(" \t");
      if (name == std::string_view::npos) return true;
      size_t end = name;
      while (end < head.size() && fe::isWordChar(head[end])) ++end;
      if (end == head.size()) return true;
      return head[end] == '(' && head.find(')', end) == std::string_view::npos;
    }
    const bool condition = word == "if" || word == "elif";
    if (condition || word == "ifdef" || word == "ifndef" || word == "undef") {
      if (condition) add("defined", NameKind::Keyword);
      macros();
      if (word != "undef") predefinedMacros();
      return true;
    }
    if (word == "version")
      for (const char* version :
           {"460", "450", "440", "430", "420", "400", "330", "150", "140", "320 es", "310 es", "300 es"})
        add(version, NameKind::Keyword);
    if (word == "pragma")
      for (const char* pragma : {"once", "optimize(on)", "optimize(off)", "debug(on)", "debug(off)",
                                 "STDGL invariant(all)", "use_storage_buffer", "use_vulkan_memory_model"})
        add(pragma, NameKind::Keyword);
    if (word == "pragma")
      for (const char* stage : {"vertex", "fragment", "tesscontrol", "tesseval", "geometry", "compute"})
        add("shader_stage(" + std::string(stage) + ")", NameKind::Keyword);
    return word == "version" || word == "error" || word == "pragma" || word == "line";
  }

  bool includePath(std::string_view head) {
    const size_t open = head.find_first_of("\"<");
    if (open == std::string_view::npos) return true;
    const bool angled = head[open] == '<';
    if (head.find(angled ? '>' : '"', open + 1) != std::string_view::npos) return true;  // after the name
    out_.includePath = true;
    out_.angled = angled;
    out_.path = head.substr(open + 1);
    const size_t slash = out_.path.rfind('/');
    const size_t kept = slash == std::string::npos ? 0 : slash + 1;
    out_.replaced = {file_, static_cast<uint32_t>(offset_ - (out_.path.size() - kept)), offset_};
    return true;
  }

  void extension(std::string_view head) {
    if (head.find(':') != std::string_view::npos) {
      for (const char* behavior : {"require", "enable", "warn", "disable"}) add(behavior, NameKind::Keyword);
      return;
    }
    // After the name, a colon is next.
    const size_t name = head.find_first_not_of(" \t");
    if (name != std::string_view::npos && head.find_first_of(" \t", name) != std::string_view::npos) return;
    add("all", NameKind::Keyword);
    extensionNames(NameKind::Extension);
  }

  void extensionNames(NameKind kind) {
    for (unsigned i = 0; i < static_cast<unsigned>(fe::ExtensionId::Count); ++i) {
      const auto id = static_cast<fe::ExtensionId>(i);
      const fe::ExtensionInfo& info = fe::extensionInfo(id);
      const uint32_t minimum = checker_.es ? info.minEsVersion : info.minVersion;
      if (minimum != 0 && minimum <= checker_.version && !fe::kAlwaysEnabled.has(id))
        add(fe::extensionName(id), kind);
    }
  }

  // GLSL 4.60, 3.3, and each available extension's name (GL_KHR_vulkan_glsl: VULKAN).
  void predefinedMacros() {
    for (const char* name :
         {"__VERSION__", "__FILE__", "__LINE__", "VULKAN", "GL_ES", "GL_core_profile", "GL_es_profile"})
      add(name, NameKind::Macro);
    extensionNames(NameKind::Macro);
  }

  // Offers the members after the `.` at `dot`. In the body of a macro: the members of every operand that the
  // macro's uses give.
  void members(uint32_t dot) {
    const fe::SourceLoc at = d_.sources().loc(file_, dot);
    operandUnknown_ = true;
    for (const fe::Observer::Field& f : d_.observer.fields) {
      if (!(d_.sources().spellingLoc(f.dot) == at) || f.base == fe::kErrorType) continue;
      operandUnknown_ = false;
      if (const fe::StructId s = d_.structOf(f.base)) {
        for (const fe::MemberId m : d_.program.structs[s].members)
          if (const fe::Member& member = d_.program.members[m]; member.name)
            add(d_.nameText(member.name), NameKind::Member, d_.typeText(member.type));
      } else if (fe::isVectorType(f.base) ||
                 (fe::isScalarType(f.base) && checker_.allows(fe::Feature::ScalarSwizzles))) {
        components(f.base);
      }
      // 4.1.9, 5.4.5: arrays, vectors, matrices and the objects of extensions have a length.
      if (!d_.structOf(f.base) && !fe::isScalarType(f.base))
        add("length", NameKind::BuiltinFunction, "int length()");
    }
  }

  void components(fe::TypeId base) {
    for (const std::string_view set : {"xyzw", "rgba", "stpq"}) {
      const uint32_t count = fe::basicRows(base);
      for (uint32_t first = 0; first < count; ++first) {
        std::string name;
        for (uint32_t i = first; i < count; ++i) {
          name += set[i];
          add(name, NameKind::Component,
              d_.typeText(fe::basicType(fe::basicScalar(base), static_cast<uint32_t>(name.size()))));
        }
      }
    }
  }

  // Offers layout qualifiers in `layout(`, before a `=`.
  bool layoutList(const FileTokens& list) {
    uint32_t depth = 0;
    bool named = false;  // after a comma, a name is next
    for (size_t i = before_ + 1; i-- > 0;) {
      const fe::Tok kind = list.tokens[i].kind;
      if (kind == fe::Tok::Semicolon || kind == fe::Tok::LeftBrace || kind == fe::Tok::RightBrace)
        return false;
      if (kind == fe::Tok::Comma && depth == 0) named = true;
      if (kind == fe::Tok::Equal && depth == 0 && !named) return false;
      if (kind == fe::Tok::RightParen) ++depth;
      if (kind != fe::Tok::LeftParen || depth-- != 0) continue;
      if (i == 0 || list.tokens[i - 1].kind != fe::Tok::KwLayout) return false;
      const uint32_t places = layoutPlaces(list, i);
      for (const fe::LayoutName* name : fe::layoutNames(options_.stage))
        if ((name->places & places) != 0)
          add(name->name, NameKind::LayoutQualifier, name->takesValue ? "= N" : "");
      return true;
    }
    return false;
  }

  // The kinds of declarations whose layout may begin with the bracket `open`: a bit per LayoutPlace. All
  // kinds if the declaration is not written yet.
  static uint32_t layoutPlaces(const FileTokens& list, size_t open) {
    using Place = fe::LayoutPlace;
    const auto any = [](std::initializer_list<Place> places) {
      uint32_t bits = 0;
      for (const Place place : places) bits |= 1u << static_cast<unsigned>(place);
      return bits;
    };
    const std::vector<fe::Token>& tokens = list.tokens;
    size_t braces = 0, at = open;
    for (size_t i = 0; i < open; ++i) {
      if (tokens[i].kind == fe::Tok::LeftBrace) ++braces;
      if (tokens[i].kind == fe::Tok::RightBrace && braces > 0) --braces;
    }
    if (braces != 0)
      return any({Place::BlockMember, Place::InputMember, Place::OutputMember, Place::RayMember,
                  Place::PayloadMember});
    for (size_t depth = 0; at < tokens.size(); ++at) {
      if (tokens[at].kind == fe::Tok::LeftParen) ++depth;
      if (tokens[at].kind == fe::Tok::RightParen && --depth == 0) break;
      if (tokens[at].kind == fe::Tok::Semicolon || tokens[at].kind == fe::Tok::LeftBrace) return ~0u;
    }
    for (++at; at < tokens.size(); ++at) {
      switch (tokens[at].kind) {
        case fe::Tok::KwUniform: return any({Place::DefaultUniform, Place::Block, Place::Opaque});
        case fe::Tok::KwBuffer: return any({Place::DefaultBuffer, Place::Block});
        case fe::Tok::KwShared: return any({Place::DefaultShared, Place::Block});
        case fe::Tok::KwConst: return any({Place::ConstVariable});
        case fe::Tok::KwIn: return any({Place::DefaultIn, Place::Input, Place::InputBlock});
        case fe::Tok::KwOut: return any({Place::DefaultOut, Place::Output, Place::OutputBlock});
        case fe::Tok::Semicolon:
        case fe::Tok::LeftBrace: return ~0u;
        default: break;
      }
    }
    return ~0u;
  }

  // The declarations that the place sees, innermost first.
  void scope() {
    const auto to = d_.chain(file_, offset_);
    const fe::Observer& o = d_.observer;
    std::set<uint32_t> open = {0};
    for (uint32_t i = 1; i < o.scopes.size(); ++i) {
      const fe::Observer::Scope& s = o.scopes[i];
      const fe::SourceLoc end = d_.sources().fileLoc(s.end);  // where a macro that has the brace is used
      const bool ended = end.valid() && d_.precedes(fe::SourceLoc{end.raw + 1}, to);
      if (open.count(s.parent) != 0 && d_.precedes(s.begin, to) && !ended) open.insert(i);
    }
    for (size_t i = o.declarations.size(); i-- > 0;) {
      const fe::Observer::Declaration& s = o.declarations[i];
      if (!s.name || s.kind == fe::SymbolKind::BlockName || open.count(s.scope) == 0 ||
          !d_.precedes(s.from, to))
        continue;
      const Referent of = d_.referentOf(s.kind, s.id, s.member, s.name);
      switch (of.kind) {
        case Referent::Kind::Variable: {
          const NameInfo v = d_.describeVariable(fe::VarId(of.id));
          add(v.name, v.kind, v.value.empty() ? v.type : v.type + " = " + v.value);
          break;
        }
        case Referent::Kind::Function:
          if (isNew(s.name))
            out_.items.push_back({std::string(d_.nameText(s.name)), NameKind::Function,
                                  d_.functionLabel(fe::FnId(of.id), nullptr), d_.callText(fe::FnId(of.id))});
          break;
        case Referent::Kind::Struct:
          add(d_.nameText(s.name), d_.describeStruct(fe::StructId(of.id)).kind);
          break;
        case Referent::Kind::Member: {
          const NameInfo m = d_.describeMember(fe::StructId(of.id), of.member);
          add(m.name, m.kind, m.type);
          break;
        }
        default: break;
      }
    }
  }

  void macros() {
    const auto to = d_.chain(file_, offset_);
    std::set<fe::NameId> undefined;
    const std::vector<fe::Observer::Macro>& all = d_.observer.macros;
    for (size_t i = all.size(); i-- > 0;) {
      if (!d_.precedes(all[i].at, to)) continue;
      if (!all[i].end.valid())
        undefined.insert(all[i].name);
      else if (undefined.insert(all[i].name).second && isNew(all[i].name))
        out_.items.push_back(
            {std::string(d_.nameText(all[i].name)), NameKind::Macro, d_.macroText(all[i]), {}});
    }
  }

  void builtins() {
    fe::forEachBuiltinName(
        checker_,
        [](void* context, std::string_view name) {
          auto& self = *static_cast<Completer*>(context);
          const fe::NameId id = self.checker_.names.intern(name);
          if (!self.isNew(id)) return;
          std::vector<Completion>& items = self.out_.items;
          const fe::NameInfo& info = self.checker_.names[id];
          if (info.builtinType != 0) {
            items.push_back({std::string(name), NameKind::BuiltinType, {}, {}});
          } else if (info.builtinSymbol != 0) {
            const fe::BuiltinSymbol& symbol =
                fe::builtinSymbol(static_cast<uint16_t>(info.builtinSymbol - 1));
            items.push_back({std::string(name),
                             symbol.constant ? NameKind::BuiltinConstant : NameKind::BuiltinVariable,
                             self.d_.typeText(symbol.type),
                             {}});
          } else {
            // Each form of a matrix function or of a texture function is one item.
            for (const std::string& call : builtinCalls(name))
              items.push_back({std::string(name), NameKind::BuiltinFunction, {}, call});
          }
        },
        this);
  }

  void keywords() {
    for (auto k = static_cast<unsigned>(fe::Tok::KwFirst); k < static_cast<unsigned>(fe::Tok::Count); ++k) {
      const auto keyword = static_cast<fe::Tok>(k);
      const std::string_view word = fe::tokenSpelling(keyword);
      const fe::KeywordGate gate = fe::keywordGate(keyword);
      const bool open = !gate.gated || (gate.extension != fe::kAllExtensions && checker_.has(gate.extension));
      const bool removed = keyword == fe::Tok::KwReserved || keyword == fe::Tok::KwSubroutine ||
                           keyword == fe::Tok::KwAttribute || keyword == fe::Tok::KwVarying;
      if (!word.empty() && open && !removed && fe::contains(fe::keywordStages(keyword), options_.stage))
        add(word, NameKind::Keyword);
    }
  }

  const Query::Impl& d_;
  fe::FileId file_;
  uint32_t offset_;
  std::string_view text_;
  fe::CompileOptions options_;
  fe::Diagnostics ignored_;
  fe::Program scratch_;
  fe::Checker checker_;
  uint32_t begin_ = 0;
  size_t before_ = 0;       // the token before the word
  std::vector<bool> seen_;  // by NameId
  bool operandUnknown_ = false;
  Completions out_;
};

Completions complete(const Query::Impl& d, fe::FileId file, uint32_t offset, bool& operandUnknown) {
  Completer completer(d, file, offset);
  Completions found = completer.run();
  operandUnknown = completer.isOperandUnknown();
  return found;
}

// The fix that inserts the last token that is missing before a place in the main file. The text after such a
// token was not fully understood.
std::optional<TextEdit> missingBefore(const Query& query, uint32_t offset) {
  const std::vector<Diagnostic>& all = query.result().diagnostics;
  std::optional<TextEdit> last;
  for (size_t n = 0; n < all.size(); ++n) {
    if (all[n].id != "expected-token") continue;
    for (Fix& fix : query.fixes(n))
      if (fix.edits.size() == 1 && fix.edits[0].at.file == query.main() && fix.edits[0].at.begin < offset &&
          fix.edits[0].at.begin == fix.edits[0].at.end && (!last || last->at.begin < fix.edits[0].at.begin))
        last = std::move(fix.edits[0]);
  }
  return last;
}

}  // namespace

Completions Query::completionsAt(uint32_t file, uint32_t offset) const {
  if (!impl_->session || file >= impl_->sources().fileCount() || offset > impl_->sources().text(file).size())
    return {};
  bool operandUnknown = false;
  Completions found = complete(*impl_, file, offset, operandUnknown);
  // After `int a = 1`, which lacks its `;`, `s.` was not read: the query is repeated with the missing tokens
  // inserted.
  constexpr size_t kTokens = 3;
  std::optional<Query> mended;
  uint32_t longer = 0;
  for (size_t n = 0; n < kTokens && operandUnknown && file == main(); ++n) {
    const Query& asked = mended ? *mended : *this;
    const std::optional<TextEdit> missing = missingBefore(asked, offset + longer);
    if (!missing) break;
    std::string text(asked.text(asked.main()));
    text.insert(missing->at.begin, missing->text);
    longer += static_cast<uint32_t>(missing->text.size());
    mended.emplace(Query(text, impl_->mainName, impl_->options));
    found = complete(*mended->impl_, mended->main(), offset + longer, operandUnknown);
    found.replaced = {file, found.replaced.begin - longer, found.replaced.end - longer};
  }
  return found;
}

std::optional<NameInfo> Query::offered(uint32_t file, uint32_t offset, std::string_view name) const {
  const Impl& d = *impl_;
  if (!d.session || file >= d.sources().fileCount()) return std::nullopt;
  // The last of several declarations before the place, which hides the others where it is visible.
  const Mention* found = nullptr;
  for (const Mention& m : d.mentions())
    if (m.declaration && m.of.kind != Referent::Kind::Member && d.nameText(m.of.name) == name &&
        (found == nullptr || (m.at.file == file && m.at.begin < offset)))
      found = &m;
  if (found != nullptr) return d.describe(found->of, found);
  if (std::optional<NameInfo> builtin = d.describeBuiltin(file, offset, name)) return builtin;
  return d.describeOfferedWord(name);
}

CallForms Query::callAt(uint32_t file, uint32_t offset) const {
  CallForms found;
  const Impl& d = *impl_;
  if (!d.session || file >= d.sources().fileCount()) return found;
  if (std::optional<CallForms> macro = d.macroCallAt(file, offset)) return *std::move(macro);
  const fe::Observer& o = d.observer;
  const auto place = [&](fe::SourceLoc loc) { return loc.inMacro() ? TextRange{} : d.range(loc, 0); };
  // The place after the call. If a macro has the token there, the call is in the macro's argument.
  const auto endOf = [&](const fe::Observer::Call& c, TextRange open) {
    if (!c.close.inMacro() || open.file != file) return place(c.close);
    const FileTokens& list = d.tokens(file);
    size_t depth = 0;
    for (size_t i = list.before(open.begin); i < list.tokens.size(); ++i) {
      if (list.begin(i) < open.begin) continue;
      if (list.tokens[i].kind == fe::Tok::LeftParen)
        ++depth;
      else if (depth == 0)
        break;
      else if (list.tokens[i].kind == fe::Tok::RightParen && --depth == 0)
        return TextRange{file, list.end(i), list.end(i)};
    }
    return TextRange{};
  };
  size_t call = o.calls.size();
  for (size_t i = 0; i < o.calls.size(); ++i) {
    const TextRange open = place(o.calls[i].open), close = endOf(o.calls[i], open);
    const bool named = o.calls[i].callee || d.constructedStruct(o.calls[i].open);
    if (!named || open.file != file || offset <= open.begin) continue;
    const bool closed = close.file == file && offset >= close.begin && close.begin > open.begin &&
                        d.sources().text(file)[close.begin - 1] == ')';
    if (!closed && (close.file != file || offset <= close.begin)) call = i;
  }
  if (call == o.calls.size()) return found;
  uint32_t given = 0;
  for (const fe::Observer::Argument& a : o.arguments) {
    if (a.call != call) continue;
    if (!a.comma) ++given;
    if (const TextRange at = place(a.at); a.comma && at.file == file && at.begin < offset) ++found.parameter;
  }
  const fe::Observer::Call& c = o.calls[call];
  if (const fe::StructId of = d.constructedStruct(c.open); of && !c.callee) {
    found.forms.push_back(d.constructorForm(of));
    return found;
  }
  for (const fe::Observer::Definition& f : o.definitions) {
    if (d.program.functions[f.function].name != c.callee) continue;
    CallForm form;
    form.label = d.functionLabel(f.function, &form.parameters);
    if (std::any_of(found.forms.begin(), found.forms.end(),
                    [&](const CallForm& other) { return other.label == form.label; }))
      continue;
    form.documentation = d.documentation(d.nameRange(f.at, c.callee));
    if (f.function == c.function) found.active = static_cast<uint32_t>(found.forms.size());
    found.forms.push_back(std::move(form));
  }
  const uint16_t builtin = d.names()[c.callee].builtinName;
  if (found.forms.empty() && builtin != 0) {
    fe::CompileOptions options = d.session->options;
    options.observer = nullptr;
    fe::Diagnostics ignored(d.sources());
    fe::Program scratch;
    fe::Checker checker(options, ignored, d.session->names, scratch);
    d.setAvailability(checker, file, offset);
    found.forms = builtinForms(checker, static_cast<uint16_t>(builtin - 1), d.nameText(c.callee));
  }
  if (!c.function) {
    const size_t needed = std::max(given, found.parameter + 1);
    const auto takes = [&](const CallForm& form) {
      return form.parameters.size() >= needed || form.label.ends_with("...)");
    };
    for (size_t i = found.forms.size(); i-- > 0;)
      if (takes(found.forms[i])) found.active = static_cast<uint32_t>(i);
  }
  return found;
}

}  // namespace coopc
