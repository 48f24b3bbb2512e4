// GL_EXT_spirv_intrinsics: qualifiers and types that give SPIR-V's instructions, decorations, execution modes
// and storage classes by number. The front end does not interpret them: it only reads numbers and operands.
#include "frontend/check/expressions.hpp"
#include "frontend/language/keywords.hpp"
#include "frontend/parse/parse.hpp"
#include "frontend/program/constant_values.hpp"

namespace coopc::frontend {
namespace {

// The words of a literal: one, or two for 64-bit types, low order first.
void appendWords(const Constant& k, std::vector<SpirvOperand>& operands) {
  operands.push_back({SpirvOperand::Kind::Literal, static_cast<uint32_t>(k.bits)});
  if (scalarBits(basicScalar(k.type)) == 64)
    operands.push_back({SpirvOperand::Kind::Literal, static_cast<uint32_t>(k.bits >> 32)});
}

bool isLiteral(const Program& p, ConstId k) {
  return k && !p.constants[k].isSpec && p.constants[k].kind == ConstKind::Scalar &&
         isScalarType(p.constants[k].type);
}

// Each part is preceded by its kind, and each text by its length, because a text may contain any characters.
std::string keyOf(const SpirvTypeInfo& type) {
  std::string key;
  const auto number = [&](char kind, uint32_t value) { (key += kind) += std::to_string(value); };
  const auto text = [&](char kind, std::string_view value) {
    number(kind, static_cast<uint32_t>(value.size()));
    (key += ':') += value;
  };
  number('i', type.id);
  text('s', type.set);
  for (const SpirvOperand& o : type.operands) {
    number('k', static_cast<uint32_t>(o.kind));
    number('o', o.word);
  }
  for (std::string_view e : type.extensions) text('e', e);
  for (uint32_t capability : type.capabilities) number('c', capability);
  return key;
}

}  // namespace

// integer-constant; names and expressions are accepted as well.
bool GlslParser::parseSpirvNumber(uint32_t& value) {
  const SourceLoc loc = tok.loc;
  const ExprId e = parseConstantExpression();
  if (panic || c.isError(e)) return false;
  const ConstId k = requireConstantInteger(c, e, "number of a SPIR-V enumerant", false);
  const std::optional<int64_t> literal = literalInteger(c.program, k);
  if (!literal) return false;
  const int64_t v = *literal;
  if (v < 0 || v > 0xFFFFFFFF) {
    c.report(DiagKind::SpirvNumberRange, loc, {v});
    return false;
  }
  value = static_cast<uint32_t>(v);
  return true;
}

// spirv-requirements-parameter : EXTENSIONS EQUAL LEFT_BRACKET literal-string-list RIGHT_BRACKET
//                              | CAPABILITIES EQUAL LEFT_BRACKET integer-constant-list RIGHT_BRACKET
// False if none begins here.
bool GlslParser::parseSpirvRequirement(SpirvRequirements& r) {
  if (!at(Tok::Identifier) || peek() != Tok::Equal) return false;
  const std::string_view key = c.names.text(nameOf(tok));
  const bool extensions = key == "extensions";
  if (!extensions && key != "capabilities") return false;
  advance();
  advance();
  if (!expect(Tok::LeftBracket)) return true;
  do {
    if (extensions) {
      if (!at(Tok::StringLiteral)) {
        expected("a string");
        return true;
      }
      r.extensions.push_back(c.names.text(tok.name()));
      advance();
    } else if (uint32_t number = 0; parseSpirvNumber(number)) {
      r.capabilities.push_back(number);
    }
  } while (accept(Tok::Comma));
  expect(Tok::RightBracket);
  return true;
}

// spirv_literal-parameter-list after a comma: literals only.
bool GlslParser::parseSpirvLiterals(std::vector<SpirvOperand>& operands) {
  do {
    if (!isNumberLiteral(tok.kind) && !at(Tok::KwTrue) && !at(Tok::KwFalse)) {
      expected("a literal");
      return false;
    }
    const ConstId k = c.constantOf(parsePrimary());
    if (isLiteral(c.program, k)) appendWords(c.program.constants[k], operands);
  } while (accept(Tok::Comma));
  return !panic;
}

// spirv_instruction-qualifier : SPIRV_INSTRUCTION LEFT_PAREN [spirv-requirements-list COMMA]
// spirv_instruction-qualifier-list RIGHT_PAREN, with `set = "..."` and `id = N`
void GlslParser::parseSpirvInstruction(Qualifiers& q) {
  if (!q.loc.valid()) q.loc = tok.loc;
  q.spirvLoc = tok.loc;
  SpirvInstruction instruction;
  bool hasId = false;
  advance();
  expect(Tok::LeftParen);
  do {
    if (parseSpirvRequirement(instruction)) continue;
    const std::string_view key = at(Tok::Identifier) ? c.names.text(nameOf(tok)) : std::string_view{};
    if (key != "set" && key != "id") {
      expected("`extensions`, `capabilities`, `set` or `id`");
      return;
    }
    advance();
    expect(Tok::Equal);
    if (key == "id") {
      parseSpirvNumber(instruction.id);
      hasId = true;
    } else if (at(Tok::StringLiteral)) {
      instruction.set = c.names.text(tok.name());
      advance();
    } else {
      expected("a string");
    }
  } while (accept(Tok::Comma));
  if (!hasId) expected("`id`");
  expect(Tok::RightParen);
  if (panic) return;
  q.spirvInstruction = c.program.spirvInstructions.add(std::move(instruction));
}

// spirv_storage_class-qualifier : SPIRV_STORAGE_CLASS LEFT_PAREN [spirv-requirements-list COMMA]
// integer-constant RIGHT_PAREN
void GlslParser::parseSpirvStorageClass(Qualifiers& q) {
  const SourceLoc loc = tok.loc;
  SpirvStorageClass storage;
  advance();
  expect(Tok::LeftParen);
  while (!panic && parseSpirvRequirement(storage)) expect(Tok::Comma);
  if (!panic) parseSpirvNumber(storage.storageClass);
  expect(Tok::RightParen);
  if (panic) return;
  addQualifier(c, q, Tok::KwSpirvStorageClass, loc);
  q.spirvStorage = c.program.spirvStorageClasses.add(std::move(storage));
}

// spirv_decorate-qualifier : SPIRV_DECORATE LEFT_PAREN [spirv-requirements-list COMMA] integer-constant
//                            [COMMA spirv_literal-parameter-list] RIGHT_PAREN
//   | SPIRV_DECORATE_ID LEFT_PAREN ... COMMA spirv_expression-parameter-list RIGHT_PAREN
//   | SPIRV_DECORATE_STRING LEFT_PAREN ... COMMA spirv_string-parameter-list RIGHT_PAREN
SpirvDecorationId GlslParser::parseSpirvDecorate() {
  SpirvDecoration d;
  d.form = at(Tok::KwSpirvDecorate)     ? SpirvDecoration::Form::Literals
           : at(Tok::KwSpirvDecorateId) ? SpirvDecoration::Form::Ids
                                        : SpirvDecoration::Form::Strings;
  advance();
  expect(Tok::LeftParen);
  while (!panic && parseSpirvRequirement(d)) expect(Tok::Comma);
  if (!panic) parseSpirvNumber(d.decoration);
  const bool more = d.form == SpirvDecoration::Form::Literals ? accept(Tok::Comma) : expect(Tok::Comma);
  if (more && d.form == SpirvDecoration::Form::Literals) {
    parseSpirvLiterals(d.operands);
  } else if (more) {
    do {
      if (d.form == SpirvDecoration::Form::Ids) {
        const SourceLoc loc = tok.loc;
        const ExprId e = parseConditional();
        if (panic || c.isError(e)) continue;
        if (c.constantOf(e))
          d.operands.push_back(SpirvOperand::ofConstant(c.constantOf(e)));
        else if (c.expr(e).op == ExprOp::Variable)
          d.operands.push_back(SpirvOperand::ofExpression(e));
        else
          c.report(DiagKind::SpirvOperandId, loc);
      } else if (at(Tok::StringLiteral)) {
        d.operands.push_back(SpirvOperand::ofString(nameOf(tok)));
        advance();
      } else {
        expected("a string");
      }
    } while (accept(Tok::Comma));
  }
  expect(Tok::RightParen);
  if (panic) return {};
  return c.program.spirvDecorations.add(std::move(d));
}

// The first decoration beyond the limit is reported; all further ones are ignored.
void GlslParser::addDecoration(std::vector<SpirvDecorationId>& list, SpirvDecorationId decoration,
                               SourceLoc loc) {
  const uint32_t limit = c.options.limits.decorations;
  if (list.size() > limit) return;
  if (list.size() == limit) c.report(DiagKind::SpirvDecorationLimit, loc, {limit});
  list.push_back(decoration);
}

// declaration : spirv_execution_mode-qualifier SEMICOLON
// spirv_execution_mode-qualifier : SPIRV_EXECUTION_MODE LEFT_PAREN [spirv-requirements-list COMMA]
//                                  integer-constant [COMMA spirv_literal-parameter-list] RIGHT_PAREN
//   | SPIRV_EXECUTION_MODE_ID LEFT_PAREN [spirv-requirements-list COMMA] integer-constant
//     [COMMA spirv_expression-parameter-list] RIGHT_PAREN
void GlslParser::parseSpirvExecutionMode() {
  const SourceLoc loc = tok.loc;
  SpirvExecutionMode m;
  m.ids = at(Tok::KwSpirvExecutionModeId);
  advance();
  expect(Tok::LeftParen);
  while (!panic && parseSpirvRequirement(m)) expect(Tok::Comma);
  if (!panic) parseSpirvNumber(m.mode);
  if (accept(Tok::Comma)) {
    if (!m.ids) {
      parseSpirvLiterals(m.operands);
    } else {
      do {
        const SourceLoc operandLoc = tok.loc;
        const ExprId e = parseConstantExpression();
        if (panic || c.isError(e)) continue;
        if (c.constantOf(e))
          m.operands.push_back(SpirvOperand::ofConstant(c.constantOf(e)));
        else
          c.report(DiagKind::SpirvOperandConstant, operandLoc);
      } while (accept(Tok::Comma));
    }
  }
  expect(Tok::RightParen);
  expectSemicolon(After::Declaration);
  if (panic) return;
  std::vector<SpirvExecutionMode>& modes = c.program.spirvExecutionModes;
  const uint32_t limit = c.options.limits.executionModes;
  if (modes.size() > limit) return;
  if (modes.size() == limit) c.report(DiagKind::SpirvExecutionModeLimit, loc, {limit});
  modes.push_back(std::move(m));
}

// spirv_type-specifier : SPIRV_TYPE LEFT_PAREN [spirv-requirements-list COMMA]
//                        spirv_instruction-qualifier-list [COMMA spirv_type-parameter-list] RIGHT_PAREN
// spirv_type-parameter : constant-expression | SPIRV_ID constant-expression | type_specifier
// Other compilers accept types as parameters, and pointers need them. Identical specifiers give the same
// type.
TypeId GlslParser::parseSpirvType() {
  Nest nest(*this);
  if (!nest.ok) return kErrorType;
  SpirvTypeInfo type;
  bool hasId = false;
  bool failed = false;
  advance();
  expect(Tok::LeftParen);
  do {
    if (parseSpirvRequirement(type)) continue;
    const std::string_view key = at(Tok::Identifier) && (type.operands.empty() || peek() == Tok::Equal)
                                     ? c.names.text(nameOf(tok))
                                     : "";
    const SourceLoc loc = tok.loc;
    if (key == "id" && peek() == Tok::Equal) {
      advance();
      advance();
      failed |= !parseSpirvNumber(type.id);
      hasId = true;
    } else if (key == "set" && peek() == Tok::Equal) {
      advance();
      advance();
      if (!at(Tok::StringLiteral)) {
        expected("a string");
        return kErrorType;
      }
      type.set = c.names.text(tok.name());
      advance();
    } else if (!hasId) {
      expected("`extensions`, `capabilities`, `set` or `id`");
      return kErrorType;
    } else if (atTypeStart() && !at(Tok::KwStruct) && peek() != Tok::LeftParen) {
      const TypeId t = parseTypeSpecifier(false, "a type parameter");
      failed |= t == kErrorType;
      type.operands.push_back(SpirvOperand::ofType(t));
    } else if (at(Tok::KwSpirvType)) {
      const TypeId t = parseSpirvType();
      failed |= t == kErrorType;
      type.operands.push_back(SpirvOperand::ofType(t));
    } else {
      const bool asId = at(Tok::Identifier) && c.names.text(nameOf(tok)) == "spirv_id" &&
                        !c.scopes.find(nameOf(tok)) && peek() != Tok::Comma && peek() != Tok::RightParen;
      if (asId) advance();
      const ExprId e = parseConstantExpression();
      if (panic) break;
      const ConstId k = c.isError(e) ? ConstId() : c.constantOf(e);
      if (c.isError(e)) {
        failed = true;
      } else if (!k) {
        c.report(DiagKind::SpirvOperandConstant, loc);
        failed = true;
      } else if (asId) {
        type.operands.push_back(SpirvOperand::ofConstant(k));
      } else if (isLiteral(c.program, k)) {
        appendWords(c.program.constants[k], type.operands);
      } else {
        c.report(DiagKind::SpirvTypeLiteral, loc);
        failed = true;
      }
    }
  } while (accept(Tok::Comma));
  if (!hasId) expected("`id`");
  expect(Tok::RightParen);
  if (panic || failed) return kErrorType;

  const auto [it, added] = spirvTypes.emplace(keyOf(type), c.program.spirvTypes.next());
  if (added) c.program.spirvTypes.add(std::move(type));
  return c.program.types.spirvType(it->second);
}

// function_identifier : spirv_decorate-qualifier: `spirv_decorate(...)(value)`, the value with its result
// decorated.
ExprId GlslParser::parseSpirvDecorated() {
  const SourceLoc loc = tok.loc;
  std::vector<SpirvDecorationId> list;
  while (at(Tok::KwSpirvDecorate) || at(Tok::KwSpirvDecorateId) || at(Tok::KwSpirvDecorateString)) {
    const SourceLoc at = tok.loc;
    const SpirvDecorationId decoration = parseSpirvDecorate();
    if (panic) return c.error(loc);
    addDecoration(list, decoration, at);
  }
  Arguments args;
  if (!parseArguments(args)) return c.error(loc);
  if (args.size() != 1) {
    c.report(DiagKind::SpirvDecorateArguments, loc, {static_cast<uint64_t>(args.size())});
    return c.error(loc);
  }
  if (c.isError(args[0]) || !requireValue(c, args[0])) return c.error(loc);
  const Expr value = c.expr(args[0]);
  const uint8_t flags = value.flags & static_cast<uint8_t>(~(kExprLvalue | kExprParenthesized));
  return c.program.addExpr(
      Expr::decorate({value.type, flags, loc}, args[0], c.program.decorationLists.add(std::move(list))));
}

}  // namespace coopc::frontend
