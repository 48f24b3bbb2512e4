// coopls: the language server for GLSL, over the standard input and output.
#include <cstdio>
#include <cstring>

#ifdef _WIN32
#include <fcntl.h>
#include <io.h>
#endif

#include "tools/coopls/server.hpp"

namespace {

constexpr const char kHelp[] =
    "coopls - a language server for GLSL (LSP 3.17)\n"
    "\n"
    "Usage: coopls [--stdio]\n"
    "\n"
    "It reads messages from the standard input and writes them to the standard output; editors start it\n"
    "(docs/coopls.md).\n"
    "\n"
    "  --stdio     the standard input and output, which is the only way; clients may say so\n"
    "  --help, -h  print this text\n"
    "  --version   print the version\n";

}  // namespace

int main(int argc, char** argv) {
  for (int n = 1; n < argc; ++n) {
    if (std::strcmp(argv[n], "--stdio") == 0) continue;
    if (std::strcmp(argv[n], "--help") == 0 || std::strcmp(argv[n], "-h") == 0)
      return std::fputs(kHelp, stdout) < 0;
    if (std::strcmp(argv[n], "--version") == 0) return std::printf("coopls %s\n", COOPC_VERSION) < 0;
    std::fprintf(stderr, "coopls: unknown option `%s`; see coopls --help\n", argv[n]);
    return 2;
  }
#ifdef _WIN32
  _setmode(_fileno(stdin), _O_BINARY);
  _setmode(_fileno(stdout), _O_BINARY);
#endif
  coopc::ls::Transport transport(stdin, stdout);
  return coopc::ls::Server(transport).run();
}
