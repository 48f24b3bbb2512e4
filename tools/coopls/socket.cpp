// Sockets of POSIX systems; on Windows editors use the standard streams.
#include "tools/coopls/socket.hpp"

#ifdef _WIN32

namespace coopc::ls {

std::string openSocket(const std::string&, bool, Streams&) { return "there are no sockets on this system"; }

}  // namespace coopc::ls

#else

#include <cerrno>
#include <csignal>
#include <cstring>
#include <memory>
#include <netdb.h>
#include <sys/socket.h>
#include <unistd.h>

namespace coopc::ls {

namespace {

// A connection, or -1 with errno.
int open(const addrinfo& at, bool listens) {
  const int one = socket(at.ai_family, at.ai_socktype, at.ai_protocol);
  if (one < 0) return -1;
  int connection = -1;
  if (!listens) {
    if (connect(one, at.ai_addr, at.ai_addrlen) == 0) return one;
  } else {
    const int on = 1;
    setsockopt(one, SOL_SOCKET, SO_REUSEADDR, &on, sizeof on);
    if (bind(one, at.ai_addr, at.ai_addrlen) == 0 && listen(one, 1) == 0)
      connection = accept(one, nullptr, nullptr);
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
  addrinfo wanted{};
  wanted.ai_socktype = SOCK_STREAM;
  wanted.ai_flags = AI_NUMERICSERV;
  addrinfo* found = nullptr;
  if (const int fault = getaddrinfo(host.c_str(), port.c_str(), &wanted, &found); fault != 0)
    return gai_strerror(fault);
  const std::unique_ptr<addrinfo, decltype(&freeaddrinfo)> owner(found, &freeaddrinfo);
  std::signal(SIGPIPE, SIG_IGN);  // a client that is gone ends the input
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
