// The tokens of a text, to separate statements and to find names. This is not a parser: brackets are
// counted, and nothing is understood.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <string_view>
#include <vector>

namespace coopc::cooplayout {

/// A statement or declaration outside of all braces.
struct Statement {
  size_t at = 0;   ///< the offset of its first character
  size_t end = 0;  ///< the offset after its last character
  /// cannot stand in a function: a block, a function, a variable with a storage qualifier ...
  bool isGlobal = false;
  bool isDeclaration = false;  ///< declares something, which a function around it would hide
  std::string call = {};       ///< a block that calls the function, if nothing else in the text names it
};

/// The position of a name.
struct NamePlace {
  enum class Kind : uint8_t {
    Other,
    Matrix,     ///< the first argument of a load or store of a matrix
    Memory,     ///< the start of the second argument, `from` to `to`
    Decode,     ///< the whole argument after the layout; `from` to `to` has the comma before it
    Assigned,   ///< the left side of an assignment that is a statement; `to` is the statement's end
    Structure,  ///< a member of it follows
  } kind = Kind::Other;
  bool indexed = false;  ///< [...] follows
  size_t from = 0;
  size_t to = 0;
};

/// The initializer of a constant.
struct InitializedConstant {
  std::string_view type;
  size_t at = 0;
  size_t size = 0;
};

class Pieces {
 public:
  /// `values`: names that have these values even if the text defines them as macros. Their definitions are
  /// blanked out.
  Pieces(std::string_view text, const std::map<std::string, int64_t>& values);

  /// The text with these definitions blanked out. Its length is that of the given text.
  const std::string& text() const { return text_; }
  bool isShader() const { return isShader_; }
  bool hasVersion() const { return afterVersion_ != 0; }
  size_t afterVersion() const { return afterVersion_; }  ///< the start of the line after #version
  /// The names in `values` that occur in directives.
  const std::set<std::string>& macros() const { return macros_; }
  const std::vector<Statement>& statements() const { return statements_; }

  size_t lineOf(size_t offset) const;   ///< from 1
  size_t lineStart(size_t line) const;  ///< the text's size after the last line
  NamePlace placeOf(size_t offset, std::string_view name) const;
  /// The word or other token that starts at an offset; empty in the middle of one.
  std::string_view at(size_t offset) const;
  /// `const TYPE NAME = ...`, anywhere in the text.
  std::vector<InitializedConstant> constantsOf(std::string_view name) const;
  /// Whether a name has at most one assignment.
  bool isAssignedOnce(std::string_view name) const;

 private:
  struct Piece {
    size_t at = 0;
    std::string_view text;
    bool isWord = false;
    size_t end() const { return at + text.size(); }
  };
  void readDirective(const std::vector<Piece>& words, size_t hash, size_t end,
                     const std::map<std::string, int64_t>& values);
  void readStatements();
  Statement readStatement(size_t& n) const;
  std::string callOf(size_t n) const;
  size_t argumentEnd(size_t n) const;
  size_t statementEnd(size_t n) const;
  bool isAssignment(std::string_view piece) const;

  std::string text_;
  std::vector<size_t> lines_;
  std::vector<Piece> pieces_;  ///< without directives
  std::vector<Statement> statements_;
  std::set<std::string> macros_;
  bool isShader_ = false;
  size_t afterVersion_ = 0;
};

}  // namespace coopc::cooplayout
