// The TOML parser, set up for hostile files. Include it in .cpp files only, and parse with parseToml().
//
// toml++ asserts things that a file can break ("[*]" as a table's header, in 3.3), and in release builds
// tells the compiler that they hold. Here its assertions throw instead, in every build.
#pragma once

#include <string>
#include <string_view>

#include "harness/result.hpp"

namespace coopc::harness {

struct TomlAssertion {};

/// A function, because compilers warn about an expression that throws in the library's noexcept functions.
[[noreturn]] inline void throwTomlAssertion() { throw TomlAssertion{}; }

}  // namespace coopc::harness

#pragma push_macro("NDEBUG")
#undef NDEBUG
#define TOML_EXCEPTIONS 1
#ifndef TOML_HEADER_ONLY
#define TOML_HEADER_ONLY 1
#endif
#define TOML_ASSERT(expression) ((expression) ? void(0) : coopc::harness::throwTomlAssertion())
#include <toml++/toml.h>
#pragma pop_macro("NDEBUG")

namespace coopc::harness {

/// The error names the line.
inline Result<toml::table> parseToml(std::string_view text) {
  try {
    return toml::table(toml::parse(text));
  } catch (const toml::parse_error& error) {
    return Error{"line " + std::to_string(error.source().begin.line) + ": " +
                 std::string(error.description())};
  } catch (const TomlAssertion&) {
    return Error{"not understood"};
  }
}

}  // namespace coopc::harness
