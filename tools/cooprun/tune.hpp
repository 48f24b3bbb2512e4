// `cooprun tune`: times a case with every combination of values that its [tune] names, and writes the best as
// a case.
#pragma once

namespace coopc::cooprun {

/// `argv[0]` is "tune"; `self` is the program, which runs one process for each combination.
int tuneMain(int argc, char** argv, const char* self);

}  // namespace coopc::cooprun
