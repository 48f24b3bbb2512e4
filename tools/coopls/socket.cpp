// Sockets on POSIX systems. On Windows, editors use the standard streams.
#include "tools/coopls/socket.hpp"

#ifdef _WIN32

namespace coopc::ls {

std::string openSocket(const std::string&, bool, Streams&) { return "there are no sockets on this system"; }

}  // namespace coopc::ls

#else

#include <cerrno>
#include <charconv>
#include <csignal>
#include <cstdint>
#include <cstring>
#include <fcntl.h>
#include <memory>
#include <netdb.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <unistd.h>

namespace coopc::ls {

namespace {

#ifdef SOCK_CLOEXEC
constexpr int kCloseOnExec = SOCK_CLOEXEC;
#else
constexpr int kCloseOnExec = 0;
#endif

// Whether only programs on this machine can reach an address.
bool isLoopback(const addrinfo& at) {
  if (at.ai_family == AF_INET) {
    sockaddr_in v4{};
    std::memcpy(&v4, at.ai_addr, sizeof v4);
    return ntohl(v4.sin_addr.s_addr) >> 24 == 127;
  }
  if (at.ai_family != AF_INET6) return false;
  sockaddr_in6 v6{};
  std::memcpy(&v6, at.ai_addr, sizeof v6);
  return std::memcmp(&v6.sin6_addr, &in6addr_loopback, sizeof v6.sin6_addr) == 0;
}

// Opens a connection, or returns -1 with errno. Programs that the server starts do not inherit it.
int open(const addrinfo& at, bool listens) {
  const int one = socket(at.ai_family, at.ai_socktype | kCloseOnExec, at.ai_protocol);
  if (one < 0) return -1;
  fcntl(one, F_SETFD, FD_CLOEXEC);
  int connection = -1;
  if (!listens) {
    if (connect(one, at.ai_addr, at.ai_addrlen) == 0) return one;
  } else {
    const int on = 1;
    setsockopt(one, SOL_SOCKET, SO_REUSEADDR, &on, sizeof on);
    if (bind(one, at.ai_addr, at.ai_addrlen) == 0 && listen(one, 1) == 0) {
      do {
        connection = accept(one, nullptr, nullptr);
      } while (connection < 0 && errno == EINTR);
      if (connection >= 0) fcntl(connection, F_SETFD, FD_CLOEXEC);
    }
  }
  const int kept = errno;
  close(one);
  errno = kept;
  return connection;
}

}  // namespace

std::string openSocket(const std::string& place, bool listens, Streams& streams) {
  const size_t colon = place.rfind(':');
  std::string host = colon == std::string::npos ? "127.0.0.1" : place.substr(0, colon);
  const std::string port = colon == std::string::npos ? place : place.substr(colon + 1);
  if (host.size() > 2 && host.front() == '[' && host.back() == ']') host = host.substr(1, host.size() - 2);
  uint16_t number = 0;
  const auto [end, wrong] = std::from_chars(port.data(), port.data() + port.size(), number);
  if (wrong != std::errc() || end != port.data() + port.size() || number == 0)
    return "a port is a number from 1 to 65535";
  addrinfo wanted{};
  wanted.ai_socktype = SOCK_STREAM;
  wanted.ai_flags = AI_NUMERICSERV;
  addrinfo* found = nullptr;
  if (const int fault = getaddrinfo(host.c_str(), port.c_str(), &wanted, &found); fault != 0)
    return gai_strerror(fault);
  const std::unique_ptr<addrinfo, decltype(&freeaddrinfo)> owner(found, &freeaddrinfo);
  std::signal(SIGPIPE, SIG_IGN);  // a client that has gone ends the input instead
  for (const addrinfo* at = found; listens && at != nullptr; at = at->ai_next)
    if (!isLoopback(*at)) return "clients of other machines are not waited for: only loopback addresses are";
  for (const addrinfo* at = found; at != nullptr; at = at->ai_next) {
    const int connection = open(*at, listens);
    if (connection < 0) continue;
    streams = {connection, connection};
    return {};
  }
  return std::strerror(errno);
}

}  // namespace coopc::ls

#endif
