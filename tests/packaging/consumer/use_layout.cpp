// layout/ by itself: includes every header, and asks each family one question.
#include <coopc/layout/access.hpp>
#include <coopc/layout/banks.hpp>
#include <coopc/layout/cute.hpp>
#include <coopc/layout/descriptor.hpp>
#include <coopc/layout/measured.hpp>
#include <coopc/layout/notation.hpp>
#include <coopc/layout/rule.hpp>
#include <coopc/layout/shared_memory.hpp>
#include <coopc/layout/swizzle.hpp>
#include <coopc/layout/tensor.hpp>
#include <coopc/layout/workitem.hpp>

using namespace coopc::layout;

int main() {
  const TensorLayout t = slice(setDimension(*createTensorLayout(2), {10, 12}), {2, 3}, {8, 8});
  const bool tensor = mapElement(t, nullptr, 1, 1, 8, Access::Load).index == 40;

  WorkItemRequest request;
  request.rows = 4;
  request.columns = 15;
  request.workItems = 16;
  const bool workItem = ownerOf(*workItemLayout(request), 2, 9) == Owner{6, 2};

  const auto shared = parseLayout("Swizzle<1,3,3> o ((8,2),(8,2)):((8,128),(1,64))");
  const auto canonical = canonicalOf(*shared, 16);
  const bool refused = !canonical && ruleText(canonical.broken().rule).identifier == "shared.swizzle";

  MeasuredDevice device;
  const bool measured =
      !read("device D\ndriver V\nverified by hand\nmatrix f16 a subgroup 1 2 2\n0.0 1.0\n", device) &&
      device.matrices.size() == 1;
  return tensor && workItem && refused && measured ? 0 : 1;
}
