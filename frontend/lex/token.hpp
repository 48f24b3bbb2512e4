// Tokens, as the preprocessor hands them to the parser. Directives that the language sees (#extension,
// #pragma) stay in the stream as event tokens, so that preprocessing and parsing are separate passes over
// flat arrays and every token still meets the extension state of its own line.
#pragma once

#include <cstdint>

#include "frontend/base/source.hpp"

namespace coopc::frontend {

enum class Tok : uint8_t {
  End,
  Identifier,  // payload: NameId
  TypeName,    // a built-in type's name; payload: NameId
  IntLiteral,
  UintLiteral,
  Int64Literal,
  Uint64Literal,
  Int16Literal,
  Uint16Literal,  // payload: LiteralId
  FloatLiteral,
  DoubleLiteral,
  HalfLiteral,    // payload: LiteralId
  StringLiteral,  // payload: NameId of the unescaped text
  // Events
  ExtensionEvent,  // payload: index into PreprocessedSource::extensions
  PragmaEvent,     // payload: index into PreprocessedSource::pragmas
  // Punctuation
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
  Backtick,  // only the preprocessor meets these, or as errors
  // Keywords (payload: NameId). Whether one is a keyword at its place (version, extension) is the parser's question.
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
  KwDevicecoherent,
  KwQueuefamilycoherent,
  KwWorkgroupcoherent,
  KwSubgroupcoherent,
  KwShadercallcoherent,
  KwNonprivate,
  KwNontemporal,
  KwNonuniform,
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
  KwDemote,
  KwTerminateInvocation,
  KwCoopmat,
  KwTensorLayout,
  KwTensorView,
  KwFunction,
  KwCoopvec,
  KwFcoopmatNV,
  KwIcoopmatNV,
  KwUcoopmatNV,
  KwVector,  // GL_EXT_long_vector
  KwSpirvType,
  KwSpirvInstruction,
  KwSpirvExecutionMode,
  KwSpirvExecutionModeId,
  KwSpirvDecorate,
  KwSpirvDecorateId,
  KwSpirvDecorateString,
  KwSpirvStorageClass,
  KwSpirvByReference,
  KwSpirvLiteral,
  KwRayPayload,
  KwHitAttribute,
  KwCallableData,  // stages of others: recognised to be refused well
  KwReserved,      // reserved for future use by the specification: an error wherever it is met
  Count
};

using LiteralId = uint32_t;

/// A converted numeric literal. Integers: the value's bits; floats: the bits of a double, correctly rounded
/// from the text (FloatLiteral: rounded to float first, then widened).
struct Literal {
  uint64_t bits;
};

struct Token {
  Tok kind = Tok::End;
  uint8_t flags = 0;    ///< TokenFlags
  uint16_t length = 0;  ///< spelled bytes, saturated
  SourceLoc loc;
  uint32_t payload = 0;
};
constexpr bool isNumberLiteral(Tok kind) { return kind >= Tok::IntLiteral && kind <= Tok::HalfLiteral; }
enum TokenFlags : uint8_t { kTokenSpaceBefore = 1, kTokenLineStart = 2, kTokenNoExpand = 4 };

}  // namespace coopc::frontend
