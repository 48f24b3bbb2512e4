// Types and qualifiers: type_qualifier, layout lists, type_specifier with type parameters and array sizes,
// struct_specifier.
#include <algorithm>
#include <utility>

#include "frontend/check/builtins/availability.hpp"
#include "frontend/check/expressions.hpp"
#include "frontend/check/extensions/heap_blocks.hpp"
#include "frontend/check/extensions/texture_footprint.hpp"
#include "frontend/check/suggest.hpp"
#include "frontend/check/target.hpp"
#include "frontend/language/keywords.hpp"
#include "frontend/parse/parse.hpp"
#include "frontend/program/constant_values.hpp"
#include "frontend/program/type_queries.hpp"

namespace coopc::frontend {
namespace {

bool isTypeKeyword(Tok kind) {
  switch (kind) {
    case Tok::KwVoid:
    case Tok::KwStruct:
    case Tok::KwCoopmat:
    case Tok::KwTensorLayout:
    case Tok::KwTensorView:
    case Tok::KwTensor:
    case Tok::KwCoopvec:
    case Tok::KwFcoopmatNV:
    case Tok::KwIcoopmatNV:
    case Tok::KwUcoopmatNV:
    case Tok::KwVector:
    case Tok::KwSpirvType: return true;
    default: return false;
  }
}

bool isParameterizedKeyword(Tok kind) {
  return isTypeKeyword(kind) && kind != Tok::KwVoid && kind != Tok::KwStruct && kind != Tok::KwSpirvType;
}

bool isQualifierKeyword(Tok kind) {
  switch (kind) {
    case Tok::KwConst:
    case Tok::KwUniform:
    case Tok::KwBuffer:
    case Tok::KwShared:
    case Tok::KwIn:
    case Tok::KwOut:
    case Tok::KwInout:
    case Tok::KwCentroid:
    case Tok::KwFlat:
    case Tok::KwSmooth:
    case Tok::KwNoperspective:
    case Tok::KwPervertexNV:
    case Tok::KwExplicitInterp:
    case Tok::KwPervertex:
    case Tok::KwPatch:
    case Tok::KwSample:
    case Tok::KwInvariant:
    case Tok::KwPrecise:
    case Tok::KwHighp:
    case Tok::KwMediump:
    case Tok::KwLowp:
    case Tok::KwLayout:
    case Tok::KwCoherent:
    case Tok::KwVolatile:
    case Tok::KwRestrict:
    case Tok::KwReadonly:
    case Tok::KwWriteonly:
    case Tok::KwDevicecoherent:
    case Tok::KwQueuefamilycoherent:
    case Tok::KwWorkgroupcoherent:
    case Tok::KwSubgroupcoherent:
    case Tok::KwNonprivate:
    case Tok::KwNontemporal:
    case Tok::KwShadercallcoherent:
    case Tok::KwRayPayload:
    case Tok::KwRayPayloadIn:
    case Tok::KwHitAttribute:
    case Tok::KwCallableData:
    case Tok::KwCallableDataIn:
    case Tok::KwRayPayloadNV:
    case Tok::KwRayPayloadInNV:
    case Tok::KwHitAttributeNV:
    case Tok::KwCallableDataNV:
    case Tok::KwCallableDataInNV:
    case Tok::KwHitObjectAttribute:
    case Tok::KwHitObjectAttributeNV:
    case Tok::KwTaskPayload:
    case Tok::KwTileImage:
    case Tok::KwResourceHeap:
    case Tok::KwSamplerHeap:
    case Tok::KwPerprimitive:
    case Tok::KwPerprimitiveNV:
    case Tok::KwPerview:
    case Tok::KwPertask:
    case Tok::KwNonuniform: return true;
    // Removed or foreign words that are used like qualifiers.
    case Tok::KwAttribute:
    case Tok::KwVarying:
    case Tok::KwSubroutine:
    case Tok::KwSpirvDecorate:
    case Tok::KwSpirvDecorateId:
    case Tok::KwSpirvDecorateString:
    case Tok::KwSpirvStorageClass:
    case Tok::KwSpirvByReference:
    case Tok::KwSpirvLiteral:
    case Tok::KwSpirvInstruction:
    case Tok::KwSpirvExecutionMode:
    case Tok::KwSpirvExecutionModeId: return true;
    default: return false;
  }
}

// Versions before 4.20 have the qualifiers `attribute` and `varying`, which mean `in` or `out`, depending on
// the stage. Tok::End if this version or stage does not have `word`.
Tok oldInterfaceWord(const Checker& c, Tok word) {
  if (c.es || c.version >= 420) return Tok::End;
  if (c.options.stage == Stage::Vertex) return word == Tok::KwAttribute ? Tok::KwIn : Tok::KwOut;
  return c.options.stage == Stage::Fragment && word == Tok::KwVarying ? Tok::KwIn : Tok::End;
}

// Whether a type parameter, which is a unary_expression, cannot contain the operator without parentheses.
bool isOperatorInParameter(Tok kind) {
  switch (kind) {
    case Tok::Plus:
    case Tok::Dash:
    case Tok::Star:
    case Tok::Slash:
    case Tok::Percent:
    case Tok::LeftOp:
    case Tok::Ampersand:
    case Tok::VerticalBar:
    case Tok::Caret:
    case Tok::AndAnd:
    case Tok::OrOr:
    case Tok::XorXor:
    case Tok::EqualEqual:
    case Tok::NotEqual:
    case Tok::LeftAngle:
    case Tok::LessEqual: return true;
    default: return false;
  }
}

}  // namespace

bool GlslParser::atQualifier() const {
  // nonuniformEXT(x) is an expression, `nonuniformEXT int x` a declaration.
  if (at(Tok::KwNonuniform)) return peek() != Tok::LeftParen;
  return isQualifierKeyword(tok.kind) || disabledQualifier() != Tok::End;
}

// Whether the whole type parameter is the name of a type whose extension is not enabled.
bool GlslParser::atDisabledType() {
  if (!at(Tok::Identifier) || (peek() != Tok::Comma && peek() != Tok::RightAngle)) return false;
  return c.scopes.find(nameOf(tok)) == nullptr && c.names[nameOf(tok)].builtinType != 0;
}

bool GlslParser::isTypeOfLanguage(NameId name) const {
  const NameInfo& info = c.names[name];
  return info.builtinType != 0 || isParameterizedKeyword(info.keyword);
}

bool GlslParser::atTypeStart() {
  if (tok.kind == Tok::TypeName || isTypeKeyword(tok.kind)) return true;
  if (tok.kind != Tok::Identifier) return false;
  if (const Symbol* s = c.scopes.find(nameOf(tok))) return s->kind == SymbolKind::Type;
  if (!isTypeOfLanguage(nameOf(tok))) return false;
  const Tok next = peek();
  return next == Tok::Identifier || next == Tok::LeftParen || next == Tok::LeftAngle ||
         next == Tok::LeftBracket;
}

// The qualifier of a disabled extension if the current name can only be meant as one, or Tok::End.
Tok GlslParser::disabledQualifier() const {
  if (!at(Tok::Identifier) || c.scopes.find(nameOf(tok))) return Tok::End;
  const Tok keyword = c.names[nameOf(tok)].keyword;
  if (keyword == Tok::Identifier || !isQualifierKeyword(keyword) || keywordExtension(keyword).empty())
    return Tok::End;
  const Tok next = peek();
  const bool goesOn =
      next == Tok::Identifier || next == Tok::TypeName || isQualifierKeyword(next) || isTypeKeyword(next);
  return goesOn ? keyword : Tok::End;
}

// type_qualifier : single_type_qualifier | type_qualifier single_type_qualifier
void GlslParser::parseQualifiers(Qualifiers& q) {
  while (!panic && atQualifier() && !endsDefaults(q)) {
    const SourceLoc loc = tok.loc;
    switch (tok.kind) {
      case Tok::KwLayout: parseLayout(q); continue;
      case Tok::KwAttribute:
      case Tok::KwVarying: {
        const Tok word = oldInterfaceWord(c, tok.kind);
        if (word == Tok::End) {
          syntaxError(DiagKind::RemovedKeyword);
          break;
        }
        const bool in = word == Tok::KwIn;
        c.report(DiagKind::DeprecatedKeyword, loc, {tokenSpelling(tok.kind), in ? "in" : "out"});
        if (!q.loc.valid()) q.loc = loc;
        addQualifier(c, q, word, loc);
        advance();
        break;
      }
      case Tok::KwSubroutine: syntaxError(DiagKind::RemovedKeyword); break;
      case Tok::KwSpirvInstruction: parseSpirvInstruction(q); continue;
      case Tok::KwSpirvStorageClass: parseSpirvStorageClass(q); continue;
      case Tok::KwSpirvDecorate:
      case Tok::KwSpirvDecorateId:
      case Tok::KwSpirvDecorateString: {
        if (!q.loc.valid()) q.loc = loc;
        q.spirvLoc = loc;
        const SpirvDecorationId decoration = parseSpirvDecorate();
        if (!panic) addDecoration(q.spirvDecorations, decoration, loc);
        continue;
      }
      case Tok::KwSpirvExecutionMode:
      case Tok::KwSpirvExecutionModeId:
        c.report(DiagKind::SpirvExecutionModePlace, loc, {tokenSpelling(tok.kind)});
        panic = true;
        break;
      case Tok::Identifier: {
        const Tok keyword = disabledQualifier();
        if (firstReport(nameOf(tok)))
          c.report(DiagKind::ExtensionNeeded, loc, {tokenSpelling(keyword), keywordExtension(keyword)});
        addQualifier(c, q, keyword, loc);
        advance();
        break;
      }
      default:
        if (!q.loc.valid()) q.loc = loc;
        addQualifier(c, q, tok.kind, loc);
        advance();
    }
  }
}

// layout_qualifier : LAYOUT LEFT_PAREN layout_qualifier_id_list RIGHT_PAREN
// layout_qualifier_id : IDENTIFIER | IDENTIFIER EQUAL constant_expression | SHARED
void GlslParser::parseLayout(Qualifiers& q) {
  if (!q.loc.valid()) q.loc = tok.loc;
  advance();
  if (!expect(Tok::LeftParen, "the layout qualifiers")) return;
  do {
    const SourceLoc loc = tok.loc;
    if (!at(Tok::Identifier) && !at(Tok::KwShared)) {
      expected("a layout qualifier");
      break;
    }
    const std::string_view name = at(Tok::KwShared) ? "shared" : c.names.text(nameOf(tok));
    const LayoutName* entry = findLayoutName(name, !c.es);
    if (!entry) {
      q.layout.failed = true;
      auto d = c.report(DiagKind::UnknownLayoutQualifier, loc, {name});
      if (const auto better = suggestLayoutName(c.options.stage, name); !better.empty()) d.suggest(better);
    }
    advance();
    bool hasValue = false;
    int64_t value = 0;
    SourceLoc valueLoc = tok.loc;
    if (entry && entry->takesValue && isNumberLiteral(tok.kind)) {
      expected("`=` before the value");
      break;
    }
    if (accept(Tok::Equal)) {
      hasValue = true;
      valueLoc = tok.loc;
      const bool literal = at(Tok::IntLiteral) || at(Tok::UintLiteral);
      const ExprId e = parseConstantExpression();
      if (panic) break;
      if (entry && entry->id == LayoutId::HeapOffset) {
        // "either as a literal or any global read-only variable value" (4.4.10)
        addLayout(c, q, *entry, loc, e.index());
        continue;
      }
      if (c.es && !literal && entry) c.report(DiagKind::LayoutValueLiteral, valueLoc, {name});
      if (c.isError(e)) {
        entry = nullptr;
      } else if (entry) {
        const std::string what = "the value of layout qualifier `" + std::string(name) + "`";
        const ConstId id = requireConstantInteger(c, e, what, false);
        const std::optional<int64_t> given = literalInteger(c.program, id);
        if (!given) entry = nullptr;
        value = given.value_or(0);
      }
    }
    if (!entry) {
      q.layout.failed = true;
      continue;
    }
    if (entry->takesValue != hasValue) {
      q.layout.failed = true;
      c.report(hasValue ? DiagKind::LayoutValueUnexpected : DiagKind::LayoutValueMissing, loc, {entry->name});
      continue;
    }
    if (hasValue && (value < 0 || value > 0x7fffffff)) {
      q.layout.failed = true;
      c.report(DiagKind::LayoutValueRange, valueLoc,
               {value, entry->name, "at least 0 and less than 2147483648"});
      continue;
    }
    addLayout(c, q, *entry, loc, static_cast<uint32_t>(value));
  } while (accept(Tok::Comma));
  expect(Tok::RightParen, "the end of the layout qualifiers");
}

// type_specifier : type_specifier_nonarray | type_specifier_nonarray array_specifier
TypeId GlslParser::parseTypeSpecifier(bool allowStructDefinition, std::string_view where) {
  const SourceLoc loc = tok.loc;
  const TypeId base = parseTypeNonArray(allowStructDefinition, where);
  if (panic || !at(Tok::LeftBracket)) return base;
  std::vector<ConstId> sizes;
  if (!parseArraySizes(sizes)) return kErrorType;
  return arrayOf(c, base, sizes, loc);
}

// type_specifier_nonarray : VOID | FLOAT | ... | struct_specifier | TYPE_NAME
TypeId GlslParser::parseTypeNonArray(bool allowStructDefinition, std::string_view where) {
  const SourceLoc loc = tok.loc;
  switch (tok.kind) {
    case Tok::KwVoid: advance(); return kVoidType;
    case Tok::KwStruct: return parseStruct(allowStructDefinition, where);
    case Tok::KwSpirvType: return parseSpirvType();
    case Tok::KwFunction:
      c.report(DiagKind::UnsupportedKeyword, loc, {tokenSpelling(tok.kind)});
      panic = true;
      return kErrorType;
    case Tok::TypeName: break;
    case Tok::Identifier: {
      if (const Symbol* s = c.scopes.find(nameOf(tok))) {
        if (s->kind != SymbolKind::Type) return unknownType();
        if (undeclaredReference != kErrorType && s->type() == undeclaredReference)
          c.report(DiagKind::ReferenceBeforeDeclaration, loc, {c.names.text(nameOf(tok))});
        advance();
        if (c.options.observer != nullptr) [[unlikely]]
          c.options.observer->use(SymbolKind::Type, s->name, s->id, 0, loc);
        return s->type();
      }
      const NameId name = nameOf(tok);
      if (!isTypeOfLanguage(name)) return unknownType();
      // A name of a disabled extension is reported once in a text; after that, its values silently become
      // error nodes.
      const NameInfo& info = c.names[name];
      if (info.builtinType == 0) {
        const Tok keyword = info.keyword;
        if (firstReport(name))
          c.report(DiagKind::ExtensionNeeded, loc, {c.names.text(name), keywordExtension(keyword)});
        advance();
        if (at(Tok::LeftAngle)) {
          ++c.diagnostics.suppress;
          parseTypeParameters(keyword, loc);
          --c.diagnostics.suppress;
        }
        return kErrorType;
      }
      const BuiltinTypeName& t = builtinTypeName(static_cast<uint16_t>(info.builtinType - 1));
      const uint32_t version = c.es ? t.minEsVersion : t.minVersion;
      if (!firstReport(name)) {
        // It was reported before.
      } else if (!t.anyOf.empty() && version == 0) {
        c.report(DiagKind::ExtensionNeeded, loc, {t.name, extensionName(t.anyOf.named)});
      } else if (version == 0) {
        c.report(DiagKind::TypeNotInProfile, loc, {t.name, c.es ? "ESSL" : "GLSL for Vulkan"});
      } else {
        c.report(DiagKind::VersionNeeded, loc, {t.name, versionText(version, c.es)});
      }
      advance();
      return kErrorType;
    }
    default: {
      const Tok keyword = tok.kind;
      if (!isParameterizedKeyword(keyword)) {
        syntaxError(DiagKind::ExpectedType);
        return kErrorType;
      }
      if (const ExtensionId e = findExtension(keywordExtension(keyword));
          e != kAllExtensions && c.warnOn.has(e))
        c.report(DiagKind::ExtensionUsed, loc, {tokenSpelling(keyword), extensionName(e)});
      advance();
      return parseTypeParameters(keyword, loc);
    }
  }
  const BuiltinTypeName& t = builtinTypeName(static_cast<uint16_t>(c.names[nameOf(tok)].builtinType - 1));
  if (!t.anyOf.empty() && t.anyOf.any(c.warnOn)) {
    ExtensionId warned = t.anyOf.named;
    t.anyOf.forEach([&](ExtensionId e) {
      if (!c.warnOn.has(warned)) warned = e;
    });
    c.report(DiagKind::ExtensionUsed, loc, {t.name, extensionName(warned)});
  }
  if (!contains(t.stages, c.options.stage))
    c.report(DiagKind::TypeOtherStage, loc, {t.name, stageInfo(c.options.stage).text});
  // SPV_NV_shader_invocation_reorder, SPV_EXT_shader_invocation_reorder, "Dependencies". The type is checked
  // here, because functions that have hit objects as arguments may belong to another extension, which needs
  // less.
  if (t.basic == kHitObjectType || t.basic == kHitObjectNVType) requireTarget(c, t.name, t.anyOf, loc);
  advance();
  if (t.basic == kFootprint2DType || t.basic == kFootprint3DType)
    return footprintType(c, t.basic == kFootprint3DType);
  if (t.basic != kErrorType) return t.basic;
  const ImageDesc desc = ImageDesc::unpack(t.imageDesc);
  if (desc.kind == ImageKind::SubpassInput && c.options.stage != Stage::Fragment)
    c.report(DiagKind::SubpassInCompute, loc);
  return c.program.types.image(desc);
}

bool GlslParser::firstReport(NameId name) {
  if (c.diagnostics.suppress != 0) return false;
  if (std::find(reportedNames.begin(), reportedNames.end(), name) != reportedNames.end()) return false;
  reportedNames.push_back(name);
  return true;
}

TypeId GlslParser::unknownType() {
  const NameId name = nameOf(tok);
  const Symbol* s = c.scopes.find(name);
  if (s && s->kind != SymbolKind::BlockName) {
    c.report(DiagKind::NotAType, tok.loc, {c.names.text(name)}).note(s->loc, "it is declared here");
  } else if (!c.wasSkipped(name) && !isAfterLostToken()) {
    auto d = c.report(DiagKind::UnknownType, tok.loc, {c.names.text(name)});
    suggestFor(c, d, tok.loc, c.names.text(name), NamePlace::Type);
  }
  panic = c.names.text(name) == "fn" && peek() == Tok::Identifier;  // what follows is a function of WGSL
  advance();
  (void)skipAngles();
  return kErrorType;
}

// type_specifier_nonarray of the matrix extensions: KEYWORD LEFT_ANGLE type_parameter_list RIGHT_ANGLE,
// type_parameter : type_specifier | unary_expression. `keyword` was read.
TypeId GlslParser::parseTypeParameters(Tok keyword, SourceLoc loc) {
  Nest nest(*this);
  if (!nest.ok) return kErrorType;
  if (!at(Tok::LeftAngle)) {
    c.report(DiagKind::TypeParametersMissing, loc, {tokenSpelling(keyword)})
        .clause(typeParametersClause(keyword, false));
    // In `coopmat float, 16>` the rest is skipped; in `coopmat m;` the name is declared.
    panic = isNumberLiteral(tok.kind) || (atTypeStart() && !onLaterLine());
    return kErrorType;
  }
  advance();
  std::vector<TypeArgument> args;
  bool failed = false;
  do {
    TypeArgument arg;
    arg.loc = tok.loc;
    if (at(Tok::KwSpirvType) || atDisabledType() ||
        (atTypeStart() && !at(Tok::KwStruct) && peek() != Tok::LeftParen)) {
      arg.isType = true;
      const TypeId type = parseTypeSpecifier(false, "a type parameter");
      arg.type = scalarOfSpirvType(c.program, type);
      arg.byNumber = arg.type != type;
      failed |= arg.type == kErrorType;
    } else {
      arg.value = parseUnary();
      if (!panic && isOperatorInParameter(tok.kind)) {
        c.report(DiagKind::TypeParameterParentheses, tok.loc, {tokenSpelling(tok.kind)})
            .clause(typeParametersClause(keyword, true))
            .note(arg.loc, "the parameter starts here");
        // The rest is read as the expression that was probably meant, but without comparisons, because `>`
        // ends the list.
        while (!panic && isOperatorInParameter(tok.kind)) {
          advance();
          parseUnary();
        }
        failed = true;
      }
      failed |= c.isError(arg.value);
    }
    args.push_back(arg);
  } while (accept(Tok::Comma));
  closeAngle();
  if (panic || failed) return kErrorType;
  return checkTypeArguments(c, keyword, args, loc);
}

// array_specifier : LEFT_BRACKET RIGHT_BRACKET | LEFT_BRACKET conditional_expression RIGHT_BRACKET
//                 | array_specifier LEFT_BRACKET ... RIGHT_BRACKET
bool GlslParser::parseArraySizes(std::vector<ConstId>& sizes) {
  while (at(Tok::LeftBracket) && !panic) {
    const SourceLoc loc = tok.loc;
    advance();
    if (accept(Tok::RightBracket)) {
      sizes.push_back(kUnsizedArray);
    } else {
      const ExprId size = parseConstantExpression();
      if (!expect(Tok::RightBracket, "the end of the array size")) return false;
      sizes.push_back(checkArraySize(c, size));
      if (sizes.back() == kUnsizedArray) sizes.back() = c.program.constants.uint32(1);  // was reported
    }
    if (sizes.size() > c.options.limits.nesting) {
      c.report(DiagKind::NestingLimit, loc, {c.options.limits.nesting});
      fatalStop();
      return false;
    }
  }
  return !panic;
}

// struct_specifier : STRUCT IDENTIFIER LEFT_BRACE struct_declaration_list RIGHT_BRACE
//                  | STRUCT LEFT_BRACE struct_declaration_list RIGHT_BRACE
TypeId GlslParser::parseStruct(bool allowed, std::string_view where) {
  Nest nest(*this);
  if (!nest.ok) return kErrorType;
  const SourceLoc keywordLoc = tok.loc;
  advance();
  NameId name;
  SourceLoc loc = keywordLoc;
  if (at(Tok::Identifier)) {
    name = nameOf(tok);
    loc = tok.loc;
    advance();
  }
  if (!allowed) c.report(DiagKind::NestedStructDefinition, keywordLoc, {where});
  const SourceLoc opened = tok.loc;
  if (!openBrace("the members")) return kErrorType;
  std::vector<MemberDecl> members;
  const bool closed = parseMembers(members, "a structure");
  if (!closed && !expect(Tok::RightBrace, "the end of the structure", opened)) return kErrorType;
  return declareStruct(c, name, loc, members);
}

// struct_declaration_list : struct_declaration | struct_declaration_list struct_declaration
// struct_declaration : type_specifier struct_declarator_list SEMICOLON
//                    | type_qualifier type_specifier struct_declarator_list SEMICOLON
bool GlslParser::parseMembers(std::vector<MemberDecl>& members, std::string_view where) {
  if (at(Tok::RightBrace)) c.report(DiagKind::EmptyStruct, tok.loc);
  while (!at(Tok::RightBrace) && !atEnd() && !unwinding && !c.diagnostics.fatal()) {
    beginConstruct();
    if (lacksBraceOfMembers()) return true;
    Qualifiers q;
    parseQualifiers(q);
    const SourceLoc typeLoc = tok.loc;
    const TypeId base = panic                                 ? kErrorType
                        : inHeapBlock && atInlineReference(q) ? parseInlineReference(q)
                                                              : parseTypeSpecifier(false, where);
    while (!panic) {
      if (!at(Tok::Identifier) && !takeKeywordAsName()) {
        expected("a member's name");
        break;
      }
      MemberDecl m;
      m.name = nameOf(tok);
      m.loc = tok.loc;
      m.qualifiers = q;
      advance();
      m.type = base;
      std::vector<ConstId> sizes;
      if (at(Tok::LeftBracket)) {
        // The member exists all the same, so that its uses cause no further errors.
        m.type = parseArraySizes(sizes) ? arrayOf(c, base, sizes, m.loc) : kErrorType;
      }
      if (!panic && at(Tok::Equal)) {
        c.report(DiagKind::MemberInitializer, tok.loc);
        advance();
        bool nullInit = false;
        parseInitializer(m.type, nullInit, "initializer");
      }
      checkPrecisionType(c, q, m.type);
      m.precision = precisionFor(q, m.type, typeLoc);
      if (members.size() < c.options.limits.structMembers)
        members.push_back(m);
      else
        c.report(DiagKind::StructMemberLimit, members.back().loc, {c.options.limits.structMembers});
      if (!accept(Tok::Comma)) break;
    }
    expectSemicolon(After::Member);
    if (panic) recover();
  }
  return false;
}

bool GlslParser::atInlineReference(const Qualifiers& q) {
  return q.layout.has(LayoutId::BufferReference) && q.storage == StorageWord::Buffer &&
         (at(Tok::LeftBrace) || (at(Tok::Identifier) && peek() == Tok::LeftBrace));
}

// `layout(buffer_reference) buffer { ... }` as a member of a heap block, with or without a name
// (GL_EXT_structured_descriptor_heap, Interactions with GLSL_EXT_buffer_reference).
TypeId GlslParser::parseInlineReference(Qualifiers& q) {
  BlockDecl block;
  block.loc = tok.loc;
  if (at(Tok::Identifier)) {
    block.name = nameOf(tok);
    noteSymbol(block.name, block.loc);
    advance();
  }
  const SourceLoc opened = tok.loc;
  if (!openBrace("the members")) return kErrorType;
  block.inlineReference = beginReferenceBlock(c, block.name, block.loc);
  const TypeId outer = std::exchange(undeclaredReference, block.inlineReference);
  inHeapBlock = false;
  std::vector<MemberDecl> members;
  const bool closed = parseMembers(members, "a block");
  inHeapBlock = true;
  undeclaredReference = outer;
  if (!closed && !expect(Tok::RightBrace, "the end of the block", opened)) return kErrorType;
  return declareInlineReference(c, q, block, members, blockDefaults);
}

// Reports a missing `}` in front of what cannot be a member: `;`, or the name of a block's instance.
bool GlslParser::lacksBraceOfMembers() {
  if (at(Tok::Semicolon)) return insertRightBrace("the end of the declaration");
  if (!at(Tok::Identifier) || (peek() != Tok::Semicolon && peek() != Tok::LeftBracket)) return false;
  const Symbol* s = c.scopes.find(nameOf(tok));
  if (s != nullptr && s->kind == SymbolKind::Type) return false;
  return insertRightBrace("the name");
}

Precision GlslParser::precisionFor(const Qualifiers& q, TypeId type, SourceLoc loc) {
  if (q.precision != Precision::None) return q.precision;
  const TypeId element = elementOf(c.program, type);
  const TypeInfo info = c.type(element);
  switch (info.kind) {
    case TypeKind::Scalar:
    case TypeKind::Vector:
    case TypeKind::Matrix:
      if (info.scalar == Scalar::Float) {
        // "The fragment language has no default precision qualifier for floating point types" (ESSL 4.7.4).
        if (c.es && c.defaultFloat == Precision::None)
          c.report(DiagKind::PrecisionMissing, loc, {c.typeText(element)});
        return c.defaultFloat;
      }
      if (info.scalar == Scalar::Int || info.scalar == Scalar::Uint) return c.defaultInt;
      return Precision::None;
    case TypeKind::Image: {
      for (size_t i = opaquePrecisions.size(); i-- > 0;)
        if (opaquePrecisions[i].type == element) return opaquePrecisions[i].precision;
      if (!c.es) return Precision::None;
      // ESSL 4.7.4: predeclared for sampler2D and samplerCube only; Vulkan's own types need none.
      const ImageDesc d = info.image();
      if (d.kind == ImageKind::Sampler || d.kind == ImageKind::SamplerShadow || d.kind == ImageKind::Texture)
        return Precision::None;
      if (d.kind == ImageKind::Combined && d.sampled == Scalar::Float && !d.arrayed && !d.multisampled &&
          (d.dim == ImageDim::D2 || d.dim == ImageDim::Cube))
        return Precision::Low;
      c.report(DiagKind::PrecisionMissing, loc, {c.typeText(element)});
      return Precision::High;
    }
    default: return Precision::None;
  }
}

}  // namespace coopc::frontend
