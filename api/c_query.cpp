// include/coopc/query.h over query.hpp: exceptions (memory) become NULL or 0.
#include <algorithm>
#include <cstring>
#include <new>
#include <string>
#include <vector>

#include "api/c_handles.hpp"
#include "base/guarded.hpp"
#include "coopc/query.h"
#include "coopc/query.hpp"

struct coopc_query {
  coopc::Query query;
  coopc_result result;
  std::vector<std::string> files;
  std::vector<std::string> extensions;
};

struct coopc_names {
  struct Entry {
    coopc::NameInfo info;
    coopc::TextRange whole;
    uint32_t parent = COOPC_NO_FILE;
    std::vector<coopc::TextRange> sites;
  };
  std::vector<Entry> entries;
};

COOPC_SAME(COOPC_NAME_VARIABLE, NameKind::Variable);
COOPC_SAME(COOPC_NAME_PARAMETER, NameKind::Parameter);
COOPC_SAME(COOPC_NAME_CONSTANT, NameKind::Constant);
COOPC_SAME(COOPC_NAME_FUNCTION, NameKind::Function);
COOPC_SAME(COOPC_NAME_STRUCT, NameKind::Struct);
COOPC_SAME(COOPC_NAME_BLOCK, NameKind::Block);
COOPC_SAME(COOPC_NAME_BUFFER_REFERENCE, NameKind::BufferReference);
COOPC_SAME(COOPC_NAME_MEMBER, NameKind::Member);
COOPC_SAME(COOPC_NAME_MACRO, NameKind::Macro);
COOPC_SAME(COOPC_NAME_BUILTIN_FUNCTION, NameKind::BuiltinFunction);
COOPC_SAME(COOPC_NAME_BUILTIN_VARIABLE, NameKind::BuiltinVariable);
COOPC_SAME(COOPC_NAME_BUILTIN_CONSTANT, NameKind::BuiltinConstant);
COOPC_SAME(COOPC_NAME_BUILTIN_TYPE, NameKind::BuiltinType);
COOPC_SAME(COOPC_NAME_COMPONENT, NameKind::Component);
COOPC_SAME(COOPC_NAME_KEYWORD, NameKind::Keyword);
COOPC_SAME(COOPC_NAME_LAYOUT_QUALIFIER, NameKind::LayoutQualifier);
COOPC_SAME(COOPC_NAME_EXTENSION, NameKind::Extension);
COOPC_SAME(COOPC_NAME_DIRECTIVE, NameKind::Directive);
COOPC_SAME(COOPC_TOKEN_KEYWORD, HighlightToken::Kind::Keyword);
COOPC_SAME(COOPC_TOKEN_TYPE, HighlightToken::Kind::Type);
COOPC_SAME(COOPC_TOKEN_FUNCTION, HighlightToken::Kind::Function);
COOPC_SAME(COOPC_TOKEN_VARIABLE, HighlightToken::Kind::Variable);
COOPC_SAME(COOPC_TOKEN_PARAMETER, HighlightToken::Kind::Parameter);
COOPC_SAME(COOPC_TOKEN_MEMBER, HighlightToken::Kind::Member);
COOPC_SAME(COOPC_TOKEN_MACRO, HighlightToken::Kind::Macro);
COOPC_SAME(COOPC_TOKEN_NUMBER, HighlightToken::Kind::Number);
COOPC_SAME(COOPC_TOKEN_STRING, HighlightToken::Kind::String);
COOPC_SAME(COOPC_TOKEN_COMMENT, HighlightToken::Kind::Comment);
COOPC_SAME(COOPC_NO_FILE, TextRange::kNoFile);

namespace {

using coopc::guard;
using Entry = coopc_names::Entry;

coopc_range rangeOf(const coopc::TextRange& at) { return {at.file, at.begin, at.end}; }

// A list that `fill` gives entries; without a query it stays empty.
template <class F>
coopc_names* listOf(const coopc_query* query, F&& fill) {
  return guard<coopc_names*>(nullptr, [&] {
    coopc_names list;
    if (query != nullptr) fill(query->query, list.entries);
    return new coopc_names(std::move(list));
  });
}

// Copies the first `capacity` results of `find`, converted. Returns the number of all.
template <class To, class Find, class Convert>
size_t copyOf(const coopc_query* query, To* to, size_t capacity, Find&& find, Convert&& convert) {
  if (query == nullptr) return 0;
  return guard<size_t>(0, [&] {
    const auto all = find(query->query);
    for (size_t n = 0; n < all.size() && n < capacity && to != nullptr; ++n) to[n] = convert(all[n]);
    return all.size();
  });
}

void addLinks(const std::vector<coopc::CallLink>& links, std::vector<Entry>& entries) {
  for (const coopc::CallLink& link : links)
    entries.push_back({link.function, link.range, COOPC_NO_FILE, link.sites});
}

}  // namespace

extern "C" {

coopc_query* coopc_query_create(const char* source, size_t source_length, const char* name,
                                const coopc_options* options) {
  return guard<coopc_query*>(nullptr, [&] {
    coopc::Query query(source != nullptr ? std::string_view(source, source_length) : std::string_view(),
                       name != nullptr ? name : "", options != nullptr ? options->value : coopc::Options());
    coopc_result result{query.result()};
    std::vector<std::string> files = query.files();
    std::vector<std::string> extensions = query.extensions();
    return new coopc_query{std::move(query), std::move(result), std::move(files), std::move(extensions)};
  });
}
void coopc_query_destroy(coopc_query* query) { delete query; }
const coopc_result* coopc_query_result(const coopc_query* query) {
  return query != nullptr ? &query->result : nullptr;
}

size_t coopc_query_file_count(const coopc_query* query) { return query != nullptr ? query->files.size() : 0; }
const char* coopc_query_file_name(const coopc_query* query, uint32_t file) {
  return query != nullptr && file < query->files.size() ? query->files[file].c_str() : "";
}
const char* coopc_query_file_text(const coopc_query* query, uint32_t file, size_t* length) {
  const std::string_view text = query != nullptr ? query->query.text(file) : std::string_view();
  if (length != nullptr) *length = text.size();
  return text.data() != nullptr ? text.data() : "";
}
uint32_t coopc_query_main_file(const coopc_query* query) {
  return query != nullptr ? query->query.main() : COOPC_NO_FILE;
}

size_t coopc_query_extension_count(const coopc_query* query) {
  return query != nullptr ? query->extensions.size() : 0;
}
const char* coopc_query_extension(const coopc_query* query, size_t index) {
  return query != nullptr && index < query->extensions.size() ? query->extensions[index].c_str() : "";
}

coopc_range coopc_query_diagnostic_place(const coopc_query* query, size_t diagnostic, size_t note) {
  const coopc_range none = {COOPC_NO_FILE, 0, 0};
  if (query == nullptr) return none;
  return guard(none, [&] {
    const std::vector<coopc::DiagnosticPlaces> all = query->query.diagnosticPlaces();
    if (diagnostic >= all.size() || note > all[diagnostic].notes.size()) return none;
    return rangeOf(note == 0 ? all[diagnostic].at : all[diagnostic].notes[note - 1]);
  });
}

coopc_names* coopc_query_symbol(const coopc_query* query, uint32_t file, uint32_t offset) {
  return listOf(query, [&](const coopc::Query& q, std::vector<Entry>& entries) {
    if (auto info = q.symbolAt(file, offset)) entries.push_back({std::move(*info), {}, COOPC_NO_FILE, {}});
  });
}
coopc_names* coopc_query_outline(const coopc_query* query, uint32_t file) {
  return listOf(query, [&](const coopc::Query& q, std::vector<Entry>& entries) {
    for (coopc::OutlineItem& item : q.outline(file))
      entries.push_back({std::move(item.info), item.range, item.parent, {}});
  });
}
coopc_names* coopc_query_completions(const coopc_query* query, uint32_t file, uint32_t offset,
                                     coopc_range* replaced) {
  if (replaced != nullptr) *replaced = {COOPC_NO_FILE, 0, 0};
  return listOf(query, [&](const coopc::Query& q, std::vector<Entry>& entries) {
    coopc::Completions found = q.completionsAt(file, offset);
    if (replaced != nullptr) *replaced = rangeOf(found.replaced);
    for (coopc::Completion& c : found.items) {
      Entry& entry = entries.emplace_back();
      entry.info.kind = c.kind;
      entry.info.name = std::move(c.name);
      entry.info.signature = std::move(c.detail);
    }
  });
}
int coopc_query_include_path(const coopc_query* query, uint32_t file, uint32_t offset, coopc_range* path,
                             int* angled) {
  if (path != nullptr) *path = {COOPC_NO_FILE, 0, 0};
  if (angled != nullptr) *angled = 0;
  if (query == nullptr) return 0;
  return guard(0, [&] {
    const coopc::Completions found = query->query.completionsAt(file, offset);
    if (!found.includePath) return 0;
    if (path != nullptr) *path = {file, offset - static_cast<uint32_t>(found.path.size()), offset};
    if (angled != nullptr) *angled = found.angled ? 1 : 0;
    return 1;
  });
}
coopc_names* coopc_query_callers(const coopc_query* query, uint32_t file, uint32_t offset) {
  return listOf(query, [&](const coopc::Query& q, std::vector<Entry>& entries) {
    addLinks(q.callers(file, offset), entries);
  });
}
coopc_names* coopc_query_callees(const coopc_query* query, uint32_t file, uint32_t offset) {
  return listOf(query, [&](const coopc::Query& q, std::vector<Entry>& entries) {
    addLinks(q.callees(file, offset), entries);
  });
}
coopc_names* coopc_query_call(const coopc_query* query, uint32_t file, uint32_t offset, uint32_t* active,
                              uint32_t* parameter) {
  if (active != nullptr) *active = 0;
  if (parameter != nullptr) *parameter = 0;
  return listOf(query, [&](const coopc::Query& q, std::vector<Entry>& entries) {
    coopc::CallForms found = q.callAt(file, offset);
    if (active != nullptr) *active = found.active;
    if (parameter != nullptr) *parameter = found.parameter;
    for (coopc::CallForm& form : found.forms) {
      Entry& entry = entries.emplace_back();
      entry.info.kind = coopc::NameKind::Function;
      entry.info.signature = std::move(form.label);
      entry.info.documentation = std::move(form.documentation);
      for (const auto& [begin, end] : form.parameters)
        entry.sites.push_back({coopc::TextRange::kNoFile, begin, end});
    }
  });
}
coopc_names* coopc_query_hints(const coopc_query* query, uint32_t file, uint32_t begin, uint32_t end) {
  return listOf(query, [&](const coopc::Query& q, std::vector<Entry>& entries) {
    for (coopc::Hint& hint : q.hints(file, begin, end)) {
      Entry& entry = entries.emplace_back();
      entry.info.kind = hint.kind == coopc::Hint::Kind::Parameter ? coopc::NameKind::Parameter
                        : hint.kind == coopc::Hint::Kind::Layout  ? coopc::NameKind::Member
                                                                  : coopc::NameKind::Constant;
      entry.info.name = std::move(hint.text);
      entry.info.declaration = {file, hint.offset, hint.offset};
    }
  });
}
coopc_names* coopc_query_fixes(const coopc_query* query, size_t diagnostic) {
  return listOf(query, [&](const coopc::Query& q, std::vector<Entry>& entries) {
    for (const coopc::Fix& fix : q.fixes(diagnostic)) {
      for (const coopc::TextEdit& edit : fix.edits) {
        Entry& entry = entries.emplace_back();
        entry.info.name = edit.text;
        entry.info.container = fix.title;
        entry.info.declaration = edit.at;
      }
    }
  });
}

void coopc_names_destroy(coopc_names* names) { delete names; }
size_t coopc_names_count(const coopc_names* names) { return names != nullptr ? names->entries.size() : 0; }
int coopc_names_get(const coopc_names* names, size_t index, coopc_name* name, size_t size) {
  if (names == nullptr || name == nullptr || index >= names->entries.size()) return 0;
  const Entry& entry = names->entries[index];
  const coopc::NameInfo& info = entry.info;
  const coopc::MemberLayout layout = info.layout.value_or(coopc::MemberLayout());
  const coopc_name known = {static_cast<coopc_name_kind>(info.kind),
                            info.name.c_str(),
                            info.type.c_str(),
                            info.signature.c_str(),
                            info.value.c_str(),
                            info.documentation.c_str(),
                            info.container.c_str(),
                            rangeOf(info.declaration),
                            rangeOf(entry.whole),
                            entry.parent,
                            info.layout ? 1 : 0,
                            layout.offset,
                            layout.alignment,
                            layout.stride,
                            layout.padding,
                            layout.size,
                            rangeOf(info.typeDeclaration)};
  std::memset(name, 0, size);
  std::memcpy(name, &known, std::min(size, sizeof known));
  return 1;
}
size_t coopc_names_sites(const coopc_names* names, size_t index, coopc_range* sites, size_t capacity) {
  if (names == nullptr || index >= names->entries.size()) return 0;
  const std::vector<coopc::TextRange>& all = names->entries[index].sites;
  for (size_t n = 0; n < all.size() && n < capacity && sites != nullptr; ++n) sites[n] = rangeOf(all[n]);
  return all.size();
}

size_t coopc_query_occurrences(const coopc_query* query, uint32_t file, uint32_t offset,
                               coopc_occurrence* occurrences, size_t capacity) {
  return copyOf(
      query, occurrences, capacity, [&](const coopc::Query& q) { return q.occurrences(file, offset); },
      [](const coopc::Occurrence& o) {
        return coopc_occurrence{rangeOf(o.at), o.declaration ? 1 : 0, o.write ? 1 : 0, o.inMacro ? 1 : 0};
      });
}
size_t coopc_query_rename_fault(const coopc_query* query, uint32_t file, uint32_t offset,
                                const char* new_name, char* why, size_t capacity) {
  if (why != nullptr && capacity > 0) *why = '\0';
  if (query == nullptr) return 0;
  return guard<size_t>(0, [&] {
    const std::string fault = query->query.renameFault(file, offset, new_name != nullptr ? new_name : "");
    if (why != nullptr && capacity > 0) {
      const size_t kept = std::min(fault.size(), capacity - 1);
      std::memcpy(why, fault.data(), kept);
      why[kept] = '\0';
    }
    return fault.size();
  });
}
size_t coopc_query_highlight(const coopc_query* query, uint32_t file, coopc_token* tokens, size_t capacity) {
  return copyOf(
      query, tokens, capacity, [&](const coopc::Query& q) { return q.highlight(file); },
      [](const coopc::HighlightToken& t) {
        return coopc_token{rangeOf(t.at), static_cast<coopc_token_kind>(t.kind), t.declaration ? 1 : 0,
                           t.readonly ? 1 : 0, t.builtin ? 1 : 0};
      });
}
size_t coopc_query_ranges(const coopc_query* query, coopc_range_kind kind, uint32_t file, uint32_t offset,
                          coopc_range* ranges, size_t capacity) {
  return copyOf(
      query, ranges, capacity,
      [&](const coopc::Query& q) {
        std::vector<coopc::TextRange> all;
        if (kind == COOPC_RANGE_INACTIVE) all = q.inactive(file);
        if (kind == COOPC_RANGE_FOLD) all = q.folds(file);
        if (kind == COOPC_RANGE_ENCLOSING) all = q.enclosing(file, offset);
        if (kind == COOPC_RANGE_INCLUDE)
          for (const coopc::IncludedFile& include : q.includes(file)) all.push_back(include.at);
        return all;
      },
      rangeOf);
}
uint32_t coopc_query_included_file(const coopc_query* query, uint32_t file, uint32_t offset) {
  if (query == nullptr) return COOPC_NO_FILE;
  return guard(COOPC_NO_FILE, [&] {
    for (const coopc::IncludedFile& include : query->query.includes(file))
      if (include.at.contains(offset)) return include.file;
    return COOPC_NO_FILE;
  });
}

}  // extern "C"
