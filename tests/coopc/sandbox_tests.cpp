// --sandbox: compiles are the same in it, files elsewhere cannot be read, and a system call that no compile
// needs ends the process.
#include <csignal>
#include <cstdlib>
#include <filesystem>
#include <functional>
#include <string>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>
#include <vector>

#include <catch2/catch_test_macros.hpp>

#include "base/sandbox.hpp"
#include "tests/coopc/folder.hpp"

using namespace coopc::tests;

namespace {

bool kernelHasLandlock() {
#ifdef LANDLOCK_CREATE_RULESET_VERSION
  return syscall(SYS_landlock_create_ruleset, nullptr, 0, LANDLOCK_CREATE_RULESET_VERSION) > 0;
#else
  return false;
#endif
}

constexpr const char* kText =
    "#version 450\n#extension GL_GOOGLE_include_directive : require\n#include \"a.glsl\"\n"
    "layout(local_size_x = SIZE) in;\nvoid main() {}\n";

// The status of a process that enters the sandbox and then does `work`. Its exit code is 99 if it cannot
// enter.
int statusInSandbox(const coopc::SandboxFiles* files, const std::function<void()>& work) {
  const pid_t child = fork();
  REQUIRE(child >= 0);
  if (child == 0) {
    if (!coopc::enterSandbox(files).empty()) _exit(99);
    work();
    _exit(0);
  }
  int status = 0;
  REQUIRE(waitpid(child, &status, 0) == child);
  return status;
}

}  // namespace

TEST_CASE("in the sandbox, a compile gives what it gives outside") {
  if (!kernelHasLandlock()) SKIP("this kernel has no Landlock");
  const Folder f;
  f.write("in/a.comp", kText);
  f.write("in/a.glsl", "#define SIZE 2\n");
  f.write("include/b.glsl", "#define SIZE 4\n");
  f.write("in/b.comp", "#version 450\n#include <b.glsl>\nlayout(local_size_x = SIZE) in;\nvoid main() {}\n");
  f.write("out/old.spv", "an older result");
  const std::vector<std::vector<std::string>> lines = {{"in/a.comp", "-o", "-"},
                                                       {"-g", "-O", "in/a.comp", "-o", "-"},
                                                       {"-I", "include", "in/b.comp", "-o", "-"},
                                                       {"-S", "in/a.comp", "-o", "-"},
                                                       {"-E", "in/a.comp"},
                                                       {"-M", "in/a.comp"},
                                                       {"--reflect", "in/a.comp"},
                                                       {"--lower=none", "in/a.comp", "-o", "-"}};
  size_t same = 0;
  for (const std::vector<std::string>& line : lines) {
    std::vector<std::string> inside = line;
    inside.insert(inside.begin(), "--sandbox");
    const ProcessResult expected = f.run(line), r = f.run(inside);
    INFO(line.front() << ": " << r.stderrText);
    CHECK(expected.exitCode == 0);
    CHECK(r.exitCode == 0);
    CHECK(r.stdoutText == expected.stdoutText);
    same += !r.stdoutText.empty() && r.stdoutText == expected.stdoutText ? 1 : 0;
  }
  CHECK(same == 8);
  // The output is a new file, an existing file or a device; with a dependency file, and from the standard
  // input.
  CHECK(f.run({"--sandbox", "-MD", "in/a.comp", "-o", "out/new.spv"}).exitCode == 0);
  CHECK(isModule(f.read("out/new.spv")));
  CHECK(f.has("out/new.spv.d"));
  CHECK(f.run({"--sandbox", "in/a.comp", "-o", "out/old.spv"}).exitCode == 0);
  CHECK(f.read("out/old.spv") == f.read("out/new.spv"));
  const std::string plain = "#version 450\nvoid main() {}\n";
  CHECK(isModule(f.run({"--sandbox", "-fshader-stage=comp", "-", "-o", "-"}, plain).stdoutText));
  CHECK(f.run({"--sandbox", "in/a.comp", "-o", "/dev/null"}).exitCode == 0);
  // Wrong programs have the same messages.
  f.write("in/wrong.comp", "#version 450\nvoid main() { x = 1; }\n");
  const ProcessResult wrong = f.run({"--sandbox", "in/wrong.comp"});
  CHECK(wrong.exitCode == 1);
  CHECK(wrong.stderrText == f.run({"in/wrong.comp"}).stderrText);
}

TEST_CASE("in the sandbox, a text includes nothing from elsewhere") {
  if (!kernelHasLandlock()) SKIP("this kernel has no Landlock");
  const Folder f;
  f.write("in/a.comp",
          "#version 450\n#extension GL_GOOGLE_include_directive : require\n#include \"../secret.glsl\"\n"
          "void main() {}\n");
  f.write("secret.glsl", "#define KEY 1\n");
  CHECK(f.run({"in/a.comp", "-o", "-"}).exitCode == 0);
  const ProcessResult r = f.run({"--sandbox", "in/a.comp", "-o", "-"});
  CHECK(r.exitCode == 1);
  CHECK(r.stderrText.find("secret.glsl") != std::string::npos);
  CHECK(f.run({"--sandbox", "-I", ".", "in/a.comp", "-o", "-"}).exitCode == 0);
}

TEST_CASE("what does not go with the sandbox is refused") {
  const Folder f;
  f.write("a.comp", "#version 450\nvoid main() {}\n");
  f.write("jobs", "a.comp -o a.spv\n");
  CHECK(f.run({"--sandbox", "--emit=glsl", "a.comp"}).exitCode == 2);
  CHECK(f.run({"--sandbox", "--cache", "c", "a.comp"}).exitCode == 2);
  CHECK(f.run({"--sandbox", "--batch", "jobs"}).stderrText.find("--sandbox does not go with --batch") !=
        std::string::npos);
  CHECK_FALSE(f.has("a.spv"));
}

TEST_CASE("in the sandbox, a system call that no compile needs ends the process") {
  if (!kernelHasLandlock()) SKIP("this kernel has no Landlock");
  const coopc::SandboxFiles nothing;
  const std::vector<std::pair<const char*, std::function<void()>>> calls = {
      {"socket", [] { syscall(SYS_socket, AF_INET, SOCK_STREAM, 0); }},
      {"fork", [] { syscall(SYS_clone, SIGCHLD, 0, 0, 0, 0); }},
      {"execve", [] { syscall(SYS_execve, "/bin/true", nullptr, nullptr); }},
      {"kill", [] { syscall(SYS_kill, getppid(), SIGTERM); }},
      {"ptrace", [] { syscall(SYS_ptrace, 0, 0, 0, 0); }},
      {"unlinkat", [] { syscall(SYS_unlinkat, -1, "/nonexistent", 0); }},
      {"executable memory",
       [] {
         syscall(SYS_mmap, nullptr, 4096, PROT_READ | PROT_WRITE | PROT_EXEC, MAP_PRIVATE | MAP_ANONYMOUS, -1,
                 0);
       }},
      {"another limit", [] { syscall(SYS_prlimit64, 0, RLIMIT_CORE, "0123456789abcdef", nullptr); }},
      // The lower half of its address is zero, as the null pointer's.
      {"another limit, far away",
       [] { syscall(SYS_prlimit64, 0, RLIMIT_CORE, uintptr_t{1} << 32, nullptr); }},
      {"the limits of another process",
       [] {
         char old[16];
         syscall(SYS_prlimit64, getppid(), RLIMIT_CORE, nullptr, old);
       }},
  };
  size_t ended = 0;
  for (const auto& [name, call] : calls) {
    for (const coopc::SandboxFiles* files : {&nothing, static_cast<const coopc::SandboxFiles*>(nullptr)}) {
      const int status = statusInSandbox(files, call);
      INFO(name);
      CHECK(WIFSIGNALED(status));
      CHECK(WTERMSIG(status) == SIGSYS);
      ended += WIFSIGNALED(status) && WTERMSIG(status) == SIGSYS ? 1 : 0;
    }
  }
  CHECK(ended == 20);
  // Opening another file fails if the sandbox allows some files, and ends the process if it allows none.
  const auto opens = [] {
    if (open("/etc/passwd", O_RDONLY) >= 0 || errno != EACCES) _exit(1);
  };
  CHECK(statusInSandbox(&nothing, opens) == 0);
  CHECK(WTERMSIG(statusInSandbox(nullptr, opens)) == SIGSYS);
  // Allocating memory and writing to open files are still allowed.
  CHECK(statusInSandbox(nullptr, [] {
          std::string text(size_t{8} << 20, 'x');
          if (write(2, text.data(), 0) != 0) _exit(1);
        }) == 0);
  // So is reading the process's own limits.
  CHECK(statusInSandbox(nullptr, [] {
          rlimit limits{};
          if (getrlimit(RLIMIT_AS, &limits) != 0) _exit(1);
        }) == 0);
}
