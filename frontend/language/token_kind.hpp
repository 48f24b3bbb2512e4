// The kinds of tokens: punctuation, literals, keywords, and the events that the preprocessor leaves in the
// stream.
#pragma once

#include <cstdint>

namespace coopc::frontend {

enum class Tok : uint8_t {
  End,
  Identifier,  ///< payload: NameId
  IntLiteral,
  UintLiteral,
  Int64Literal,
  Uint64Literal,
  Int16Literal,
  Uint16Literal,  ///< payload: LiteralId
  FloatLiteral,
  DoubleLiteral,
  HalfLiteral,
  FloatE2M1Literal,
  FloatE2M3Literal,
  FloatE3M2Literal,
  FloatE8M0Literal,
  MxInt8Literal,  ///< payload: LiteralId
  StringLiteral,  ///< payload: NameId of the unescaped text
  // --- Punctuation
  LeftParen,
  RightParen,
  LeftBracket,
  RightBracket,
  LeftBrace,
  RightBrace,
  Dot,
  Comma,
  Colon,
  Equal,
  Semicolon,
  Bang,
  Dash,
  Tilde,
  Plus,
  Star,
  Slash,
  Percent,
  LeftAngle,
  RightAngle,
  VerticalBar,
  Caret,
  Ampersand,
  Question,
  LeftOp,
  RightOp,
  IncOp,
  DecOp,
  LessEqual,
  GreaterEqual,
  EqualEqual,
  NotEqual,
  AndAnd,
  OrOr,
  XorXor,
  MulAssign,
  DivAssign,
  AddAssign,
  SubAssign,
  ModAssign,
  LeftAssign,
  RightAssign,
  AndAssign,
  XorAssign,
  OrAssign,
  Hash,
  HashHash,
  Backslash,
  At,
  Dollar,
  Backtick,  ///< only the preprocessor reads it; anywhere else it is an error
  // --- From here on, what a token is depends on its place
  // Events
  ExtensionEvent,  ///< payload: index into PreprocessedSource::extensions
  PragmaEvent,     ///< payload: index into PreprocessedSource::pragmas
  TypeName,        ///< a built-in type's name; payload: NameId
  /// Keywords (payload: NameId). Whether one is a keyword at its place (version, extension) is decided by the
  /// parser.
  KwFirst,
  KwConst = KwFirst,
  KwUniform,
  KwBuffer,
  KwShared,
  KwIn,
  KwOut,
  KwInout,
  KwAttribute,
  KwVarying,
  KwCentroid,
  KwFlat,
  KwSmooth,
  KwNoperspective,
  KwPatch,
  KwSample,
  KwInvariant,
  KwPrecise,
  KwHighp,
  KwMediump,
  KwLowp,
  KwPrecision,
  KwLayout,
  KwSubroutine,
  KwCoherent,
  KwVolatile,
  KwRestrict,
  KwReadonly,
  KwWriteonly,
  KwStruct,
  KwVoid,
  KwTrue,
  KwFalse,
  KwIf,
  KwElse,
  KwSwitch,
  KwCase,
  KwDefault,
  KwWhile,
  KwDo,
  KwFor,
  KwBreak,
  KwContinue,
  KwReturn,
  KwDiscard,
// Keywords of extensions
#define KEYWORD(name, word, token, stages) token,
#include "frontend/language/extensions.def"
  KwReserved,  ///< reserved for future use by the specification: always an error
  Count
};

}  // namespace coopc::frontend
