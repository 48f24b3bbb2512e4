// Reads and writes the text form of measured maps, and looks them up in both directions.
#include "layout/measured.hpp"

#include <algorithm>
#include <charconv>
#include <set>
#include <sstream>

namespace coopc::layout {
namespace {

bool readNumber(std::string_view text, uint32_t& value) {
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  return error == std::errc() && end == text.data() + text.size();
}

// Reads "0.1,16.1". Invocations must be below the number that the matrix declares.
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

  // The rule that a line breaks, if any.
  std::optional<Broken> line(const std::string& text) {
    ++number_;
    std::istringstream words(text);
    std::string key;
    if (!(words >> key) || key[0] == '#') return std::nullopt;
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
      return Broken{Rule::MeasuredKeyword, {number_}};
    }
    return std::nullopt;
  }

  std::optional<Broken> end() {
    ++number_;
    if (device_.matrices.empty()) return Broken{Rule::MeasuredEmpty};
    return isOpen() ? std::optional(makeUnfinished()) : std::nullopt;
  }

 private:
  // The previous matrix lacks rows.
  bool isOpen() const {
    return !device_.matrices.empty() &&
           device_.matrices.back().owners.size() < elements(device_.matrices.back());
  }
  Broken makeUnfinished() const {
    const MeasuredMatrix& m = device_.matrices.back();
    return {Rule::MeasuredUnfinished,
            {number_, static_cast<int64_t>(m.owners.size()), static_cast<int64_t>(elements(m))}};
  }

  std::optional<Broken> matrix(std::istringstream& words) {
    if (isOpen()) return makeUnfinished();
    MeasuredMatrix m;
    words >> m.type >> m.use >> m.scope >> m.rows >> m.columns >> m.invocations;
    if (!words || m.rows == 0 || m.columns == 0 || m.invocations == 0)
      return Broken{Rule::MeasuredHeader, {number_}};
    total_ += elements(m);
    if (elements(m) > kMaxMeasuredElements || total_ > kMaxMeasuredElements)
      return Broken{Rule::MeasuredTooLarge, {number_, static_cast<int64_t>(kMaxMeasuredElements)}};
    m.verified = verified_;
    held_.clear();
    device_.matrices.push_back(std::move(m));
    return std::nullopt;
  }

  std::optional<Broken> row(const std::string& text) {
    MeasuredMatrix& m = device_.matrices.back();
    std::istringstream words(text);
    int64_t count = 0;
    for (std::string word; words >> word;) {
      if (++count > m.columns) continue;
      std::vector<Holder>& owners = m.owners.emplace_back();
      if (!readOwners(word, m.invocations, owners))
        return Broken{Rule::MeasuredOwner, {number_, count, m.invocations}};
      for (const Holder& owner : owners) {
        if (!held_.emplace(owner.invocation, owner.component).second)
          return Broken{Rule::MeasuredTwice, {number_, owner.invocation, owner.component}};
      }
    }
    if (count != m.columns) return Broken{Rule::MeasuredRow, {number_, count, m.columns}};
    return std::nullopt;
  }

  MeasuredDevice& device_;
  std::string verified_;
  uint64_t total_ = 0;
  int64_t number_ = 0;
  std::set<std::pair<uint32_t, uint32_t>> held_;  // of the matrix that is being read
};

std::optional<Broken> invocationBroken(const MeasuredMatrix& m, int64_t invocation) {
  if (invocation >= 0 && invocation < m.invocations) return std::nullopt;
  return Broken{Rule::MeasuredInvocation, {invocation, m.invocations}};
}

}  // namespace

// The words of the line that begins a matrix in the text form, so not describe() of spirv/matrix_type.hpp,
// which layout/ may not use either.
std::string MeasuredMatrix::name() const {
  return type + " " + use + " " + scope + " " + std::to_string(rows) + " x " + std::to_string(columns) +
         " over " + std::to_string(invocations);
}

uint32_t MeasuredMatrix::components() const {
  uint32_t last = 0;
  for (const std::vector<Holder>& holders : owners) {
    for (const Holder& holder : holders) last = std::max(last, holder.component);
  }
  return last == UINT32_MAX ? last : last + 1;
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

std::optional<Broken> read(std::string_view text, MeasuredDevice& device) {
  MeasuredDeviceReader reader(device);
  std::istringstream in{std::string(text)};
  for (std::string line; std::getline(in, line);) {
    if (const std::optional<Broken> broken = reader.line(line)) return broken;
  }
  return reader.end();
}

Answer<std::vector<Holder>> ownersOf(const MeasuredMatrix& m, int64_t row, int64_t column) {
  if (row < 0 || row >= m.rows || column < 0 || column >= m.columns)
    return {Rule::MeasuredElement, {row, column, m.rows, m.columns}};
  return m.owners[static_cast<size_t>(row * m.columns + column)];
}

Answer<MeasuredElement> elementOf(const MeasuredMatrix& m, int64_t invocation, int64_t component) {
  if (const std::optional<Broken> broken = invocationBroken(m, invocation)) return *broken;
  for (size_t i = 0; i < m.owners.size(); ++i) {
    for (const Holder& owner : m.owners[i]) {
      if (owner.invocation == invocation && owner.component == component)
        return MeasuredElement{static_cast<uint32_t>(i / m.columns), static_cast<uint32_t>(i % m.columns)};
    }
  }
  return {Rule::MeasuredComponent, {invocation, component}};
}

std::vector<std::optional<MeasuredElement>> elementsByOwner(const MeasuredMatrix& m) {
  const uint64_t size = uint64_t{m.components()} * m.invocations;
  std::vector<std::optional<MeasuredElement>> table;
  if (size > kMaxMeasuredElements) return table;
  table.resize(size);
  for (size_t i = 0; i < m.owners.size(); ++i) {
    for (const Holder& owner : m.owners[i])
      table[uint64_t{owner.component} * m.invocations + owner.invocation] =
          MeasuredElement{static_cast<uint32_t>(i / m.columns), static_cast<uint32_t>(i % m.columns)};
  }
  return table;
}

}  // namespace coopc::layout
