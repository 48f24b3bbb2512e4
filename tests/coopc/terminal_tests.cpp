// --batch on a terminal: the line that says how far it is.
#include <fcntl.h>
#include <poll.h>
#include <string>
#include <unistd.h>

#include <catch2/catch_test_macros.hpp>

#include "tests/coopc/folder.hpp"

using namespace coopc::tests;

TEST_CASE("batch: a line on a terminal says how far it is, and goes") {
  const Folder f;
  f.write("a.comp", "#version 450\nvoid main() {}\n");
  f.write("bad.comp", "#version 450\nvoid main() {\n  int a = 09;\n}\n");
  f.write("list.txt", "a.comp -o 1\nbad.comp -o 2\na.comp -O -o 3\n");
  const int terminal = posix_openpt(O_RDWR | O_NOCTTY);
  if (terminal < 0) SKIP("no pseudo terminals here: is /dev/pts mounted?");
  REQUIRE(grantpt(terminal) == 0);
  REQUIRE(unlockpt(terminal) == 0);
  const std::string name = ptsname(terminal);
  const int kept = open(name.c_str(), O_RDWR | O_NOCTTY);
  REQUIRE(kept >= 0);
  const ProcessResult r = f.shell("TERM=xterm '" COOPC_PROGRAM "' --batch list.txt 2>" + name);
  CHECK(r.exitCode == 1);
  std::string shown;
  struct pollfd poller {
    terminal, POLLIN, 0
  };
  while (poll(&poller, 1, 200) > 0) {
    char buffer[4096];
    const ssize_t n = read(terminal, buffer, sizeof buffer);
    if (n <= 0) break;
    shown.append(buffer, static_cast<size_t>(n));
  }
  close(kept);
  close(terminal);
  CHECK(shown.find("/3] ") != std::string::npos);
  CHECK(shown.find("\r\x1b[K") != std::string::npos);
  CHECK(shown.find("1 of 3 jobs failed") > shown.rfind("/3] "));
}
