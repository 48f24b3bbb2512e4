// coopls: the language server for GLSL, over the standard input and output or a socket.
#include <cstdio>
#include <string>

#include "tools/common/module_program.hpp"
#include "tools/coopls/server.hpp"
#include "tools/coopls/socket.hpp"
#include "tools/coopls/stream_transport.hpp"

namespace {

#define COOPC_OPTIONS "tools/coopls/options.def"
#include "tools/common/option_table.inc"

constexpr const char kHelpStart[] =
    "coopls - a language server for GLSL (LSP 3.17)\n"
    "\n"
    "Usage: coopls [option...]\n"
    "\n"
    "Editors start it (docs/coopls.md).\n"
    "\n";
constexpr const char kHelpEnd[] =
    "\n"
    "Exit code: 0 after the client's `shutdown`, 1 without, 2 for wrong usage or a socket that does not "
    "open.\n";

int fail(const std::string& message) {
  std::fprintf(stderr, "coopls: %s\n", message.c_str());
  return 2;
}

// Prints what an option requests instead of serving.
int show(Id option) {
  switch (option) {
    case Id::Version: return std::printf("coopls %s\n", COOPC_VERSION) < 0;
    case Id::OptionsMarkdown: return std::fputs(coopc::tool::markdownOf(kOptions).c_str(), stdout) < 0;
    default: return std::fputs((kHelpStart + coopc::tool::helpOf(kOptions) + kHelpEnd).c_str(), stdout) < 0;
  }
}

bool shows(Id option) {
  return option == Id::Help || option == Id::HelpShort || option == Id::Version ||
         option == Id::OptionsMarkdown;
}

}  // namespace

int main(int argc, char** argv) {
  std::string fault, place;
  bool listens = false;
  Id shown = Id::Help;
  const coopc::tool::Walked walked = coopc::tool::walkProgram(
      kOptions, argc, argv, fault,
      [](std::string_view text) { return "unexpected argument: `" + std::string(text) + "`"; },
      [&](size_t row) {
        shown = Id(row);
        return shows(shown);
      },
      [&](size_t row, const std::string& value) -> std::string {
        if (Id(row) != Id::Socket && Id(row) != Id::Listen) return {};
        if (!place.empty()) return "--socket and --listen exclude each other";
        place = value;
        listens = Id(row) == Id::Listen;
        return value.empty() ? "a socket has a port" : std::string();
      });
  if (walked == coopc::tool::Walked::Stopped)
    return std::fflush(stdout) != 0 || show(shown) != 0 || std::fflush(stdout) != 0 ? 1 : 0;
  if (walked == coopc::tool::Walked::Wrong) return fail(fault + "; see coopls --help");

  coopc::ls::Streams streams;
  if (!place.empty()) {
    if (const std::string why = coopc::ls::openSocket(place, listens, streams); !why.empty())
      return fail(place + ": " + why);
  }
  coopc::ls::StreamTransport transport(streams);
  // With --listen, any program on this machine may have connected, so the client is not trusted.
  return coopc::ls::Server(transport, !listens).run();
}
