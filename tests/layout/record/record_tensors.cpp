// coopc_record_tensors: runs tensor loads and stores on a device and writes their results
// (tests/layout/recorded.hpp describes the form). The cases come from a fixed seed. Their results are
// defined, but compared only by the test, on any machine. --save and --modules let another compiler's modules
// run instead: if these give the same results, a difference is the driver's fault.
#include <algorithm>
#include <cstdio>
#include <cstring>
#include <fstream>
#include <iterator>
#include <random>
#include <string>

#include "coopc/coopc.hpp"
#include "harness/suite/session.hpp"
#include "harness/suite/shader.hpp"
#include "harness/suite/tensor.hpp"
#include "tests/layout/recorded.hpp"
#include "tests/support/text_file.hpp"
#include "tools/common/options.hpp"
#include "vulkan/executor/instance.hpp"

using namespace coopc;
namespace suite = harness::suite;
using coopc::NumberType;
using layout::ClampMode;
using layout::Coord;
using tests::RecordedCase;
using tests::RecordedKind;

namespace {

#define COOPC_OPTIONS "tests/layout/record/record_tensors_options.def"
#include "tools/common/option_table.inc"

constexpr const char kHelpStart[] = "usage: coopc_record_tensors [option...]\n";

// Flexible dimensions that devices with the extension have.
struct Config {
  const char* name;
  suite::ShaderMatrix matrix;
  uint32_t invocations;
};
constexpr Config kConfigs[] = {
    {"subgroup-u32", {NumberType::U32, suite::Scope::Subgroup, 16, 16, suite::Use::Accumulator}, 32},
    {"subgroup-f16", {NumberType::F16, suite::Scope::Subgroup, 16, 16, suite::Use::A}, 32},
    {"subgroup-u8", {NumberType::U8, suite::Scope::Subgroup, 16, 32, suite::Use::A}, 32},
    {"workgroup-u32", {NumberType::U32, suite::Scope::Workgroup, 32, 16, suite::Use::Accumulator}, 128},
    {"workgroup-f16", {NumberType::F16, suite::Scope::Workgroup, 16, 16, suite::Use::B}, 128},
};
constexpr uint32_t kCasesOfConfig = 60;

class Generator {
 public:
  RecordedCase next(const Config& config, uint32_t number) {
    for (;;) {
      RecordedCase c = draw(config, number);
      if (tests::storageOf(c) <= (c.kind == RecordedKind::Decode ? 4000u : 20000u) && tests::expectedOf(c))
        return c;
    }
  }

 private:
  uint32_t pick(uint32_t low, uint32_t high) {
    return low + static_cast<uint32_t>(random_()) % (high - low + 1);
  }
  bool chance(uint32_t n) { return pick(1, n) == 1; }

  // `dim` numbers whose product is rows * columns.
  std::vector<uint32_t> factors(uint32_t product, uint32_t dim) {
    std::vector<uint32_t> result(dim, 1);
    while (product > 1) {
      // The sizes of matrices are powers of two.
      result[pick(0, dim - 1)] *= 2;
      product /= 2;
    }
    return result;
  }

  std::vector<uint32_t> permutation(uint32_t dim) {
    std::vector<uint32_t> p(dim);
    for (uint32_t i = 0; i < dim; ++i) p[i] = i;
    std::shuffle(p.begin(), p.end(), random_);
    return p;
  }

  RecordedCase draw(const Config& config, uint32_t number) {
    RecordedCase c;
    c.name = std::string(config.name) + "-" + std::to_string(number);
    c.rows = config.matrix.rows;
    c.columns = config.matrix.columns;
    c.bytes = static_cast<uint32_t>(harness::byteSize(config.matrix.type));
    const uint32_t kind = number % 5;
    c.kind = kind < 2                   ? RecordedKind::Load
             : kind < 4 || c.bytes != 4 ? RecordedKind::Store
                                        : RecordedKind::Decode;
    c.dim = pick(1, c.kind == RecordedKind::Decode ? 3 : 5);
    c.mode = static_cast<ClampMode>(pick(0, 4));
    const std::vector<uint32_t> spans = factors(c.rows * c.columns, c.dim);
    if (c.kind == RecordedKind::Decode) {
      for (uint32_t i = 0; i < c.dim; ++i) c.block.push_back(1u << pick(0, 3));
    }
    std::vector<int64_t> slice;
    for (uint32_t i = 0; i < c.dim; ++i) {
      // Without clamping, the slice is inside the tensor. With it, the slice may reach across both ends.
      const bool inside = c.mode == ClampMode::Undefined;
      const uint32_t more = pick(0, 5);
      const auto before = static_cast<int64_t>(pick(0, more));
      const uint32_t less = inside ? 0 : pick(0, std::min(spans[i] - 1, 4u));
      c.dimension.push_back(spans[i] - less + more);
      slice.push_back(inside ? before : before - static_cast<int64_t>(pick(0, 6)));
      slice.push_back(spans[i]);
    }
    if (chance(4)) {
      uint32_t stride = 1;
      c.stride.resize(c.dim);
      for (uint32_t i = c.dim; i-- > 0;) {
        stride += pick(0, 2);
        c.stride[i] = stride;
        const uint32_t block = c.block.empty() ? 1 : c.block[i];
        stride *= (c.dimension[i] + block - 1) / block;
      }
    }
    if (chance(4)) {
      // Two slices add their offsets; the second one replaces the spans.
      std::vector<int64_t> first = slice;
      for (size_t i = 0; i < first.size(); i += 2) {
        first[i] = static_cast<int64_t>(pick(0, 4)) - 2;
        slice[i] -= first[i];
        first[i + 1] += 1;
      }
      c.slices.push_back(first);
    }
    c.slices.push_back(slice);
    if (c.mode == ClampMode::Constant && !chance(4)) c.clampValue = 0x1234567u + pick(0, 1000) * 2;
    if (chance(3)) c.offset = pick(1, 3) * 16 / (c.kind == RecordedKind::Decode ? 4 : c.bytes);
    if (chance(2)) view(c);
    return c;
  }

  void view(RecordedCase& c) {
    c.viewHasDimensions = chance(2);
    c.viewDim = c.viewHasDimensions ? pick(1, 5) : c.dim;
    c.permutation = permutation(c.viewDim);
    if (c.viewHasDimensions) {
      c.viewDimension = factors(c.rows * c.columns, c.viewDim);
      if (chance(4)) {
        // The strides of a memory order with another permutation.
        c.viewStride.resize(c.viewDim);
        uint32_t stride = 1;
        for (const uint32_t i : permutation(c.viewDim)) {
          c.viewStride[i] = stride;
          stride *= c.viewDimension[i];
        }
      }
    }
    if (chance(3)) {
      const uint32_t row = pick(0, c.rows / 2);
      const uint32_t column = pick(0, c.columns / 2);
      c.clip = {row, pick(1, c.rows - row), column, chance(3) ? 0xFFFFFFFFu : pick(1, c.columns - column)};
    }
  }

  std::mt19937 random_{7};
};

suite::Tensor tensorOf(const RecordedCase& c) {
  const auto copy = [](const std::vector<uint32_t>& from, Coord& to) {
    std::copy(from.begin(), from.end(), to.begin());
  };
  suite::Tensor t;
  t.dim = c.dim;
  t.mode = c.mode;
  copy(c.block, t.block);
  copy(c.dimension, t.dimension);
  t.strides = !c.stride.empty();
  copy(c.stride, t.stride);
  for (const std::vector<int64_t>& numbers : c.slices) {
    auto& [offset, span] = t.slices.emplace_back();
    for (uint32_t i = 0; i < c.dim; ++i) {
      offset[i] = static_cast<int32_t>(numbers[2 * i]);
      span[i] = static_cast<uint32_t>(numbers[2 * i + 1]);
    }
  }
  t.setsClampValue = c.clampValue.has_value();
  t.clampValue = c.clampValue.value_or(0);
  t.view = c.viewDim != 0;
  t.viewDim = c.viewDim;
  t.viewHasDimensions = c.viewHasDimensions;
  copy(c.permutation, t.permutation);
  copy(c.viewDimension, t.viewDimension);
  t.viewStrides = !c.viewStride.empty();
  copy(c.viewStride, t.viewStride);
  t.clips = !c.clip.empty();
  std::copy(c.clip.begin(), c.clip.end(), t.clip);
  t.offset = c.offset;
  return t;
}

std::vector<uint8_t> contents(NumberType type, uint32_t count, uint32_t (*at)(uint32_t bytes, uint32_t i)) {
  const auto bytes = static_cast<uint32_t>(harness::byteSize(type));
  std::vector<uint8_t> data(size_t{count} * bytes);
  for (uint32_t i = 0; i < count; ++i) harness::storeBits(type, data.data(), i, at(bytes, i));
  return data;
}
uint32_t content(uint32_t bytes, uint32_t i) { return tests::contentAt(bytes, i); }
uint32_t initial(uint32_t bytes, uint32_t) { return tests::initialOf(bytes); }
uint32_t untouched(uint32_t bytes, uint32_t) { return tests::untouchedOf(bytes); }

std::string decodeFunction(const RecordedCase& c) {
  const std::string dim = std::to_string(c.dim);
  std::string text =
      "struct Block { uint32_t number; };\n"
      "layout(buffer_reference, std430, buffer_reference_align = 4) readonly buffer Pointer { Block block; "
      "};\n"
      "uint32_t decode(const in Pointer pointer, const in uint32_t blockCoord[" +
      dim + "], const in uint32_t coordInBlock[" + dim +
      "]) {\n  uint32_t value = pointer.block.number & 0xFFFu;\n";
  for (uint32_t i = 0; i < c.dim; ++i) {
    const std::string n = std::to_string(i);
    text += "  value |= (blockCoord[" + n + "] & 7u) << " + std::to_string(12 + 3 * i) + " | (coordInBlock[" +
            n + "] & 7u) << " + std::to_string(21 + 3 * i) + ";\n";
  }
  return text + "  return value;\n}";
}

// The output is buffer 0. The matrix side of each access is a plain load or store, row by row.
suite::Program programOf(const RecordedCase& c, const Config& config) {
  suite::Shader shader(config.invocations, suite::Given::Literal);
  const suite::ShaderMatrix& m = config.matrix;
  const suite::Tensor tensor = tensorOf(c);
  const std::string component(suite::glslName(m.type));
  const uint32_t elements = c.rows * c.columns;
  const uint32_t storage = tests::storageOf(c);
  const auto buffer = [&](uint32_t count, auto at, bool output) {
    return shader.buffer(component, suite::Memory::Buffer, contents(m.type, count, at), output);
  };
  const std::string columns = std::to_string(c.columns);
  const std::string rowMajor = ", 0, " + columns + ", gl_CooperativeMatrixLayoutRowMajor);";
  const bool store = c.kind == RecordedKind::Store;
  const bool decodes = c.kind == RecordedKind::Decode;
  if (decodes) {
    shader.useReferences();
    shader.type(decodeFunction(c));
  }
  const std::string out = buffer(store ? storage : elements, untouched, true);
  const std::string matrix = buffer(elements, store ? content : initial, false);
  shader.line(shader.matrix(m) + " m;");
  shader.line("coopMatLoad(m, " + matrix + rowMajor);
  suite::writeTensor(shader, "t", tensor, m);
  const std::string where = ", " + std::to_string(c.offset) + suite::tensorArguments("t", tensor);
  if (store) {
    shader.line("coopMatStoreTensorNV(m, " + out + where + ");");
  } else {
    const std::string in = decodes ? shader.buffer("Block", suite::Memory::Buffer,
                                                   contents(NumberType::U32, storage, content), false)
                                   : buffer(storage, content, false);
    shader.line("coopMatLoadTensorNV(m, " + in + where + (decodes ? ", decode);" : ");"));
    shader.line("coopMatStore(m, " + out + rowMajor);
  }
  return shader.finish();
}

int fail(const std::string& message) {
  std::fprintf(stderr, "coopc_record_tensors: %s\n", message.c_str());
  return 1;
}

struct Line {
  std::string device;
  bool compileOnly = false;
  std::vector<std::string> cases;  // empty: all
  std::string save;                // folder that gets NAME.comp of each case
  std::string modules;             // folder with NAME.spv to run in place of the modules made here
};

void set(Id option, std::string_view value, Line& line) {
  switch (option) {
    case Id::Device: line.device = value; break;
    case Id::CompileOnly: line.compileOnly = true; break;
    case Id::Case: line.cases.emplace_back(value); break;
    case Id::Save: line.save = value; break;
    case Id::Modules: line.modules = value; break;
    case Id::Help: break;
  }
}

// Returns 0 to go on, or the exit code plus one.
int parse(int argc, char** argv, Line& line) {
  const std::vector<std::string> arguments(argv + 1, argv + argc);
  std::string fault;
  const tool::Walked walked = tool::walkArguments(
      kOptions, arguments, fault,
      [](std::string_view text) { return "'" + std::string(text) + "' is not an option"; },
      [](size_t row) { return Id(row) == Id::Help; },
      [&](size_t row, std::string_view value) {
        set(Id(row), value, line);
        return "";
      });
  if (walked == tool::Walked::All) return 0;
  if (walked == tool::Walked::Wrong) return fail(fault + "; --help says more") + 1;
  std::fputs((kHelpStart + tool::helpOf(kOptions)).c_str(), stdout);
  return 1;
}

// The module to run, from the folder or compiled here. Empty, after a message, if there is none.
std::vector<uint32_t> moduleOf(const RecordedCase& c, const suite::Program& program, const Line& line) {
  if (!line.modules.empty()) {
    const std::string bytes = tests::fileText(line.modules + "/" + c.name + ".spv");
    std::vector<uint32_t> words(bytes.size() / 4);
    std::memcpy(words.data(), bytes.data(), words.size() * 4);
    if (words.empty()) fail(c.name + ".spv is missing");
    return words;
  }
  Options options;
  options.targetEnv = TargetEnv::Vulkan1_3;
  Result module = compile(program.source, c.name + ".comp", options);
  if (!module.ok) fail(module.messages + "\n" + program.source);
  return std::move(module.words);
}

}  // namespace

int main(int argc, char** argv) {
  Line line;
  if (const int done = parse(argc, argv, line); done != 0) return done - 1;
  std::unique_ptr<vk::Instance> instance;
  std::unique_ptr<suite::Session> session;
  if (!line.compileOnly) {
    auto made = vk::Instance::create({});
    if (!made) return fail(made.error().message);
    instance = std::move(*made);
    const auto picked = vk::pickDevice(instance->devices(), line.device);
    if (!picked) return fail(picked.error().message);
    session = std::make_unique<suite::Session>(*instance, **picked, 60, false);
    std::printf("# %s, %s %s\n", (*picked)->name.c_str(), (*picked)->driverName.c_str(),
                (*picked)->driverInfo.c_str());
  }
  Generator generator;
  uint32_t done = 0;
  uint32_t skipped = 0;
  for (const Config& config : kConfigs) {
    for (uint32_t number = 0; number < kCasesOfConfig; ++number) {
      RecordedCase c = generator.next(config, number);
      if (!line.cases.empty() && std::ranges::find(line.cases, c.name) == line.cases.end()) continue;
      const suite::Program program = programOf(c, config);
      if (!line.save.empty() && !(std::ofstream(line.save + "/" + c.name + ".comp") << program.source))
        return fail("cannot write to " + line.save);
      const std::vector<uint32_t> words = moduleOf(c, program, line);
      if (words.empty()) return 1;
      ++done;
      if (line.compileOnly) continue;
      const suite::Execution run = session->execute(program, words);
      if (run.kind == suite::Execution::Kind::Skipped) {
        ++skipped;
        std::fprintf(stderr, "%s is skipped: %s\n", c.name.c_str(),
                     run.reasons.empty() ? "" : run.reasons[0].c_str());
        continue;
      }
      if (run.kind != suite::Execution::Kind::Done || !run.strayWrites.empty())
        return fail(c.name + " failed: " + (run.reasons.empty() ? "stray writes" : run.reasons[0]));
      const std::vector<uint8_t>& bytes = run.buffers[0];
      for (size_t i = 0; i < bytes.size() / c.bytes; ++i)
        c.got.push_back(static_cast<uint32_t>(harness::loadBits(config.matrix.type, bytes.data(), i)));
      std::fputs(tests::print(c).c_str(), stdout);
    }
  }
  std::fprintf(stderr, "%u cases, %u of them skipped\n", done, skipped);
  const size_t wanted = line.cases.empty() ? std::size(kConfigs) * kCasesOfConfig : line.cases.size();
  return done == wanted && std::fflush(stdout) == 0 ? 0 : 1;
}
