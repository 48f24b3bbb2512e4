// Reads and writes the text form of measured maps.
#include "layout/measured.hpp"

#include <charconv>
#include <sstream>

namespace coopc::layout {
namespace {

bool readNumber(std::string_view text, uint32_t& value) {
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  return error == std::errc() && end == text.data() + text.size();
}

// "0.1,16.1": invocations below the matrix's number.
bool readOwners(const std::string& word, uint32_t invocations, std::vector<Holder>& owners) {
  std::istringstream parts(word);
  for (std::string part; std::getline(parts, part, ',');) {
    const size_t dot = part.find('.');
    Holder owner;
    if (dot == std::string::npos || !readNumber(std::string_view(part).substr(0, dot), owner.invocation) ||
        !readNumber(std::string_view(part).substr(dot + 1), owner.component) ||
        owner.invocation >= invocations)
      return false;
    owners.push_back(owner);
  }
  return !owners.empty();
}

uint64_t elements(const MeasuredMatrix& m) { return uint64_t{m.rows} * m.columns; }

class MeasuredDeviceReader {
 public:
  explicit MeasuredDeviceReader(MeasuredDevice& device) : device_(device) {}

  // False: the line is not of the form.
  bool line(const std::string& text) {
    std::istringstream words(text);
    std::string key;
    if (!(words >> key) || key[0] == '#') return true;
    const auto rest = [&] {
      std::string value;
      std::getline(words >> std::ws, value);
      return value;
    };
    if (key == "matrix") return matrix(words);
    if (isOpen()) return row(text);
    if (key == "device") {
      device_.device = rest();
    } else if (key == "driver") {
      device_.driver = rest();
    } else if (key == "verified") {
      verified_ = rest();
    } else {
      return false;
    }
    return true;
  }

  // A matrix still lacks rows.
  bool isOpen() const {
    return !device_.matrices.empty() &&
           device_.matrices.back().owners.size() < elements(device_.matrices.back());
  }

 private:
  bool matrix(std::istringstream& words) {
    if (isOpen()) return false;
    MeasuredMatrix m;
    words >> m.type >> m.use >> m.scope >> m.rows >> m.columns >> m.invocations;
    if (!words || m.rows == 0 || m.columns == 0) return false;
    total_ += elements(m);
    if (elements(m) > kMaxMeasuredElements || total_ > kMaxMeasuredElements) return false;
    m.verified = verified_;
    device_.matrices.push_back(std::move(m));
    return true;
  }

  bool row(const std::string& text) {
    MeasuredMatrix& m = device_.matrices.back();
    const size_t before = m.owners.size();
    std::istringstream words(text);
    for (std::string word; words >> word;) {
      if (m.owners.size() == before + m.columns) return false;
      if (!readOwners(word, m.invocations, m.owners.emplace_back())) return false;
    }
    return m.owners.size() == before + m.columns;
  }

  MeasuredDevice& device_;
  std::string verified_;
  uint64_t total_ = 0;
};

}  // namespace

std::string MeasuredMatrix::name() const {
  return type + " " + use + " " + scope + " " + std::to_string(rows) + " x " + std::to_string(columns) +
         " over " + std::to_string(invocations);
}

std::string print(const std::vector<Holder>& owners) {
  std::string text;
  for (const Holder& owner : owners) {
    if (!text.empty()) text += ',';
    text += std::to_string(owner.invocation) + "." + std::to_string(owner.component);
  }
  return text;
}

std::string print(const MeasuredDevice& device) {
  std::string text = "device " + device.device + "\ndriver " + device.driver + "\n";
  const std::string* verified = nullptr;
  for (const MeasuredMatrix& m : device.matrices) {
    if (verified == nullptr || *verified != m.verified) text += "verified " + m.verified + "\n";
    verified = &m.verified;
    text += "matrix " + m.type + " " + m.use + " " + m.scope + " " + std::to_string(m.rows) + " " +
            std::to_string(m.columns) + " " + std::to_string(m.invocations) + "\n";
    for (size_t i = 0; i < m.owners.size(); ++i)
      text += print(m.owners[i]) + ((i + 1) % m.columns == 0 ? "\n" : " ");
  }
  return text;
}

std::optional<std::string> read(std::string_view text, MeasuredDevice& device) {
  MeasuredDeviceReader reader(device);
  uint32_t number = 0;
  std::istringstream in{std::string(text)};
  for (std::string line; std::getline(in, line);) {
    ++number;
    if (!reader.line(line)) return "line " + std::to_string(number) + " is not of the form: " + line;
  }
  if (device.matrices.empty()) return "there is no matrix";
  if (reader.isOpen()) return "the last matrix lacks rows";
  return std::nullopt;
}

}  // namespace coopc::layout
