// The forms of built-in functions as editors show them: the prototypes of the front end's tables with names
// of parameters, prototypes that no table has, and descriptions.
#include <algorithm>
#include <iterator>
#include <map>

#include "api/query/query.hpp"
#include "frontend/base/characters.hpp"
#include "frontend/check/builtins/resolve.hpp"

namespace coopc {

namespace fe = frontend;

namespace {

struct BuiltinText {
  std::string_view function, form, what;
  // Whether the form is a whole prototype, and not the names of parameters.
  bool isPrototype() const { return form.ends_with(')'); }
};
constexpr BuiltinText kTexts[] = {
#define BUILTIN_TEXT(FUNCTION, FORM, WHAT) {FUNCTION, FORM, WHAT},
#include "api/query/builtin_texts.def"
#undef BUILTIN_TEXT
};

std::vector<std::string_view> splitNames(std::string_view names) {
  std::vector<std::string_view> all;
  while (!names.empty()) {
    const size_t comma = std::min(names.find(','), names.size());
    all.push_back(names.substr(0, comma));
    names.remove_prefix(std::min(comma + 2, names.size()));  // ", "
  }
  return all;
}

std::map<std::string_view, size_t> findFirstRows() {
  std::map<std::string_view, size_t> all;
  for (size_t n = 0; n < std::size(kTexts); ++n) all.emplace(kTexts[n].function, n);
  return all;
}

// Rows of one function are adjacent.
template <class Use>
void forEachRow(std::string_view function, Use&& use) {
  static const std::map<std::string_view, size_t> first = findFirstRows();
  const auto found = first.find(function);
  if (found == first.end()) return;
  for (size_t n = found->second; n < std::size(kTexts) && kTexts[n].function == function; ++n) use(kTexts[n]);
}

// The scalar type for the component of a generic type, as the prototypes of chapter 8 have it: `float` for
// genFType.
std::string readable(std::string type) {
  constexpr std::pair<std::string_view, std::string_view> kScalars[] = {
      {"genFType component", "float"}, {"genDType component", "double"}, {"genIType component", "int"},
      {"genUType component", "uint"},  {"genBType component", "bool"},   {"genType component", "scalar"}};
  for (const auto& [generic, scalar] : kScalars)
    if (const size_t at = type.find(generic); at != std::string::npos)
      return type.replace(at, generic.size(), scalar);
  return type;
}

CallForm formOf(std::string_view function, const fe::BuiltinPrototype& p) {
  std::vector<std::string_view> names;
  CallForm form;
  forEachRow(function, [&](const BuiltinText& text) {
    if (text.isPrototype()) return;
    std::vector<std::string_view> own = splitNames(text.form);
    if (own.size() != p.parameters.size()) return;
    names = std::move(own);
    form.documentation = text.what;
  });
  form.label = readable(p.result) + " " + std::string(function) + "(";
  for (size_t n = 0; n < p.parameters.size(); ++n) {
    if (n != 0) form.label += ", ";
    const auto begin = static_cast<uint32_t>(form.label.size());
    form.label += readable(p.parameters[n]);
    if (n < names.size()) (form.label += ' ') += names[n];
    form.parameters.emplace_back(begin, static_cast<uint32_t>(form.label.size()));
  }
  form.label += ')';
  return form;
}

CallForm formOf(const BuiltinText& prototype) {
  CallForm form{std::string(prototype.form), std::string(prototype.what), {}};
  const auto end = static_cast<uint32_t>(prototype.form.rfind(')'));
  for (auto at = static_cast<uint32_t>(prototype.form.find('(') + 1); at < end;) {
    const auto comma = static_cast<uint32_t>(std::min<size_t>(prototype.form.find(',', at), end));
    form.parameters.emplace_back(at, comma);
    at = comma + 2;  // ", "
  }
  return form;
}

// The name in `const in uint coords[2]`; "" in `...`.
std::string_view parameterName(std::string_view parameter) {
  if (parameter.ends_with(']')) parameter = parameter.substr(0, parameter.rfind('['));
  size_t begin = parameter.size();
  while (begin > 0 && fe::isWordChar(parameter[begin - 1])) --begin;
  return parameter.substr(begin);
}

}  // namespace

std::vector<CallForm> builtinForms(const fe::Checker& c, uint16_t builtinName, std::string_view function) {
  std::vector<CallForm> forms;
  const auto add = [&](CallForm form) {
    if (std::none_of(forms.begin(), forms.end(), [&](const CallForm& f) { return f.label == form.label; }))
      forms.push_back(std::move(form));
  };
  for (const fe::BuiltinPrototype& p : fe::builtinPrototypes(c, builtinName)) {
    size_t listed = 0;
    if (p.result.empty())
      forEachRow(function, [&](const BuiltinText& row) {
        if (!row.isPrototype()) return;
        add(formOf(row));
        ++listed;
      });
    if (listed != 0) continue;
    if (p.result.empty())
      add({p.text, {}, {}});
    else
      add(formOf(function, p));
  }
  return forms;
}

namespace {

std::string callOf(std::string_view function, const std::vector<std::string_view>& names) {
  std::string call = std::string(function) + "(";
  for (const std::string_view name : names)
    if (!name.empty()) call += (call.back() == '(' ? "" : ", ") + std::string(name);
  return call + ")";
}

std::map<std::string_view, std::vector<std::string>> makeCalls() {
  std::map<std::string_view, std::vector<std::string>> all;
  for (const BuiltinText& row : kTexts) {
    std::vector<std::string>& calls = all[row.function];
    if (!row.isPrototype()) {
      // The first form in the tables; the others differ in types, or have arguments that are rarely given.
      if (calls.empty()) calls.push_back(callOf(row.function, splitNames(row.form)));
      continue;
    }
    std::vector<std::string_view> names;
    for (const auto& [begin, end] : formOf(row).parameters)
      names.push_back(parameterName(row.form.substr(begin, end - begin)));
    std::string call = callOf(row.function, names);
    if (std::find(calls.begin(), calls.end(), call) == calls.end()) calls.push_back(std::move(call));
  }
  return all;
}

}  // namespace

const std::vector<std::string>& builtinCalls(std::string_view function) {
  static const std::map<std::string_view, std::vector<std::string>> all = makeCalls();
  static const std::vector<std::string> unknown(1);
  const auto found = all.find(function);
  return found != all.end() ? found->second : unknown;
}

}  // namespace coopc
