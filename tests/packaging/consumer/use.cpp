// The C++ interface, as a user links it.
#include <coopc/coopc.hpp>

int main() {
  coopc::Options options;
  options.targetEnv = coopc::TargetEnv::Vulkan1_3;
  const coopc::Result good = coopc::compile("#version 450\nvoid main() {}\n", "good.comp", options);
  const coopc::Result bad = coopc::compile("#version 450\nvoid main() { x; }\n", "bad.comp", options);
#ifdef GLSLANG_PROGRAM
  options.stage = coopc::Stage::Vertex;
  options.glslangProgram = GLSLANG_PROGRAM;
  const coopc::Result vertex =
      coopc::compile("#version 450\nvoid main() { gl_Position = vec4(0); }\n", "a.vert", options);
  if (!vertex.ok) return 2;
#endif
  return good.ok && !good.words.empty() && good.words[0] == 0x07230203u && !bad.ok && !bad.diagnostics.empty()
             ? 0
             : 1;
}
