// The parts of a compile that queries need (query.cpp): internal to api/.
#pragma once

#include <memory>
#include <string>
#include <string_view>

#include "api/session.hpp"
#include "frontend/language/observer.hpp"
#include "frontend/preprocess/preprocessor.hpp"
#include "frontend/program/program.hpp"

namespace coopc {

struct Kept {
  Options options;  ///< the session refers to them
  std::string mainText;
  std::string mainName;
  frontend::Observer observer;
  std::unique_ptr<Session> session;
  frontend::PreprocessedSource source;
  frontend::Program program;
  frontend::FileId main = 0;
  /// Whether the session's diagnostics are the result's. This is false for a text that coopc-glslang
  /// compiles; the session then reads it for the observer only.
  bool ownDiagnostics = true;
  Result result;
};

/// Compiles `kept.mainText`, and keeps the parts that the members name.
void compileAndKeep(Kept& kept);

}  // namespace coopc
