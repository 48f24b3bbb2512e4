// Wrong programs of one stage: each ends in one error, of the right kind and with its clause.
#pragma once

#include <span>
#include <string>

#include <catch2/catch_test_macros.hpp>

#include "coopc/coopc.hpp"

/// Compiles a wrong program and checks that its only diagnostic is an error `id` that cites a clause.
inline void checkRefused(coopc::Stage stage, const std::string& text, const char* id) {
  coopc::Options options;
  options.stage = stage;
  options.targetEnv = coopc::TargetEnv::Vulkan1_3;
  options.allowGlslang = false;
  INFO(text);
  const coopc::Result r = coopc::compile(text, "a", options);
  INFO(r.messages);
  CHECK(!r.ok);
  REQUIRE(r.diagnostics.size() == 1);
  CHECK(r.diagnostics[0].id == id);
  // The message itself names the extension.
  CHECK((r.diagnostics[0].id == "extension-needed" || !r.diagnostics[0].clause.empty()));
}

struct WrongProgram {
  const char* declared;  ///< what most texts of the stage begin with
  const char* text;
  const char* id;
};

/// The number of programs that ran.
inline size_t refused(coopc::Stage stage, std::span<const WrongProgram> programs) {
  size_t ran = 0;
  for (const WrongProgram& program : programs) {
    checkRefused(stage, std::string(program.declared) + program.text, program.id);
    ++ran;
  }
  return ran;
}
