// `cooprun compare`: the same cases with the modules of two compilers, GPU time and pipeline creation time as
// ratios.
#pragma once

namespace coopc::cooprun {

/// `argv[0]` is "compare"; `self` is the program, which runs one process for each measurement.
int compareMain(int argc, char** argv, const char* self);

}  // namespace coopc::cooprun
