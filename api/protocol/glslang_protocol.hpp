// The protocol of coopc and its helper coopc-glslang over a socket (the helper's standard input): frames of a
// kind, a size and a payload. The helper announces its version of the protocol as soon as it runs (Hello).
// The compiler sends a request. Before it sends the result, the helper may ask for included files, one at a
// time; the compiler answers each question at once. Both programs come from one build, so numbers are in the
// machine's own representation.
#pragma once

#include <cerrno>
#include <cstdint>
#include <cstring>
#include <string>
#include <string_view>
#include <sys/socket.h>
#include <vector>

namespace coopc::glslang_protocol {

constexpr uint32_t kVersion = 3;
constexpr uint32_t kMaxFrame = 1u << 30;

enum class Frame : uint32_t { Request = 1, IncludeAsk, IncludeReply, Result, Hello };
enum class Status : uint32_t { Done, Failed, ExtensionsUnknown };
enum class Severity : uint32_t { Warning, Error };
enum class Output : uint32_t {
  Module,
  Preprocessed,
  Check,  ///< makes no module; for OpenGL, GLSL's own rules apply, and not SPIR-V's
};

/// Flags of a request.
enum Flag : uint32_t {
  kDebugInfo = 1,
  kAutoBindUniforms = 2,
  kAutoMapLocations = 4,
  kNanClamp = 16,
  kHlslOffsets = 32,
  kCombinedImageSampler = 128,
  kForcedEs = 256,
  kIncludes = 512,  ///< #include requests can be answered
};

class PayloadWriter {
 public:
  void number(uint32_t value) { bytes_.append(reinterpret_cast<const char*>(&value), sizeof value); }
  void text(std::string_view value) {
    number(static_cast<uint32_t>(value.size()));
    bytes_.append(value);
  }
  void words(const std::vector<uint32_t>& value) {
    text({reinterpret_cast<const char*>(value.data()), value.size() * sizeof(uint32_t)});
  }
  const std::string& bytes() const { return bytes_; }

 private:
  std::string bytes_;
};

/// Reads the output of a PayloadWriter. After anything that does not fit, `good` is false and all values are
/// empty.
class PayloadReader {
 public:
  explicit PayloadReader(std::string_view bytes) : bytes_(bytes) {}
  bool good() const { return good_; }
  uint32_t number() {
    uint32_t value = 0;
    if (bytes_.size() < sizeof value) {
      good_ = false;
      bytes_ = {};
      return 0;
    }
    std::memcpy(&value, bytes_.data(), sizeof value);
    bytes_.remove_prefix(sizeof value);
    return value;
  }
  std::string_view text() {
    const uint32_t size = number();
    if (size > bytes_.size()) {
      good_ = false;
      bytes_ = {};
      return {};
    }
    const std::string_view value = bytes_.substr(0, size);
    bytes_.remove_prefix(size);
    return value;
  }
  std::vector<uint32_t> words() {
    const std::string_view value = text();
    std::vector<uint32_t> out(value.size() / sizeof(uint32_t));
    if (!out.empty()) std::memcpy(out.data(), value.data(), out.size() * sizeof(uint32_t));
    return out;
  }

 private:
  std::string_view bytes_;
  bool good_ = true;
};

// Where send() has no flag against SIGPIPE, the socket has an option for it (SO_NOSIGPIPE).
#ifdef MSG_NOSIGNAL
constexpr int kNoSignal = MSG_NOSIGNAL;
#else
constexpr int kNoSignal = 0;
#endif

/// False if the other side has closed. Does not raise SIGPIPE.
inline bool sendAll(int socket, const char* data, size_t size) {
  while (size != 0) {
    const ssize_t n = ::send(socket, data, size, kNoSignal);
    if (n < 0 && errno == EINTR) continue;
    if (n <= 0) return false;
    data += n;
    size -= static_cast<size_t>(n);
  }
  return true;
}
inline bool sendFrame(int socket, Frame kind, const std::string& payload) {
  if (payload.size() > kMaxFrame) {
    errno = EMSGSIZE;
    return false;
  }
  const uint32_t head[2] = {static_cast<uint32_t>(kind), static_cast<uint32_t>(payload.size())};
  return sendAll(socket, reinterpret_cast<const char*>(head), sizeof head) &&
         sendAll(socket, payload.data(), payload.size());
}
inline bool receiveAll(int socket, char* data, size_t size) {
  while (size != 0) {
    errno = 0;  // the other side closing is not a system error
    const ssize_t n = ::recv(socket, data, size, 0);
    if (n < 0 && errno == EINTR) continue;
    if (n <= 0) return false;
    data += n;
    size -= static_cast<size_t>(n);
  }
  return true;
}
inline bool receiveFrame(int socket, Frame& kind, std::string& payload) {
  uint32_t head[2];
  if (!receiveAll(socket, reinterpret_cast<char*>(head), sizeof head) || head[1] > kMaxFrame) return false;
  kind = static_cast<Frame>(head[0]);
  payload.resize(head[1]);
  return receiveAll(socket, payload.data(), payload.size());
}

}  // namespace coopc::glslang_protocol
