// declaration, external_declaration, function_definition: everything that begins with qualifiers or a type.
#include "frontend/check/expressions.hpp"
#include "frontend/check/suggest.hpp"
#include "frontend/language/keywords.hpp"
#include "frontend/parse/parse.hpp"

namespace coopc::frontend {

namespace {

bool isInterfaceWord(Tok kind) {
  return kind == Tok::KwUniform || kind == Tok::KwBuffer || kind == Tok::KwShared || kind == Tok::KwIn ||
         kind == Tok::KwOut || kind == Tok::KwRayPayload || kind == Tok::KwRayPayloadIn ||
         kind == Tok::KwHitAttribute || kind == Tok::KwCallableData || kind == Tok::KwCallableDataIn ||
         kind == Tok::KwRayPayloadNV || kind == Tok::KwRayPayloadInNV || kind == Tok::KwHitAttributeNV ||
         kind == Tok::KwCallableDataNV || kind == Tok::KwCallableDataInNV ||
         kind == Tok::KwHitObjectAttribute || kind == Tok::KwHitObjectAttributeNV ||
         kind == Tok::KwTaskPayload || kind == Tok::KwTileImage || kind == Tok::KwResourceHeap ||
         kind == Tok::KwSamplerHeap;
}

}  // namespace

// `binding(0)` of WGSL's `@binding(0)`, of which the character was reported.
void GlslParser::skipLostAttribute() {
  skipToken();
  if (!at(Tok::LeftParen)) return;
  uint32_t depth = 0;
  do {
    if (at(Tok::LeftParen)) ++depth;
    if (at(Tok::RightParen)) --depth;
    skipToken();
  } while (depth != 0 && !atEnd() && !at(Tok::Semicolon) && !at(Tok::LeftBrace));
}

// external_declaration : function_definition | declaration | SEMICOLON
void GlslParser::parseExternalDeclaration() {
  functionAttributes = {};
  if (at(Tok::Semicolon)) {
    advance();
    return;
  }
  if (atAttributes()) parseAttributes(nullptr);
  if (panic) return;
  if (at(Tok::KwPrecision)) {
    parsePrecision();
    return;
  }
  if (at(Tok::KwSpirvExecutionMode) || at(Tok::KwSpirvExecutionModeId)) {
    parseSpirvExecutionMode();
    return;
  }
  if (at(Tok::LeftBracket) && skipNumthreads()) return;
  while (at(Tok::Identifier) && isAfterLostToken()) skipLostAttribute();
  Qualifiers q;
  parseQualifiers(q);
  if (!panic) parseDeclaration(q, nullptr);
}

// HLSL's [numthreads(X, Y, Z)] is reported and skipped; the function after it is read as usual.
bool GlslParser::skipNumthreads() {
  if (peek() != Tok::Identifier || c.names.text(source.tokens[pos + 1].name()) != "numthreads") return false;
  c.report(DiagKind::HlslNumthreads, tok.loc)
      .note(tok.loc, "write `layout(local_size_x = X, local_size_y = Y, local_size_z = Z) in;`");
  while (!atEnd() && !at(Tok::RightBracket) && !at(Tok::LeftBrace) && !at(Tok::Semicolon)) advance();
  accept(Tok::RightBracket);
  return true;
}

// declaration : function_prototype SEMICOLON | init_declarator_list SEMICOLON
//             | type_qualifier IDENTIFIER LEFT_BRACE struct_declaration_list RIGHT_BRACE ... SEMICOLON
//             | type_qualifier SEMICOLON | type_qualifier identifier_list SEMICOLON
// after its qualifiers; `out` receives the statements of a declaration inside a function.
void GlslParser::parseDeclaration(Qualifiers& q, std::vector<StmtId>* out) {
  if (!q.empty() && (at(Tok::Semicolon) || endsDefaults(q))) {
    expectSemicolon(After::Declaration);
    declareDefaults(c, q, blockDefaults);
    return;
  }
  if (!q.empty() && at(Tok::Identifier)) {
    const Tok next = peek();
    if (next == Tok::LeftBrace || lacksBraceOfBlock(q)) {
      parseBlock(q);
      return;
    }
    if (next == Tok::Semicolon && q.layout.has(LayoutId::BufferReference)) {
      BlockDecl block;
      block.name = nameOf(tok);
      block.loc = tok.loc;
      block.forward = true;
      advance();
      advance();
      declareBlock(c, q, block, {}, blockDefaults);
      return;
    }
    const Symbol* s = c.scopes.find(nameOf(tok));
    if ((next == Tok::Semicolon || next == Tok::Comma) && !(s && s->kind == SymbolKind::Type)) {
      // type_qualifier identifier_list SEMICOLON
      do {
        if (!at(Tok::Identifier)) {
          expected("a name");
          return;
        }
        noteSymbol(nameOf(tok), tok.loc);
        redeclareQualified(c, q, nameOf(tok), tok.loc);
        advance();
      } while (accept(Tok::Comma));
      expectSemicolon(After::Declaration);
      return;
    }
  }
  TypeId base = kErrorType;
  const SourceLoc typeLoc = tok.loc;
  if (atTypeStart() || at(Tok::KwFunction)) {
    base = parseTypeSpecifier(true, "this declaration");
  } else if (at(Tok::Identifier)) {
    if (!q.empty() || peek() == Tok::Identifier || peek() == Tok::LeftBracket) {
      base = unknownType();
    } else if (atUnknownTemplate()) {
      base = unknownType();
    } else if (isForeignName(c.names.text(nameOf(tok)))) {
      unknownType();  // `groupshared float a[64];`, `RWStructuredBuffer<float> b;`
      panic = true;
    } else {
      syntaxError(DiagKind::ExpectedDeclaration);
    }
  } else {
    syntaxError(q.empty() ? DiagKind::ExpectedDeclaration : DiagKind::ExpectedType);
  }
  if (panic) return;
  if (base == kErrorType &&
      (isInterfaceWord(tok.kind) || (at(Tok::Identifier) && peek() == Tok::LeftBrace))) {
    // `raedonly buffer B { ... }`, `cbuffer B { ... }`: the unknown word was probably meant as a qualifier.
    panic = true;
    return;
  }
  if (endsStructure()) return;
  if (atQualifier() && !takeKeywordAsName()) {
    c.report(DiagKind::QualifierAfterType, tok.loc, {tokenSpelling(tok.kind)});
    parseQualifiers(q);
  }
  if (accept(Tok::Semicolon)) {
    if (!q.empty()) checkEmptyDeclaration(c, q, base);
    return;
  }
  if (out && q.empty() && at(Tok::LeftParen)) {
    // A statement that starts with a constructor: `float[2](1.0, 2.0).length();`.
    Arguments args;
    if (!parseArguments(args)) return;
    ExprId e = base == kErrorType ? c.error(typeLoc) : checkConstruct(c, base, args.view(), typeLoc);
    e = parseExpressionFrom(parsePostfixRest(e));
    if (expectSemicolon(After::Statement)) out->push_back(c.program.addStmt(Stmt::expression(typeLoc, e)));
    return;
  }
  if (!at(Tok::Identifier)) {
    if (at(Tok::KwReserved))
      syntaxError(DiagKind::ReservedKeyword);
    else
      expected("a name");
    return;
  }
  if (peek() == Tok::LeftParen) {
    const NameId name = nameOf(tok);
    const SourceLoc loc = tok.loc;
    if (out) {
      rejectLocalFunction(name, loc);
      return;
    }
    advance();
    parseFunction(q, base, name, loc);
    return;
  }
  parseDeclarators(q, base, out);
}

// A function inside a function: perhaps the `}` of the outer one is missing.
void GlslParser::rejectLocalFunction(NameId name, SourceLoc loc) {
  bool call = false;
  if (peekAfterOperand(call) == Tok::LeftBrace && call &&
      endFunctionBefore(statementBegin, "the next function"))
    return;
  c.report(DiagKind::FunctionNotGlobal, loc);
  c.skipName(name);
  panic = true;
}

// init_declarator_list : single_declaration | init_declarator_list COMMA IDENTIFIER ...
void GlslParser::parseDeclarators(const Qualifiers& q, TypeId base, std::vector<StmtId>* out) {
  do {
    if (!at(Tok::Identifier)) {
      expected("a name");
      return;
    }
    const NameId name = nameOf(tok);
    const SourceLoc loc = tok.loc;
    advance();
    parseDeclarator(q, base, name, loc, out);
    while (skipDeclarator()) {
    }
  } while (accept(Tok::Comma));
  if (base == kErrorType && at(Tok::Colon)) {
    panic = true;  // `var x: f32 = 1.0;` of WGSL: its first word was reported
    return;
  }
  expectSemicolon(After::Declaration);
}

// Whether a type or a qualifier follows the current name.
bool GlslParser::atMemberAfterName() const {
  const Token& next = peekToken();
  if (next.kind == Tok::Identifier) {
    const Symbol* s = c.scopes.find(nameOf(next));
    return s != nullptr && s->kind == SymbolKind::Type;
  }
  const Tok kind = peek();
  return kind == Tok::TypeName || kind == Tok::KwLayout || kind == Tok::KwReadonly ||
         kind == Tok::KwWriteonly || kind == Tok::KwCoherent || kind == Tok::KwRestrict ||
         kind == Tok::KwVolatile;
}

// Whether a block whose `{` is missing begins here: `uniform NAME float x;`.
bool GlslParser::lacksBraceOfBlock(const Qualifiers& q) {
  if (q.storage == StorageWord::None || c.scopes.find(nameOf(tok)) != nullptr) return false;
  return atMemberAfterName() && brackets.leftBraceMissing();
}

// IDENTIFIER | IDENTIFIER array_specifier | ... EQUAL initializer, after the name. The name comes into scope
// after its initializer (4.2.2).
VarId GlslParser::parseDeclarator(const Qualifiers& q, TypeId base, NameId name, SourceLoc loc,
                                  std::vector<StmtId>* out) {
  Declarator d;
  d.name = name;
  d.loc = loc;
  d.type = base;
  if (at(Tok::LeftBracket)) {
    std::vector<ConstId> sizes;
    if (parseArraySizes(sizes)) d.type = arrayOf(c, base, sizes, loc);
    if (panic) d.type = kErrorType;
  }
  if (!panic && operandFollows() && !at(Tok::Identifier)) expected("`=` before the initializer");
  if (!panic && at(Tok::Equal)) {
    advance();
    d.hasInit = true;
    const uint32_t begin = pos;
    const bool isList = at(Tok::LeftBrace);
    d.init = parseInitializer(d.type, d.nullInit, "initializer");
    if (panic && isList) {
      recoverInitializer(begin);
      d.init = c.error(loc);
    }
    if (operandFollows()) d.init = c.error(loc);
  }
  if (panic) {
    // The name is declared all the same, so that its uses cause no further errors.
    d.hasInit = q.isConst || q.storage == StorageWord::None;
    d.init = c.error(loc);
  }
  checkPrecisionType(c, q, d.type);
  d.precision = precisionFor(q, d.type, loc);
  ExprId init;
  const VarId v = declareVariable(c, q, d, init);
  if (out && v && c.program.variables[v].storage == Storage::Local)
    out->push_back(c.program.addStmt(Stmt::declaration(loc, v, init)));
  return v;
}

// type_qualifier IDENTIFIER LEFT_BRACE struct_declaration_list RIGHT_BRACE [IDENTIFIER [array_specifier]]
// SEMICOLON
void GlslParser::parseBlock(const Qualifiers& q) {
  BlockDecl block;
  block.name = nameOf(tok);
  block.loc = tok.loc;
  const bool global = c.scopes.depth() == 0;
  if (!global && endFunctionBefore(statementBegin, "the block's declaration")) return;
  advance();
  const SourceLoc opened = tok.loc;
  (void)openBrace("the members");
  if (!global) c.report(DiagKind::BlockScope, block.loc);
  if (global && q.layout.has(LayoutId::BufferReference) && q.storage == StorageWord::Buffer)
    undeclaredReference = beginReferenceBlock(c, block.name, block.loc);
  noteSymbol(block.name, block.loc);
  inHeapBlock = q.storage == StorageWord::ResourceHeap || q.storage == StorageWord::SamplerHeap;
  std::vector<MemberDecl> members;
  const bool closed = parseMembers(members, "a block");
  inHeapBlock = false;
  undeclaredReference = kErrorType;
  if (!closed && !expect(Tok::RightBrace, "the end of the block", opened)) return;
  if (at(Tok::Identifier) && peek() != Tok::Identifier) {
    block.instance = nameOf(tok);
    block.instanceLoc = tok.loc;
    advance();
    if (at(Tok::LeftBracket) && !parseArraySizes(block.sizes)) {
      brackets.endDoubt();
      c.skipName(block.instance);
      return;
    }
  }
  expectSemicolon(After::Declaration);
  if (global) declareBlock(c, q, block, members, blockDefaults);
}

// function_prototype : function_declarator RIGHT_PAREN [attribute], after the name; with SEMICOLON or
// compound_statement_no_new_scope.
void GlslParser::parseFunction(const Qualifiers& q, TypeId result, NameId name, SourceLoc loc) {
  advance();  // `(`
  std::vector<ParameterDecl> parameters;
  parseParameters(parameters, name);
  expect(Tok::RightParen, "the end of the parameters");
  if (!panic && atAttributes()) parseAttributes(nullptr);
  if (panic) {
    brackets.endDoubt();
    c.skipName(name);
    return;
  }
  FunctionDecl f;
  f.name = name;
  f.loc = loc;
  f.result = result;
  checkPrecisionType(c, q, result);
  f.precision = precisionFor(q, result, loc);
  f.controlUniform = functionAttributes.controlUniform;
  f.maximallyReconverges = functionAttributes.maximallyReconverges;
  f.control = functionAttributes.control;
  f.definition = at(Tok::LeftBrace) || (!at(Tok::Semicolon) && brackets.leftBraceMissing());
  if (!f.definition) {
    expectSemicolon(After::Declaration);
    if (!panic) declareFunction(c, q, f, std::move(parameters));
    return;
  }
  const FnId fn = declareFunction(c, q, f, std::move(parameters));
  // Parameters and body are one scope (4.2.2).
  pushScope();
  const Function& declared = c.program.functions[fn];
  for (const VarId parameter : declared.params) {
    const Variable& v = c.program.variables[parameter];
    if (v.name && checkNewName(c, v.name, v.loc)) c.scopes.declareVariable(v.name, parameter, v.loc);
  }
  c.currentFunction = fn;
  const ExprId firstExpr = c.program.exprs.next();
  loopDepth = breakDepth = 0;
  hasReturn = false;
  switches.clear();
  const StmtId body = parseCompound(false);
  afterFunction = true;
  if (!hasReturn && !panic && f.result != kVoidType && f.result != kErrorType)
    c.report(DiagKind::FunctionNoReturn, loc, {c.names.text(name), c.typeText(f.result)});
  else if (body && !panic && c.diagnostics.errorCount() == 0 && f.result != kVoidType &&
           f.result != kErrorType && !c.program.stmts[body].ends)
    c.report(DiagKind::MissingReturn, blockEnd, {c.names.text(name)}).note(loc, "the function starts here");
  c.unwritten.finishFunction(c);
  Function& defined = c.program.functions[fn];
  defined.body = body;
  defined.exprs = {firstExpr, c.program.exprs.next()};
  c.currentFunction = {};
  popScope();
}

// parameter_declaration : type_qualifier parameter_declarator | parameter_declarator
//                       | type_qualifier parameter_type_specifier | parameter_type_specifier
void GlslParser::parseParameters(std::vector<ParameterDecl>& parameters, NameId function) {
  if (at(Tok::RightParen)) return;
  if (at(Tok::KwVoid) && peek() == Tok::RightParen) {
    advance();
    return;
  }
  do {
    ParameterDecl p;
    parseQualifiers(p.qualifiers);
    if (panic) return;
    p.loc = tok.loc;
    const SourceLoc typeLoc = tok.loc;
    p.type = parseTypeSpecifier(false, "a parameter");
    if (panic) return;
    if (at(Tok::Identifier) || takeKeywordAsName()) {
      p.name = nameOf(tok);
      p.loc = tok.loc;
      advance();
      std::vector<ConstId> sizes;
      if (at(Tok::LeftBracket)) {
        if (!parseArraySizes(sizes)) return;
        p.type = arrayOf(c, p.type, sizes, p.loc);
      }
    }
    if (at(Tok::Equal)) {
      c.report(DiagKind::ParameterDefault, tok.loc);
      c.skipName(function);  // calls may leave the argument out
      advance();
      parseAssignment();
    }
    if (panic) return;
    checkPrecisionType(c, p.qualifiers, p.type);
    p.precision = precisionFor(p.qualifiers, p.type, typeLoc);
    if (parameters.size() < c.options.limits.functionParameters)
      parameters.push_back(std::move(p));
    else
      c.report(DiagKind::ParameterLimit, parameters.back().loc, {c.options.limits.functionParameters});
  } while (accept(Tok::Comma));
}

// declaration : PRECISION precision_qualifier type_specifier SEMICOLON
void GlslParser::parsePrecision() {
  advance();
  Precision p = Precision::None;
  if (at(Tok::KwHighp)) p = Precision::High;
  if (at(Tok::KwMediump)) p = Precision::Medium;
  if (at(Tok::KwLowp)) p = Precision::Low;
  if (p == Precision::None) {
    expected("a precision qualifier");
    return;
  }
  advance();
  const SourceLoc loc = tok.loc;
  const TypeId type = parseTypeSpecifier(false, "a precision statement");
  if (!expectSemicolon(After::Declaration) || type == kErrorType) return;
  if (type == kInt)
    c.defaultInt = p;
  else if (type == kFloat)
    c.defaultFloat = p;
  else if (c.program.types.kind(type) == TypeKind::Image)
    opaquePrecisions.push_back({type, p});
  else
    c.report(DiagKind::PrecisionStatementType, loc, {c.typeText(type)});
}

}  // namespace coopc::frontend
