// runProcess (process.cpp) on Windows: two pipes, each read by a thread until its last writer closes it.
#include <csignal>
#include <mutex>
#include <system_error>
#include <thread>

#include "base/windows.hpp"
#include "tests/support/process.hpp"

namespace coopc::tests {
namespace {

class Handle {
 public:
  Handle() = default;
  explicit Handle(HANDLE handle) : handle_(handle) {}
  ~Handle() { close(); }
  Handle(const Handle&) = delete;
  Handle& operator=(const Handle&) = delete;
  HANDLE get() const { return handle_; }
  HANDLE* put() { return &handle_; }
  void close() {
    if (handle_ != nullptr && handle_ != INVALID_HANDLE_VALUE) CloseHandle(handle_);
    handle_ = nullptr;
  }

 private:
  HANDLE handle_ = nullptr;
};

// Quotes a word of a command line by the rules of CommandLineToArgvW: backslashes only count before quotes.
void appendWord(const std::string& word, std::string& line) {
  if (!line.empty()) line += ' ';
  line += '"';
  size_t backslashes = 0;
  for (const char c : word) {
    if (c == '"') line.append(backslashes + 1, '\\');
    backslashes = c == '\\' ? backslashes + 1 : 0;
    line += c;
  }
  line.append(backslashes, '\\') += '"';
}

void drain(HANDLE pipe, std::string& text) {
  char buffer[16384];
  DWORD count = 0;
  while (ReadFile(pipe, buffer, sizeof buffer, &count, nullptr) != 0 && count != 0)
    text.append(buffer, count);
}

}  // namespace

ProcessResult runProcess(const std::vector<std::string>& arguments, const std::string& folder,
                         int limitSeconds, const std::string& input) {
  ProcessResult result;
  std::string line;
  for (const std::string& argument : arguments) appendWord(argument, line);
  std::wstring wide = toWide(line);
  Handle out, err, process, thread;
  {
    // Handles that one process inherits must not be inherited by another one that starts in the meantime.
    static std::mutex starting;
    const std::lock_guard<std::mutex> hold(starting);
    SECURITY_ATTRIBUTES inherited{sizeof inherited, nullptr, TRUE};
    Handle outEnd, errEnd;
    CreatePipe(out.put(), outEnd.put(), &inherited, 0);
    CreatePipe(err.put(), errEnd.put(), &inherited, 0);
    SetHandleInformation(out.get(), HANDLE_FLAG_INHERIT, 0);
    SetHandleInformation(err.get(), HANDLE_FLAG_INHERIT, 0);
    const Handle in(CreateFileW(toWide(input).c_str(), GENERIC_READ, FILE_SHARE_READ, &inherited,
                                OPEN_EXISTING, 0, nullptr));
    STARTUPINFOW how{};
    how.cb = sizeof how;
    how.dwFlags = STARTF_USESTDHANDLES;
    how.hStdInput = in.get();
    how.hStdOutput = outEnd.get();
    how.hStdError = errEnd.get();
    PROCESS_INFORMATION started{};
    if (CreateProcessW(nullptr, wide.data(), nullptr, nullptr, TRUE, 0, nullptr,
                       folder.empty() ? nullptr : toWide(folder).c_str(), &how, &started) == 0) {
      result.stderrText =
          arguments[0] + ": " + std::system_category().message(static_cast<int>(GetLastError()));
      return result;
    }
    *process.put() = started.hProcess;
    *thread.put() = started.hThread;
  }
  result.started = true;
  std::thread readsOut([&] { drain(out.get(), result.stdoutText); });
  std::thread readsErr([&] { drain(err.get(), result.stderrText); });
  if (WaitForSingleObject(process.get(), static_cast<DWORD>(limitSeconds) * 1000) != WAIT_OBJECT_0) {
    result.timedOut = true;
    TerminateProcess(process.get(), 1);
    WaitForSingleObject(process.get(), INFINITE);
  }
  readsOut.join();
  readsErr.join();
  DWORD code = 0;
  GetExitCodeProcess(process.get(), &code);
  // An unhandled exception: error codes from 0xC0000000 on.
  if (!result.timedOut && code >= 0xC0000000u)
    result.signal = SIGSEGV;
  else if (!result.timedOut)
    result.exitCode = static_cast<int>(code);
  return result;
}

}  // namespace coopc::tests
