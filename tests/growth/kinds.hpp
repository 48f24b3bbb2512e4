// Inputs that can grow. Each kind is a program of any size: one thing in it grows with n, and everything else
// stays the same.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <utility>
#include <vector>

namespace coopc::tests::growth {

/// One input: GLSL text, or a module as assembly text.
struct Input {
  std::string text;
  std::vector<std::pair<std::string, std::string>> includes;  ///< names and texts of included files
  bool assembly = false;
  bool debugInfo = false;  ///< -g
  bool warnings = false;   ///< all of them
};

/// The expected result of compiling the input.
enum class Outcome : uint8_t {
  Module,
  Errors,  ///< only the front end sees it
};

struct Kind {
  const char* name;
  uint32_t size;  ///< the least n that is measured; twice and four times as much follow
  Input (*make)(uint32_t n);
  Outcome outcome = Outcome::Module;
  bool limited = false;  ///< by a limit of the language or the compiler, so that n is not scaled
};

std::span<const Kind> textKinds();
std::span<const Kind> matrixKinds();
std::span<const Kind> moduleKinds();

/// `text` with each '#' that begins no directive replaced by `number`, and each '@' by the number before it
/// (0 for 0).
std::string numbered(const char* text, uint32_t number);
/// numbered() for 0 to n - 1, one after the other.
std::string repeated(const char* text, uint32_t n);

/// A compute shader with a buffer `data` of floats and a private variable `k`, the declarations, and a main()
/// that loads and stores one matrix after the statements, so that there is something to lower.
std::string shader(const std::string& declarations, const std::string& statements);

}  // namespace coopc::tests::growth
