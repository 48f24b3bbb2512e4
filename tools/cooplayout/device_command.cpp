// cooplayout device: the element-to-invocation map of a driver's matrices, read from a file in this form (docs/layouts.md):
//
//   device NAME
//   driver NAME AND VERSION
//   verified COMMAND THAT MEASURED WHAT FOLLOWS
//   matrix TYPE USE SCOPE ROWS COLUMNS INVOCATIONS
//   INVOCATION.COMPONENT ...        ROWS lines of COLUMNS
//
// with any number of matrices, and lines that start with # as comments. An element that several invocations hold lists them with
// commas: 0.1,16.1.
#include <algorithm>
#include <sstream>

#include "tools/cooplayout/commands.hpp"

namespace coopc::cooplayout {
namespace {

constexpr Option kOptions[] = {
    {"--list", nullptr, "the matrices of the file"},
    {"--matrix", "N", "the table of matrix N, from 0 (the default)"},
    {"--element", "R,C", "who holds an element"},
    {"--work-item", "P", "the elements that an invocation holds"},
};

struct Measured {
  std::string type;
  std::string use;
  std::string scope;
  uint32_t rows = 0;
  uint32_t columns = 0;
  uint32_t invocations = 0;
  std::vector<std::string> owners;  // row by row

  std::string name() const {
    return type + " " + use + " " + scope + " " + std::to_string(rows) + " x " + std::to_string(columns) +
           " over " + std::to_string(invocations);
  }
};

struct File {
  std::string device;
  std::string driver;
  std::string verified;
  std::vector<Measured> matrices;
};

// "0.1,16.1": invocations below the matrix's number.
bool isOwner(const std::string& word, uint32_t invocations) {
  std::istringstream parts(word);
  size_t count = 0;
  for (std::string part; std::getline(parts, part, ','); ++count) {
    const size_t dot = part.find('.');
    if (dot == std::string::npos) return false;
    const std::optional<int64_t> invocation = numberOf(std::string_view(part).substr(0, dot));
    const std::optional<int64_t> component = numberOf(std::string_view(part).substr(dot + 1));
    if (!invocation || !component || *invocation < 0 || *invocation >= invocations || *component < 0)
      return false;
  }
  return count > 0;
}

// The first wrong line, or nothing.
std::optional<std::string> read(std::istream& in, File& file) {
  uint32_t number = 0;
  for (std::string line; std::getline(in, line);) {
    ++number;
    std::istringstream words(line);
    std::string key;
    if (!(words >> key) || key[0] == '#') continue;
    const auto rest = [&] {
      std::string text;
      std::getline(words >> std::ws, text);
      return text;
    };
    const bool open =
        !file.matrices.empty() &&
        file.matrices.back().owners.size() < size_t{file.matrices.back().rows} * file.matrices.back().columns;
    bool good = true;
    if (key == "device") {
      file.device = rest();
    } else if (key == "driver") {
      file.driver = rest();
    } else if (key == "verified") {
      file.verified = rest();
    } else if (key == "matrix") {
      Measured m;
      words >> m.type >> m.use >> m.scope >> m.rows >> m.columns >> m.invocations;
      good = words && !open && m.rows > 0 && m.columns > 0 && uint64_t{m.rows} * m.columns <= kMaxCells;
      file.matrices.push_back(std::move(m));
    } else if (open) {
      Measured& m = file.matrices.back();
      const size_t before = m.owners.size();
      std::istringstream row(line);
      for (std::string word; good && row >> word; m.owners.push_back(word))
        good = isOwner(word, m.invocations);
      good = good && m.owners.size() == before + m.columns;
    } else {
      good = false;
    }
    if (!good) return "line " + std::to_string(number) + " is not of the form: " + line;
  }
  if (file.matrices.empty()) return "there is no matrix";
  const Measured& last = file.matrices.back();
  if (last.owners.size() != size_t{last.rows} * last.columns) return "the last matrix lacks rows";
  return std::nullopt;
}

std::optional<File> fileOf(Arguments& arguments) {
  if (arguments.operands().size() != 1) {
    arguments.fail("one file is needed");
    return std::nullopt;
  }
  const std::string& path = arguments.operands()[0];
  const std::optional<std::string> text = textOf(arguments, path);
  if (!text) return std::nullopt;
  std::istringstream in(*text);
  File file;
  if (const auto wrong = read(in, file)) {
    arguments.fail(path + ": " + *wrong);
    return std::nullopt;
  }
  return file;
}

Document runDevice(Arguments& arguments) {
  Document document;
  const std::optional<File> file = fileOf(arguments);
  if (!file) return document;
  document.facts = {{"device", file->device}, {"driver", file->driver}, {"verified by", file->verified}};
  if (arguments.has("--list")) {
    for (size_t i = 0; i < file->matrices.size(); ++i)
      document.facts.push_back({"matrix " + std::to_string(i), file->matrices[i].name()});
    return document;
  }
  const uint64_t which = arguments.number("--matrix", 0);
  const auto element = arguments.numbers("--element", 2);
  if (which >= file->matrices.size())
    arguments.fail("matrix " + std::to_string(which) + " of " + std::to_string(file->matrices.size()) +
                   " does not exist");
  if (!arguments.error().empty()) return document;
  const Measured& m = file->matrices[which];
  document.facts.push_back({"matrix", m.name()});
  if (element) {
    const auto [row, column] = std::pair{(*element)[0], (*element)[1]};
    if (row < 0 || row >= m.rows || column < 0 || column >= m.columns) {
      arguments.fail("there is no such element in " + m.name());
      return document;
    }
    document.facts.push_back(
        {"invocation.component", m.owners[static_cast<size_t>(row * m.columns + column)]});
    return document;
  }
  if (arguments.has("--work-item")) {
    const std::string wish = std::to_string(arguments.number("--work-item", 0)) + ".";
    for (size_t i = 0; i < m.owners.size(); ++i) {
      std::istringstream parts(m.owners[i]);
      for (std::string part; std::getline(parts, part, ',');) {
        if (part.starts_with(wish))
          document.facts.push_back(
              {"component " + part.substr(wish.size()), pairOf(i / m.columns, i % m.columns)});
      }
    }
    return document;
  }
  Grid& grid = document.grid.emplace();
  grid.title = "invocation.component of each element";
  grid.corner = "row\\column";
  grid.rows = m.rows;
  grid.columns = m.columns;
  for (const std::string& owner : m.owners)
    grid.cells.push_back({owner, numberOf(std::string_view(owner).substr(0, owner.find('.'))).value_or(-1)});
  return document;
}

}  // namespace

const Command kDeviceCommand = {"device",
                                "which invocation of a device holds which element, as it was measured",
                                "FILE [option ...]", kOptions, runDevice};

}  // namespace coopc::cooplayout
