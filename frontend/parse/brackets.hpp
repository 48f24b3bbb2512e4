// Conclusions from the brackets of a text: whether it lacks braces, whether the construct that is being read
// lacks a parenthesis or a bracket, and which errors may be consequences of that.
#pragma once

#include <span>
#include <vector>

#include "frontend/base/diagnostics.hpp"
#include "frontend/language/names.hpp"
#include "frontend/lex/token.hpp"

namespace coopc::frontend {

class Brackets {
 public:
  /// `reportedNames`: names that are reported once. Names whose report is taken back are reported again.
  Brackets(std::span<const Token> tokens, Diagnostics& diagnostics, std::vector<NameId>& reportedNames)
      : tokens_(tokens), diagnostics_(diagnostics), reportedNames_(reportedNames) {}

  /// Counts parentheses and brackets; must be called first.
  void count();

  /// Braces are counted on demand. A brace that has been reported as missing counts as present from then on.
  bool leftBraceMissing() { return braceBalance() < 0; }
  bool rightBraceMissing() { return braceBalance() > 0; }
  void insertLeftBrace() { ++braceBalance_; }
  void insertRightBrace() { --braceBalance_; }
  /// Whether the `{` at token `pos` has no `}`. Returns true once; that `{` no longer counts from then on.
  bool takeUnmatched(uint32_t pos);

  /// Errors in a construct that lacks a parenthesis or a bracket may be consequences of that. A syntax error
  /// takes them back, and no further errors in the construct are reported. Later reports are about a new
  /// statement, header, member or declaration.
  void beginConstruct(uint32_t pos) {
    if (!unbalanced_) [[likely]]
      return;
    endDoubt();
    if (isMissingFrom(pos)) beginDoubt();
  }
  void endDoubt();
  bool isInDoubt() const { return doubt_ != Doubt::None; }
  /// Calls `report`, which reports a syntax error.
  template <class Report>
  void reportSyntax(Report&& report) {
    if (doubt_ == Doubt::None) return report();
    if (doubt_ == Doubt::Reported) --diagnostics_.suppress;
    const bool heard = diagnostics_.suppress == 0;
    if (heard) takeBack();
    report();
    if (heard) doubt_ = Doubt::Reported;
    if (doubt_ == Doubt::Reported) ++diagnostics_.suppress;
  }

  /// How many brackets are open at token `end`, given that `depth` were open at token `begin`.
  uint32_t countOpen(Tok open, Tok close, uint32_t begin, uint32_t end, uint32_t depth) const;

 private:
  enum class Doubt : uint8_t { None, Possible, Reported };

  int32_t braceBalance();
  bool isMissingFrom(uint32_t pos);
  bool scanFrom(uint32_t pos);
  void beginDoubt();
  void takeBack();

  std::span<const Token> tokens_;
  Diagnostics& diagnostics_;
  std::vector<NameId>& reportedNames_;

  bool unbalanced_ = false;  ///< the text has unequal numbers of opening and closing parentheses or brackets
  bool bracesCounted_ = false;
  bool leftBraceTaken_ = false;
  int32_t braceBalance_ = 0;                    ///< the number of `{` minus the number of `}`
  uint32_t scannedBegin_ = 0, scannedEnd_ = 0;  ///< the tokens that isMissingFrom() scanned last
  bool scannedLacks_ = false;                   ///< what it found

  Doubt doubt_ = Doubt::None;
  Diagnostics::Mark doubtfulSince_;
  size_t doubtfulNames_ = 0;  ///< how many of the reported names were there before
};

}  // namespace coopc::frontend
