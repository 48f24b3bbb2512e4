// Statements (GLSL 4.60, chapter 6), with the scopes of 4.2.2. An `else if` chain is a loop, so that its
// length does not matter to the parser.
#include <utility>

#include "frontend/check/expressions.hpp"
#include "frontend/language/keywords.hpp"
#include "frontend/parse/parse.hpp"
#include "frontend/parse/program_memory.hpp"

namespace coopc::frontend {

StmtId GlslParser::makeBlock(SourceLoc loc, std::span<const StmtId> items) {
  bool ended = false;
  bool reported = c.diagnostics.errorCount() != 0;  // the skipped text may contain a label
  for (const StmtId item : items) {
    const Stmt& s = c.program.stmts[item];
    if (s.kind == StmtKind::Case || s.kind == StmtKind::Default) {
      ended = false;
    } else if (ended && !reported && s.kind != StmtKind::Empty && s.kind != StmtKind::Break) {
      // Many shaders end a case with `return x; break;`.
      c.report(DiagKind::UnreachableCode, s.loc);
      reported = true;
    }
    ended = ended || s.ends;
  }
  const StmtId block = c.program.addBlock(loc, items);
  c.program.stmts[block].ends = ended;
  return block;
}

GlslParser::Loop::Loop(GlslParser& parser)
    : p(parser), outerLoop(p.c.unwritten.enterLoop()), outerBreaks(std::exchange(p.breaks, false)) {}

GlslParser::Loop::~Loop() {
  p.c.unwritten.leaveLoop(outerLoop);
  p.breaks = outerBreaks;
}

StmtId GlslParser::Loop::body(bool newScope) const {
  ++p.loopDepth;
  ++p.breakDepth;
  const StmtId body = p.parseScopedStatement(newScope);
  --p.breakDepth;
  --p.loopDepth;
  return body;
}

bool GlslParser::isEndless(StmtId condition) const {
  if (breaks) return false;
  if (!condition) return true;
  const Stmt& s = c.program.stmts[condition];
  if (s.kind != StmtKind::Expr) return false;
  const ConstId constant = c.constantOf(s.expression());
  if (!constant) return false;
  const Constant& value = c.program.constants[constant];
  return value.kind == ConstKind::Scalar && !value.isSpec && value.bits != 0;
}

// compound_statement : LEFT_BRACE RIGHT_BRACE | LEFT_BRACE statement_list RIGHT_BRACE
StmtId GlslParser::parseCompound(bool newScope) {
  const SourceLoc loc = tok.loc;
  if (!openBrace("the body")) return {};
  if (newScope) pushScope();
  std::vector<StmtId> items;
  while (!at(Tok::RightBrace) && !atEnd() && !c.diagnostics.fatal()) {
    if (at(Tok::KwElse) && newScope && insertRightBrace("`else`")) {
      popScope();
      return makeBlock(loc, items);
    }
    parseStatement(items, true);
    if (unwinding) break;
    if (panic) recover(true);
  }
  if (newScope) popScope();
  blockEnd = tok.loc;
  beginConstruct();
  expect(Tok::RightBrace, "the end of the block", loc);
  return makeBlock(loc, items);
}

// A statement that is part of another: a statement with its own scope, or statement_no_new_scope.
StmtId GlslParser::parseScopedStatement(bool newScope) {
  const SourceLoc loc = tok.loc;
  if (at(Tok::LeftBrace) || lacksBraceOfBody()) return parseCompound(newScope);
  if (newScope) pushScope();
  std::vector<StmtId> items;
  parseStatement(items, false);
  if (newScope) popScope();
  if (items.size() == 1) return items[0];
  return makeBlock(loc, items);
}

// statement : compound_statement | simple_statement
// Counts the nesting of statements: each level is parsed here once.
void GlslParser::parseStatement(std::vector<StmtId>& out, bool directly) {
  measureProgram(c.program);
  Nest nest(*this);
  if (!nest.ok) return;
  beginConstruct();
  // Only statements directly inside the braces of a switch may be its labels.
  const bool inSwitch = directly && switchBody;
  if (at(Tok::KwCase) || at(Tok::KwDefault)) {
    if (switches.empty()) {
      c.report(DiagKind::CaseOutsideSwitch, tok.loc, {tokenSpelling(tok.kind)});
    } else if (!inSwitch) {
      c.report(DiagKind::CaseNested, tok.loc, {tokenSpelling(tok.kind)});
    }
    if (!inSwitch) {
      // The label is read and dropped; an ordinary statement follows.
      const bool isCase = at(Tok::KwCase);
      advance();
      if (isCase) parseExpression();
      expect(Tok::Colon);
      return;
    }
    parseCase(out);
    return;
  }
  if (inSwitch) {
    SwitchState& state = *switches.back();
    if (!state.anyLabel && !state.reportedEarly) {
      c.report(DiagKind::StatementBeforeCase, tok.loc).note(state.loc, "the switch starts here");
      state.reportedEarly = true;
    }
    state.lastIsLabel = false;
  }
  const bool outerSwitchBody = switchBody;
  switchBody = false;
  if (at(Tok::LeftBrace)) {
    const StmtId block = parseCompound(true);
    if (block) out.push_back(block);
  } else {
    parseSimple(out);
  }
  switchBody = outerSwitchBody;
}

// Not inlined: qualifiers take most of a stack frame, and statements recurse through the callers'
// (api/stack.cpp).
[[gnu::noinline]] void GlslParser::parseLocalDeclaration(std::vector<StmtId>& out) {
  statementBegin = pos;
  Qualifiers q;
  parseQualifiers(q);
  if (!panic) parseDeclaration(q, &out);
}

// simple_statement : declaration_statement | expression_statement | selection_statement | switch_statement
//                  | case_label | iteration_statement | jump_statement
void GlslParser::parseSimple(std::vector<StmtId>& out) {
  ControlAttributes attributes;
  const SourceLoc attributeLoc = tok.loc;
  const bool attributed = atAttributes();
  while (atAttributes() && !panic) parseAttributes(&attributes);
  if (panic) return;
  StmtId s;
  switch (tok.kind) {
    case Tok::KwIf: s = parseIf(attributes); break;
    case Tok::KwSwitch: s = parseSwitch(attributes); break;
    case Tok::KwFor: s = parseFor(attributes); break;
    case Tok::KwWhile: s = parseWhile(attributes); break;
    case Tok::KwDo: s = parseDo(attributes); break;
    default:
      if (attributed) c.report(DiagKind::AttributePlacement, attributeLoc);
      if (isJump(tok.kind)) return parseJump(out);
      switch (tok.kind) {
        case Tok::Semicolon:
          out.push_back(c.program.addStmt(Stmt::plain(StmtKind::Empty, tok.loc)));
          advance();
          return;
        case Tok::KwPrecision: parsePrecision(); return;
        case Tok::KwElse:
          panic = true;
          c.report(DiagKind::ElseWithoutIf, tok.loc);
          return;
        default: break;
      }
      // A name followed by a name or a type can only be meant as a declaration.
      if (atQualifier() || atTypeStart() || atUnknownTemplate() ||
          (at(Tok::Identifier) && (peek() == Tok::Identifier || peek() == Tok::TypeName) &&
           !beginsExpression())) {
        parseLocalDeclaration(out);
        return;
      }
      parseExpressionStatement(out);
      return;
  }
  if (s) out.push_back(s);
}

// expression_statement : SEMICOLON | expression SEMICOLON
void GlslParser::parseExpressionStatement(std::vector<StmtId>& out) {
  const SourceLoc loc = tok.loc;
  const ExprId e = parseExpression();
  // An undeclared name before a statement is a macro without a definition, not a missing semicolon.
  if (!panic && c.isError(e) && onlyStartsStatement(tok.kind) && previousToken()->loc == loc) return;
  if (panic || !expectSemicolon(After::Statement)) return;
  if (c.expr(e).op == ExprOp::FunctionName && !requireValue(c, e)) return;
  warnUnusedResult(c, e);
  const StmtId s = c.program.addStmt(Stmt::expression(loc, e));
  const Expr& call = c.expr(e);
  c.program.stmts[s].ends = call.op == ExprOp::CallBuiltin && (call.builtin() == BuiltinOp::Abort ||
                                                               call.builtin() == BuiltinOp::EmitMeshTasks);
  out.push_back(s);
}

// selection_statement : IF LEFT_PAREN expression RIGHT_PAREN selection_rest_statement
// selection_rest_statement : statement ELSE statement | statement
StmtId GlslParser::parseIf(const ControlAttributes& attributes) {
  struct Link {
    SourceLoc loc;
    ExprId condition;
    StmtId then;
    uint32_t control;
  };
  std::vector<Link> chain;
  StmtId rest;
  uint32_t control = attributes.selection;
  while (true) {
    Link link{tok.loc, {}, {}, control};
    advance();
    beginConstruct();
    const Header header = openHeader("the condition");
    const SourceLoc loc = tok.loc;
    const ExprId condition = parseExpression();
    link.condition = panic || operandFollows() ? c.error(loc) : checkCondition(c, condition, loc);
    closeHeader(header, "the statement");
    link.then = parseScopedStatement(true);
    chain.push_back(link);
    if (panic && (atEnd() || unwinding)) break;
    if (panic) recover();
    if (!at(Tok::KwElse)) break;
    advance();
    ControlAttributes inner;
    if (atAttributes()) {
      parseAttributes(&inner);
      if (!panic && !at(Tok::KwIf)) {
        // Attributes of a loop or switch after `else` were read already; they cannot be read again as part of
        // that statement.
        std::vector<StmtId> items;
        pushScope();
        StmtId s;
        if (at(Tok::KwFor))
          s = parseFor(inner);
        else if (at(Tok::KwWhile))
          s = parseWhile(inner);
        else if (at(Tok::KwDo))
          s = parseDo(inner);
        else if (at(Tok::KwSwitch))
          s = parseSwitch(inner);
        else
          s = parseScopedStatement(true);
        popScope();
        rest = s;
        break;
      }
      if (panic) break;
    }
    if (at(Tok::KwIf)) {
      control = inner.selection;
      continue;
    }
    rest = parseScopedStatement(true);
    break;
  }
  for (size_t i = chain.size(); i-- > 0;) {
    const Link& link = chain[i];
    const auto ends = [&](StmtId s) { return s && c.program.stmts[s].ends; };
    const bool both = ends(link.then) && ends(rest);
    rest = c.program.addStmt(Stmt::ifElse(link.loc, link.condition, link.then, rest, link.control));
    c.program.stmts[rest].ends = both;
  }
  return rest;
}

// switch_statement : SWITCH LEFT_PAREN expression RIGHT_PAREN LEFT_BRACE switch_statement_list RIGHT_BRACE
StmtId GlslParser::parseSwitch(const ControlAttributes& attributes) {
  const SourceLoc loc = tok.loc;
  advance();
  const Header header = openHeader("the selector");
  const ExprId selector = parseExpression();
  SwitchState state;
  state.loc = loc;
  if (!panic && !operandFollows()) state.selector = checkSwitchSelector(c, selector, loc);
  closeHeader(header, "the labels");
  const SourceLoc bodyLoc = tok.loc;
  if (!openBrace("the labels")) return {};
  switches.push_back(&state);
  ++breakDepth;
  const bool outerBreaks = std::exchange(breaks, false);
  pushScope();
  std::vector<StmtId> items;
  while (!at(Tok::RightBrace) && !atEnd() && !c.diagnostics.fatal()) {
    switchBody = true;
    parseStatement(items, true);
    if (unwinding) break;
    if (panic) recover();
  }
  switchBody = false;
  popScope();
  --breakDepth;
  switches.pop_back();
  if (state.lastIsLabel && at(Tok::RightBrace)) {
    // GLSL 4.40 and 4.50 and ESSL 3.10 do not say whether a label may stand there, so the reference compiler
    // only warns.
    const bool error = c.es ? c.version >= 320 : c.version >= 460 || c.version <= 430;
    c.report(error ? DiagKind::LabelAtEnd : DiagKind::LabelAtEndAllowed, tok.loc)
        .note(loc, "the switch starts here");
  }
  beginConstruct();
  expect(Tok::RightBrace, "the end of the switch", bodyLoc);
  const StmtId body = makeBlock(bodyLoc, items);
  const StmtId s = c.program.addStmt(Stmt::switchCase(loc, selector, body, attributes.selection));
  c.program.stmts[s].ends = state.defaultLoc.valid() && !breaks && c.program.stmts[body].ends;
  breaks = outerBreaks;
  return s;
}

// case_label : CASE expression COLON | DEFAULT COLON
void GlslParser::parseCase(std::vector<StmtId>& out) {
  SwitchState& state = *switches.back();
  const SourceLoc loc = tok.loc;
  state.anyLabel = true;
  state.lastIsLabel = true;
  if (at(Tok::KwDefault)) {
    advance();
    if (state.defaultLoc.valid())
      c.report(DiagKind::DefaultDuplicate, loc).note(state.defaultLoc, "the first one is here");
    else
      state.defaultLoc = loc;
    expect(Tok::Colon, "the statements of the label");
    out.push_back(c.program.addStmt(Stmt::plain(StmtKind::Default, loc)));
    return;
  }
  advance();
  const ExprId value = parseExpression();
  if (!expect(Tok::Colon, "the statements of the label")) {
    state.lastIsLabel = false;  // the following text is skipped, possibly a statement
    return;
  }
  const ConstId label = checkCaseLabel(c, state, value, loc);
  if (label) out.push_back(c.program.addStmt(Stmt::caseLabel(loc, label)));
}

// condition : expression | fully_specified_type IDENTIFIER EQUAL initializer
StmtId GlslParser::parseCondition() {
  const SourceLoc loc = tok.loc;
  if (!atQualifier() && !(atTypeStart() && peek() == Tok::Identifier)) {
    const ExprId e = parseExpression();
    if (panic) return {};
    return c.program.addStmt(
        Stmt::expression(loc, operandFollows() ? c.error(loc) : checkCondition(c, e, loc)));
  }
  Qualifiers q;
  parseQualifiers(q);
  const TypeId base = panic ? kErrorType : parseTypeSpecifier(false, "a condition");
  if (panic || !at(Tok::Identifier)) {
    expected("a name");
    return {};
  }
  const NameId name = nameOf(tok);
  const SourceLoc nameLoc = tok.loc;
  advance();
  if (!at(Tok::Equal)) {
    c.report(DiagKind::ConditionDeclaration, nameLoc);
    panic = true;
    return {};
  }
  std::vector<StmtId> items;
  const VarId v = parseDeclarator(q, base, name, nameLoc, &items);
  if (panic) return {};
  if (v && c.program.variables[v].type != kErrorType && c.program.variables[v].type != kBool) {
    // The variable itself is tested: the check of conditions applies to it.
    checkCondition(c, checkName(c, name, nameLoc), nameLoc);
    return {};
  }
  if (items.size() == 1) return items[0];
  // A `const bool` with a constant value needs no storage.
  return c.program.addStmt(Stmt::expression(loc, v ? checkName(c, name, nameLoc) : c.error(nameLoc)));
}

// iteration_statement : FOR LEFT_PAREN for_init_statement for_rest_statement RIGHT_PAREN
// statement_no_new_scope
StmtId GlslParser::parseFor(const ControlAttributes& attributes) {
  const SourceLoc loc = tok.loc;
  advance();
  pushScope();
  StmtId init;
  StmtId condition;
  ExprId step;
  const Header header = openHeader("the loop's header");
  if (!panic && !accept(Tok::Semicolon)) {
    loopStart = true;
    std::vector<StmtId> items;
    const SourceLoc initLoc = tok.loc;
    if (atQualifier() || atTypeStart() || (at(Tok::Identifier) && peek() == Tok::Identifier)) {
      parseLocalDeclaration(items);
    } else {
      parseExpressionStatement(items);
    }
    if (items.size() == 1) init = items[0];
    if (items.size() > 1) init = c.program.addBlock(initLoc, items);
    loopStart = false;
  }
  const Loop loop(*this);
  if (!panic && !at(Tok::Semicolon)) condition = parseCondition();
  expectSemicolon(After::LoopCondition);
  if (!panic && !at(Tok::RightParen)) step = parseExpression();
  closeHeader(header, "the loop's body");
  const StmtId body = loop.body(false);
  popScope();
  const StmtId s =
      c.program.addStmt(Stmt::forLoop(loc, init, condition, step, body, loopControl(c, attributes)));
  c.program.stmts[s].ends = isEndless(condition);
  return s;
}

// iteration_statement : WHILE LEFT_PAREN condition RIGHT_PAREN statement_no_new_scope
StmtId GlslParser::parseWhile(const ControlAttributes& attributes) {
  const SourceLoc loc = tok.loc;
  advance();
  pushScope();
  const Loop loop(*this);
  const Header header = openHeader("the condition");
  const StmtId condition = panic ? StmtId() : parseCondition();
  closeHeader(header, "the loop's body");
  const StmtId body = loop.body(false);
  popScope();
  const StmtId s = c.program.addStmt(Stmt::whileLoop(loc, condition, body, loopControl(c, attributes)));
  c.program.stmts[s].ends = condition && isEndless(condition);
  return s;
}

// iteration_statement : DO statement WHILE LEFT_PAREN expression RIGHT_PAREN SEMICOLON
StmtId GlslParser::parseDo(const ControlAttributes& attributes) {
  const SourceLoc loc = tok.loc;
  advance();
  const Loop loop(*this);
  const StmtId body = loop.body(true);
  if (panic) recover();
  if (!expect(Tok::KwWhile, "the condition of `do`")) return {};
  beginConstruct();
  const Header header = openHeader("the condition", Tok::Semicolon);
  const SourceLoc conditionLoc = tok.loc;
  ExprId condition = parseExpression();
  condition = panic || operandFollows() ? c.error(conditionLoc) : checkCondition(c, condition, conditionLoc);
  closeHeader(header, "the end of the loop");
  expectSemicolon(After::Statement);
  if (panic) return {};
  return c.program.addStmt(Stmt::doWhile(loc, body, condition, loopControl(c, attributes)));
}

bool GlslParser::isJump(Tok kind) {
  switch (kind) {
    case Tok::KwBreak:
    case Tok::KwContinue:
    case Tok::KwReturn:
    case Tok::KwDiscard:
    case Tok::KwDemote:
    case Tok::KwTerminateInvocation:
    case Tok::KwIgnoreIntersection:
    case Tok::KwTerminateRay: return true;
    default: return false;
  }
}

// jump_statement : CONTINUE SEMICOLON | BREAK SEMICOLON | RETURN SEMICOLON | RETURN expression SEMICOLON
//                | DISCARD SEMICOLON | TERMINATE_INVOCATION SEMICOLON | DEMOTE SEMICOLON
//                | IGNORE_INTERSECTION SEMICOLON | TERMINATE_RAY SEMICOLON
void GlslParser::parseJump(std::vector<StmtId>& out) {
  const Tok kind = tok.kind;
  const SourceLoc loc = tok.loc;
  advance();
  ExprId value;
  bool hasValue = false;
  // If the function returns no value, a token that can only start a statement shows that the semicolon is
  // missing.
  const auto ends = [&] {
    if (at(Tok::Semicolon)) return true;
    if (c.program.functions[c.currentFunction].result != kVoidType) return false;
    return at(Tok::RightBrace) || onlyStartsStatement(tok.kind) || atQualifier() ||
           (atTypeStart() && peek() == Tok::Identifier);
  };
  // With or without a value: one without is an error by itself where a value is needed, so that the function
  // is not reported as one that never returns as well.
  if (kind == Tok::KwReturn) hasReturn = true;
  if (kind == Tok::KwReturn && !ends()) {
    hasValue = true;
    value = parseExpression();
  }
  if (panic || !expectSemicolon(After::Statement)) return;
  switch (kind) {
    case Tok::KwBreak:
      if (breakDepth == 0)
        c.report(DiagKind::BreakOutside, loc);
      else
        out.push_back(c.program.addStmt(Stmt::plain(StmtKind::Break, loc)));
      breaks = true;
      return;
    case Tok::KwContinue:
      if (loopDepth == 0)
        c.report(DiagKind::ContinueOutside, loc);
      else
        out.push_back(c.program.addStmt(Stmt::plain(StmtKind::Continue, loc)));
      return;
    case Tok::KwReturn:
      out.push_back(
          c.program.addStmt(Stmt::returnValue(loc, checkReturn(c, c.currentFunction, value, hasValue, loc))));
      return;
    default: {
      const bool ray = kind == Tok::KwIgnoreIntersection || kind == Tok::KwTerminateRay;
      if (!contains(keywordStages(kind), c.options.stage))
        c.report(ray ? DiagKind::RayJump : DiagKind::FragmentJump, loc, {tokenSpelling(kind)});
      const StmtKind s = kind == Tok::KwDiscard              ? StmtKind::Discard
                         : kind == Tok::KwDemote             ? StmtKind::Demote
                         : kind == Tok::KwIgnoreIntersection ? StmtKind::IgnoreIntersection
                         : kind == Tok::KwTerminateRay       ? StmtKind::TerminateRay
                                                             : StmtKind::Terminate;
      out.push_back(c.program.addStmt(Stmt::plain(s, loc)));
      return;
    }
  }
}

// attribute : LEFT_BRACKET LEFT_BRACKET attribute_list RIGHT_BRACKET RIGHT_BRACKET
// single_attribute : IDENTIFIER | IDENTIFIER LEFT_PAREN constant_expression RIGHT_PAREN | INLINE | NOINLINE
// Without `attributes`, the attributes belong to a function.
void GlslParser::parseAttributes(ControlAttributes* attributes) {
  advance();
  advance();
  do {
    const SourceLoc loc = tok.loc;
    const bool isControl = at(Tok::KwReserved) &&
                           (c.names.text(tok.name()) == "inline" || c.names.text(tok.name()) == "noinline");
    if (!at(Tok::Identifier) && !isControl) {
      expected("an attribute");
      // The statement after the attributes can still be read.
      while (!atEnd() && !at(Tok::RightBracket) && !at(Tok::Semicolon) && !at(Tok::LeftBrace)) advance();
      if (!at(Tok::RightBracket)) return;
      advance();
      if (at(Tok::RightBracket)) advance();
      panic = false;
      return;
    }
    const std::string_view name = c.names.text(nameOf(tok));
    advance();
    ExprId argument;
    if (accept(Tok::LeftParen)) {
      argument = parseConstantExpression();
      if (!expect(Tok::RightParen)) return;
    }
    if (attributes) {
      addAttribute(c, *attributes, name, loc, argument);
      continue;
    }
    if (name == "subgroup_uniform_control_flow") {
      requireAttribute(c, Feature::SubgroupUniformControlFlow, name, loc);
      functionAttributes.controlUniform = true;
    } else if (name == "maximally_reconverges") {
      requireAttribute(c, Feature::MaximalReconvergence, name, loc);
      functionAttributes.maximallyReconverges = true;
    } else if (isControl) {
      requireAttribute(c, Feature::FunctionControlAttributes, name, loc);
      functionAttributes.control |= name == "inline" ? kInline : kNoInline;
    } else {
      c.report(DiagKind::UnknownAttribute, loc, {name});
    }
  } while (accept(Tok::Comma));
  expect(Tok::RightBracket, "the end of the attributes");
  expect(Tok::RightBracket, "the end of the attributes");
}

}  // namespace coopc::frontend
