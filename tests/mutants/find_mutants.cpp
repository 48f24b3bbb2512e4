// find_mutants -p BUILD --root FOLDER [--room PREFIX...] -- SOURCE...: finds the places in sources where one
// fault can be inserted, by Clang's syntax tree, and prints each as a line of JSON. scripts/mutants builds
// and runs it.
//
// A fault is described by edits that change nothing while the fault is not selected. N stands for the fault's
// number, which scripts/mutants assigns:
//   {"file", "line", "kind", "change", "edits": [[begin, end, before, after]...]}
// An edit puts `before` in front of the bytes from begin to end, and `after` after them. If `after` is null,
// `before` replaces the bytes. No edit copies text that may contain other faults, unless that text is a
// single name. Faults can therefore be nested, and a file grows only in proportion to their number.
//
// Not mutated: what the compiler computes (constexpr variables, template arguments, labels, sizes, tables of
// namespaces), what macros expand to, and calls that reserve memory.
#include <clang/AST/ASTConsumer.h>
#include <clang/AST/RecursiveASTVisitor.h>
#include <clang/Frontend/CompilerInstance.h>
#include <clang/Frontend/FrontendAction.h>
#include <clang/Lex/Lexer.h>
#include <clang/Tooling/CommonOptionsParser.h>
#include <clang/Tooling/Tooling.h>
#include <llvm/Support/CommandLine.h>
#include <llvm/Support/FileSystem.h>
#include <llvm/Support/JSON.h>
#include <llvm/Support/raw_ostream.h>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

namespace {

using namespace clang;

llvm::cl::OptionCategory kOptions("find_mutants");
llvm::cl::opt<std::string> kRoot("root", llvm::cl::desc("the folder that names of files are relative to"),
                                 llvm::cl::Required, llvm::cl::cat(kOptions));
llvm::cl::list<std::string> kRooms("room", llvm::cl::desc("only files whose names start so"),
                                   llvm::cl::cat(kOptions));

// Bytes of one file.
struct Bytes {
  unsigned begin = 0;
  unsigned end = 0;
};

struct Edit {
  Bytes where;
  std::string before;
  std::optional<std::string> after;  // none: `before` takes the place of the bytes
};

std::set<std::string> printed;  // a header is seen from several sources

class Finder : public RecursiveASTVisitor<Finder> {
  using Base = RecursiveASTVisitor<Finder>;

 public:
  explicit Finder(ASTContext& context)
      : context_(context), sources_(context.getSourceManager()), language_(context.getLangOpts()) {}

  // --- What the compiler computes is not walked.
  bool TraverseConstantExpr(ConstantExpr*, DataRecursionQueue* = nullptr) { return true; }
  bool TraverseTemplateArgument(const TemplateArgument&) { return true; }
  bool TraverseTemplateArgumentLoc(const TemplateArgumentLoc&) { return true; }
  bool TraverseTypeLoc(TypeLoc) { return true; }
  bool TraverseStaticAssertDecl(StaticAssertDecl*) { return true; }
  bool TraverseEnumDecl(EnumDecl*) { return true; }
  bool TraverseConceptDecl(ConceptDecl*) { return true; }
  bool TraverseVarDecl(VarDecl* variable) {
    if (variable->isConstexpr() || variable->hasGlobalStorage()) return true;
    // `const int n = 3;` is a constant, too, without constexpr.
    if (!variable->getType()->isDependentType() && !isa<ParmVarDecl>(variable) &&
        variable->isUsableInConstantExpressions(context_)) {
      return true;
    }
    return Base::TraverseVarDecl(variable);
  }
  bool TraverseFieldDecl(FieldDecl* field) {
    if (field->isBitField()) return true;
    return Base::TraverseFieldDecl(field);
  }
  bool TraverseIfStmt(IfStmt* s, DataRecursionQueue* = nullptr) {
    if (!s->isConstexpr()) return Base::TraverseIfStmt(s);
    return TraverseStmt(s->getThen()) && TraverseStmt(s->getElse());
  }
  bool TraverseDecl(Decl* declaration) {
    if (declaration == nullptr) return true;
    // Declarations of other files are skipped as a whole, except those that contain declarations of several
    // files.
    if (!isa<TranslationUnitDecl>(declaration) && !isa<NamespaceDecl>(declaration) &&
        !isa<LinkageSpecDecl>(declaration) && fileOf(declaration->getLocation()).empty()) {
      return true;
    }
    if (const auto* function = dyn_cast<FunctionDecl>(declaration); function && function->isConsteval())
      return true;
    return Base::TraverseDecl(declaration);
  }

  // --- A condition is negated.
  bool VisitIfStmt(IfStmt* s) {
    if (s->getConditionVariable() == nullptr) negate(s->getCond(), "condition");
    return true;
  }
  bool VisitWhileStmt(WhileStmt* s) {
    if (s->getConditionVariable() == nullptr) negate(s->getCond(), "condition");
    return true;
  }
  bool VisitDoStmt(DoStmt* s) {
    negate(s->getCond(), "condition");
    return true;
  }
  bool VisitForStmt(ForStmt* s) {
    if (s->getConditionVariable() == nullptr && s->getCond() != nullptr) negate(s->getCond(), "condition");
    return true;
  }
  bool VisitConditionalOperator(ConditionalOperator* e) {
    negate(e->getCond(), "condition");
    return true;
  }
  bool VisitReturnStmt(ReturnStmt* s) {
    const Expr* value = s->getRetValue();
    if (value != nullptr && value->getType()->isBooleanType()) negate(value, "result");
    if (value == nullptr) drop(s);
    return true;
  }

  // --- A constant is off by one.
  bool VisitIntegerLiteral(IntegerLiteral* e) {
    const std::optional<Bytes> bytes = bytesOf(e->getSourceRange());
    if (!bytes || pointerConstants_.count(e) != 0) return true;
    const std::string text = textOf(*bytes);
    const llvm::APInt value = e->getValue();
    const bool up = value == 0 || (!value.isMaxValue() && !value.isMaxSignedValue() && bytes->begin % 2 == 0);
    const std::string changed = text + (up ? " + 1" : " - 1");
    report(e->getBeginLoc(), "constant", text + " -> " + changed,
           {{*bytes, "(coopc_mutant(N) ? " + changed + " : ", ")"}});
    return true;
  }
  bool VisitCXXBoolLiteralExpr(CXXBoolLiteralExpr* e) {
    const std::optional<Bytes> bytes = bytesOf(e->getSourceRange());
    if (!bytes) return true;
    const std::string changed = e->getValue() ? "false" : "true";
    report(e->getBeginLoc(), "constant", textOf(*bytes) + " -> " + changed,
           {{*bytes, "(coopc_mutant(N) ? " + changed + " : ", ")"}});
    return true;
  }
  bool VisitImplicitCastExpr(ImplicitCastExpr* e) {
    if (e->getCastKind() == CK_NullToPointer || e->getCastKind() == CK_NullToMemberPointer)
      pointerConstants_.insert(e->getSubExpr()->IgnoreParens());
    return true;
  }

  // --- Operands are swapped; operands of && and || are conditions.
  bool VisitBinaryOperator(BinaryOperator* e) {
    if (e->isLogicalOp()) {
      // In a && b && c, the three operands are negated, but not a && b.
      for (const Expr* operand : {e->getLHS(), e->getRHS()}) {
        const auto* inner = dyn_cast<BinaryOperator>(operand->IgnoreImpCasts());
        if (inner == nullptr || inner->getOpcode() != e->getOpcode()) negate(operand, "condition");
      }
      return true;
    }
    const char* function = nullptr;
    switch (e->getOpcode()) {
      case BO_Sub: function = "subtract"; break;
      case BO_Div: function = "divide"; break;
      case BO_Rem: function = "remainder"; break;
      case BO_Shl: function = "shiftLeft"; break;
      case BO_Shr: function = "shiftRight"; break;
      case BO_LT: function = "less"; break;
      case BO_GT: function = "greater"; break;
      case BO_LE: function = "lessEqual"; break;
      case BO_GE: function = "greaterEqual"; break;
      default: return true;
    }
    const Expr* a = e->getLHS();
    const Expr* b = e->getRHS();
    if (!isNumber(a) || !isNumber(b)) return true;
    if (a->HasSideEffects(context_) && b->HasSideEffects(context_)) return true;
    const std::optional<Bytes> left = bytesOf(a->getSourceRange());
    const std::optional<Bytes> right = bytesOf(b->getSourceRange());
    const std::optional<Bytes> sign = bytesOf(SourceRange(e->getOperatorLoc(), e->getOperatorLoc()));
    const std::optional<Bytes> whole = bytesOf(e->getSourceRange());
    if (!left || !right || !sign || !whole || textOf(*left) == textOf(*right)) return true;
    const std::string between = textOf(*sign);
    report(e->getOperatorLoc(), "swap",
           brief(*left) + " " + between + " " + brief(*right) + " -> " + brief(*right) + " " + between + " " +
               brief(*left),
           {{*whole, std::string("coopc_mutants::") + function + "<N>(", ")"}, {*sign, ",", std::nullopt}});
    return true;
  }

  // --- Neighboring arguments of the same type are swapped if both are names.
  bool VisitCallExpr(CallExpr* e) {
    if (isa<CXXOperatorCallExpr>(e) || isa<UserDefinedLiteral>(e)) return true;
    if (const FunctionDecl* callee = e->getDirectCallee()) {
      const std::string name = callee->getNameAsString();
      if (name == "min" || name == "max" || name == "swap" || name == "gcd") return true;
    }
    for (unsigned i = 1; i < e->getNumArgs(); ++i) {
      const Expr* a = e->getArg(i - 1)->IgnoreParenImpCasts();
      const Expr* b = e->getArg(i)->IgnoreParenImpCasts();
      if (!isName(a) || !isName(b) || a->getType().getCanonicalType() != b->getType().getCanonicalType())
        continue;
      const std::optional<Bytes> first = bytesOf(a->getSourceRange());
      const std::optional<Bytes> second = bytesOf(b->getSourceRange());
      if (!first || !second || textOf(*first) == textOf(*second)) continue;
      const std::string x = textOf(*first);
      const std::string y = textOf(*second);
      report(a->getBeginLoc(), "swap", "arguments " + x + ", " + y + " -> " + y + ", " + x,
             {{*first, "(coopc_mutant(N) ? " + y + " : ", ")"},
              {*second, "(coopc_mutant(N) ? " + x + " : ", ")"}});
      return true;
    }
    return true;
  }

  // --- A statement is dropped.
  bool VisitCompoundStmt(CompoundStmt* block) {
    for (Stmt* s : block->body()) dropIfWorthwhile(s);
    return true;
  }
  bool VisitStmt(Stmt* s) {
    if (auto* i = dyn_cast<IfStmt>(s)) {
      dropIfWorthwhile(i->getThen());
      dropIfWorthwhile(i->getElse());
    } else if (auto* f = dyn_cast<ForStmt>(s)) {
      dropIfWorthwhile(f->getBody());
    } else if (auto* r = dyn_cast<CXXForRangeStmt>(s)) {
      dropIfWorthwhile(r->getBody());
    } else if (auto* w = dyn_cast<WhileStmt>(s)) {
      dropIfWorthwhile(w->getBody());
    } else if (auto* c = dyn_cast<SwitchCase>(s)) {
      dropIfWorthwhile(c->getSubStmt());
    }
    return true;
  }

 private:
  void dropIfWorthwhile(Stmt* s) {
    if (s == nullptr) return;
    if (isa<BreakStmt>(s) || isa<ContinueStmt>(s)) return drop(s);
    Expr* e = dyn_cast<Expr>(s);
    if (e == nullptr) return;
    e = e->IgnoreImplicit();
    if (const auto* call = dyn_cast<CXXMemberCallExpr>(e)) {
      const CXXMethodDecl* callee = call->getMethodDecl();
      const std::string name = callee != nullptr ? callee->getNameAsString() : "";
      if (name == "reserve" || name == "shrink_to_fit") return;  // changes no result
    }
    const auto* binary = dyn_cast<BinaryOperator>(e);
    const auto* unary = dyn_cast<UnaryOperator>(e);
    if (isa<CallExpr>(e) || (binary != nullptr && binary->isAssignmentOp()) ||
        (unary != nullptr && unary->isIncrementDecrementOp())) {
      drop(s);
    }
  }

  void drop(const Stmt* s) {
    if (const std::optional<Bytes> bytes = bytesOf(s->getSourceRange()))
      report(s->getBeginLoc(), "drop", brief(*bytes) + "; -> nothing",
             {{*bytes, "if (coopc_mutant(N)) {} else ", ""}});
  }

  void negate(const Expr* condition, const char* what) {
    const Expr* plain = condition->IgnoreParenImpCasts();
    if (isa<CXXBoolLiteralExpr>(plain) || isa<IntegerLiteral>(plain)) return;
    if (const std::optional<Bytes> bytes = bytesOf(condition->getSourceRange()))
      report(condition->getBeginLoc(), "negate", std::string(what) + " " + brief(*bytes) + " -> negated",
             {{*bytes, "(coopc_mutant(N) != bool(", "))"}});
  }

  bool isNumber(const Expr* e) const {
    return !e->isInstantiationDependent() &&
           (e->getType()->isArithmeticType() || e->getType()->isPointerType());
  }

  // Whether the text of an expression may be repeated: a variable, or a member of a variable.
  static bool isName(const Expr* e) {
    while (const auto* member = dyn_cast<MemberExpr>(e)) {
      if (!isa<FieldDecl>(member->getMemberDecl())) return false;
      if (cast<FieldDecl>(member->getMemberDecl())->isBitField()) return false;
      e = member->getBase()->IgnoreParenImpCasts();
    }
    if (isa<CXXThisExpr>(e)) return true;
    const auto* name = dyn_cast<DeclRefExpr>(e);
    return name != nullptr && isa<VarDecl>(name->getDecl()) && !cast<VarDecl>(name->getDecl())->isConstexpr();
  }

  // The name relative to --root if the file belongs to a room, else "".
  std::string fileOf(SourceLocation at) {
    if (at.isInvalid()) return "";
    const FileID id = sources_.getFileID(sources_.getExpansionLoc(at));
    if (const auto known = files_.find(id); known != files_.end()) return known->second;
    std::string name;
    if (const FileEntry* entry = sources_.getFileEntryForID(id)) {
      llvm::SmallString<256> real;
      if (!llvm::sys::fs::real_path(entry->getName(), real)) name = real.str().str();
    }
    const std::string root = kRoot + "/";
    std::string relative = name.compare(0, root.size(), root) == 0 ? name.substr(root.size()) : "";
    bool wanted = llvm::StringRef(relative).endswith(".cpp") || llvm::StringRef(relative).endswith(".hpp");
    bool ofRoom = kRooms.empty();
    for (const std::string& room : kRooms) ofRoom = ofRoom || relative.compare(0, room.size(), room) == 0;
    if (!wanted || !ofRoom) relative.clear();
    return files_[id] = relative;
  }

  std::optional<Bytes> bytesOf(SourceRange range) {
    if (range.isInvalid() || range.getBegin().isMacroID() || range.getEnd().isMacroID()) return std::nullopt;
    const auto [file, begin] = sources_.getDecomposedLoc(range.getBegin());
    const auto [last, token] = sources_.getDecomposedLoc(range.getEnd());
    if (file != last || fileOf(range.getBegin()).empty()) return std::nullopt;
    const unsigned end = token + Lexer::MeasureTokenLength(range.getEnd(), sources_, language_);
    if (end <= begin) return std::nullopt;
    file_ = file;
    return Bytes{begin, end};
  }

  std::string textOf(Bytes b) const {
    return sources_.getBufferData(file_).substr(b.begin, b.end - b.begin).str();
  }

  // One line, cut short.
  std::string brief(Bytes b) const {
    std::string text;
    for (const char c : textOf(b)) {
      if (c != ' ' && c != '\n')
        text += c;
      else if (!text.empty() && text.back() != ' ')
        text += ' ';
    }
    return text.size() <= 70 ? text : text.substr(0, 67) + "...";
  }

  void report(SourceLocation at, const char* kind, const std::string& change,
              const std::vector<Edit>& edits) {
    const std::string file = fileOf(at);
    llvm::json::Array list;
    for (const Edit& e : edits) {
      llvm::json::Value after = nullptr;
      if (e.after) after = *e.after;
      list.push_back(llvm::json::Array{int64_t(e.where.begin), int64_t(e.where.end),
                                       llvm::json::fixUTF8(e.before), std::move(after)});
    }
    llvm::json::Object line{{"file", file},
                            {"line", int64_t(sources_.getSpellingLineNumber(at))},
                            {"kind", kind},
                            {"change", llvm::json::fixUTF8(change)},
                            {"edits", std::move(list)}};
    std::string text;
    llvm::raw_string_ostream(text) << llvm::json::Value(std::move(line));
    if (printed.insert(text).second) llvm::outs() << text << "\n";
  }

  ASTContext& context_;
  SourceManager& sources_;
  const LangOptions& language_;
  FileID file_;                             // of the last bytesOf()
  std::set<const Expr*> pointerConstants_;  // literals that are null pointers
  std::map<FileID, std::string> files_;
};

class Consumer : public ASTConsumer {
 public:
  void HandleTranslationUnit(ASTContext& context) override { Finder(context).TraverseAST(context); }
};

class Action : public ASTFrontendAction {
 public:
  std::unique_ptr<ASTConsumer> CreateASTConsumer(CompilerInstance&, llvm::StringRef) override {
    return std::make_unique<Consumer>();
  }
};

}  // namespace

int main(int argc, const char** argv) {
  auto options = clang::tooling::CommonOptionsParser::create(argc, argv, kOptions, llvm::cl::OneOrMore);
  if (!options) {
    llvm::errs() << toString(options.takeError()) << "\n";
    return 2;
  }
  clang::tooling::ClangTool tool(options->getCompilations(), options->getSourcePathList());
  tool.appendArgumentsAdjuster(clang::tooling::getInsertArgumentAdjuster("-w"));
  return tool.run(clang::tooling::newFrontendActionFactory<Action>().get());
}
