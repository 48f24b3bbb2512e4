// A process drops the privileges that a compile does not need, which limits what a hostile text can do with a
// defect: system calls by seccomp, files by Landlock. Only on Linux; elsewhere it fails.
#pragma once

#include <string>
#include <vector>

#if defined(__linux__) && (defined(__x86_64__) || defined(__aarch64__))
#define COOPC_HAS_SANDBOX 1
#include <cerrno>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <fcntl.h>
#include <initializer_list>
#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>
#include <utility>
// Linux' headers before 5.13 have no Landlock; the sandbox without any file needs none.
#if __has_include(<linux/landlock.h>) && defined(SYS_landlock_create_ruleset)
#define COOPC_HAS_LANDLOCK 1
#include <linux/landlock.h>
#else
#define COOPC_HAS_LANDLOCK 0
#endif
#else
#define COOPC_HAS_SANDBOX 0
#endif

namespace coopc {

/// The files that a process may still open. Files that are already open stay open.
struct SandboxFiles {
  std::vector<std::string> read;   ///< files, and folders with all that is in them
  std::vector<std::string> write;  ///< the same; files may be made there
};

#if COOPC_HAS_SANDBOX

namespace sandbox_detail {

#if COOPC_HAS_LANDLOCK

/// Rights that older headers do not name: to link or rename into other folders, and to truncate a file.
constexpr uint64_t kRefer = uint64_t{1} << 13, kTruncate = uint64_t{1} << 14;

/// The rights that a version of Landlock's interface can take away. Others stay.
inline uint64_t handledRights(long version) {
  uint64_t rights = (LANDLOCK_ACCESS_FS_MAKE_SYM << 1) - 1;  // the bits of version 1 end with this one
  if (version >= 2) rights |= kRefer;
  if (version >= 3) rights |= kTruncate;
  return rights;
}

/// "" or the reason. A path that is not there gives no right: opening it fails anyway.
inline std::string allow(int ruleset, const std::string& path, uint64_t rights) {
  const int place = open(path.c_str(), O_PATH | O_CLOEXEC);
  if (place < 0) return {};
  struct stat info {};
  constexpr uint64_t kOfFiles = LANDLOCK_ACCESS_FS_READ_FILE | LANDLOCK_ACCESS_FS_WRITE_FILE | kTruncate;
  if (fstat(place, &info) == 0 && !S_ISDIR(info.st_mode)) rights &= kOfFiles;
  landlock_path_beneath_attr rule{};
  rule.allowed_access = rights;
  rule.parent_fd = place;
  const long added = syscall(SYS_landlock_add_rule, ruleset, LANDLOCK_RULE_PATH_BENEATH, &rule, 0);
  const std::string why = added == 0 ? "" : "'" + path + "': " + std::strerror(errno);
  close(place);
  return why;
}

inline std::string restrictFiles(const SandboxFiles& files) {
  const long version = syscall(SYS_landlock_create_ruleset, nullptr, 0, LANDLOCK_CREATE_RULESET_VERSION);
  if (version < 1) return "this kernel has no Landlock (CONFIG_SECURITY_LANDLOCK, Linux 5.13)";
  landlock_ruleset_attr all{};
  all.handled_access_fs = handledRights(version);
  const int ruleset = int(syscall(SYS_landlock_create_ruleset, &all, sizeof all, 0));
  if (ruleset < 0) return std::string("Landlock: ") + std::strerror(errno);
  constexpr uint64_t kRead = LANDLOCK_ACCESS_FS_READ_FILE | LANDLOCK_ACCESS_FS_READ_DIR;
  constexpr uint64_t kWrite = LANDLOCK_ACCESS_FS_WRITE_FILE | LANDLOCK_ACCESS_FS_MAKE_REG | kTruncate;
  std::string why;
  for (const std::string& path : files.read)
    if (why.empty()) why = allow(ruleset, path, kRead & all.handled_access_fs);
  for (const std::string& path : files.write)
    if (why.empty()) why = allow(ruleset, path, kWrite & all.handled_access_fs);
  if (why.empty() && syscall(SYS_landlock_restrict_self, ruleset, 0) != 0) why = std::strerror(errno);
  close(ruleset);
  return why.empty() ? why : "Landlock: " + why;
}

#else

inline std::string restrictFiles(const SandboxFiles&) {
  return "this program was built without Landlock (Linux 5.13)";
}

#endif

/// A filter of system calls: those named, of this architecture, pass; any other ends the process.
class CallFilter {
 public:
  CallFilter() {
    load(offsetof(seccomp_data, arch));
#ifdef __x86_64__
    passIfEqual(AUDIT_ARCH_X86_64);
#else
    passIfEqual(AUDIT_ARCH_AARCH64);
#endif
    load(offsetof(seccomp_data, nr));
  }
  void allow(long number) {
    add(BPF_JMP | BPF_JEQ | BPF_K, uint32_t(number), 0, 1);
    add(BPF_RET | BPF_K, SECCOMP_RET_ALLOW);
  }
  /// The call passes if argument `n` has none of the bits `mask`.
  void allowWithout(long number, unsigned n, uint32_t mask) {
    add(BPF_JMP | BPF_JEQ | BPF_K, uint32_t(number), 0, 4);
    load(argument(n));
    add(BPF_JMP | BPF_JSET | BPF_K, mask, 1, 0);
    add(BPF_RET | BPF_K, SECCOMP_RET_ALLOW);
    kill();
  }
  /// The call passes if each of these arguments, by number, is its value in all 64 bits.
  void allowWith(long number, std::initializer_list<std::pair<unsigned, uint64_t>> wanted) {
    size_t halves = 2 * wanted.size();  // that are still to be compared, by two instructions each
    add(BPF_JMP | BPF_JEQ | BPF_K, uint32_t(number), 0, uint8_t(2 * halves + 2));
    for (const auto& [n, value] : wanted) {
      for (const unsigned half : {0u, 1u}) {
        load(argument(n) + half * sizeof(uint32_t));  // both architectures have the lower one first
        --halves;
        add(BPF_JMP | BPF_JEQ | BPF_K, uint32_t(value >> 32 * half), 0, uint8_t(2 * halves + 1));
      }
    }
    add(BPF_RET | BPF_K, SECCOMP_RET_ALLOW);
    kill();
  }
  std::string install() {
    kill();
    sock_fprog program{};
    program.len = static_cast<unsigned short>(code_.size());
    program.filter = code_.data();
    if (prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program, 0, 0) == 0) return {};
    return std::string("seccomp: ") + std::strerror(errno);
  }

 private:
  void add(int code, uint32_t value, uint8_t then = 0, uint8_t otherwise = 0) {
    code_.push_back({static_cast<uint16_t>(code), then, otherwise, value});
  }
  static uint32_t argument(unsigned n) {
    return uint32_t(offsetof(seccomp_data, args) + n * sizeof(uint64_t));
  }
  void load(size_t offset) { add(BPF_LD | BPF_W | BPF_ABS, uint32_t(offset)); }
  void passIfEqual(uint32_t value) {
    add(BPF_JMP | BPF_JEQ | BPF_K, value, 1, 0);
    kill();
  }
  void kill() { add(BPF_RET | BPF_K, SECCOMP_RET_KILL_PROCESS); }

  std::vector<sock_filter> code_;
};

inline std::string restrictCalls(bool files) {
  CallFilter filter;
  // Most frequent first.
  for (const long number :
       {SYS_read,   SYS_write,        SYS_close,          SYS_fstat,         SYS_brk,       SYS_munmap,
        SYS_mremap, SYS_madvise,      SYS_lseek,          SYS_readv,         SYS_writev,    SYS_pread64,
        SYS_futex,  SYS_rt_sigreturn, SYS_rt_sigprocmask, SYS_clock_gettime, SYS_getrandom, SYS_getpid,
        SYS_gettid, SYS_exit,         SYS_exit_group})
    filter.allow(number);
  // No new executable memory: the protection argument of mmap and mprotect.
  filter.allowWithout(SYS_mmap, 2, PROT_EXEC);
  filter.allowWithout(SYS_mprotect, 2, PROT_EXEC);
  filter.allowWith(SYS_ioctl, {{1, TCGETS}});  // whether a stream is a terminal
  // Only reads limits of this process (argument 0); a new limit (argument 2) would set them.
  filter.allowWith(SYS_prlimit64, {{0, 0}, {2, 0}});
  if (files) {
    for (const long number : {SYS_openat, SYS_newfstatat, SYS_statx, SYS_readlinkat, SYS_faccessat})
      filter.allow(number);
#ifdef __x86_64__
    for (const long number : {SYS_open, SYS_stat, SYS_lstat, SYS_readlink, SYS_access}) filter.allow(number);
#endif
  }
  return filter.install();
}

}  // namespace sandbox_detail

/// Enters the sandbox, which the process cannot leave. It can then allocate memory, read and write files that
/// are open, open `files`, and end; any other system call, such as one that starts a process, ends it by
/// SIGSYS. nullptr: it can open no file. Other threads that run already are not in the sandbox. Returns "",
/// or why it cannot be entered.
inline std::string enterSandbox(const SandboxFiles* files) {
  if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0) return std::strerror(errno);
  if (files != nullptr) {
    if (std::string why = sandbox_detail::restrictFiles(*files); !why.empty()) return why;
  }
  return sandbox_detail::restrictCalls(files != nullptr);
}

#else

inline std::string enterSandbox(const SandboxFiles*) { return "there is none on this system"; }

#endif

}  // namespace coopc
