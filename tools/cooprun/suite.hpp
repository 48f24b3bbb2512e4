// `cooprun suite`: the conformance suite of harness/suite on a device, or its shaders alone.
#pragma once

namespace coopc::cooprun {

/// `argv[0]` is the program, `argv[1]` is "suite". Returns the exit code.
int suiteMain(int argc, char** argv);

}  // namespace coopc::cooprun
