// TCP sockets for the server: one connection, made to a client or by it.
#pragma once

#include <string>

#include "tools/coopls/stream_transport.hpp"

namespace coopc::ls {

/// Opens `[HOST:]PORT`: connects to a client that listens there, or, with `listens`, waits for a client to
/// connect, on a loopback address only. Returns "", or why there is no connection.
std::string openSocket(const std::string& place, bool listens, Streams& streams);

}  // namespace coopc::ls
