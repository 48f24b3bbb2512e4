// Measures two folders of modules alternately in rounds, so that drift (clocks, temperature, other users)
// affects both. Each round gives a ratio; a case's ratio is the median over its rounds. Over all cases, there
// is a median with a 95 % interval by the bootstrap (10,000 resamplings of the cases, percentiles). The
// drivers' disk caches are switched off, so that every pipeline creation takes its full time.
#include "tools/cooprun/compare.hpp"

#include <algorithm>
#include <atomic>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <random>
#include <string>
#include <string_view>
#include <thread>
#include <vector>

#include "tools/common/options.hpp"
#include "tools/cooprun/command_line.hpp"
#include "tools/cooprun/files.hpp"
#include "tools/cooprun/measure.hpp"

namespace coopc::cooprun {
namespace {

#define COOPC_OPTIONS "tools/cooprun/compare_options.def"
#include "tools/common/option_table.inc"

const char kHelpStart[] =
    "cooprun compare [options] CASE.toml...: times cases with the modules of two compilers\n"
    "\n";
const char kHelpEnd[] =
    "\nExit codes: 0 all measurements passed, 1 some did not, 2 wrong usage, 77 none could run.\n";
constexpr CommandTable kTable{kOptions, kHelpStart, kHelpEnd, size_t(Id::Help), size_t(Id::OptionsMarkdown)};

struct Side {
  std::string name;
  std::string modules;
  std::vector<Measurement> rounds;
};

struct Row {
  std::string file;
  harness::Overrides values;
  Side sides[2];
};

struct CompareOptions {
  std::vector<std::pair<std::string, std::string>> modules;  // name, folder
  std::vector<std::string> cases;
  std::vector<harness::Overrides> points;
  harness::Overrides settings;
  std::vector<std::string> passedOn;
  size_t rounds = 5;
  unsigned jobs = 1;
  uint32_t timeout = 120;
  std::string json;
  std::string show;                  // what to print instead: --help
  std::vector<std::string> program;  // cooprun, preceded by a launcher if there is one
};

// "M=64,N=32"
bool readPoint(std::string_view text, harness::Overrides& point) {
  for (size_t start = 0; start <= text.size();) {
    const size_t comma = std::min(text.find(',', start), text.size());
    if (!readSetting(text.substr(start, comma - start), point)) return false;
    start = comma + 1;
  }
  return true;
}

// "", or what is wrong with the option's value.
std::string set(Id option, const std::string& name, const std::string& value, CompareOptions& options) {
  const auto number = [&](auto& to) { return readCount(name, value, 100000, to); };
  switch (option) {
    case Id::Modules: {
      const size_t at = value.find('=');
      if (at == std::string::npos || at == 0) return "--modules needs NAME=DIR";
      options.modules.emplace_back(value.substr(0, at), value.substr(at + 1));
      break;
    }
    case Id::At:
      if (!readPoint(value, options.points.emplace_back())) return "--at needs NAME=NUMBER,...";
      break;
    case Id::Set: return readSetting(value, options.settings) ? "" : "--set needs NAME=NUMBER";
    case Id::Rounds: return number(options.rounds);
    case Id::Jobs: return number(options.jobs);
    case Id::Timeout: return number(options.timeout);
    case Id::Launcher: options.program.insert(options.program.begin(), value); break;
    case Id::Json: options.json = value; break;
    case Id::Device: options.passedOn = {name, value}; break;
    case Id::OptionsMarkdown:
    case Id::Help: break;  // readCommand()
  }
  return {};
}

harness::Result<CompareOptions> parse(int argc, char** argv, const char* self) {
  CompareOptions options;
  options.program.emplace_back(self);
  std::string fault = readCommand(
      kTable, argc, argv, options.show,
      [&](std::string_view file) {
        options.cases.emplace_back(file);
        return "";
      },
      [&](size_t row, const std::string& name, const std::string& value) {
        return set(Id(row), name, value, options);
      });
  if (!options.show.empty()) return options;
  if (!fault.empty()) return harness::Error{std::move(fault)};
  if (options.modules.size() != 2) return harness::Error{"--modules is needed twice"};
  if (options.cases.empty()) return harness::Error{"no case given"};
  if (options.points.empty()) options.points.emplace_back();
  return options;
}

double quantile(std::vector<double> values, double at) {
  if (values.empty()) return 0;
  std::sort(values.begin(), values.end());
  const double place = at * static_cast<double>(values.size() - 1);
  const size_t low = static_cast<size_t>(place);
  const size_t high = std::min(low + 1, values.size() - 1);
  return values[low] + (values[high] - values[low]) * (place - static_cast<double>(low));
}

double median(const std::vector<double>& values) { return quantile(values, 0.5); }

struct Ratio {
  double middle = 0;
  double low = 0;
  double high = 0;
};

// The median, and the interval that contains 95 % of the medians of resampled lists. The seed is fixed, so
// that equal numbers give equal intervals.
Ratio bootstrap(const std::vector<double>& values) {
  std::mt19937 random(1);
  std::uniform_int_distribution<size_t> pick(0, values.size() - 1);
  std::vector<double> medians(10000);
  std::vector<double> sample(values.size());
  for (double& one : medians) {
    for (double& value : sample) value = values[pick(random)];
    one = median(sample);
  }
  return {median(values), quantile(medians, 0.025), quantile(medians, 0.975)};
}

std::vector<double> ratios(const Row& row, double Measurement::*what) {
  std::vector<double> result;
  for (size_t i = 0; i < row.sides[0].rounds.size(); ++i) {
    const double over = row.sides[0].rounds[i].*what;
    const double under = row.sides[1].rounds[i].*what;
    if (over > 0 && under > 0) result.push_back(over / under);
  }
  return result;
}

double medianOf(const Side& side, double Measurement::*what) {
  std::vector<double> values;
  for (const Measurement& one : side.rounds) values.push_back(one.*what);
  return median(values);
}

const Measurement* firstFailure(const Row& row) {
  for (const Side& side : row.sides) {
    for (const Measurement& one : side.rounds) {
      if (!one.hasPassed()) return &one;
    }
  }
  return nullptr;
}

std::string nameOf(const Row& row) {
  std::string name = row.file.substr(row.file.find_last_of('/') + 1);
  if (name.size() > 5 && name.substr(name.size() - 5) == ".toml") name.resize(name.size() - 5);
  return row.values.empty() ? name : name + " " + describe(row.values);
}

void print(const Row& row) {
  if (const Measurement* failure = firstFailure(row)) {
    std::printf("| %s | %s: %s |\n", nameOf(row).c_str(), failure->verdict.c_str(), failure->reason.c_str());
    return;
  }
  const std::vector<double> time = ratios(row, &Measurement::nanoseconds);
  std::printf("| %s | %.2f | %.2f | %.2f | %.3f | %.3f to %.3f | %.0f | %.0f |\n", nameOf(row).c_str(),
              medianOf(row.sides[0], &Measurement::nanoseconds) / 1e3,
              medianOf(row.sides[1], &Measurement::nanoseconds) / 1e3,
              medianOf(row.sides[0], &Measurement::teraflops), median(time),
              *std::min_element(time.begin(), time.end()), *std::max_element(time.begin(), time.end()),
              medianOf(row.sides[0], &Measurement::pipelineMilliseconds),
              medianOf(row.sides[1], &Measurement::pipelineMilliseconds));
  std::fflush(stdout);
}

nlohmann::ordered_json asJson(const Row& row) {
  nlohmann::ordered_json json;
  json["case"] = nameOf(row);
  for (const Side& side : row.sides) {
    nlohmann::ordered_json rounds = nlohmann::ordered_json::array();
    for (const Measurement& one : side.rounds) {
      nlohmann::ordered_json item;
      item["verdict"] = one.verdict;
      if (!one.reason.empty()) item["reason"] = one.reason;
      item["nanoseconds"] = one.nanoseconds;
      item["teraflops"] = one.teraflops;
      item["pipelineMilliseconds"] = one.pipelineMilliseconds;
      rounds.push_back(std::move(item));
    }
    json[side.name] = std::move(rounds);
  }
  return json;
}

std::vector<Row> rowsOf(const CompareOptions& options) {
  std::vector<Row> rows;
  for (const std::string& file : options.cases) {
    for (const harness::Overrides& point : options.points) {
      Row row;
      row.file = file;
      row.values = point;
      for (size_t side = 0; side < 2; ++side) {
        row.sides[side] = {options.modules[side].first, options.modules[side].second,
                           std::vector<Measurement>(options.rounds)};
      }
      rows.push_back(std::move(row));
    }
  }
  return rows;
}

// Measures the rows' rounds with options.jobs threads. `turn` is a lock file, which ensures that only one of
// them measures at a time.
void measure(std::vector<Row>& rows, const CompareOptions& options, const std::string& turn) {
  struct Job {
    size_t row;
    size_t side;
    size_t round;
  };
  std::vector<Job> jobs;
  for (size_t row = 0; row < rows.size(); ++row) {
    for (size_t round = 0; round < options.rounds; ++round) {
      // The first and the second folder alternate.
      for (size_t i = 0; i < 2; ++i) jobs.push_back({row, (i + round) % 2, round});
    }
  }
  std::atomic<size_t> next{0};
  const auto work = [&] {
    for (size_t i = next++; i < jobs.size(); i = next++) {
      const Job& job = jobs[i];
      Row& row = rows[job.row];
      Side& side = row.sides[job.side];
      std::vector<std::string> arguments{"--turn", turn, "--compiler", "false", "--modules", side.modules};
      arguments.insert(arguments.end(), options.passedOn.begin(), options.passedOn.end());
      harness::Overrides values = options.settings;
      for (const auto& [name, value] : row.values) values[name] = value;
      side.rounds[job.round] = measureCase(options.program, arguments, values, row.file, options.timeout);
    }
  };
  std::vector<std::thread> workers;
  for (unsigned i = 0; i < options.jobs; ++i) workers.emplace_back(work);
  for (std::thread& worker : workers) worker.join();
}

struct Summary {
  std::vector<double> times;  // ratios, one for each case that passed
  std::vector<double> pipelines;
  size_t failures = 0;
  size_t skips = 0;
};

Summary printTable(const std::vector<Row>& rows) {
  const char* a = rows[0].sides[0].name.c_str();
  const char* b = rows[0].sides[1].name.c_str();
  std::printf(
      "| case | %s us | %s us | TFLOP/s | ratio | rounds from, to | %s pipeline ms | %s pipeline ms |\n", a,
      b, a, b);
  std::printf("|---|---|---|---|---|---|---|---|\n");
  Summary summary;
  for (const Row& row : rows) {
    print(row);
    if (const Measurement* failure = firstFailure(row)) {
      (failure->verdict == "skip" ? summary.skips : summary.failures) += 1;
    } else {
      summary.times.push_back(median(ratios(row, &Measurement::nanoseconds)));
      summary.pipelines.push_back(median(ratios(row, &Measurement::pipelineMilliseconds)));
    }
  }
  return summary;
}

// Prints the results over all cases, and adds them to the report.
void summarize(const char* what, const char* key, const std::vector<double>& values, const Row& row,
               nlohmann::ordered_json& report) {
  if (values.empty()) return;
  const Ratio ratio = bootstrap(values);
  std::printf("%s, %s over %s: median of %zu cases %.3f, 95 %% interval %.3f to %.3f\n", what,
              row.sides[0].name.c_str(), row.sides[1].name.c_str(), values.size(), ratio.middle, ratio.low,
              ratio.high);
  report[key] = {{"median", ratio.middle}, {"low", ratio.low}, {"high", ratio.high}};
}

}  // namespace

int compareMain(int argc, char** argv, const char* self) {
  const auto wrong = [](const std::string& message, int code) {
    std::fprintf(stderr, "cooprun compare: %s\n", message.c_str());
    return code;
  };
  const harness::Result<CompareOptions> options = parse(argc, argv, self);
  if (!options) return wrong(options.error().message + "; --help says more", 2);
  if (!options->show.empty()) {
    std::fputs(options->show.c_str(), stdout);
    return 0;
  }
  for (const auto& [name, folder] : options->modules) {
    std::error_code ignored;
    if (!std::filesystem::is_directory(folder, ignored))
      return wrong("--modules " + name + "=" + folder + ": there is no such folder", 2);
  }
  if (!canBeWritten(options->json)) return wrong(options->json + ": cannot be written", 2);
  // For NVIDIA's driver, and for Mesa.
  setenv("__GL_SHADER_DISK_CACHE", "0", 1);
  setenv("MESA_SHADER_CACHE_DISABLE", "true", 1);

  std::vector<Row> rows = rowsOf(*options);
  const TurnFile turn;
  if (turn.path().empty()) return wrong("no temporary file can be made", 1);
  measure(rows, *options, turn.path());

  const Summary summary = printTable(rows);
  nlohmann::ordered_json json;
  for (const Row& row : rows) json["rows"].push_back(asJson(row));
  summarize("GPU time", "time", summary.times, rows[0], json);
  summarize("pipeline creation", "pipeline", summary.pipelines, rows[0], json);
  if (!options->json.empty()) {
    if (const harness::Status failure = writeFile(options->json, json.dump(1) + '\n'))
      return wrong(failure->message, 1);
  }
  if (summary.failures != 0) return 1;
  return summary.skips == rows.size() ? 77 : 0;
}

}  // namespace coopc::cooprun
