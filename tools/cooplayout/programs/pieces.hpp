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
  size_t at = 0;   ///< of its first character
  size_t end = 0;  ///< after its last one
  bool isGlobal =
      false;  ///< cannot stand in a function: a block, a function, a variable with a storage qualifier ...
  bool isDeclaration = false;  ///< declares something, so that a function around it would hide that
  std::string call = {};       ///< of a function that nothing else in the text names: a block that calls it
};

/// Where a name stands.
struct NamePlace {
  enum class Kind : uint8_t {
    Other,
    Matrix,     ///< the first argument of a load or store of a matrix
    Memory,     ///< begins its second one, which is `from` to `to`
    Decode,     ///< is the argument after the layout, alone; `from` to `to` with the comma before it
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
  /// `values`: names that are macros in the text have these values instead: definitions of them are blanked
  /// out.
  Pieces(std::string_view text, const std::map<std::string, int64_t>& values);

  /// The text with definitions blanked out. It has the length of the text that was given.
  const std::string& text() const { return text_; }
  bool isShader() const { return isShader_; }
  bool hasVersion() const { return afterVersion_ != 0; }
  size_t afterVersion() const { return afterVersion_; }  ///< the start of the line after #version
  /// The names in `values` that directives have.
  const std::set<std::string>& macros() const { return macros_; }
  const std::vector<Statement>& statements() const { return statements_; }

  size_t lineOf(size_t offset) const;   ///< from 1
  size_t lineStart(size_t line) const;  ///< the text's size after the last line
  NamePlace placeOf(size_t offset, std::string_view name) const;
  /// The word or other token at an offset; empty in the middle of one.
  std::string_view at(size_t offset) const;
  /// `const TYPE NAME = ...`, anywhere in the text.
  std::vector<InitializedConstant> constantsOf(std::string_view name) const;
  /// Whether there is one assignment to a name, or none.
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
