// Every overload of every built-in function is executed by a value test, or stands in the list of exceptions.
#include "tests/builtins/coverage.hpp"

#include <cstdio>
#include <cstdlib>

#include "tests/builtins/device.hpp"
#include "tests/builtins/overloads.hpp"

using namespace coopc::tests;

TEST_CASE("every overload is executed") {
  const Coverage c = coverage();
  size_t missing = 0;
  for (const Overload& o : allOverloads()) {
    const std::string call = o.function + "(" + o.parameters + ")";
    if (c.executed.count(call) != 0) continue;
    ++missing;
    std::string why;
    if (const auto found = c.skipped.find(call); found != c.skipped.end())
      for (const std::string& reason : found->second) why += " [" + reason + "]";
    std::printf("%s%s\n", call.c_str(), why.c_str());
  }
  CHECK(missing == 0);
}
