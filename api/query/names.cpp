// Queries about names: the declaration of each, its properties, its occurrences.
#include <algorithm>
#include <iterator>
#include <map>
#include <set>

#include "api/query/query.hpp"
#include "frontend/base/characters.hpp"
#include "frontend/check/builtins/availability.hpp"
#include "frontend/check/builtins/resolve.hpp"
#include "frontend/language/keywords.hpp"
#include "frontend/lex/lexer.hpp"
#include "frontend/program/block_layout.hpp"
#include "frontend/program/type_queries.hpp"

namespace coopc {

namespace fe = frontend;
using Kind = Referent::Kind;

bool sameReferent(const Referent& a, const Referent& b) {
  if (a.kind != b.kind || a.kind == Kind::None || a.kind == Kind::Component) return false;
  if (a.kind == Kind::Function || a.kind == Kind::Macro) return a.name == b.name;
  return a.id == b.id && a.member == b.member;
}

fe::StructId Query::Impl::structOf(fe::TypeId type) const {
  if (type == fe::kErrorType || fe::isBasic(type)) return {};
  const fe::TypeInfo info = program.types[type];
  const bool members = info.kind == fe::TypeKind::Struct || info.kind == fe::TypeKind::Reference ||
                       info.kind == fe::TypeKind::BufferType;
  return members ? info.structure() : fe::StructId();
}

Referent Query::Impl::referentOf(fe::SymbolKind kind, uint32_t id, uint32_t member, fe::NameId name) const {
  switch (kind) {
    case fe::SymbolKind::Variable: return {Kind::Variable, id, 0, name};
    case fe::SymbolKind::Function: return {Kind::Function, id, 0, name};
    case fe::SymbolKind::Type:
      if (const fe::StructId s = structOf(fe::TypeId(id)); s) return {Kind::Struct, s.index(), 0, name};
      return {};
    case fe::SymbolKind::BlockMember:
    case fe::SymbolKind::BlockName: {
      const fe::StructId s = structOf(fe::elementOf(program, program.variables[fe::VarId(id)].type));
      if (!s) return {};
      if (kind == fe::SymbolKind::BlockName) return {Kind::Struct, s.index(), 0, name};
      return {Kind::Member, s.index(), member, name};
    }
  }
  return {};
}

namespace {

// Collects the mentions of all names.
struct Collector {
  const Query::Impl& d;
  std::vector<Mention>& out;
  std::vector<Referent>& unwritten;

  void add(fe::SourceLoc loc, const Referent& of, bool declaration) {
    if (of.kind == Kind::None || !of.name) return;
    const TextRange at = d.nameRange(loc, of.name);
    if (at.valid())
      out.push_back({at, of, declaration, loc.inMacro()});
    else if (loc.valid())
      unwritten.push_back(of);
  }

  void declarations() {
    for (const fe::Observer::Declaration& s : d.observer.declarations)
      if (s.kind != fe::SymbolKind::Function && s.kind != fe::SymbolKind::BlockMember)
        add(s.at, d.referentOf(s.kind, s.id, s.member, s.name), true);
    for (const fe::Observer::Definition& f : d.observer.definitions)
      add(f.at, {Kind::Function, f.function.index(), 0, d.program.functions[f.function].name}, true);
    for (uint32_t s = 1; s < d.program.structs.size(); ++s) {
      const fe::StructInfo& info = d.program.structs[fe::StructId(s)];
      for (uint32_t m = 0; m < info.members.size(); ++m) {
        const fe::Member& member = d.program.members[info.members[m]];
        add(member.loc, {Kind::Member, s, m, member.name}, true);
      }
      // Blocks are included, in case an error prevented the declaration of their instance.
      add(info.loc, {Kind::Struct, s, 0, info.name}, true);
    }
  }

  void uses() {
    for (const fe::Observer::Use& u : d.observer.uses)
      add(u.at, d.referentOf(u.kind, u.id, u.member, u.name), false);
    for (const fe::Observer::Field& f : d.observer.fields) {
      if (!f.name) continue;
      const fe::StructId s = d.structOf(f.base);
      if (!s) {
        if (fe::isBasic(f.base)) add(f.at, {Kind::Component, f.base.index(), 0, f.name}, false);
        continue;
      }
      const fe::StructInfo& info = d.program.structs[s];
      for (uint32_t m = 0; m < info.members.size(); ++m)
        if (d.program.members[info.members[m]].name == f.name)
          add(f.at, {Kind::Member, s.index(), m, f.name}, false);
    }
    for (const fe::Observer::Macro& m : d.observer.macros)
      if (m.end.valid()) add(m.at, {Kind::Macro, m.at.raw, 0, m.name}, true);
    for (const fe::Observer::MacroUse& m : d.observer.macroUses)
      add(m.at, {Kind::Macro, m.definition.raw, 0, m.name}, false);
  }
};

}  // namespace

const std::vector<Mention>& Query::Impl::mentions() const {
  if (mentioned_ || !session) return mentions_;
  mentioned_ = true;
  Collector all{*this, mentions_, unwritten_};
  all.declarations();
  all.uses();
  const auto key = [](const Mention& m) {
    return std::make_tuple(m.at.file, m.at.begin, !m.declaration, m.of.kind != Kind::Macro, m.of.id);
  };
  std::stable_sort(mentions_.begin(), mentions_.end(),
                   [&](const Mention& a, const Mention& b) { return key(a) < key(b); });
  // A macro's body may be read often, always with the same names in it.
  mentions_.erase(std::unique(mentions_.begin(), mentions_.end(),
                              [](const Mention& a, const Mention& b) {
                                return a.at == b.at && sameReferent(a.of, b.of);
                              }),
                  mentions_.end());
  return mentions_;
}

std::span<const size_t> Query::Impl::declarationsOfFunction(uint32_t function) const {
  const std::vector<Mention>& all = mentions();
  if (functionDeclarations_.empty())
    for (size_t m = 0; m < all.size(); ++m)
      if (all[m].declaration && all[m].of.kind == Kind::Function)
        functionDeclarations_[all[m].of.id].push_back(m);
  const auto found = functionDeclarations_.find(function);
  return found == functionDeclarations_.end() ? std::span<const size_t>() : found->second;
}

const Mention* Query::Impl::mentionAt(fe::FileId file, uint32_t offset) const {
  const std::vector<Mention>& all = mentions();
  const auto next = std::upper_bound(all.begin(), all.end(), offset, [&](uint32_t at, const Mention& m) {
    return file != m.at.file ? file < m.at.file : at < m.at.begin;
  });
  if (next == all.begin()) return nullptr;
  const TextRange at = (next - 1)->at;
  if (at.file != file || !at.contains(offset)) return nullptr;
  // The first of those declared at that position.
  const Mention* found = &*(next - 1);
  while (found != all.data() && (found - 1)->at == at) --found;
  return found;
}

std::vector<TextRange> Query::Impl::macroParameterAt(fe::FileId file, uint32_t offset,
                                                     TextRange* definition) const {
  const fe::Observer::Macro* m = macroDefinedAt(file, offset);
  if (m == nullptr) return {};
  const FileTokens& list = tokens(file);
  const TextRange name = nameRange(m->at, m->name);
  const uint32_t end = range(m->end, 0).begin;
  if (definition != nullptr) *definition = {file, name.begin, end};
  for (const TextRange& p : macroParameters(*m)) {
    std::vector<TextRange> places;
    bool asked = false;
    const size_t first = list.before(p.begin);
    for (size_t i = first; i < list.tokens.size() && list.begin(i) < end; ++i) {
      if (!fe::isName(list.tokens[i]) || list.tokens[i].name() != list.tokens[first].name()) continue;
      places.push_back({file, list.begin(i), list.end(i)});
      asked = asked || places.back().contains(offset);
    }
    if (asked) return places;
  }
  return {};
}

// ---------------------------------------------------------------------------------------------- descriptions

namespace {

std::string_view storageText(fe::Storage storage) {
  switch (storage) {
    case fe::Storage::Shared:
    case fe::Storage::SharedBlock: return "shared ";
    case fe::Storage::Uniform:
    case fe::Storage::UniformBlock:
    case fe::Storage::PushConstant: return "uniform ";
    case fe::Storage::StorageBlock: return "buffer ";
    case fe::Storage::Input: return "in ";
    case fe::Storage::Output: return "out ";
    case fe::Storage::Constant: return "const ";
    case fe::Storage::RayPayload: return "rayPayloadEXT ";
    case fe::Storage::RayPayloadIn: return "rayPayloadInEXT ";
    case fe::Storage::HitAttribute: return "hitAttributeEXT ";
    case fe::Storage::CallableData: return "callableDataEXT ";
    case fe::Storage::CallableDataIn: return "callableDataInEXT ";
    case fe::Storage::HitObjectAttribute: return "hitObjectAttributeEXT ";
    case fe::Storage::HitObjectAttributeNV: return "hitObjectAttributeNV ";
    case fe::Storage::ShaderRecord: return "buffer ";
    case fe::Storage::TaskPayload: return "taskPayloadSharedEXT ";
    case fe::Storage::TileImage: return "tileImageEXT ";
    case fe::Storage::ResourceHeap: return "resourceheap ";
    case fe::Storage::SamplerHeap: return "samplerheap ";
    case fe::Storage::Local:
    case fe::Storage::Private: break;
  }
  return "";
}

std::string directionText(fe::Direction direction) {
  switch (direction) {
    case fe::Direction::Out: return "out ";
    case fe::Direction::InOut: return "inout ";
    case fe::Direction::ConstIn: return "const in ";
    case fe::Direction::In:
    case fe::Direction::None: break;
  }
  return "";
}

std::string layoutText(const fe::Program& p, const fe::Variable& v) {
  std::string text;
  const auto add = [&](std::string_view name, uint32_t value) {
    if (value == fe::kNoLayout) return;
    text += (text.empty() ? "layout(" : ", ") + std::string(name) + " = " + std::to_string(value);
  };
  add("set", v.set);
  add("binding", v.binding);
  add("location", p.interfaceOf(v.interface).location);
  add("constant_id", v.constantId);
  return text.empty() ? text : text + ") ";
}

std::string memoryText(uint32_t qualifiers) {
  std::string text;
  if (qualifiers & fe::kQualCoherent) text += "coherent ";
  if (qualifiers & fe::kQualVolatile) text += "volatile ";
  if (qualifiers & fe::kQualReadonly) text += "readonly ";
  if (qualifiers & fe::kQualWriteonly) text += "writeonly ";
  return text;
}

}  // namespace

NameInfo Query::Impl::describeVariable(fe::VarId id) const {
  const fe::Variable& v = program.variables[id];
  NameInfo info;
  info.name = nameText(v.name);
  info.type = typeText(v.type);
  const bool spec = v.constantId != fe::kNoLayout;
  const bool constant = v.constant && (v.storage == fe::Storage::Constant || spec);
  info.kind = constant                             ? NameKind::Constant
              : v.builtin != 0                     ? NameKind::BuiltinVariable
              : v.direction != fe::Direction::None ? NameKind::Parameter
                                                   : NameKind::Variable;
  const bool isConst = v.storage == fe::Storage::Constant || (v.qualifiers & fe::kQualConst) != 0;
  const std::string storage =
      isConst && v.direction == fe::Direction::None ? "const " : std::string(storageText(v.storage));
  info.signature = layoutText(program, v) + memoryText(v.qualifiers) + directionText(v.direction) + storage +
                   info.type + " " + info.name;
  if (v.constant) {
    const fe::Constant& value = program.constants[v.constant];
    if (value.kind == fe::ConstKind::Spec)  // its own name says nothing
      info.value = std::to_string(static_cast<int64_t>(value.bits));
    else
      info.value = fe::constantText(program, names(), v.constant);
    if (spec && !fe::isScalarType(value.type)) info.value.clear();
    if (spec && fe::isScalarType(value.type) && fe::isFloatScalar(fe::basicScalar(value.type)))
      info.value.clear();
  }
  return info;
}

std::string Query::Impl::functionLabel(fe::FnId id,
                                       std::vector<std::pair<uint32_t, uint32_t>>* parameters) const {
  const fe::Function& f = program.functions[id];
  std::string text = typeText(f.result) + " " + std::string(nameText(f.name)) + "(";
  for (uint32_t i = 0; i < f.params.size(); ++i) {
    const fe::Variable& v = program.variables[f.params[i]];
    if (i != 0) text += ", ";
    const auto begin = static_cast<uint32_t>(text.size());
    text += directionText(v.direction) + typeText(v.type);
    if (v.name) text += " " + std::string(nameText(v.name));
    if (parameters != nullptr) parameters->emplace_back(begin, static_cast<uint32_t>(text.size()));
  }
  return text + ")";
}

std::string Query::Impl::callText(fe::FnId id) const {
  const fe::Function& f = program.functions[id];
  std::string text = std::string(nameText(f.name)) + "(";
  for (size_t i = 0; i < f.params.size(); ++i) {
    const fe::NameId name = program.variables[f.params[i]].name;
    text += (i == 0 ? "" : ", ") + (name ? std::string(nameText(name)) : "arg" + std::to_string(i));
  }
  return text + ")";
}

fe::StructId Query::Impl::constructedStruct(fe::SourceLoc open) const {
  const TextRange at = range(open, 0);
  if (!at.valid() || open.inMacro() || at.begin == 0) return {};
  const FileTokens& list = tokens(at.file);
  const size_t name = list.before(at.begin - 1);
  if (name >= list.tokens.size() || list.tokens[name].kind != fe::Tok::Identifier) return {};
  const Mention* m = mentionAt(at.file, list.begin(name));
  return m != nullptr && m->of.kind == Kind::Struct ? fe::StructId(m->of.id) : fe::StructId();
}

CallForm Query::Impl::constructorForm(fe::StructId id) const {
  const fe::StructInfo& s = program.structs[id];
  CallForm form{std::string(nameText(s.name)) + "(", documentation(nameRange(s.loc, s.name)), {}};
  for (const fe::MemberId m : s.members) {
    if (!form.parameters.empty()) form.label += ", ";
    const auto begin = static_cast<uint32_t>(form.label.size());
    form.label += typeText(program.members[m].type) + " " + std::string(nameText(program.members[m].name));
    form.parameters.emplace_back(begin, static_cast<uint32_t>(form.label.size()));
  }
  form.label += ')';
  return form;
}

NameInfo Query::Impl::describeFunction(fe::FnId id) const {
  const fe::Function& f = program.functions[id];
  NameInfo info;
  info.kind = NameKind::Function;
  info.name = nameText(f.name);
  info.type = typeText(f.result);
  info.signature = functionLabel(id, nullptr);
  return info;
}

NameInfo Query::Impl::describeStruct(fe::StructId id) const {
  const fe::StructInfo& s = program.structs[id];
  NameInfo info;
  info.kind = s.bufferReference ? NameKind::BufferReference : s.block ? NameKind::Block : NameKind::Struct;
  info.name = nameText(s.name);
  info.signature =
      (s.block ? memoryText(s.qualifiers) + std::string(storageText(s.storage)) : "struct ") + info.name;
  return info;
}

// Only the device knows the sizes of descriptors, on which the offsets of members behind them depend
// (GL_EXT_structured_descriptor_heap).
std::string Query::Impl::heapOffset(const fe::StructInfo& s, uint32_t index) const {
  const auto member = [&](uint32_t n) -> const fe::Member& { return program.members[s.members[n]]; };
  const auto layout = [&](const fe::Member& m) {
    return fe::layoutOf(program, m.type, s.packing, m.major == fe::Major::Inherit ? s.major : m.major);
  };
  uint64_t end = 0;  // of the member before
  bool known = true;
  for (uint32_t n = 0; n <= index; ++n) {
    const fe::Member& m = member(n);
    if (m.type == fe::kErrorType) return {};
    const bool plain = !fe::containsOpaque(program, m.type);
    const fe::TypeId element = fe::elementOf(program, m.type);
    const uint64_t align = plain ? layout(m).align : m.descriptorSize;  // 0: the device's
    std::string place;
    if (m.explicitOffset != fe::kNoLayout) {
      end = m.explicitOffset;
      known = true;
    } else if (known && (end == 0 || align != 0)) {
      end = align == 0 ? 0 : (end + align - 1) / align * align;
    } else {
      place = known ? std::to_string(end) : "the end of `" + std::string(nameText(member(n - 1).name)) + "`";
      place += align != 0 ? ", rounded up to " + std::to_string(align)
               : program.types.kind(element) == fe::TypeKind::Struct
                   ? ", rounded up to the largest alignment in " + typeText(element)
                   : ", rounded up to the size of " + typeText(element);
      known = false;
    }
    if (n == index) return known ? std::to_string(end) : place;
    const bool sized = plain || (m.descriptorSize != 0 && m.type == element);
    known = known && sized;
    if (known) end += plain ? layout(m).size : m.descriptorSize;
  }
  return {};
}

NameInfo Query::Impl::describeMember(fe::StructId id, uint32_t index) const {
  const fe::StructInfo& s = program.structs[id];
  const fe::Member& m = program.members[s.members[index]];
  NameInfo info;
  info.kind = NameKind::Member;
  info.name = nameText(m.name);
  info.type = typeText(m.type);
  info.container = nameText(s.name);
  info.signature = memoryText(m.qualifiers) + info.type + " " + info.name;
  if (s.block && fe::isHeap(s.storage) && m.offset == fe::kNoLayout) info.heapOffset = heapOffset(s, index);
  if (!s.block || m.offset == fe::kNoLayout || m.type == fe::kErrorType) return info;
  const auto layout = [&](const fe::Member& of) {
    return fe::layoutOf(program, of.type, s.packing, of.major == fe::Major::Inherit ? s.major : of.major);
  };
  const fe::MemoryLayout at = layout(m);
  info.layout = MemberLayout{m.offset, at.size, at.align, at.stride, 0};
  uint64_t end = 0;
  if (index > 0) {
    const fe::Member& before = program.members[s.members[index - 1]];
    if (before.offset != fe::kNoLayout && before.type != fe::kErrorType)
      end = before.offset + layout(before).size;
  }
  if (m.offset > end) info.layout->padding = static_cast<uint32_t>(m.offset - end);
  return info;
}

std::string Query::Impl::macroText(const fe::Observer::Macro& m) const {
  const TextRange from = range(m.at, 0), to = range(m.end, 0);
  if (!m.end.valid() || !from.valid() || from.file != to.file || from.begin > to.begin)
    return "#define " + std::string(nameText(m.name));  // predefined
  std::string text =
      "#define " + std::string(sources().text(from.file).substr(from.begin, to.begin - from.begin));
  while (text.back() == '\n' || text.back() == '\r' || text.back() == ' ') text.pop_back();
  return text;
}

NameInfo Query::Impl::describeMacro(uint32_t loc, fe::NameId name) const {
  NameInfo info;
  info.kind = NameKind::Macro;
  info.name = nameText(name);
  info.signature = "#define " + info.name;  // predefined
  for (const fe::Observer::Macro& m : observer.macros)
    if (m.at.raw == loc && m.end.valid()) {
      info.signature = macroText(m);
      break;
    }
  return info;
}

// The comments that end on the line before the declaration, or follow it on its own line.
std::string Query::Impl::documentation(const TextRange& name) const {
  if (!name.valid()) return {};
  const std::string_view text = sources().text(name.file);
  const auto lineStart = [&](size_t at) { return at == 0 ? 0 : text.rfind('\n', at - 1) + 1; };
  const auto trim = [](std::string_view line) {
    while (!line.empty() && (line.front() == ' ' || line.front() == '\t')) line.remove_prefix(1);
    while (!line.empty() && (line.back() == ' ' || line.back() == '\t' || line.back() == '\r'))
      line.remove_suffix(1);
    return line;
  };
  std::vector<std::string_view> lines;
  size_t start = lineStart(name.begin);
  // A comment above the line documents what begins there, not a member after the brace.
  if (text.substr(start, name.begin - start).find('{') != std::string_view::npos) start = 0;
  bool inBlock = false;
  while (start > 0) {
    const size_t before = lineStart(start - 1);
    std::string_view line = trim(text.substr(before, start - 1 - before));
    const bool ends = line.ends_with("*/");
    if (!inBlock && !line.starts_with("//") &&
        !(ends && (line.starts_with("/*") || line.find("/*") == std::string_view::npos)))
      break;
    if (!inBlock && ends && !line.starts_with("/*")) inBlock = true;
    lines.insert(lines.begin(), line);
    if (inBlock && line.find("/*") != std::string_view::npos) inBlock = false;
    start = before;
  }
  if (lines.empty()) {  // `float x;  // metres`
    const size_t end = std::min(text.find('\n', name.end), text.size());
    const size_t mark = text.substr(0, end).find("//", name.end);
    if (mark != std::string_view::npos) lines.push_back(trim(text.substr(mark, end - mark)));
  }
  std::string out;
  for (std::string_view line : lines) {
    while (!line.empty() &&
           (line.front() == '/' || line.front() == '*' || line.front() == '!' || line.front() == '<'))
      line.remove_prefix(1);
    if (line.ends_with("*/")) line.remove_suffix(2);
    line = trim(line);
    if (!out.empty()) out += '\n';
    out += line;
  }
  return out;
}

namespace {

// Whether a token other than a word is spelled as `text`. Tokens made by `##` or __LINE__ are not in the
// text.
bool isSpelled(const fe::Token& token, std::string_view text) {
  if (text.empty()) return false;
  if (token.kind == fe::Tok::StringLiteral) return text[0] == '"';
  const bool number = fe::isNumberLiteral(token.kind);
  if (number && !fe::isDigitChar(text[0]) && text[0] != '.') return false;
  return std::all_of(text.begin(), text.end(), [&](char c) {
    if (number) return fe::isWordChar(c) || c == '.' || c == '+' || c == '-';
    return !fe::isWordChar(c) && std::string_view(" \t\r\n\\#").find(c) == std::string_view::npos;
  });
}

// The end of the arguments of the macro that is used at `offset`: after the closing bracket; `offset` itself
// if there are none.
uint32_t argumentsEnd(const FileTokens& list, uint32_t offset) {
  uint32_t depth = 0;
  for (size_t at = list.before(offset) + 1; at < list.tokens.size(); ++at) {
    const fe::Tok kind = list.tokens[at].kind;
    if (kind == fe::Tok::LeftParen) ++depth;
    if (depth == 0) break;
    if (kind == fe::Tok::RightParen && --depth == 0) return list.end(at);
  }
  return offset;
}

}  // namespace

std::string Query::Impl::expansionAt(const TextRange& use, uint32_t definition) const {
  constexpr size_t kMost = 1000;
  const uint32_t begin = sources().loc(use.file, use.begin).raw;
  uint32_t end = begin + (use.end - use.begin);
  const bool takesArguments = std::any_of(observer.macros.begin(), observer.macros.end(), [&](const auto& m) {
    return m.at.raw == definition && m.functionLike;
  });
  if (takesArguments) end = tokens(use.file).base + argumentsEnd(tokens(use.file), use.begin);
  const auto joins = [](char c) { return fe::isWordChar(c) || c == '.'; };
  std::string text;
  for (const fe::Token& token : source.tokens) {
    const uint32_t at = sources().fileLoc(token.loc).raw;
    if (at < begin || at >= end) continue;
    std::string_view word;
    if (fe::isName(token)) {
      word = nameText(token.name());
    } else {
      const TextRange spelled = range(token.loc, token.length);
      if (spelled.valid()) word = sources().text(spelled.file).substr(spelled.begin, token.length);
      if (!isSpelled(token, word)) return {};
    }
    const bool separated =
        (token.flags & fe::kTokenSpaceBefore) != 0 || (joins(word[0]) && !text.empty() && joins(text.back()));
    if (separated && !text.empty()) text += ' ';
    text += word;
    if (text.size() > kMost) return text + " ...";
  }
  return text;
}

fe::StructId Query::Impl::objectType(const Referent& of) const {
  const auto structure = [&](fe::TypeId type) {
    return type == fe::kErrorType ? fe::StructId() : structOf(fe::elementOf(program, type));
  };
  switch (of.kind) {
    case Kind::Variable: return structure(program.variables[fe::VarId(of.id)].type);
    case Kind::Function: return structure(program.functions[fe::FnId(of.id)].result);
    case Kind::Struct: return fe::StructId(of.id);
    case Kind::Member:
      return structure(program.members[program.structs[fe::StructId(of.id)].members[of.member]].type);
    case Kind::Macro:
    case Kind::Component:
    case Kind::None: break;
  }
  return {};
}

NameInfo Query::Impl::describe(const Referent& of, const Mention* at) const {
  NameInfo info;
  switch (of.kind) {
    case Kind::Variable: info = describeVariable(fe::VarId(of.id)); break;
    case Kind::Function: info = describeFunction(fe::FnId(of.id)); break;
    case Kind::Struct: info = describeStruct(fe::StructId(of.id)); break;
    case Kind::Member: info = describeMember(fe::StructId(of.id), of.member); break;
    case Kind::Macro:
      info = describeMacro(of.id, of.name);
      if (at != nullptr && !at->declaration && !at->inMacro) info.value = expansionAt(at->at, of.id);
      break;
    case Kind::Component: {
      const auto count = static_cast<uint32_t>(nameText(of.name).size());
      info.kind = NameKind::Component;
      info.name = nameText(of.name);
      const fe::TypeId base{of.id};
      info.type = typeText(fe::basicType(fe::basicScalar(base), std::min(count, 4u)));
      info.signature = info.type + " " + typeText(base) + "." + info.name;
      break;
    }
    case Kind::None: break;
  }
  // The declaration of this referent itself: overloads have one each.
  const auto own = [&](const Referent& other) {
    return sameReferent(other, of) && (of.kind != Kind::Function || other.id == of.id) &&
           (of.kind != Kind::Macro || other.id == of.id);
  };
  if (at != nullptr && at->declaration && own(at->of)) {
    info.declaration = at->at;
  } else {
    for (const Mention& m : mentions())
      if (m.declaration && own(m.of)) info.declaration = m.at;
  }
  if (const fe::StructId object = objectType(of)) {
    const fe::StructInfo& structure = program.structs[object];
    info.typeDeclaration = nameRange(structure.loc, structure.name);
  }
  info.documentation = documentation(info.declaration);
  // A function's comment may stand at a prototype.
  if (of.kind == Kind::Function && info.documentation.empty())
    for (const size_t m : declarationsOfFunction(of.id)) {
      info.documentation = documentation(mentions()[m].at);
      if (!info.documentation.empty()) break;
    }
  return info;
}

std::optional<NameInfo> Query::Impl::describeBuiltin(fe::FileId file, uint32_t offset) const {
  const FileTokens& list = tokens(file);
  size_t i = list.before(offset);
  if (i >= list.tokens.size()) return std::nullopt;
  if (!fe::isName(list.tokens[i]) && i > 0 && list.end(i - 1) == offset) --i;
  const fe::Token& token = list.tokens[i];
  if (!fe::isName(token) || offset > list.end(i)) return std::nullopt;
  // A method is not the function of its name: `a.length()`.
  if (i > 0 && list.tokens[i - 1].kind == fe::Tok::Dot) return std::nullopt;
  return describeBuiltin(file, offset, nameText(token.name()));
}

std::optional<NameInfo> Query::Impl::describeBuiltin(fe::FileId file, uint32_t offset,
                                                     std::string_view word) const {
  NameInfo info;
  info.name = word;
  const fe::NameInfo name = session->names[session->names.intern(word)];
  fe::CompileOptions options_ = session->options;
  options_.observer = nullptr;
  fe::Diagnostics ignored(sources());
  fe::Program scratch;  // checks add to a program what they find
  fe::Checker c(options_, ignored, session->names, scratch);
  setAvailability(c, file, offset);
  if (name.builtinName != 0) {
    info.kind = NameKind::BuiltinFunction;
    for (const CallForm& form : builtinForms(c, static_cast<uint16_t>(name.builtinName - 1), info.name)) {
      info.signature += (info.signature.empty() ? "" : "\n") + form.label;
      if (info.documentation.empty()) info.documentation = form.documentation;
      if (info.type.empty() && !form.label.ends_with("(...)"))
        info.type = form.label.substr(0, form.label.find(' '));
    }
    if (info.signature.empty()) return std::nullopt;
  } else if (name.builtinSymbol != 0) {
    const fe::BuiltinSymbol& symbol = fe::builtinSymbol(static_cast<uint16_t>(name.builtinSymbol - 1));
    if (!fe::builtinSymbolAvailable(c, symbol)) return std::nullopt;
    info.kind = symbol.constant ? NameKind::BuiltinConstant : NameKind::BuiltinVariable;
    info.documentation = builtinVariableText(info.name);
    info.type = symbol.name == "gl_WorkGroupSize" ? "uvec3" : typeText(symbol.type);
    if (symbol.constant && fe::isScalarType(symbol.type))
      info.value = std::to_string(fe::builtinConstantValue(c, symbol));
    info.signature = (symbol.constant                                ? "const "
                      : fe::contains(symbol.inputs, c.options.stage) ? "in "
                                                                     : "out ") +
                     info.type + " " + info.name;
  } else if (name.builtinType != 0 &&
             fe::builtinTypeAvailable(c, fe::builtinTypeName(static_cast<uint16_t>(name.builtinType - 1)))) {
    info.kind = NameKind::BuiltinType;
    info.signature = info.name;
  } else {
    return std::nullopt;
  }
  return info;
}

// ---------------------------------------------------------------------------------------------------- public

std::optional<NameInfo> Query::symbolAt(uint32_t file, uint32_t offset) const {
  const Impl& d = *impl_;
  if (!d.session || file >= d.sources().fileCount() || d.inComment(file, offset)) return std::nullopt;
  if (const std::vector<TextRange> places = d.macroParameterAt(file, offset); !places.empty()) {
    NameInfo info;
    info.kind = NameKind::Parameter;
    info.name = d.sources().text(file).substr(places[0].begin, places[0].end - places[0].begin);
    info.signature = info.name;
    info.documentation = "a parameter of the macro";
    info.declaration = places[0];
    return info;
  }
  if (const Mention* m = d.mentionAt(file, offset)) return d.describe(m->of, m);
  if (std::optional<NameInfo> builtin = d.describeBuiltin(file, offset)) return builtin;
  return d.describeWord(file, offset);
}

std::vector<Occurrence> Query::occurrences(uint32_t file, uint32_t offset) const {
  const Impl& d = *impl_;
  std::vector<Occurrence> all;
  if (!d.session || file >= d.sources().fileCount()) return all;
  if (const std::vector<TextRange> places = d.macroParameterAt(file, offset); !places.empty()) {
    for (const TextRange& place : places) all.push_back({place, place == places[0], false, true});
    return all;
  }
  const Mention* at = d.mentionAt(file, offset);
  if (at == nullptr) return d.builtinOccurrences(file, offset);
  std::set<uint32_t> written;
  for (uint32_t e = 1; e < d.program.exprs.size(); ++e) {
    const fe::Expr* x = &d.program.exprs[fe::ExprId(e)];
    if (!fe::isAssignment(x->op) && !fe::isIncrement(x->op)) continue;
    for (x = &d.program.exprs[x->written()];; x = &d.program.exprs[x->accessBase()]) {
      written.insert(x->loc.raw);
      if (!fe::isAccess(x->op)) break;
    }
  }
  for (const Mention& m : d.mentions())
    if (sameReferent(m.of, at->of))
      all.push_back({m.at, m.declaration,
                     !m.inMacro && written.count(d.sources().loc(m.at.file, m.at.begin).raw) != 0,
                     m.inMacro});
  return all;
}

// All words, in all files, that refer to the built-in name at the place. Declarations that hide it do not
// count.
std::vector<Occurrence> Query::Impl::builtinOccurrences(fe::FileId file, uint32_t offset) const {
  std::vector<Occurrence> all;
  if (inComment(file, offset)) return all;
  const std::optional<NameInfo> info = describeBuiltin(file, offset);
  if (!info || info->kind == NameKind::BuiltinType) return all;
  std::set<std::string> seen;
  for (fe::FileId in = 0; in < sources().fileCount(); ++in) {
    if (!seen.emplace(sources().name(in)).second) continue;
    const FileTokens& list = tokens(in);
    for (size_t i = 0; i < list.tokens.size(); ++i)
      if (fe::isName(list.tokens[i]) && nameText(list.tokens[i].name()) == info->name &&
          (i == 0 || list.tokens[i - 1].kind != fe::Tok::Dot) && mentionAt(in, list.begin(i)) == nullptr)
        all.push_back({{in, list.begin(i), list.end(i)}, false, false, false});
  }
  return all;
}

namespace {

// The texts with the new name, and the new positions of everything in them.
class Renamed {
 public:
  Renamed(const Query::Impl& d, const Referent& of, std::string_view newName) : d_(d), newName_(newName) {
    for (const Mention& m : d.mentions())
      if (sameReferent(m.of, of)) places_[std::string(d.sources().name(m.at.file))].insert(m.at.begin);
    oldSize_ = static_cast<uint32_t>(d.nameText(of.name).size());
    for (fe::FileId file = 0; file < d.sources().fileCount(); ++file) {
      const auto places = places_.find(std::string(d.sources().name(file)));
      if (places == places_.end() || texts_.count(places->first) != 0) continue;
      std::string text(d.sources().text(file));
      for (auto at = places->second.rbegin(); at != places->second.rend(); ++at)
        text.replace(*at, oldSize_, newName);
      texts_.emplace(places->first, std::move(text));
    }
  }

  Query ask() const {
    Options options = d_.options;
    if (d_.options.include)
      options.include = [this](std::string_view name, bool angled, std::string_view from,
                               uint32_t depth) -> std::optional<Include> {
        std::optional<Include> found = d_.options.include(name, angled, from, depth);
        if (!found) return found;
        const auto text = texts_.find(found->name);
        if (text != texts_.end()) {
          found->text = text->second;
          found->shared = {};
        }
        return found;
      };
    const auto text = texts_.find(d_.mainName);
    return Query(text != texts_.end() ? text->second : d_.mainText, d_.mainName, options);
  }

  uint32_t begin(const TextRange& at) const {
    const auto places = places_.find(std::string(d_.sources().name(at.file)));
    if (places == places_.end()) return at.begin;
    const auto before = std::distance(places->second.begin(), places->second.lower_bound(at.begin));
    return at.begin + static_cast<uint32_t>(before) * (static_cast<uint32_t>(newName_.size()) - oldSize_);
  }

 private:
  const Query::Impl& d_;
  std::string_view newName_;
  uint32_t oldSize_ = 0;
  std::map<std::string, std::set<uint32_t>> places_;  // by the file's name: a file may be included twice
  std::map<std::string, std::string> texts_;
};

// Whether every name is at its (moved) place and refers to the same declaration. Ids count declarations,
// whose order a name does not change; a macro's id is a place.
bool keepsMeanings(const Query::Impl& before, const Query::Impl& after, const Renamed& renamed) {
  const std::vector<Mention>& a = before.mentions();
  const std::vector<Mention>& b = after.mentions();
  if (after.result.errorCount > before.result.errorCount) return false;
  return std::equal(a.begin(), a.end(), b.begin(), b.end(), [&](const Mention& x, const Mention& y) {
    return x.at.file == y.at.file && renamed.begin(x.at) == y.at.begin && x.declaration == y.declaration &&
           x.of.kind == y.of.kind &&
           (x.of.kind == Kind::Macro || (x.of.id == y.of.id && x.of.member == y.of.member));
  });
}

// Why no program may declare the name; "" if one may. It must be one token for the lexer, and not a keyword
// or a built-in type.
std::string nameFault(const fe::SourceManager& sources, std::string_view newName) {
  std::string text(newName);
  fe::Names names;
  fe::Diagnostics ignored(sources);
  ++ignored.suppress;
  text.append(64, '\0');
  fe::Lexer lexer(names, ignored, std::string_view(text).substr(0, newName.size()), 0);
  fe::Token token, end;
  lexer.lex(token);
  lexer.lex(end);
  if (token.kind != fe::Tok::Identifier || end.kind != fe::Tok::End || names.text(token.name()) != newName)
    return "`" + std::string(newName) + "` is not a name";
  if (newName.starts_with("gl_")) return "names that start with `gl_` are reserved";
  return {};
}

}  // namespace

std::string Query::renameFault(uint32_t file, uint32_t offset, std::string_view newName) const {
  const Impl& d = *impl_;
  if (!d.session || file >= d.sources().fileCount()) return "there is no such file";
  if (TextRange all; !d.macroParameterAt(file, offset, &all).empty()) {
    // Names in the definition are its parameters', or are read where the macro is used.
    const FileTokens& list = d.tokens(file);
    for (size_t i = list.before(all.begin); i < list.tokens.size() && list.begin(i) < all.end; ++i)
      if (fe::isName(list.tokens[i]) && d.nameText(list.tokens[i].name()) == newName)
        return "`" + std::string(newName) + "` is in the macro already";
    return nameFault(d.sources(), newName);
  }
  const Mention* at = d.mentionAt(file, offset);
  if (at == nullptr || at->of.kind == Kind::Component) return "there is no name of the program at this place";
  const std::string_view old = d.nameText(at->of.name);
  if (old == "main") return "`main` is the entry point";
  bool declared = false;
  for (const Mention& m : d.mentions()) declared |= sameReferent(m.of, at->of) && m.declaration;
  if (!declared) return "`" + std::string(old) + "` is not declared in the text";
  for (const Referent& of : d.unwritten_)
    if (sameReferent(of, at->of))
      return "`" + std::string(old) + "` is also used where a macro or two lines join it";
  if (std::string why = nameFault(d.sources(), newName); !why.empty()) return why;
  if (at->of.kind == Kind::Member) {
    const fe::StructInfo& s = d.program.structs[fe::StructId(at->of.id)];
    for (const fe::MemberId m : s.members)
      if (newName != old && d.nameText(d.program.members[m].name) == newName)
        return "`" + std::string(newName) + "` is a member already";
  } else {
    for (const Mention& m : d.mentions())
      if (m.of.kind != Kind::Member && m.of.kind != Kind::Component && d.nameText(m.of.name) == newName &&
          newName != old)
        return "`" + std::string(newName) + "` has a meaning already";
  }
  const Renamed renamed(d, at->of, newName);
  const Query asked = renamed.ask();
  return keepsMeanings(d, *asked.impl_, renamed)
             ? std::string()
             : "with the name `" + std::string(newName) + "` the text would mean something else";
}

// ----------------------------------------------------------------------------------------------------- calls

std::vector<Query::Impl::Definition> Query::Impl::definitions() const {
  std::vector<TextRange> externals;
  for (const fe::Observer::Range& r : observer.externals)
    if (const TextRange from = range(r.begin, 0), to = range(r.end, 0); from.valid() && from.file == to.file)
      externals.push_back({from.file, from.begin, to.begin});
  std::vector<Definition> all;
  for (const fe::Observer::Definition& f : observer.definitions) {
    const TextRange name = nameRange(f.at, program.functions[f.function].name);
    if (!f.hasBody || !name.valid()) continue;
    const auto whole = std::find_if(externals.begin(), externals.end(), [&](const TextRange& r) {
      return r.file == name.file && r.begin <= name.begin && name.end <= r.end;
    });
    if (whole != externals.end()) all.push_back({f.function, name, *whole});
  }
  return all;
}

namespace {

CallLink linkTo(const Query::Impl& d, const Query::Impl::Definition& f) {
  CallLink link;
  link.function = d.describeFunction(f.function);
  link.function.declaration = f.name;
  link.function.documentation = d.documentation(f.name);
  link.range = f.whole;
  return link;
}

bool isUseOf(const Mention& m, const Referent& of) {
  return !m.declaration && of.kind == Kind::Function && sameReferent(m.of, of);
}

}  // namespace

std::vector<CallLink> Query::callers(uint32_t file, uint32_t offset) const {
  const Impl& d = *impl_;
  std::vector<CallLink> all;
  if (!d.session || file >= d.sources().fileCount()) return all;
  const Mention* at = d.mentionAt(file, offset);
  if (at == nullptr || at->of.kind != Kind::Function) return all;
  for (const Impl::Definition& f : d.definitions()) {
    CallLink link = linkTo(d, f);
    for (const Mention& m : d.mentions())
      if (isUseOf(m, at->of) && m.at.file == f.whole.file && f.whole.begin <= m.at.begin &&
          m.at.end <= f.whole.end)
        link.sites.push_back(m.at);
    if (!link.sites.empty()) all.push_back(std::move(link));
  }
  return all;
}

std::vector<CallLink> Query::callees(uint32_t file, uint32_t offset) const {
  const Impl& d = *impl_;
  std::vector<CallLink> all;
  if (!d.session || file >= d.sources().fileCount()) return all;
  const Mention* at = d.mentionAt(file, offset);
  if (at == nullptr || at->of.kind != Kind::Function) return all;
  const std::vector<Impl::Definition> definitions = d.definitions();
  // At a definition, only that overload; at a use, all of the name.
  std::vector<TextRange> bodies;
  for (const Impl::Definition& f : definitions)
    if (d.program.functions[f.function].name == at->of.name &&
        (!at->declaration || (f.name.file == file && f.name.contains(offset))))
      bodies.push_back(f.whole);
  for (const Impl::Definition& f : definitions) {
    const Referent called = {Kind::Function, f.function.index(), 0, d.program.functions[f.function].name};
    CallLink link = linkTo(d, f);
    for (const Mention& m : d.mentions())
      for (const TextRange& body : bodies)
        if (isUseOf(m, called) && m.at.file == body.file && body.begin <= m.at.begin && m.at.end <= body.end)
          link.sites.push_back(m.at);
    const bool known = std::any_of(all.begin(), all.end(), [&](const CallLink& other) {
      return other.function.name == link.function.name;
    });
    if (!link.sites.empty() && !known) all.push_back(std::move(link));
  }
  return all;
}

std::vector<OutlineItem> Query::outline(uint32_t file) const {
  const Impl& d = *impl_;
  std::vector<OutlineItem> all;
  if (!d.session || file >= d.sources().fileCount()) return all;
  std::vector<TextRange> externals;
  for (const fe::Observer::Range& r : d.observer.externals)
    if (const TextRange from = d.range(r.begin, 0), to = d.range(r.end, 0);
        from.file == file && to.file == file)
      externals.push_back({file, from.begin, to.begin});
  std::set<uint32_t> global;  // variables and types
  for (const fe::Observer::Declaration& s : d.observer.declarations)
    if (s.scope == 0) global.insert(s.at.raw);
  for (const Mention& m : d.mentions()) {
    if (m.at.file != file || !m.declaration || m.inMacro) continue;
    const uint32_t raw = d.sources().loc(file, m.at.begin).raw;
    if (m.of.kind == Kind::Variable && global.count(raw) == 0) continue;
    OutlineItem item{d.describe(m.of, &m), m.at, TextRange::kNoFile};
    const auto e = std::find_if(externals.begin(), externals.end(), [&](const TextRange& r) {
      return r.begin <= m.at.begin && m.at.end <= r.end;
    });
    if (m.of.kind == Kind::Member) {
      for (size_t i = all.size(); i-- > 0;)
        if (all[i].info.kind != NameKind::Member && all[i].info.name == item.info.container) {
          item.parent = static_cast<uint32_t>(i);
          break;
        }
    } else if (e != externals.end()) {
      item.range = *e;
    }
    all.push_back(std::move(item));
  }
  return all;
}

}  // namespace coopc
