// The macros that are defined, found by their names. Bodies are stored as tokens, with parameters resolved.
#pragma once

#include <memory>
#include <vector>

#include "frontend/preprocess/context.hpp"

namespace coopc::frontend::preprocessing {

/// In macro bodies: a parameter; payload: its index.
constexpr Tok kParameter = Tok::ExtensionEvent;
/// Flags of body tokens, beyond TokenFlags.
enum BodyFlags : uint8_t {
  kPasteNext = 8,   ///< `##` is between this token and the next
  kPasteLeft = 16,  ///< the token is the right side of a `##`
};

enum class MacroKind : uint8_t { Object, Function, Line, File, Version };

struct Macro {
  NameId name;
  SourceLoc loc;  ///< invalid: predefined
  MacroKind kind = MacroKind::Object;
  bool active = false;
  bool pastes = false;
  uint32_t parameterCount = 0;
  const Token* parameters = nullptr;
  const Token* body = nullptr;
  uint32_t bodySize = 0;
};

/// Whether both have the same parameters and tokens, with blanks at the same places ([cpp.replace]).
bool isSameMacro(const Macro& a, const Macro& b);

/// Tokens with stable addresses that are freed together.
class TokenArena {
 public:
  Token* allocate(size_t count);
  void clear();

 private:
  struct Chunk {
    std::unique_ptr<Token[]> tokens;
    size_t size;
  };
  std::vector<Chunk> chunks_;
  size_t chunk_ = 0;
  size_t used_ = 0;
};

class MacroTable {
 public:
  explicit MacroTable(Context& context) : c_(context) {}

  /// The index of the macro with a name; kNone: none.
  uint32_t of(NameId name);
  Macro& operator[](uint32_t index) { return macros_[index]; }
  /// Whether an index (or kNone or kMaybeMacro) belongs to a macro whose expansion is being read.
  bool isActive(uint32_t index) const { return index < macros_.size() && macros_[index].active; }

  void define(const Macro& macro);
  void undefine(NameId name) { c_.names[name].macro = kNone; }
  /// Room for the parameters and the body of a macro, until the end.
  Token* allocate(size_t tokens) { return bodies_.allocate(tokens); }

 private:
  uint32_t definePredefined(NameId name);

  Context& c_;
  std::vector<Macro> macros_;
  TokenArena bodies_;
};

}  // namespace coopc::frontend::preprocessing
