// Functions in child processes: answers, crashes, exits and time-outs.
#include "harness/suite/child.hpp"

#include <csignal>
#include <map>
#include <unistd.h>

#include <catch2/catch_test_macros.hpp>
#include <catch2/generators/catch_generators.hpp>

namespace coopc::harness::suite {
namespace {

std::string textOf(const Result<std::string>& answer) {
  return answer ? "+" + *answer : "-" + answer.error().message;
}

// The behavior of child `i` of a test.
std::string behave(size_t i) {
  switch (i) {
    case 0: return "first";
    case 1: raise(SIGKILL); return "";
    case 2: _exit(3);
    case 3:
      for (;;) pause();
    case 4: return std::string(300000, 'x');  // more than a pipe's buffer holds
    default: return std::to_string(i);
  }
}

TEST_CASE("children: a crash, an exit and a hang cost one answer each") {
  const size_t count = 7;
  const size_t jobs = GENERATE(size_t{1}, size_t{3}, size_t{20});
  std::map<size_t, std::string> answers;
  inChildren(count, jobs, behave, 1,
             [&](size_t i, const Result<std::string>& answer) { answers[i] = textOf(answer); });
  REQUIRE(answers.size() == count);
  CHECK(answers[0] == "+first");
  CHECK(answers[1] == "-ended by signal 9");
  CHECK(answers[2] == "-ended with exit code 3 and no answer");
  CHECK(answers[3] == "-took longer than 1 s");
  CHECK(answers[4] == "+" + std::string(300000, 'x'));
  CHECK(answers[5] == "+5");
  CHECK(answers[6] == "+6");
}

TEST_CASE("children: none at all") {
  inChildren(0, 4, behave, 1, [](size_t, const Result<std::string>&) { FAIL("nothing was to be run"); });
}

TEST_CASE("children: a single one") {
  CHECK(textOf(inChild([] { return std::string("done"); }, 5)) == "+done");
  CHECK(textOf(inChild([]() -> std::string { _exit(0); }, 5)) ==
        "-the process that asks the driver ended with exit code 0 and no answer");
}

}  // namespace
}  // namespace coopc::harness::suite
