// Queries about a text, for editors: what each name is, where it is declared and used, and which names can be
// written at a place.
//
//     coopc::Query query(text, "shader.comp", options);
//     if (auto symbol = query.symbolAt(query.main(), offset)) show(symbol->signature, symbol->documentation);
//     for (const coopc::Completion& c : query.completionsAt(query.main(), offset).items) offer(c.name);
//
// A query compiles the text as compile() does and answers with the compiler's own results; there is no second
// parser. In texts with errors, it answers as far as the text was understood: an incomplete `v.` still has
// the members of `v`. The language server coopls is built on it.
//
// Ownership: a query owns copies of the text and the options, and all files that the text includes; answers
// belong to the caller.
// Threads: queries are independent of each other; one query may be asked by one thread at a time.
// Errors: errors in programs are diagnostics (Query::result()). For a place outside of a file, or without a
// name, answers are empty. If memory is exhausted, std::bad_alloc is thrown.
// Units: places are byte offsets from the start of a file, which count from 0; files are indices into
// Query::files().
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "coopc/coopc.hpp"

namespace coopc {

/// Bytes `begin` to `end` (exclusive) of a file.
struct TextRange {
  static constexpr uint32_t kNoFile = ~0u;
  uint32_t file = kNoFile;  ///< index into Query::files(); kNoFile: nowhere (what is built in)
  uint32_t begin = 0;
  uint32_t end = 0;
  bool valid() const { return file != kNoFile; }
  bool contains(uint32_t offset) const { return begin <= offset && offset <= end; }
  friend bool operator==(const TextRange&, const TextRange&) = default;
};

/// The kind of a name.
enum class NameKind : uint8_t {
  Variable,
  Parameter,
  Constant,  ///< with a value that is known: `const`, or a specialization constant
  Function,
  Struct,
  Block,            ///< an interface block
  BufferReference,  ///< the type that a buffer_reference block declares
  Member,           ///< of a structure or block
  Macro,
  BuiltinFunction,
  BuiltinVariable,
  BuiltinConstant,
  BuiltinType,
  Component,  ///< x, xyz: components of a vector
  Keyword,
  LayoutQualifier,
  Extension,
  Directive,
};

/// The layout of a block's member in memory, in bytes.
struct MemberLayout {
  uint32_t offset = 0;
  uint64_t size = 0;  ///< 0: an array without a size
  uint32_t alignment = 0;
  uint32_t stride = 0;   ///< between an array's elements or a matrix's columns or rows; 0: neither
  uint32_t padding = 0;  ///< unused bytes between the member before and this one
};

/// A name and its properties.
struct NameInfo {
  NameKind kind = NameKind::Variable;
  std::string name;
  std::string type;           ///< as the language writes it; functions: the result's; empty: none
  std::string signature;      ///< a declaration in one line: `shared float[64] tile`, `#define N 4`
  std::string value;          ///< of constants: a literal or an expression of specialization constants; of
                              ///< a macro's use: what it expands to, in at most about 1,000 characters
  std::string documentation;  ///< the comment before or after the declaration, without its marks
  std::string container;      ///< of members: the name of the structure or block
  std::optional<MemberLayout> layout;  ///< of members of blocks, unless it depends on sizes of descriptors
  /// Of members of blocks in descriptor heaps that contain descriptors: where the member begins, in words,
  /// `4, rounded up to the size of texture2D`.
  std::string heapOffset;
  TextRange declaration;  ///< of the name where it is declared
  /// The name of the structure or block that the name is an object of, or an array of such; of functions:
  /// the result's.
  TextRange typeDeclaration;
};

/// An occurrence of a name.
struct Occurrence {
  TextRange at;
  bool declaration = false;
  bool write = false;  ///< it is assigned to, as a whole or in part
  /// In the definition of a macro, so that its meaning depends on where the macro is used.
  bool inMacro = false;
};

/// A declaration in the outline of a file.
struct OutlineItem {
  NameInfo info;
  TextRange range;                       ///< of the whole declaration
  uint32_t parent = TextRange::kNoFile;  ///< index in the outline; kNoFile: none
};

/// A name that may be written at a place.
struct Completion {
  std::string name;
  NameKind kind = NameKind::Variable;
  std::string detail;  ///< its type or signature
  /// For a function: a call with the names of its parameters, `mix(x, y, a)`. A built-in function with
  /// several such forms is there several times.
  std::string call;
};
struct Completions {
  TextRange replaced;        ///< the part of a word that is written already
  bool includePath = false;  ///< a name of a file is being written (`path`); there are no items then
  bool angled = false;       ///< in `<...>`
  std::string path;          ///< the part of the name before the place
  std::vector<Completion> items;
};

/// One form of the function, or the macro, whose arguments are being written.
struct CallForm {
  std::string label;  ///< `genFType mix(genFType, genFType, float)`
  std::string documentation;
  /// Where each parameter is in the label: begin, end.
  std::vector<std::pair<uint32_t, uint32_t>> parameters;
};
struct CallForms {
  std::vector<CallForm> forms;
  uint32_t active = 0;     ///< the form that was chosen, or the first that has enough parameters
  uint32_t parameter = 0;  ///< the argument at the place
};

/// A hint: text that an editor may show inside the source.
struct Hint {
  enum class Kind : uint8_t {
    Parameter,  ///< before an argument: `factor:`
    Layout,     ///< after a block's member: `offset 16, 8 bytes padding before`
    Size,       ///< a size that is not written: in an array's brackets `= 21`, after a matrix's type `16×16`
  } kind = Kind::Parameter;
  uint32_t offset = 0;
  std::string text;
};

/// One token for syntax highlighting.
struct HighlightToken {
  enum class Kind : uint8_t {
    Keyword,
    Type,
    Function,
    Variable,
    Parameter,
    Member,
    Macro,
    Number,
    String,
    Comment
  };
  TextRange at;
  Kind kind = Kind::Keyword;
  bool declaration = false;
  bool readonly = false;
  bool builtin = false;
};

/// A diagnostic's places in files, whatever #line says.
struct DiagnosticPlaces {
  TextRange at;                  ///< kNoFile: without a place
  std::vector<TextRange> notes;  ///< in the order of Diagnostic::notes
};

struct IncludedFile {
  TextRange at;  ///< of the name in #include, with its delimiters
  uint32_t file = 0;
};

/// A replacement in the text, part of a fix.
struct TextEdit {
  TextRange at;      ///< empty: an insertion
  std::string text;  ///< the replacement
};
struct Fix {
  std::string title;  ///< "Insert `;`"
  std::vector<TextEdit> edits;
};

/// A function on the other side of calls. A function whose name is passed to a matrix function counts as
/// called there.
struct CallLink {
  NameInfo function;
  TextRange range;               ///< of its definition
  std::vector<TextRange> sites;  ///< of the called function's name, in the caller
};

/// A compile, with answers about its text.
class COOPC_API Query {
 public:
  /// Compiles. `options.output` should be Output::Check or Module; the result is the same as compile()'s.
  Query(std::string_view source, std::string_view name, const Options& options = {});
  ~Query();
  Query(Query&&) noexcept;
  Query& operator=(Query&&) noexcept;

  const Result& result() const;
  /// For each of result().diagnostics.
  std::vector<DiagnosticPlaces> diagnosticPlaces() const;
  /// Changes that fix one of result().diagnostics: the suggested replacement, the missing `;`, `)` or `]`,
  /// the #extension or #version line, `const in` of a callback's parameters, its types, a decode function's
  /// whole signature, a constant that may not be a specialization constant, a value converted, and what older
  /// GLSL and HLSL write as Vulkan's GLSL does.
  std::vector<Fix> fixes(size_t diagnostic) const;

  /// The names of all files that were read, in order; a file that is included twice appears twice.
  std::vector<std::string> files() const;
  std::string_view text(uint32_t file) const;
  uint32_t main() const;

  /// The names of the extensions that #extension enables anywhere in the text, in order.
  std::vector<std::string> extensions() const;
  /// The name at a place, or what a keyword, a layout qualifier, a directive or the name of an extension
  /// there means; none between words.
  std::optional<NameInfo> symbolAt(uint32_t file, uint32_t offset) const;
  /// All places of the name at a place, in all files; for a built-in name, its uses. For a function, the
  /// places of all its overloads.
  std::vector<Occurrence> occurrences(uint32_t file, uint32_t offset) const;
  /// Why the name at a place cannot be renamed to `newName`; "" if it can.
  std::string renameFault(uint32_t file, uint32_t offset, std::string_view newName) const;
  /// The functions that call the function at a place, and the functions that it calls.
  std::vector<CallLink> callers(uint32_t file, uint32_t offset) const;
  std::vector<CallLink> callees(uint32_t file, uint32_t offset) const;
  /// The declarations of a file at global scope, with members of structures and blocks, parameters left out.
  std::vector<OutlineItem> outline(uint32_t file) const;

  Completions completionsAt(uint32_t file, uint32_t offset) const;
  /// The meaning of one of the names that completionsAt() offers there; none for members.
  std::optional<NameInfo> offered(uint32_t file, uint32_t offset, std::string_view name) const;
  CallForms callAt(uint32_t file, uint32_t offset) const;
  std::vector<Hint> hints(uint32_t file, uint32_t begin, uint32_t end) const;

  std::vector<HighlightToken> highlight(uint32_t file) const;
  /// The parts of a file that #if leaves out: whole lines between the directives.
  std::vector<TextRange> inactive(uint32_t file) const;
  std::vector<IncludedFile> includes(uint32_t file) const;
  /// Regions that can be folded: pairs of braces, comments of several lines, groups of #if.
  std::vector<TextRange> folds(uint32_t file) const;
  /// The ranges that enclose a place, from the inside: a word, parentheses and their contents, statements,
  /// blocks, declarations.
  std::vector<TextRange> enclosing(uint32_t file, uint32_t offset) const;

  struct Impl;  ///< internal

 private:
  std::unique_ptr<Impl> impl_;
};

}  // namespace coopc
