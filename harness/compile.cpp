// Subprocesses by posix_spawn, with a pipe for their output and a deadline.
#include "harness/compile.hpp"

#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <fcntl.h>
#include <filesystem>
#include <poll.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/system.hpp"
#include "base/whole_file.hpp"
#include "vulkan/executor/module_info.hpp"

extern char** environ;

namespace coopc::harness {
namespace {

constexpr size_t kMaxOutput = size_t{1} << 20;

}  // namespace

Result<ProcessResult> runProcess(const std::vector<std::string>& arguments, uint32_t timeoutSeconds) {
  if (arguments.empty()) return Error{"no program to run"};
  int pipeEnds[2];
  if (!makePipe(pipeEnds)) return Error{std::string("pipe: ") + std::strerror(errno)};
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0);
  posix_spawn_file_actions_adddup2(&actions, pipeEnds[1], 1);
  posix_spawn_file_actions_adddup2(&actions, pipeEnds[1], 2);
  // In a separate process group, so that the timeout also ends its children.
  posix_spawnattr_t attributes;
  posix_spawnattr_init(&attributes);
  posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETPGROUP);
  posix_spawnattr_setpgroup(&attributes, 0);
  std::vector<char*> argv;
  argv.reserve(arguments.size() + 1);
  for (const std::string& argument : arguments) argv.push_back(const_cast<char*>(argument.c_str()));
  argv.push_back(nullptr);
  pid_t child = 0;
  const int spawned = posix_spawnp(&child, argv[0], &actions, &attributes, argv.data(), environ);
  posix_spawn_file_actions_destroy(&actions);
  posix_spawnattr_destroy(&attributes);
  close(pipeEnds[1]);
  if (spawned != 0) {
    close(pipeEnds[0]);
    return Error{"'" + arguments[0] + "' could not be started: " + std::strerror(spawned)};
  }

  ProcessResult result;
  const auto deadline = std::chrono::steady_clock::now() + std::chrono::seconds(timeoutSeconds);
  char block[4096];
  while (true) {
    const auto left =
        std::chrono::duration_cast<std::chrono::milliseconds>(deadline - std::chrono::steady_clock::now())
            .count();
    if (left <= 0) {
      result.timedOut = true;
      break;
    }
    pollfd waiting{pipeEnds[0], POLLIN, 0};
    const int ready = poll(&waiting, 1, static_cast<int>(left));
    if (ready < 0 && errno == EINTR) continue;
    if (ready <= 0) continue;
    const ssize_t got = read(pipeEnds[0], block, sizeof block);
    if (got < 0 && errno == EINTR) continue;
    if (got <= 0) break;
    if (result.output.size() < kMaxOutput) result.output.append(block, static_cast<size_t>(got));
  }
  close(pipeEnds[0]);
  if (result.timedOut) kill(-child, SIGKILL);
  int status = 0;
  // A program that has closed its output but is still running gets the rest of its time.
  while (true) {
    const pid_t waited = waitpid(child, &status, WNOHANG);
    if (waited == child) break;
    if (waited < 0 && errno != EINTR) return Error{std::string("waitpid: ") + std::strerror(errno)};
    if (!result.timedOut && std::chrono::steady_clock::now() >= deadline) {
      result.timedOut = true;
      kill(-child, SIGKILL);
    }
    usleep(500);
  }
  if (WIFEXITED(status)) result.exitCode = WEXITSTATUS(status);
  return result;
}

std::string besideCase(const std::string& file, const std::string& relative) {
  return (std::filesystem::path(file).parent_path() / relative).string();
}

std::vector<std::string> compilerArguments(const ShaderSpec& shader, const std::string& file,
                                           const Compiler& compiler, const std::string& output) {
  std::vector<std::string> arguments{compiler.program, "-fshader-stage=" + std::string(shader.stage->word),
                                     "--target-env=" + shader.targetEnv};
  for (const auto& [name, value] : shader.macros) {
    arguments.push_back("-D" + name + (value.empty() ? "" : "=" + value));
  }
  arguments.insert(arguments.end(), compiler.options.begin(), compiler.options.end());
  arguments.insert(arguments.end(), shader.options.begin(), shader.options.end());
  arguments.insert(arguments.end(), {besideCase(file, shader.source), "-o", output});
  return arguments;
}

namespace {

// A folder that is removed with this object; "" if none can be made.
struct TemporaryFolder {
  TemporaryFolder() {
    std::error_code failed;
    path = (std::filesystem::temp_directory_path(failed) / "cooprun-XXXXXX").string();
    if (failed || mkdtemp(path.data()) == nullptr) path.clear();
  }
  ~TemporaryFolder() {
    std::error_code ignored;
    if (!path.empty()) std::filesystem::remove_all(path, ignored);
  }
  TemporaryFolder(const TemporaryFolder&) = delete;
  TemporaryFolder& operator=(const TemporaryFolder&) = delete;

  std::string path;
};
Error noFolder() { return {"no temporary folder could be made"}; }

// The module that a program writes to `output`; `who` in messages.
Result<std::vector<uint32_t>> moduleFrom(const std::vector<std::string>& arguments, uint32_t timeoutSeconds,
                                         const std::string& output, const std::string& who) {
  const Result<ProcessResult> ran = runProcess(arguments, timeoutSeconds);
  if (!ran) return ran.error();
  if (ran->timedOut) return Error{who + " did not finish within " + std::to_string(timeoutSeconds) + " s"};
  if (ran->exitCode != 0)
    return Error{
        (ran->exitCode < 0 ? who + " crashed" : who + "'s exit code is " + std::to_string(ran->exitCode)) +
        (ran->output.empty() ? "" : ":\n" + ran->output)};
  return vk::readModuleFile(output);
}

}  // namespace

Result<std::vector<uint32_t>> obtainModule(const ShaderSpec& shader, const std::string& file,
                                           const Compiler& compiler) {
  if (!shader.module.empty()) return vk::readModuleFile(besideCase(file, shader.module));
  const TemporaryFolder folder;
  if (folder.path.empty()) return noFolder();
  const std::string output = folder.path + "/module.spv";
  return moduleFrom(compilerArguments(shader, file, compiler, output), compiler.timeoutSeconds, output,
                    "the compiler");
}

Result<std::vector<std::vector<uint32_t>>> obtainModules(const Case& subject, const Compiler& compiler) {
  std::vector<std::vector<uint32_t>> modules;
  for (const ShaderSpec& shader : subject.shaders) {
    Result<std::vector<uint32_t>> words = obtainModule(shader, subject.file, compiler);
    if (!words) return words.error();
    modules.push_back(std::move(*words));
  }
  return modules;
}

Result<std::vector<uint32_t>> throughProgram(const std::string& program, std::span<const uint32_t> module) {
  constexpr uint32_t kSeconds = 300;
  const TemporaryFolder folder;
  if (folder.path.empty()) return noFolder();
  const std::string input = folder.path + "/in.spv";
  const std::string output = folder.path + "/out.spv";
  if (const std::string why = writeFile(input, module.data(), module.size_bytes()); !why.empty())
    return Error{input + ": cannot be written: " + why};
  return moduleFrom({program, input, output}, kSeconds, output, "'" + program + "'");
}

}  // namespace coopc::harness
