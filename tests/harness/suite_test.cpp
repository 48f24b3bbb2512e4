// The conformance suite without a device: the list, the references' soundness, the judge, worker processes
// that die.
#include "harness/suite/suite.hpp"

#include <chrono>
#include <csignal>
#include <cstdio>
#include <fcntl.h>
#include <set>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>

#include <catch2/catch_test_macros.hpp>

#include "harness/suite/child.hpp"
#include "harness/suite/known.hpp"
#include "harness/suite/workers.hpp"
#include "tests/harness/shipped_profile.hpp"

using namespace coopc::harness;
using namespace coopc::harness::suite;
using namespace coopc::tests;

namespace {

SuiteCase numbered(uint32_t n) {
  SuiteCase subject;
  subject.name = std::to_string(n);
  subject.feature = "test";
  return subject;
}

// Runs `body` in a child process, which may limit itself or hang, and returns its exit code, or -1 if it does
// not end in time. Kills the process group, so that none of the child's processes remain.
int exitCodeOf(const std::function<int()>& body, std::chrono::seconds limit) {
  const pid_t child = fork();
  REQUIRE(child >= 0);
  if (child == 0) {
    setpgid(0, 0);
    _exit(body());
  }
  setpgid(child, child);
  const auto end = std::chrono::steady_clock::now() + limit;
  int status = 0;
  pid_t ended = 0;
  while ((ended = waitpid(child, &status, WNOHANG)) == 0 && std::chrono::steady_clock::now() < end)
    std::this_thread::sleep_for(std::chrono::milliseconds(20));
  kill(-child, SIGKILL);
  if (ended != child) {
    waitpid(child, &status, 0);
    return -1;
  }
  return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

int openDescriptors() {
  int count = 0;
  for (int file = 0; file < 256; ++file) count += fcntl(file, F_GETFD) >= 0 ? 1 : 0;
  return count;
}

// The write end of the pipe from a worker to its pool: the only pipe to which the worker can write.
int pipeToPool() {
  for (int file = 3; file < 256; ++file) {
    struct stat info {};
    if (fstat(file, &info) == 0 && S_ISFIFO(info.st_mode) && (fcntl(file, F_GETFL) & O_ACCMODE) == O_WRONLY)
      return file;
  }
  return -1;
}

// Writes the length of a message, and only a part of the message.
void writeHalfAMessage() {
  const uint32_t length = 1000;
  static_cast<void>(!write(pipeToPool(), &length, sizeof length));
  static_cast<void>(!write(pipeToPool(), "abc", 3));
}

}  // namespace

TEST_CASE("the list for a device with all features") {
  const TargetDevice device = target("h200.json");
  CHECK(device.name == "NVIDIA H200");
  CHECK(device.fixed.size() == 11);
  CHECK(device.flexible.size() == 25);
  const std::vector<SuiteCase> cases = generate(device, 1);
  CHECK(cases.size() > 10000);
  std::set<std::string> names;
  std::set<std::string> features;
  for (const SuiteCase& subject : cases) {
    CHECK(names.insert(subject.name).second);
    features.insert(subject.feature);
    CHECK(subject.name.find_first_not_of(
              "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789.-_") == std::string::npos);
    // Only saturating accumulation is missing there.
    CHECK((listMissing(subject, device).empty() || subject.feature == "multiply-add-saturating"));
  }
  for (const char* feature : {"load",
                              "store",
                              "load-elements",
                              "tensor-load",
                              "tensor-store",
                              "tensor-load-clamp-mirror",
                              "tensor-store-clamp-constant",
                              "tensor-load-view-clipped",
                              "tensor-load-decode",
                              "tensor-load-partial",
                              "tensor-load-space-to-depth",
                              "reduce-row",
                              "reduce-2x2",
                              "per-element",
                              "convert-use",
                              "transpose",
                              "multiply-add",
                              "arithmetic",
                              "components",
                              "aggregates"}) {
    CHECK(features.count(feature) == 1);
  }
}

TEST_CASE("each case has a defined result, and the same program each time") {
  for (const char* profile : {"h200.json", "lavapipe.json"}) {
    const TargetDevice device = target(profile);
    const std::vector<SuiteCase> cases = generate(device, 1);
    const std::vector<SuiteCase> again = generate(device, 1);
    REQUIRE(cases.size() == again.size());
    for (size_t i = 0; i < cases.size(); i += 17) {
      if (!cases[i].skip.empty()) continue;
      INFO(cases[i].name);
      const Program program = cases[i].make();
      CHECK(program.fault.empty());
      CHECK(program.buffers.size() <= 6);
      CHECK(program.pushConstants.size() <= 128);
      REQUIRE(program.expected.size() == 1);
      const Expected& e = program.expected[0];
      REQUIRE(e.buffer < program.buffers.size());
      CHECK(e.bits.size() * byteSize(e.type) == program.buffers[e.buffer].size());
      CHECK(e.kinds.size() == e.bits.size());
      // Unchanged memory is never a correct result, unless everything is clipped or discarded.
      const std::vector<std::string> untouched = judge(program, program.buffers);
      const bool any =
          std::any_of(e.kinds.begin(), e.kinds.end(), [](uint8_t kind) { return kind == Expected::kValue; });
      CHECK(untouched.empty() == !any);
      const Program second = again[i].make();
      CHECK(second.source == program.source);
      CHECK(second.buffers == program.buffers);
      CHECK(second.expected[0].bits == e.bits);
    }
  }
}

TEST_CASE("another seed gives other data, and the same list") {
  const TargetDevice device = target("h200.json");
  const std::vector<SuiteCase> one = generate(device, 1);
  const std::vector<SuiteCase> two = generate(device, 2);
  REQUIRE(one.size() == two.size());
  CHECK(one[0].name == two[0].name);
  CHECK(one[0].make().source == two[0].make().source);
  CHECK(one[0].make().buffers != two[0].make().buffers);
}

TEST_CASE("a device that lacks features skips with reasons") {
  TargetDevice nothing;
  nothing.name = "nothing";
  const std::vector<SuiteCase> cases = generate(nothing, 1);
  CHECK(cases.size() > 1000);
  for (const SuiteCase& subject : cases) {
    const std::vector<std::string> reasons = listMissing(subject, nothing);
    REQUIRE_FALSE(reasons.empty());
    CHECK(reasons[0] == "feature cooperativeMatrix is missing");
  }
}

TEST_CASE("descriptions of devices that are none") {
  CHECK_FALSE(readTarget(""));
  CHECK_FALSE(readTarget("[]"));
  CHECK_FALSE(readTarget("{"));
  CHECK_FALSE(readTarget(R"({"features": [], "subgroupSize": 0})"));
  CHECK_FALSE(readTarget(R"({"name": "x"})"));
  CHECK_FALSE(readTarget(R"({"features": "all"})"));
  CHECK_FALSE(readTarget(R"({"devices": []})"));
  const auto first =
      readTarget(R"({"devices": [{"name": "one", "features": []}, {"name": "two", "features": []}]})");
  REQUIRE(first);
  CHECK(first->name == "one");
  const auto odd = readTarget(
      R"({"name": 7, "features": [1, "x", null], "shapes": [1, {"m": -1}, {"m": 8, "n": 8, "k": 8, "a": "f99"}],
          "flexibleShapes": {"m": 1}, "sharedMemory": 99999999999999})");
  REQUIRE(odd);
  CHECK(odd->features.size() == 1);
  CHECK(odd->fixed.empty());
  CHECK(odd->flexible.empty());
  CHECK(odd->sharedMemory == UINT32_MAX);
}

TEST_CASE("the judge") {
  Program program;
  program.buffers = {{1, 2, 3, 4}, {9, 9, 9, 9}};
  Expected e;
  e.buffer = 1;
  e.type = NumberType::U8;
  e.bits = {5, 6, 0, 0};
  e.kinds = {Expected::kValue, Expected::kValue, Expected::kKeep, Expected::kAny};
  program.expected.push_back(e);
  CHECK(judge(program, {{1, 2, 3, 4}, {5, 6, 9, 77}}).empty());
  CHECK_FALSE(judge(program, {{1, 2, 3, 4}, {5, 7, 9, 77}}).empty());   // a wrong value
  CHECK_FALSE(judge(program, {{1, 2, 3, 4}, {5, 6, 10, 77}}).empty());  // written, though it must stay
  CHECK_FALSE(judge(program, {{1, 2, 3, 5}, {5, 6, 9, 77}}).empty());   // an input was changed

  Program floats;
  floats.buffers = {std::vector<uint8_t>(4)};
  Expected f;
  f.type = NumberType::F32;
  f.bits = {fromDouble(NumberType::F32, 2.0)};
  f.kinds = {Expected::kValue};
  f.tolerance.exact = false;
  f.tolerance.magnitude = 0.25;
  f.scale = {4};
  floats.expected.push_back(f);
  std::vector<uint8_t> bytes(4);
  storeBits(NumberType::F32, bytes.data(), 0, fromDouble(NumberType::F32, 2.9));
  CHECK(judge(floats, {bytes}).empty());
  storeBits(NumberType::F32, bytes.data(), 0, fromDouble(NumberType::F32, 3.1));
  CHECK_FALSE(judge(floats, {bytes}).empty());
  storeBits(NumberType::F32, bytes.data(), 0, 0x7FC00000);
  CHECK_FALSE(judge(floats, {bytes}).empty());
}

TEST_CASE("lists of known faults") {
  const auto faults = parseKnownFaults(
      "# comment\n\nfail reduce-*.sg?.* rows past the first\r\nskip a*b*c the driver crashes");
  REQUIRE(faults);
  REQUIRE(faults->size() == 2);
  const KnownFault* fault = findKnownFault(*faults, "reduce-row.sg1.f16");
  REQUIRE(fault != nullptr);
  CHECK(fault->run);
  CHECK(fault->reason == "rows past the first");
  CHECK(findKnownFault(*faults, "reduce-row.sg10.f16") == nullptr);
  CHECK(findKnownFault(*faults, "axxbxcxc") != nullptr);
  CHECK(findKnownFault(*faults, "axxbxcxd") == nullptr);
  CHECK_FALSE(findKnownFault(*faults, "abc")->run);
  CHECK_FALSE(parseKnownFaults("skip x"));
  CHECK_FALSE(parseKnownFaults("maybe x y"));
}

TEST_CASE("a worker that dies, hangs or loses the device costs one case") {
  std::vector<SuiteCase> cases;
  for (uint32_t i = 0; i < 40; ++i) cases.push_back(numbered(i));
  Work work;
  work.setUp = [] { return std::string(); };
  work.runCase = [](const SuiteCase& subject) {
    CaseOutcome outcome;
    if (subject.name == "7") std::raise(SIGKILL);
    if (subject.name == "9") {
      // The default handler writes no sanitizer's report.
      std::signal(SIGSEGV, SIG_DFL);
      std::raise(SIGSEGV);
    }
    if (subject.name == "11") _exit(3);
    if (subject.name == "13") std::this_thread::sleep_for(std::chrono::hours(1));
    outcome.verdict = subject.name == "17"   ? Verdict::Lost
                      : subject.name == "19" ? Verdict::Wrong
                                             : Verdict::Pass;
    outcome.reasons = {"of " + subject.name};
    outcome.pipelineMilliseconds = 0.5;
    return outcome;
  };
  RunOptions options;
  options.workers = 3;
  options.caseSeconds = 1;
  const RunResult result = runCases(cases, work, options);
  CHECK(result.error.empty());
  REQUIRE(result.outcomes.size() == cases.size());
  for (uint32_t i = 0; i < cases.size(); ++i) {
    INFO(i);
    const Verdict verdict = result.outcomes[i].verdict;
    if (i == 7 || i == 9 || i == 11) {
      CHECK(verdict == Verdict::Crashed);
    } else if (i == 13) {
      CHECK(verdict == Verdict::Hung);
    } else if (i == 17) {
      CHECK(verdict == Verdict::Lost);
    } else if (i == 19) {
      CHECK(verdict == Verdict::Wrong);
    } else {
      CHECK(verdict == Verdict::Pass);
      REQUIRE(result.outcomes[i].reasons.size() == 1);
      CHECK(result.outcomes[i].reasons[0] == "of " + std::to_string(i));
      CHECK(result.outcomes[i].pipelineMilliseconds == 0.5);
    }
  }
  CHECK(result.restarts >= 5);
}

TEST_CASE("workers that cannot work end the run") {
  const std::vector<SuiteCase> cases{numbered(0)};
  Work work;
  work.setUp = [] { return std::string("no device"); };
  work.runCase = [](const SuiteCase&) { return CaseOutcome{}; };
  CHECK(runCases(cases, work, {}).error == "no device");
  work.setUp = []() -> std::string { _exit(1); };
  CHECK_FALSE(runCases(cases, work, {}).error.empty());
}

TEST_CASE("the time limit leaves the rest unrun") {
  std::vector<SuiteCase> cases;
  for (uint32_t i = 0; i < 100; ++i) cases.push_back(numbered(i));
  Work work;
  work.setUp = [] { return std::string(); };
  work.runCase = [](const SuiteCase&) {
    std::this_thread::sleep_for(std::chrono::milliseconds(200));
    return CaseOutcome{Verdict::Pass, {}};
  };
  RunOptions options;
  options.totalSeconds = 1;
  const RunResult result = runCases(cases, work, options);
  CHECK(result.outcomes.front().verdict == Verdict::Pass);
  CHECK(result.outcomes.back().verdict == Verdict::NotRun);
}

TEST_CASE("a child's text") {
  const auto text = inChild([] { return std::string(100000, 'x'); }, 10);
  REQUIRE(text);
  CHECK(text->size() == 100000);
  CHECK_FALSE(inChild([]() -> std::string { _exit(0); }, 10));
  CHECK_FALSE(inChild(
      []() -> std::string {
        std::this_thread::sleep_for(std::chrono::hours(1));
        return "";
      },
      1));
}

TEST_CASE("where no process can be started, nothing stays open") {
  const int code = exitCodeOf(
      [] {
        // Limits on the number of processes do not apply to root.
        if (geteuid() == 0 && setuid(65534) != 0) return 77;
        const rlimit none{0, 0};
        if (setrlimit(RLIMIT_NPROC, &none) != 0) return 77;
        const pid_t probe = fork();
        if (probe == 0) _exit(0);
        if (probe > 0) return 77;
        const int before = openDescriptors();
        const std::vector<SuiteCase> cases{numbered(0)};
        Work work;
        work.setUp = [] { return std::string(); };
        work.runCase = [](const SuiteCase&) { return CaseOutcome{}; };
        RunOptions options;
        options.workers = 3;
        const bool refused = !runCases(cases, work, options).error.empty();
        const bool childRefused = !inChild([] { return std::string(); }, 10);
        if (!refused || !childRefused) return 2;
        return openDescriptors() == before ? 0 : 1;
      },
      std::chrono::seconds(200));
  if (code == 77) SKIP("processes cannot be limited here");
  CHECK(code == 0);
}

TEST_CASE("a worker that stops in the middle of a message costs one case") {
  const int code = exitCodeOf(
      [] {
        std::vector<SuiteCase> cases;
        for (uint32_t i = 0; i < 6; ++i) cases.push_back(numbered(i));
        Work work;
        work.setUp = [] { return std::string(); };
        work.runCase = [](const SuiteCase& subject) {
          if (subject.name == "2") {
            writeHalfAMessage();
            std::this_thread::sleep_for(std::chrono::hours(1));
          }
          return CaseOutcome{Verdict::Pass, {}};
        };
        RunOptions options;
        options.workers = 2;
        options.caseSeconds = 1;
        const RunResult result = runCases(cases, work, options);
        if (!result.error.empty()) return 2;
        for (uint32_t i = 0; i < 6; ++i)
          if (result.outcomes[i].verdict != (i == 2 ? Verdict::Hung : Verdict::Pass)) return 3;
        return 0;
      },
      std::chrono::seconds(200));
  CHECK(code == 0);
}

TEST_CASE("a child that stops in the middle of its text is given up") {
  const int code = exitCodeOf(
      [] {
        const auto text = inChild(
            []() -> std::string {
              writeHalfAMessage();
              std::this_thread::sleep_for(std::chrono::hours(1));
              return "";
            },
            1);
        return text ? 2 : 0;
      },
      std::chrono::seconds(200));
  CHECK(code == 0);
}
