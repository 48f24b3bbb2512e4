// The base protocol of LSP 3.17.
#include "tools/coopls/transport.hpp"

#include <charconv>
#include <string_view>

namespace coopc::ls {

std::optional<std::string> Transport::read() {
  for (;;) {
    size_t length = 0;
    bool known = false;
    for (std::string line;;) {
      line.clear();
      int c = 0;
      while ((c = std::getc(in_)) != EOF && c != '\n' && line.size() < 4096)
        line.push_back(static_cast<char>(c));
      if (c == EOF) return std::nullopt;
      if (!line.empty() && line.back() == '\r') line.pop_back();
      if (line.empty()) break;
      constexpr std::string_view kName = "Content-Length:";
      if (line.size() <= kName.size() || std::string_view(line).substr(0, kName.size()) != kName) continue;
      const size_t digits = line.find_first_not_of(' ', kName.size());
      if (digits == std::string::npos) return std::nullopt;
      const auto [end, fault] = std::from_chars(line.data() + digits, line.data() + line.size(), length);
      if (fault != std::errc() || end != line.data() + line.size()) return std::nullopt;
      known = true;
    }
    if (!known) continue;
    if (length > kLongest) {
      for (size_t n = 0; n < length; ++n)
        if (std::getc(in_) == EOF) return std::nullopt;
      continue;
    }
    std::string body(length, '\0');
    if (std::fread(body.data(), 1, length, in_) != length) return std::nullopt;
    return body;
  }
}

void Transport::write(const nlohmann::json& message) {
  // Names of a program may have any bytes.
  const std::string body = message.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
  std::fprintf(out_, "Content-Length: %zu\r\n\r\n", body.size());
  std::fwrite(body.data(), 1, body.size(), out_);
  std::fflush(out_);
}

}  // namespace coopc::ls
