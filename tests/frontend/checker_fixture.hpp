// A checker over a program that a test makes by hand, without a parser.
#pragma once

#include "frontend/check/checker.hpp"
#include "tests/frontend/all_warnings.hpp"

namespace coopc::tests {

struct CheckerFixture {
  frontend::SourceManager sources;
  frontend::Diagnostics diagnostics{sources, allWarnings()};
  frontend::Names names;
  frontend::CompileOptions options;
  frontend::Program program;
  frontend::Checker c{options, diagnostics, names, program};
};

}  // namespace coopc::tests
