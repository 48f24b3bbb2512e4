// `cooprun pipelines`: what a driver's compiler makes of shaders, native or lowered, without executing them.
#pragma once

namespace coopc::cooprun {

/// `argv[0]` is "pipelines"; `self` is the program's path. Returns the exit code.
int pipelinesMain(int argc, char** argv, const char* self);

}  // namespace coopc::cooprun
