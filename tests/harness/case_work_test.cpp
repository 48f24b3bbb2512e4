// Cases that draw or trace rays: how their files are read, what is refused, and the references of pictures.
#include <filesystem>
#include <string>
#include <vector>

#include <catch2/catch_test_macros.hpp>

#include "harness/cases/case.hpp"
#include "harness/fill.hpp"
#include "harness/reference/reference.hpp"

using namespace coopc::harness;
using namespace coopc::vk;

namespace {

const std::string kStages = "name = 'n'\n[[stage]]\nsource = 'a.vert'\n[[stage]]\nsource = 'a.frag'\n";
const std::string kDrawing = kStages + "[draw]\n";
const std::string kRays =
    "name = 'n'\n[[stage]]\nsource = 'a.rgen'\n[[stage]]\nsource = 'a.rmiss'\n[trace]\n";
const std::string kScene = "[scene]\nbinding = 3\n[[buffer]]\nname = 'b'\ntype = 'f32'\ncount = 18\n";

bool isRefused(const std::string& text, const std::string& reason) {
  const auto result = parseCase(text, "x.toml", {});
  INFO(text << "\n" << (result ? "accepted" : result.error().message));
  const bool right = !result && result.error().message.find(reason) != std::string::npos;
  CHECK(right);
  return right;
}

// The channels of a picture of 2 x 2 pixels, computed by the reference with this name and these arguments.
std::vector<double> picture(const std::string& reference, const std::string& arguments, std::string& error) {
  const auto subject = parseCase(kDrawing +
                                     "size = [2, 2]\n[[target]]\nname = 't'\nformat = 'rg32f'\n"
                                     "[[expect]]\nimage = 't'\nreference = 'any'\narguments = { " +
                                     arguments + " }\n",
                                 "x.toml", {});
  if (!subject) FAIL(subject.error().message);
  ReferenceInput input;
  input.subject = &*subject;
  input.arguments = &subject->expectations[0].arguments;
  input.targetCount = 8;
  input.width = input.height = input.channels = 2;
  const Result<Reference> made = makeReference(reference, input);
  if (!made) {
    error = made.error().message;
    return {};
  }
  std::vector<double> values;
  for (uint64_t i = 0; i < 8; ++i) {
    const ExpectedValue value = made->element(i);
    values.push_back(value.kind == ExpectedValue::Kind::Anything ? 99 : value.number);
    if (value.kind == ExpectedValue::Kind::Number) CHECK(value.integer == truncate(value.number));
  }
  return values;
}

}  // namespace

TEST_CASE("every drawing's case is understood") {
  size_t drawings = 0, tracings = 0, queries = 0;
  for (const auto& entry : std::filesystem::directory_iterator(COOPC_DRAWINGS_DIR)) {
    if (entry.path().extension() != ".toml") continue;
    const auto result = readCase(entry.path().string(), {});
    INFO(entry.path().string() << (result ? "" : result.error().message));
    REQUIRE(result);
    drawings += result->drawing ? 1 : 0;
    tracings += result->tracing ? 1 : 0;
    queries += !result->tracing && result->scene ? 1 : 0;
  }
  CHECK(drawings == 29);
  CHECK(tracings == 4);
  CHECK(queries == 1);
}

TEST_CASE("a whole drawing") {
  const auto result = parseCase(
      kStages +
          "[[stage]]\nmodule = 'x.spv'\nstage = 'geometry'\n"
          "[[buffer]]\nname = 'v'\ntype = 'f32'\ncount = 12\n[[buffer]]\nname = 'i'\ntype = 'u16'\ncount = "
          "6\n"
          "[[image]]\nname = 'm'\nbinding = 1\nkind = 'sampled'\nformat = 'r8'\nsize = [4, 2]\nlevels = 3\n"
          "[draw]\nsize = [8, 4]\ntopology = 'line-strip'\nindices = 'i'\ninstances = 2\nsamples = 4\nviews "
          "= 2\n"
          "cull = 'back'\nfeedback = ['v']\ntimeout-seconds = 9\n"
          "[[vertex-buffer]]\nbuffer = 'v'\nattributes = [{ location = 2, format = 'rg32f' }, { location = "
          "0, "
          "format = 'rgba8' }]\n"
          "[[target]]\nname = 't'\nclear = [1, 2.5]\nblend = 'over'\n[depth]\nname = 'd'\ntest = 'greater'\n",
      "x.toml", {});
  if (!result) FAIL(result.error().message);
  REQUIRE(result->drawing);
  const Drawing& drawing = *result->drawing;
  CHECK(result->shaders[2].stage->bit == VK_SHADER_STAGE_GEOMETRY_BIT);
  CHECK(drawing.size == std::array<uint32_t, 2>{8, 4});
  CHECK(drawing.topology == VK_PRIMITIVE_TOPOLOGY_LINE_STRIP);
  CHECK((drawing.indices == 1 && drawing.indexBytes == 2 && drawing.vertices == 6));
  CHECK((drawing.instances == 2 && drawing.samples == 4 && drawing.views == 2));
  CHECK(drawing.cull == VK_CULL_MODE_BACK_BIT);
  CHECK(drawing.feedback == std::vector<size_t>{0});
  CHECK(result->timeoutSeconds == 9);
  REQUIRE(drawing.vertexBuffers.size() == 1);
  CHECK((drawing.vertexBuffers[0].stride == 12 && drawing.vertexBuffers[0].attributes[1].offset == 8));
  CHECK(drawing.targets.at(0).clear == std::array<double, 4>{1, 2.5, 0, 0});
  CHECK(drawing.targets[0].blend == Blend::Over);
  CHECK((drawing.depth && drawing.depth->clear[0] == 1 && drawing.depthTest == VK_COMPARE_OP_GREATER));
  CHECK(fillImage(result->images[0]).size() == 8 + 2 + 1);
}

TEST_CASE("wrong drawings and tracings are refused with a reason") {
  CHECK(isRefused(kStages, "a vertex shader in [[stage]] needs [draw] or [trace]"));
  CHECK(isRefused("name = 'n'\n[[stage]]\nsource = 'a.glsl'\n[draw]\n", "unknown stage 'glsl'"));
  CHECK(isRefused("name = 'n'\n[shader]\nsource = 'a.comp'\n[draw]\n", "a compute shader does not draw"));
  CHECK(isRefused("name = 'n'\n[[stage]]\nsource = 'a.frag'\n[draw]\n", "needs a vertex or a mesh shader"));
  CHECK(isRefused(kDrawing + "[[stage]]\nsource = 'b.vert'\n", "two vertex shaders"));
  CHECK(isRefused(kDrawing + "[dispatch]\n", "'dispatch' needs neither [draw] nor [trace]"));
  CHECK(isRefused(kDrawing + "size = [0, 4]\n", "not in [1, 4096]"));
  CHECK(isRefused(kDrawing + "size = [1, 4, 5]\n", "one to 2 numbers"));
  CHECK(isRefused(kDrawing + "topology = 'quads'\n", "unknown topology 'quads'"));
  CHECK(isRefused(kDrawing + "topology = 'patch-list'\n", "'patch-points' belongs to"));
  CHECK(isRefused(kDrawing + "samples = 3\n", "a power of two"));
  CHECK(isRefused(kDrawing + "indices = 'i'\n", "there is no buffer 'i'"));
  CHECK(isRefused(kDrawing + "feedback = ['i']\n", "must name buffers"));
  CHECK(isRefused(kDrawing + "[[target]]\nformat = 'r32f'\n", "'name' is missing"));
  CHECK(isRefused(kDrawing + "[[target]]\nname = 't'\nformat = 'odd'\n", "unknown image format 'odd'"));
  CHECK(isRefused(kDrawing + "[[target]]\nname = 't'\n[depth]\nname = 't'\n", "targets are called 't'"));
  CHECK(isRefused(kDrawing + "[[target]]\nname = 't'\npaint = 1\n", "unknown key 'paint'"));
  CHECK(isRefused(kDrawing + "[[instance]]\ntriangles = 'b'\n", "'instance' needs [scene]"));
  CHECK(isRefused(kDrawing + kScene, "a scene needs an [[instance]]"));
  CHECK(isRefused(kDrawing + kScene + "[[instance]]\ntriangles = 'b'\nboxes = 'b'\n", "exactly one of"));
  CHECK(isRefused(kDrawing + kScene + "[[instance]]\ntriangles = 'b'\ntransform = [1]\n", "12 numbers"));
  CHECK(isRefused(kRays + "[[stage]]\nsource = 'a.vert'\n", "a vertex shader does not trace rays"));
  CHECK(isRefused(kRays + "[[stage]]\nsource = 'b.rgen'\n", "two raygen shaders"));
  CHECK(isRefused(kRays + "[[target]]\nname = 't'\n", "'target' needs [draw]"));
  CHECK(isRefused("name = 'n'\n[[stage]]\nsource = 'a.rmiss'\nhit-group = 1\n[trace]\n",
                  "belongs to hit shaders"));
  CHECK(
      isRefused("name = 'n'\n[[stage]]\nsource = 'a.rmiss'\n[trace]\n", "ray tracing needs a raygen shader"));
  CHECK(isRefused(
      kStages + "[[image]]\nname = 'i'\nbinding = 0\nformat = 'r8'\nsize = [4, 4]\nlevels = 4\n[draw]\n",
      "'levels' are more than the image can have"));
}

TEST_CASE("buffers without a name, or too small, are refused") {
  const std::string vertices = kDrawing + "[[buffer]]\nname = 'v'\ntype = 'f32'\ncount = 6\n";
  const std::string attributes = "attributes = [{ location = 0, format = 'rg32f' }]\n";
  CHECK(isRefused(vertices + "[[vertex-buffer]]\nbuffer = ''\n" + attributes, "'buffer' must name a buffer"));
  CHECK(isRefused(vertices + "[[vertex-buffer]]\n" + attributes, "'buffer' is missing"));
  CHECK(isRefused(kDrawing + "indices = ''\n", "'indices' must name a buffer"));
  CHECK(isRefused(kDrawing + kScene + "[[instance]]\ntriangles = ''\n", "'triangles' must name a buffer"));
  CHECK(isRefused(kDrawing + kScene + "[[instance]]\nboxes = ''\n", "'boxes' must name a buffer"));

  const auto accepted = [](const std::string& text) { return bool(parseCase(text, "x.toml", {})); };
  const std::string drawn = "[[vertex-buffer]]\nbuffer = 'v'\n" + attributes;
  CHECK(accepted(vertices + drawn));
  // The buffer has 24 bytes. The third record begins at byte 16 with the first stride, at byte 20 with the
  // second.
  CHECK(accepted(vertices + drawn + "stride = 8\n"));
  CHECK(isRefused(vertices + drawn + "stride = 10\n", "'v' has fewer records than there are vertices"));
  const std::string more = kDrawing + "vertices = 4\ninstances = 4\n" + vertices.substr(kDrawing.size());
  CHECK(isRefused(more + drawn, "fewer records than there are vertices"));
  CHECK(isRefused(more + drawn + "per-instance = true\n", "fewer records than there are instances"));
}

TEST_CASE("targets and images have formats that are for them") {
  const std::string target = kDrawing + "[[target]]\nname = 't'\n",
                    depth = kDrawing + "[depth]\nname = 'd'\n";
  CHECK(isRefused(target + "format = 'd32f'\n", "the format 'd32f' is not for colors"));
  CHECK(isRefused(target + "format = 'rgb32f'\n", "the format 'rgb32f' is not for colors"));
  CHECK(isRefused(depth + "format = 'rgba8'\n", "the format 'rgba8' is not for depths"));
  CHECK(isRefused(kDrawing + "[[image]]\nname = 'i'\nbinding = 0\nformat = 'rgb32f'\nsize = [4, 4]\n",
                  "the format 'rgb32f' is for vertex attributes only"));

  const char* range = "'clear' is not in the range of the format";
  CHECK(isRefused(target + "format = 'r32ui'\nclear = [-1]\n", range));
  CHECK(isRefused(target + "format = 'r32ui'\nclear = [4294967296]\n", range));
  CHECK(isRefused(target + "format = 'rgba8i'\nclear = [0, 0, 0, 128]\n", range));
  CHECK(isRefused(target + "format = 'r32i'\nclear = [nan]\n", range));
  CHECK(isRefused(depth + "clear = 1.5\n", range));
  CHECK(parseCase(target + "format = 'r32i'\nclear = [-2147483648, 2147483647]\n", "x.toml", {}));
  CHECK(parseCase(target + "format = 'r32ui'\nclear = [4294967295]\n", "x.toml", {}));
  CHECK(parseCase(target + "format = 'rgba32f'\nclear = [-2.5, 1e9]\n", "x.toml", {}));
}

TEST_CASE("scenes have geometry of the right types, and hit groups for it") {
  const std::string words = kScene + "[[buffer]]\nname = 'i'\ntype = 'u16'\ncount = 6\n";
  CHECK(isRefused(kDrawing + words + "[[instance]]\ntriangles = 'b'\nindices = 'i'\n",
                  "'indices' must be an array of u32"));
  CHECK(
      isRefused(kDrawing + words + "[[instance]]\ntriangles = 'i'\n", "'triangles' must be an array of f32"));
  CHECK(isRefused(kDrawing + words + "[[instance]]\nboxes = 'i'\n", "'boxes' must be an array of f32"));

  const std::string hits = kRays +
                           "[[stage]]\nsource = 'a.rchit'\n"
                           "[[stage]]\nsource = 'a.rint'\nhit-group = 2\n" +
                           kScene + "[[instance]]\n";
  const auto accepted = [](const std::string& text) { return bool(parseCase(text, "x.toml", {})); };
  CHECK(accepted(hits + "triangles = 'b'\n"));
  CHECK(accepted(hits + "boxes = 'b'\nhit-group = 2\n"));
  CHECK(isRefused(hits + "triangles = 'b'\nhit-group = 1\n", "no shader is in hit group 1"));
  CHECK(isRefused(hits + "triangles = 'b'\nhit-group = 3\n", "no shader is in hit group 3"));
  CHECK(isRefused(hits + "boxes = 'b'\n", "hit group 0, of boxes, has no intersection shader"));
  CHECK(isRefused(hits + "triangles = 'b'\nhit-group = 2\n", "of triangles, has an intersection shader"));
  // Ray queries have no hit groups, so `hit-group` is not checked.
  CHECK(accepted(kDrawing + kScene + "[[instance]]\nboxes = 'b'\nhit-group = 2\n"));
}

TEST_CASE("pictures by letters and by formulas") {
  std::string error;
  CHECK(picture("letters", "rows = ['.#', '?.'], colors = { '.' = [1, 2], '#' = [3, 4.5], '?' = 'anything' }",
                error) == std::vector<double>{1, 2, 3, 4.5, 99, 99, 1, 2});
  CHECK(picture("formula", "channels = ['x + 10 * y', 3], scale = 2", error) ==
        std::vector<double>{0, 6, 2, 6, 20, 6, 22, 6});
  const auto wrong = [&](const std::string& reference, const std::string& arguments,
                         const std::string& reason) {
    error.clear();
    CHECK(picture(reference, arguments, error).empty());
    INFO(error);
    CHECK(error.find(reason) != std::string::npos);
  };
  wrong("letters", "rows = ['.']", "'rows' and 'colors' are needed");
  wrong("letters", "rows = ['.'], colors = { '.' = [1, 2] }", "a letter for each of 2 pixels");
  wrong("letters", "rows = ['..'], colors = { '.' = [1, 2] }", "the reference gives 4");
  wrong("letters", "rows = ['..', '.-'], colors = { '.' = [1, 2] }", "the letter '-' has no color");
  wrong("letters", "rows = ['..', '..'], colors = { '.' = 1 }", "each of the target's 2 channels");
  wrong("formula", "channels = ['x']", "a formula for each of the target's channels");
  wrong("formula", "channels = ['x', '1 / x']", "division by zero");
  wrong("formula", "channels = ['x', 'z']", "unknown variable 'z'");
}
