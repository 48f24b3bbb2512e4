// On systems that cannot start processes, a compile that needs the helper reports that it is missing, and all
// others work.
#include <catch2/catch_test_macros.hpp>

#include "coopc/coopc.hpp"

using namespace coopc;

TEST_CASE("no helper: other targets are answered by a status and a message") {
  Options options;
  options.stage = Stage::Geometry;
  options.targetEnv = TargetEnv::OpenGL4_5;
  options.glslangProgram = "coopc-glslang";
  const Result result = compile("#version 450\nvoid main() {}\n", "a.geom", options);
  CHECK(!result.ok);
  CHECK(result.status == Status::HelperMissing);
  CHECK(result.messages.find("programs cannot be started on this platform") != std::string::npos);
  options.targetEnv = TargetEnv::Vulkan1_3;
  options.stage = Stage::Vertex;
  CHECK(compile("#version 450\nvoid main() { gl_Position = vec4(0); }\n", "a.vert", options).ok);
  options.stage = Stage::Compute;
  CHECK(compile("#version 450\nvoid main() {}\n", "a.comp", options).ok);
}
