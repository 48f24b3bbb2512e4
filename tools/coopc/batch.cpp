// Many command lines in one process. Each job does what a separate process would do. Its texts come from a
// shared cache of files, and its output goes into strings, which are printed in the order of the jobs, so
// that it does not depend on the threads.
#include "tools/coopc/batch.hpp"

#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <mutex>
#include <unistd.h>
#include <unordered_map>

#include "base/json.hpp"
#include "base/system.hpp"
#include "base/whole_file.hpp"
#include "tools/common/terminal.hpp"
#include "tools/coopc/driver.hpp"
#include "tools/coopc/options.hpp"
#include "tools/coopc/paths.hpp"

namespace coopc::tool {
namespace {

using Clock = std::chrono::steady_clock;

struct Outcome {
  int code = 0;
  bool done = false;
  double milliseconds = 0;
  std::string out;
  std::string err;
};

// The progress line on a terminal.
class Progress {
 public:
  explicit Progress(size_t total) : total_(total) {}
  void show(size_t done, size_t failed, const std::string& name) {
    if (!on_) return;
    const Clock::time_point now = Clock::now();
    if (shown_ && now - last_ < std::chrono::milliseconds(50)) return;
    last_ = now;
    shown_ = true;
    std::string line = "\r[" + std::to_string(done) + "/" + std::to_string(total_) + "] ";
    if (failed != 0) line += std::to_string(failed) + " failed, ";
    constexpr size_t kWidth = 78;
    line += name;
    if (line.size() > kWidth) line.resize(kWidth);
    for (char& c : line)
      if (c != '\r' && static_cast<unsigned char>(c) < 0x20) c = ' ';
    std::fputs((line + "\x1b[K").c_str(), stderr);
  }
  void clear() {
    if (shown_) std::fputs("\r\x1b[K", stderr);
    shown_ = false;
  }

 private:
  size_t total_;
  bool on_ = isTerminal();
  bool shown_ = false;
  Clock::time_point last_;
};

class Batch {
 public:
  Batch(std::vector<BatchJob> jobs, const BatchOptions& options)
      : jobs_(std::move(jobs)),
        options_(options),
        lines_(jobs_.size()),
        outcomes_(jobs_.size()),
        progress_(jobs_.size()) {}

  int run() {
    for (size_t i = 0; i < jobs_.size(); ++i) prepare(i);
    coopc::parallelFor(jobs_.size(), options_.threads, [this](size_t i) { runJob(i); });
    progress_.clear();
    if (failed_ != 0) std::fprintf(stderr, "coopc: error: %zu of %zu jobs failed\n", failed_, jobs_.size());
    if (!options_.report.empty() && !writeReport()) return kInputError;
    return failed_ != 0 ? kInputError : 0;
  }

 private:
  // Parses the job's command line. A job whose output an earlier job already has does not run.
  void prepare(size_t i) {
    BatchJob& job = jobs_[i];
    Outcome& outcome = outcomes_[i];
    if (!job.directory.empty() && !isPathSeparator(job.directory.back())) job.directory += '/';
    std::vector<std::string> arguments = options_.common;
    arguments.insert(arguments.end(), job.arguments.begin(), job.arguments.end());
    std::string error;
    CommandLine& line = lines_[i];
    if (!parseCommandLine(std::move(arguments), line, error, job.directory)) {
      outcome.code = usageError(error, &outcome.err);
    } else if (line.show != CommandLine::Show::Nothing) {
      outcome.code = usageError("a job of a list compiles", &outcome.err);
    } else if (line.sandbox) {
      outcome.code =
          usageError("--sandbox does not go with --batch, whose jobs share a process", &outcome.err);
    }
    for (const Input& input : line.inputs)
      if (outcome.code == 0 && input.path == "-")
        outcome.code = usageError("a job of a list cannot read the standard input", &outcome.err);
    if (outcome.code != 0) return;
    const Surroundings where{files_, job.directory};
    const std::vector<std::string> written = writtenFiles(line);
    for (const std::string& name : written) {
      const auto [first, added] = written_.emplace(normalPath(where.place(name)), i);
      if (!added && first->second != i && outcome.code == 0)
        outcome.code =
            usageError("'" + name + "' is written by job " + std::to_string(first->second + 1) + " already",
                       &outcome.err);
    }
    if (job.name.empty()) job.name = !written.empty() ? written.front() : line.inputs.front().path;
  }

  void runJob(size_t i) {
    Outcome outcome = std::move(outcomes_[i]);
    const Clock::time_point start = Clock::now();
    if (outcome.code == 0)
      outcome.code =
          runCommandLine(lines_[i], {files_, jobs_[i].directory, &outcome.out, &outcome.err, glslang_});
    outcome.milliseconds = std::chrono::duration<double, std::milli>(Clock::now() - start).count();
    outcome.done = true;

    const std::lock_guard<std::mutex> hold(lock_);
    outcomes_[i] = std::move(outcome);
    lines_[i] = {};
    ++done_;
    if (outcomes_[i].code != 0) ++failed_;
    for (; printed_ < jobs_.size() && outcomes_[printed_].done; ++printed_) print(printed_);
    progress_.show(done_, failed_, jobs_[i].name);
  }

  void print(size_t i) {
    Outcome& o = outcomes_[i];
    if (o.code != 0) {
      o.err += "coopc: error: job " + std::to_string(i + 1) + " failed";
      o.err += (jobs_[i].name.empty() ? "" : ": " + jobs_[i].name) + "\n";
    }
    if (!o.out.empty() || !o.err.empty()) progress_.clear();
    std::fwrite(o.out.data(), 1, o.out.size(), stdout);
    if (!o.err.empty()) std::fflush(stdout);
    std::fwrite(o.err.data(), 1, o.err.size(), stderr);
    if (options_.report.empty()) o.err = {};
    o.out = {};
  }

  bool writeReport() {
    std::string text = "[";
    for (size_t i = 0; i < jobs_.size(); ++i) {
      const Outcome& o = outcomes_[i];
      char numbers[96];
      std::snprintf(numbers, sizeof numbers, "%s\n{\"job\": %zu, \"exit_code\": %d, \"milliseconds\": %.3f",
                    i == 0 ? "" : ",", i + 1, o.code, o.milliseconds);
      text += numbers;
      text += ", \"name\": " + json::stringText(jobs_[i].name) +
              ", \"messages\": " + json::stringText(o.err) + "}";
    }
    text += "\n]\n";
    const std::string why = writeWhole(options_.report, text);
    if (why.empty()) return true;
    std::fprintf(stderr, "coopc: error: cannot write output file: '%s': %s\n", options_.report.c_str(),
                 why.c_str());
    return false;
  }

  std::vector<BatchJob> jobs_;
  const BatchOptions& options_;
  coopc::FileCache files_;
  const std::shared_ptr<coopc::GlslangPool> glslang_ = std::make_shared<coopc::GlslangPool>();
  std::vector<CommandLine> lines_;
  std::vector<Outcome> outcomes_;
  std::unordered_map<std::string, size_t> written_;
  std::mutex lock_;  // guards all members below
  Progress progress_;
  size_t done_ = 0;
  size_t failed_ = 0;
  size_t printed_ = 0;
};

}  // namespace

int runBatch(const std::vector<std::string>& arguments) {
  BatchOptions options;
  std::string error;
  if (!parseBatchOptions(arguments, options, error)) return usageError(error);
  std::string text;
  if (const std::string why = readWhole(options.list, text); !why.empty())
    return usageError("cannot open list of jobs: '" + options.list + "': " + why);
  std::optional<std::vector<BatchJob>> jobs = parseBatch(text, error);
  if (!jobs) return usageError("'" + options.list + "': " + error);
  return Batch(std::move(*jobs), options).run();
}

}  // namespace coopc::tool
