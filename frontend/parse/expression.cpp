// Expressions by precedence climbing: left-associative chains are loops, so that their length does not
// matter; only parentheses, prefix operators, `?:` and assignments nest, and are counted.
#include "frontend/check/expressions.hpp"
#include "frontend/check/suggest.hpp"
#include "frontend/parse/parse.hpp"
#include "frontend/parse/program_memory.hpp"
#include "frontend/program/numbers.hpp"
#include "frontend/program/type_queries.hpp"

namespace coopc::frontend {
namespace {

// A number as a constant of its type (4.1.3, 4.1.4), or a string. Whether a version or an extension provides
// the literal's type was checked when it was read (Engine::checkLiteral).
ExprId literalExpression(Checker& c, const Token& token, const PreprocessedSource& source) {
  Scalar s = Scalar::Int;
  switch (token.kind) {
    case Tok::IntLiteral: break;
    case Tok::UintLiteral: s = Scalar::Uint; break;
    case Tok::Int64Literal: s = Scalar::Int64; break;
    case Tok::Uint64Literal: s = Scalar::Uint64; break;
    case Tok::Int16Literal: s = Scalar::Int16; break;
    case Tok::Uint16Literal: s = Scalar::Uint16; break;
    case Tok::FloatLiteral: s = Scalar::Float; break;
    case Tok::DoubleLiteral: s = Scalar::Double; break;
    case Tok::HalfLiteral: s = Scalar::Float16; break;
    case Tok::FloatE2M1Literal: s = Scalar::FloatE2M1; break;
    case Tok::FloatE2M3Literal: s = Scalar::FloatE2M3; break;
    case Tok::FloatE3M2Literal: s = Scalar::FloatE3M2; break;
    case Tok::FloatE8M0Literal: s = Scalar::FloatE8M0; break;
    case Tok::MxInt8Literal: s = Scalar::MxInt8; break;
    case Tok::StringLiteral:
      if (!c.allows(Feature::StringLiterals)) return c.error(token.loc);  // the preprocessor reported it
      return c.program.addExpr(Expr::string({kStringType, 0, token.loc}, token.name()));
    default: return c.error(token.loc);
  }
  if (token.payload >= source.literals.size()) return c.error(token.loc);
  uint64_t bits = source.literals[token.payload].bits;
  if (isFloatScalar(s)) {
    if (s != Scalar::Double) bits = encodeFloat(s, decodeFloat(Scalar::Double, bits));
  } else if (const uint32_t width = scalarBits(s); width < 64) {
    bits &= (uint64_t{1} << width) - 1;
  }
  return c.constant(c.program.constants.scalar(basicType(s), bits), token.loc);
}

struct BinaryOperator {
  int precedence;  // 0 if it is not a binary operator; higher ones bind tighter (GLSL 4.60, 5.1)
  ExprOp op;
};

BinaryOperator binaryOperator(Tok kind) {
  switch (kind) {
    case Tok::OrOr: return {1, ExprOp::LogicalOr};
    case Tok::XorXor: return {2, ExprOp::LogicalXor};
    case Tok::AndAnd: return {3, ExprOp::LogicalAnd};
    case Tok::VerticalBar: return {4, ExprOp::BitOr};
    case Tok::Caret: return {5, ExprOp::BitXor};
    case Tok::Ampersand: return {6, ExprOp::BitAnd};
    case Tok::EqualEqual: return {7, ExprOp::Equal};
    case Tok::NotEqual: return {7, ExprOp::NotEqual};
    case Tok::LeftAngle: return {8, ExprOp::Less};
    case Tok::RightAngle: return {8, ExprOp::Greater};
    case Tok::LessEqual: return {8, ExprOp::LessEqual};
    case Tok::GreaterEqual: return {8, ExprOp::GreaterEqual};
    case Tok::LeftOp: return {9, ExprOp::ShiftLeft};
    case Tok::RightOp: return {9, ExprOp::ShiftRight};
    case Tok::Plus: return {10, ExprOp::Add};
    case Tok::Dash: return {10, ExprOp::Sub};
    case Tok::Star: return {11, ExprOp::Mul};
    case Tok::Slash: return {11, ExprOp::Div};
    case Tok::Percent: return {11, ExprOp::Mod};
    default: return {0, ExprOp::Error};
  }
}

ExprOp assignmentOperator(Tok kind) {
  switch (kind) {
    case Tok::Equal: return ExprOp::Assign;
    case Tok::MulAssign: return ExprOp::MulAssign;
    case Tok::DivAssign: return ExprOp::DivAssign;
    case Tok::ModAssign: return ExprOp::ModAssign;
    case Tok::AddAssign: return ExprOp::AddAssign;
    case Tok::SubAssign: return ExprOp::SubAssign;
    case Tok::LeftAssign: return ExprOp::ShiftLeftAssign;
    case Tok::RightAssign: return ExprOp::ShiftRightAssign;
    case Tok::AndAssign: return ExprOp::AndAssign;
    case Tok::XorAssign: return ExprOp::XorAssign;
    case Tok::OrAssign: return ExprOp::OrAssign;
    default: return ExprOp::Error;
  }
}

}  // namespace

// expression : assignment_expression | expression COMMA assignment_expression
ExprId GlslParser::parseExpression() { return parseCommas(parseAssignment()); }

ExprId GlslParser::parseExpressionFrom(ExprId left) { return parseCommas(parseAssignmentFrom(left)); }

ExprId GlslParser::parseCommas(ExprId e) {
  while (at(Tok::Comma) && !panic) {
    const SourceLoc loc = tok.loc;
    advance();
    const ExprId right = parseAssignment();
    if (panic) break;
    e = checkBinary(c, ExprOp::Comma, e, right, loc);
  }
  return e;
}

// assignment_expression : conditional_expression | unary_expression assignment_operator assignment_expression
// The check for an l-value ensures that the left side is a unary expression.
// Counts the nesting of expressions: parentheses, arguments, indices and branches of `?:` are all parsed
// here.
ExprId GlslParser::parseAssignment() {
  Nest nest(*this);
  if (!nest.ok) return c.error(tok.loc);
  return parseAssignmentFrom(parseUnary());
}

ExprId GlslParser::parseAssignmentFrom(ExprId unary) {
  const ExprId left = parseConditionalFrom(unary);
  if (panic) return left;
  const ExprOp op = assignmentOperator(tok.kind);
  if (op == ExprOp::Error) return left;
  const SourceLoc loc = tok.loc;
  advance();
  const ExprId right = parseAssignment();
  if (panic) return left;
  if (operandFollows()) return c.error(loc);
  return checkAssign(c, op, left, right, loc);
}

// conditional_expression : logical_or_expression
//                        | logical_or_expression QUESTION expression COLON assignment_expression
ExprId GlslParser::parseConditional() { return parseConditionalFrom(parseUnary()); }

ExprId GlslParser::parseConditionalFrom(ExprId left) {
  const ExprId condition = parseBinary(1, left);
  if (panic || !at(Tok::Question)) return condition;
  const SourceLoc loc = tok.loc;
  advance();
  const ExprId a = parseExpression();
  expect(Tok::Colon, "the second value of `?:`");
  const ExprId b = parseAssignment();
  if (panic) return condition;
  return checkSelect(c, condition, a, b, loc);
}

// constant_expression : conditional_expression
ExprId GlslParser::parseConstantExpression() {
  Nest nest(*this);
  return nest.ok ? parseConditional() : c.error(tok.loc);
}

// logical_or_expression down to multiplicative_expression, given a left operand that has already been read.
ExprId GlslParser::parseBinary(int minPrecedence, ExprId left) {
  while (!panic) {
    const BinaryOperator o = binaryOperator(tok.kind);
    if (o.precedence == 0 || o.precedence < minPrecedence) break;
    const SourceLoc loc = tok.loc;
    advance();
    ExprId right = parseUnary();
    // A tighter operator takes the right operand first; at most one level for each precedence.
    const BinaryOperator next = binaryOperator(tok.kind);
    if (!panic && next.precedence > o.precedence) right = parseBinary(o.precedence + 1, right);
    if (panic) break;
    left = checkBinary(c, o.op, left, right, loc);
  }
  return left;
}

// Whether `(` begins a typecast, that is, whether the name of a type and `)` follow.
bool GlslParser::atTypecast() const {
  if (peek(2) != Tok::RightParen) return false;
  const Tok type = peek();
  if (type != Tok::Identifier) return type == Tok::TypeName;
  const Symbol* symbol = c.scopes.find(nameOf(peekToken()));
  return symbol && symbol->kind == SymbolKind::Type;
}

// LEFT_PAREN type_specifier RIGHT_PAREN unary_expression (GL_NV_explicit_typecast, 5.1: after the unary
// operators in precedence, right to left)
ExprId GlslParser::parseTypecast() {
  Nest nest(*this);
  if (!nest.ok) return c.error(tok.loc);
  const SourceLoc loc = tok.loc;
  advance();
  const TypeId type = parseTypeSpecifier(false, "an expression");
  if (panic || !expect(Tok::RightParen)) return c.error(loc);
  const ExprId operand = parseUnary();
  return panic ? operand : checkTypecast(c, type, operand, loc);
}

// unary_expression : postfix_expression | INC_OP unary_expression | DEC_OP unary_expression
//                  | unary_operator unary_expression
ExprId GlslParser::parseUnary() {
  ExprOp op;
  switch (tok.kind) {
    case Tok::LeftParen:
      if (atTypecast()) return parseTypecast();
      return parsePostfix();
    case Tok::Plus: op = ExprOp::Plus; break;
    case Tok::Dash: op = ExprOp::Negate; break;
    case Tok::Bang: op = ExprOp::LogicalNot; break;
    case Tok::Tilde: op = ExprOp::BitNot; break;
    case Tok::IncOp: op = ExprOp::PreIncrement; break;
    case Tok::DecOp: op = ExprOp::PreDecrement; break;
    default: return parsePostfix();
  }
  Nest nest(*this);
  if (!nest.ok) return c.error(tok.loc);
  const SourceLoc loc = tok.loc;
  advance();
  const ExprId operand = parseUnary();
  if (panic) return operand;
  return checkUnary(c, op, operand, loc);
}

ExprId GlslParser::parsePostfix() { return parsePostfixRest(parsePrimary()); }

// postfix_expression : primary_expression | postfix_expression LEFT_BRACKET integer_expression RIGHT_BRACKET
//                    | function_call | postfix_expression DOT FIELD_SELECTION
//                    | postfix_expression INC_OP | postfix_expression DEC_OP
ExprId GlslParser::parsePostfixRest(ExprId e) {
  while (!panic) {
    const SourceLoc loc = tok.loc;
    switch (tok.kind) {
      case Tok::LeftBracket: {
        advance();
        const ExprId index = parseExpression();
        if (!expect(Tok::RightBracket)) return e;
        e = checkIndex(c, e, index, loc);
        break;
      }
      case Tok::Dot: {
        advance();
        // A member may be named by a keyword of an extension, but by no other keyword.
        const bool named = at(Tok::Identifier) || at(Tok::TypeName);
        if (c.options.observer != nullptr) [[unlikely]]
          c.options.observer->field(c.typeOf(e), named ? nameOf(tok) : NameId(), loc, tok.loc);
        if (!named) {
          expected("a member's name");
          return e;
        }
        const NameId field = nameOf(tok);
        const SourceLoc fieldLoc = tok.loc;
        advance();
        if (at(Tok::LeftParen)) {
          Arguments args;
          if (!parseArguments(args)) return e;
          e = checkMethod(c, e, field, args.view(), fieldLoc);
        } else {
          e = checkField(c, e, field, fieldLoc);
        }
        break;
      }
      case Tok::IncOp:
      case Tok::DecOp: {
        if (atPrefixStep()) return e;
        const ExprOp op = at(Tok::IncOp) ? ExprOp::PostIncrement : ExprOp::PostDecrement;
        advance();
        e = checkUnary(c, op, e, loc);
        break;
      }
      default: return e;
    }
  }
  return e;
}

// function_call_header_with_parameters RIGHT_PAREN | function_call_header_no_parameters RIGHT_PAREN
bool GlslParser::parseArguments(Arguments& args, NameId callee, SourceLoc calleeLoc) {
  if (c.options.observer == nullptr) return readArguments(args);
  c.options.observer->openCall(callee, calleeLoc, tok.loc);
  const bool read = readArguments(args);
  c.options.observer->closeCall(read ? afterPrevious() : tok.loc);
  return read;
}

bool GlslParser::readArguments(Arguments& args) {
  if (!expect(Tok::LeftParen)) return false;
  if (at(Tok::KwVoid) && peek() == Tok::RightParen) advance();
  if (accept(Tok::RightParen)) return true;
  for (;;) {
    noteArgument(false);
    args.push(parseAssignment());
    if (!at(Tok::Comma) || panic) break;
    noteArgument(true);
    advance();
  }
  return expect(Tok::RightParen, "the end of the arguments");
}

// primary_expression : variable_identifier | INTCONSTANT | UINTCONSTANT | FLOATCONSTANT | BOOLCONSTANT
//                    | DOUBLECONSTANT | LEFT_PAREN expression RIGHT_PAREN
// and function_call with its function_identifier.
ExprId GlslParser::parsePrimary() {
  measureProgram(c.program);  // one statement may have any number of operands
  const SourceLoc loc = tok.loc;
  if (isNumberLiteral(tok.kind) || at(Tok::StringLiteral)) {
    const ExprId e = literalExpression(c, tok, source);
    advance();
    return e;
  }
  switch (tok.kind) {
    case Tok::KwTrue:
    case Tok::KwFalse: {
      const ExprId e = c.constant(c.program.constants.boolean(at(Tok::KwTrue)), loc);
      advance();
      return e;
    }
    case Tok::LeftParen: {
      advance();
      const ExprId e = parseExpression();
      if (!expect(Tok::RightParen)) return e;
      c.program.exprs[e].flags |= kExprParenthesized;
      return e;
    }
    case Tok::KwNonuniform: {
      // nonuniformEXT(x): x itself, marked as non-uniform (GL_EXT_nonuniform_qualifier, 5.4.X).
      advance();
      Arguments args;
      if (!parseArguments(args)) return c.error(loc);
      if (args.size() != 1) {
        c.report(DiagKind::NonuniformArguments, loc, {static_cast<uint64_t>(args.size())});
        return c.error(loc);
      }
      if (c.isError(args[0]) || !requireValue(c, args[0])) return c.error(loc);
      Expr marked = c.expr(args[0]);
      marked.flags |= kExprNonUniform;
      marked.flags &= static_cast<uint8_t>(~kExprLvalue);
      return c.program.addExpr(marked);
    }
    case Tok::KwSpirvDecorate:
    case Tok::KwSpirvDecorateId:
    case Tok::KwSpirvDecorateString: return parseSpirvDecorated();
    case Tok::Identifier: {
      const NameId name = nameOf(tok);
      const Symbol* symbol = c.scopes.find(name);
      if (symbol && symbol->kind == SymbolKind::Type) return parseConstructor();
      if (!symbol && isTypeOfLanguage(name) && peek() != Tok::Identifier && atTypeStart())
        return parseConstructor();
      if (isAfterLostToken()) c.skipName(name);  // `'a'` is not GLSL: only `a` is left of it
      const bool isFunction = atFunctionName();
      advance();
      if (isFunction && operandFollows()) {
        expected("`(` before the arguments");
        return c.error(loc);
      }
      if (!symbol && at(Tok::Colon) && peek() == Tok::Colon && peek(2) == Tok::Identifier) {
        checkName(c, name, loc);  // `std::max(x, y)`; after `wmma::fragment<...> f`, the statement is skipped
        panic = peek(3) != Tok::LeftParen;
        if (panic) return c.error(loc);
        advance();
        advance();
        return parsePrimary();
      }
      if (!symbol && at(Tok::LeftAngle) && isForeignName(c.names.text(name)) && skipAngles(Tok::LeftParen)) {
        checkName(c, name, loc);  // `static_cast<float>(x)`
        Arguments skipped;
        parseArguments(skipped);
        return c.error(loc);
      }
      if (!at(Tok::LeftParen)) return checkName(c, name, loc);
      Arguments args;
      if (!parseArguments(args, name, loc)) return c.error(loc);
      return checkCall(c, name, args.view(), loc);
    }
    default:
      if (atTypeStart() && !at(Tok::KwStruct) && !at(Tok::KwVoid)) return parseConstructor();
      syntaxError(DiagKind::ExpectedExpression);
      return c.error(loc);
  }
}

// type_specifier LEFT_PAREN arguments RIGHT_PAREN (5.4 "Constructors")
ExprId GlslParser::parseConstructor() {
  const SourceLoc loc = tok.loc;
  const TypeId type = parseTypeSpecifier(false, "an expression");
  if (panic) return c.error(loc);
  if (!at(Tok::LeftParen)) {
    expected("`(` after the type");
    return c.error(loc);
  }
  Arguments args;
  if (!parseArguments(args) || type == kErrorType) return c.error(loc);
  return checkConstruct(c, type, args.view(), loc);
}

// initializer : assignment_expression | LEFT_BRACE initializer_list RIGHT_BRACE
//             | LEFT_BRACE initializer_list COMMA RIGHT_BRACE | LEFT_BRACE RIGHT_BRACE
// A list is built for the known type `target` (4.1.11); an expression is returned as it is.
ExprId GlslParser::parseInitializer(TypeId target, bool& nullInit, std::string_view what) {
  nullInit = false;
  if (!at(Tok::LeftBrace)) return parseAssignment();
  Nest nest(*this);
  if (!nest.ok) return c.error(tok.loc);
  const SourceLoc loc = tok.loc;
  advance();
  if (c.es) c.report(DiagKind::InitializerListVersion, loc);
  if (at(Tok::RightBrace)) {
    advance();
    nullInit = true;
    if (!c.allows(Feature::NullInitializers)) {
      c.report(DiagKind::NullInitializerExtension, loc, {c.needs(Feature::NullInitializers)});
      return c.error(loc);
    }
    if (target == kErrorType) return c.error(loc);
    const Program& p = c.program;
    if (containsUnsized(p, target) || containsOpaque(p, target) ||
        containsKind(p, target, TypeKind::Reference) || containsKind(p, target, TypeKind::TensorLayout) ||
        containsKind(p, target, TypeKind::TensorView) || containsKind(p, target, TypeKind::SpirvType)) {
      c.report(DiagKind::NullInitializerType, loc, {c.typeText(target)});
      return c.error(loc);
    }
    return c.constant(c.program.constants.null(target), loc);
  }
  const TypeInfo info = c.type(target);
  const bool composite = info.kind == TypeKind::Array || info.kind == TypeKind::Vector ||
                         info.kind == TypeKind::Matrix || info.kind == TypeKind::Struct ||
                         info.kind == TypeKind::CoopVec || info.kind == TypeKind::LongVector;
  if (target != kErrorType && !composite) c.report(DiagKind::InitializerListType, loc, {c.typeText(target)});
  // The type that member `i` of the list initializes; kErrorType if there is none.
  const auto memberType = [&](size_t i) -> TypeId {
    switch (info.kind) {
      case TypeKind::Array: return info.element();
      case TypeKind::Vector:
      case TypeKind::CoopVec:
      case TypeKind::LongVector: return basicType(info.scalar);
      case TypeKind::Matrix: return basicType(info.scalar, info.rows);
      case TypeKind::Struct: {
        const auto members = c.program.membersOf(info.structure());
        return i < members.size() ? members[i].type : kErrorType;
      }
      default: return kErrorType;
    }
  };
  std::vector<ExprId> args;
  bool failed = target == kErrorType || !composite;
  do {
    if (at(Tok::RightBrace)) break;  // a trailing comma
    bool innerNull = false;
    const TypeId wanted = memberType(args.size());
    const SourceLoc itemLoc = tok.loc;
    ExprId item = parseInitializer(wanted, innerNull, what);
    if (panic) break;
    if (!failed && wanted != kErrorType && !containsUnsized(c.program, wanted) && !c.isError(item))
      item = convertOrReport(c, item, wanted, itemLoc, what);
    if (c.isError(item)) failed = true;
    args.push_back(item);
  } while (accept(Tok::Comma));
  if (!expect(Tok::RightBrace, "the end of the initializers") || failed) return c.error(loc);
  TypeId type = target;
  if (info.kind == TypeKind::Array && containsUnsized(c.program, info.element())) {
    // `float a[][] = {{1, 2}, {3, 4}}`: the inner size comes from the first element.
    type = c.program.types.array(c.typeOf(args[0]), info.arraySize());
    for (size_t i = 1; i < args.size(); ++i) {
      args[i] = convertOrReport(c, args[i], c.typeOf(args[0]), loc, what);
      if (c.isError(args[i])) return c.error(loc);
    }
  }
  return checkConstruct(c, type, args, loc, true);
}

}  // namespace coopc::frontend
