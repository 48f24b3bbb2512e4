// Conversion between byte offsets and positions. Bytes that are not UTF-8 count as one character each.
#include "tools/coopls/positions.hpp"

#include <algorithm>

namespace coopc::ls {

namespace {

// The number of bytes of the character that begins with `first`; 1 if no character begins with it.
uint32_t bytesOf(unsigned char first) {
  return first < 0xC2 ? 1 : first < 0xE0 ? 2 : first < 0xF0 ? 3 : first < 0xF5 ? 4 : 1;
}

uint32_t characterAt(std::string_view text, size_t at) {
  const uint32_t bytes = bytesOf(static_cast<unsigned char>(text[at]));
  if (at + bytes > text.size()) return 1;
  for (uint32_t n = 1; n < bytes; ++n)
    if ((static_cast<unsigned char>(text[at + n]) & 0xC0) != 0x80) return 1;
  return bytes;
}

uint32_t unitsOf(Encoding encoding, uint32_t bytes) {
  return encoding == Encoding::Utf8 ? bytes : encoding == Encoding::Utf16 && bytes == 4 ? 2 : 1;
}

}  // namespace

std::string_view encodingName(Encoding encoding) {
  return encoding == Encoding::Utf8 ? "utf-8" : encoding == Encoding::Utf16 ? "utf-16" : "utf-32";
}

Encoding chooseEncoding(const nlohmann::json& params) {
  const nlohmann::json::json_pointer at("/capabilities/general/positionEncodings");
  if (params.is_object() && params.contains(at) && params.at(at).is_array())
    for (const nlohmann::json& name : params.at(at))
      for (const Encoding encoding : {Encoding::Utf8, Encoding::Utf16, Encoding::Utf32})
        if (name == encodingName(encoding)) return encoding;
  return Encoding::Utf16;
}

LineIndex::LineIndex(std::string_view text, Encoding encoding) : text_(text), encoding_(encoding), lines_{0} {
  for (size_t at = 0; at < text.size(); ++at)
    if (text[at] == '\n' || (text[at] == '\r' && (at + 1 == text.size() || text[at + 1] != '\n')))
      lines_.push_back(static_cast<uint32_t>(at + 1));
}

uint32_t LineIndex::units(std::string_view bytes) const {
  if (encoding_ == Encoding::Utf8) return static_cast<uint32_t>(bytes.size());
  uint32_t count = 0;
  for (size_t at = 0; at < bytes.size();) {
    const uint32_t width = characterAt(bytes, at);
    count += unitsOf(encoding_, width);
    at += width;
  }
  return count;
}

uint32_t LineIndex::offset(const nlohmann::json& position) const {
  const auto number = [&](const char* name) {
    const auto found = position.find(name);
    return found != position.end() && found->is_number_unsigned() ? found->get<uint64_t>() : uint64_t(0);
  };
  const uint64_t line = number("line");
  if (line >= lines_.size()) return static_cast<uint32_t>(text_.size());
  uint32_t at = lines_[line];
  for (uint64_t left = number("character"); left > 0 && at < text_.size();) {
    if (text_[at] == '\n' || text_[at] == '\r') break;
    const uint32_t bytes = encoding_ == Encoding::Utf8 ? 1 : characterAt(text_, at);
    left -= std::min<uint64_t>(left, unitsOf(encoding_, bytes));
    at += bytes;
  }
  return at;
}

nlohmann::json LineIndex::position(uint32_t offset) const {
  offset = std::min(offset, static_cast<uint32_t>(text_.size()));
  const size_t line = static_cast<size_t>(std::ranges::upper_bound(lines_, offset) - lines_.begin()) - 1;
  if (last_.offset < lines_[line] || last_.offset > offset) last_ = {lines_[line], 0};
  last_ = {offset, last_.units + units(text_.substr(last_.offset, offset - last_.offset))};
  return {{"line", line}, {"character", last_.units}};
}

nlohmann::json LineIndex::range(uint32_t begin, uint32_t end) const {
  return {{"start", position(begin)}, {"end", position(std::max(begin, end))}};
}

}  // namespace coopc::ls
