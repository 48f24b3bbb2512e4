// For each rule of layout/rules.def, a request breaks this rule alone, and its message has the numbers.
#include <array>
#include <set>
#include <string>

#include <catch2/catch_test_macros.hpp>

#include "layout/banks.hpp"
#include "layout/descriptor.hpp"
#include "layout/measured.hpp"
#include "layout/notation.hpp"
#include "layout/rule.hpp"
#include "layout/strided.hpp"
#include "layout/tensor.hpp"
#include "layout/workitem.hpp"

using namespace coopc::layout;

namespace {

template <class T>
Broken brokenOf(const Answer<T>& answer) {
  REQUIRE_FALSE(answer);
  return answer.broken();
}

Broken workItem(Scheme scheme, Use use, uint32_t rows, uint32_t columns, uint32_t workItems,
                uint32_t bytes = 4) {
  return brokenOf(workItemLayout({scheme, use, rows, columns, workItems, bytes}));
}

Broken read(std::string_view text) { return brokenOf(parseLayout(text)); }

cute::Layout layoutOf(std::string_view text) { return parseLayout(text)->layout; }

Broken canonical(std::string_view text) { return brokenOf(canonicalOf(*parseLayout(text), 16)); }

Broken encodeBroken(const SharedMemoryDescriptor& d) { return brokenOf(encode(d)); }

Broken map(std::string_view text) {
  MeasuredDevice device;
  return *coopc::layout::read(text, device);
}

MeasuredMatrix measured() {
  MeasuredDevice device;
  REQUIRE_FALSE(coopc::layout::read("matrix f16 a subgroup 1 2 2\n0.0 1.0\n", device));
  return device.matrices[0];
}

struct Breaks {
  Rule rule;
  Broken (*broken)();
};

constexpr Breaks kBreaks[] = {
    {Rule::EmptyMatrix, [] { return workItem(Scheme::AnyRows, Use::A, 4, 0, 8); }},
    {Rule::RowsPowerOfTwo, [] { return workItem(Scheme::TinyTcNewer, Use::A, 24, 8, 16); }},
    {Rule::SubgroupPowerOfTwo, [] { return workItem(Scheme::TinyTcOlder, Use::A, 24, 8, 24); }},
    {Rule::RowsMultipleOfSubgroup, [] { return workItem(Scheme::TinyTcOlder, Use::A, 24, 8, 16); }},
    {Rule::VnniDividesSubgroup, [] { return workItem(Scheme::TinyTcOlder, Use::A, 2, 8, 2, 1); }},
    {Rule::ComponentSize, [] { return workItem(Scheme::AnyRows, Use::A, 2, 8, 2, 3); }},
    {Rule::MatrixTooLarge, [] { return workItem(Scheme::AnyRows, Use::A, 1u << 20, 1u << 20, 2); }},
    {Rule::OutsideMatrix,
     [] {
       return brokenOf(checkedOwnerOf(*workItemLayout({Scheme::AnyRows, Use::A, 2, 2, 2, 4}), 2, 0));
     }},
    {Rule::OutsideWorkItem,
     [] {
       return brokenOf(checkedElementOf(*workItemLayout({Scheme::AnyRows, Use::A, 2, 2, 2, 4}), 2, 0));
     }},
    {Rule::NotPacked,
     [] {
       return brokenOf(packedPlaceOf(*workItemLayout({Scheme::TinyTcNewer, Use::B, 2, 2, 2, 2}), 0, 0));
     }},
    {Rule::Syntax, [] { return read("(4,"); }},
    {Rule::TooDeep, [] { return read(std::string(40, '(')); }},
    {Rule::NotCongruent, [] { return read("(4,4):4"); }},
    {Rule::ShapePositive, [] { return read("0:1"); }},
    {Rule::StrideNegative, [] { return brokenOf(cute::Layout::make(cute::Tuple(4), cute::Tuple(-1))); }},
    {Rule::LayoutTooLarge, [] { return read("(4,1099511627776):(1,4)"); }},
    {Rule::TooManyToEnumerate, [] { return brokenOf(cute::distinctAddresses(layoutOf("4194305:1"))); }},
    {Rule::OutsideLayout, [] { return brokenOf(layoutOf("4:1").at(std::array<int64_t, 1>{4})); }},
    {Rule::OutsideDomain, [] { return brokenOf(cute::compose(layoutOf("4:1"), layoutOf("4:2"))); }},
    {Rule::NotALayout,
     [] { return brokenOf(cute::compose(layoutOf("(2,2):(1,10)"), layoutOf("(2,2):(1,1)"))); }},
    {Rule::ShapeNotDivisible,
     [] { return brokenOf(cute::compose(layoutOf("(4,2):(1,8)"), layoutOf("3:2"))); }},
    {Rule::NotInjective, [] { return *cute::whyNotInjective(layoutOf("(2,2):(1,1)")); }},
    {Rule::NotOnto, [] { return brokenOf(cute::inverse(layoutOf("4:2"))); }},
    {Rule::ComplementStride, [] { return brokenOf(cute::complement(layoutOf("(3,2):(2,3)"), 12)); }},
    {Rule::ComplementSize, [] { return brokenOf(cute::complement(layoutOf("4:1"), 10)); }},
    {Rule::SwizzleOverlap, [] { return read("Swizzle<2,4,1> o 4:1"); }},
    {Rule::SwizzleBits, [] { return read("Swizzle<2,60,3> o 4:1"); }},
    {Rule::SwizzleUnknown, [] { return canonical("Swizzle<1,3,3> o ((8,2),(8,2)):((8,128),(1,64))"); }},
    {Rule::ElementBits,
     [] {
       return brokenOf(canonicalLayout({Major::K, SwizzleMode::None, 24, 1, 1, 16, 16}));
     }},
    {Rule::RepeatZero,
     [] {
       return brokenOf(canonicalLayout({Major::K, SwizzleMode::None, 16, 1, 0, 16, 16}));
     }},
    {Rule::OffsetAlignment,
     [] {
       return brokenOf(canonicalLayout({Major::K, SwizzleMode::None, 16, 1, 1, 16, 8}));
     }},
    {Rule::SwizzleWidth,
     [] {
       return *checkWidth({Major::K, SwizzleMode::Bytes64, 16, 1, 3, 0, 512});
     }},
    {Rule::CanonicalRows, [] { return canonical("((4,3),(8,2)):((8,32),(1,64))"); }},
    {Rule::CanonicalColumns, [] { return canonical("((8,2),(8,3)):((8,128),(1,64))"); }},
    {Rule::CanonicalPlace, [] { return canonical("((8,2),(8,2)):((16,128),(1,64))"); }},
    {Rule::FieldRange,
     [] {
       SharedMemoryDescriptor d;
       d.version = 8;
       return encodeBroken(d);
     }},
    {Rule::AddressAlignment,
     [] {
       SharedMemoryDescriptor d;
       d.address = 4;
       return encodeBroken(d);
     }},
    {Rule::SwizzleModeInvalid, [] { return brokenOf(decode(uint64_t{5} << 61)); }},
    {Rule::DecodeOnly,
     [] {
       SharedMemoryDescriptor d;
       d.swizzle = SwizzleMode::Bytes128Atom32;
       return encodeBroken(d);
     }},
    {Rule::DescriptorVersion, [] { return *checkGeneration({}, Generation::Fifth); }},
    {Rule::FourthGeneration,
     [] {
       SharedMemoryDescriptor d;
       d.leadingIsAbsolute = true;
       return *checkGeneration(d, Generation::Fourth);
     }},
    {Rule::AbsoluteSwizzle,
     [] {
       SharedMemoryDescriptor d;
       d.leadingIsAbsolute = true;
       return *checkRestrictions(d, 0);
     }},
    {Rule::AbsoluteMajor,
     [] {
       SharedMemoryDescriptor d;
       d.leadingIsAbsolute = true;
       d.swizzle = SwizzleMode::Bytes128;
       return *checkRestrictions(d, kTransposeB);
     }},
    {Rule::AbsoluteBase,
     [] {
       SharedMemoryDescriptor d;
       d.leadingIsAbsolute = true;
       d.swizzle = SwizzleMode::Bytes128;
       d.baseOffset = 1;
       return *checkRestrictions(d, 0);
     }},
    {Rule::ChunkAligned, [] { return brokenOf(chunks48(8)); }},
    {Rule::AccessBytes, [] { return brokenOf(bankConflicts({}, 2)); }},
    {Rule::AccessAlignment, [] { return brokenOf(bankConflicts(std::array<uint64_t, 1>{4}, 8)); }},
    {Rule::TensorDimensions, [] { return brokenOf(createTensorView(0)); }},
    {Rule::TensorClampMode, [] { return brokenOf(createTensorLayout(1, static_cast<ClampMode>(7))); }},
    {Rule::TensorPermutation,
     [] {
       return brokenOf(createTensorView(2, false, {1, 1}));
     }},
    {Rule::TensorStride,
     [] {
       return *checkStride(setStride(setDimension(*createTensorLayout(2), {4, 4}), {3, 1}));
     }},
    {Rule::TensorBase, [] { return *checkBase(1, 8); }},
    {Rule::StridedMemoryLayout,
     [] {
       return brokenOf(tensorOf({static_cast<MemoryLayout>(4202), 8, 8, 2, 2, 0, 8}, Access::Load));
     }},
    {Rule::StridedStoreStride,
     [] {
       return brokenOf(tensorOf({MemoryLayout::RowMajor, 8, 8, 2, 2, 0, 0}, Access::Store));
     }},
    {Rule::StridedAlignment,
     [] {
       return *checkAlignment({MemoryLayout::RowMajor, 8, 8, 2, 2, 4, 8});
     }},
    {Rule::StridedTooLarge,
     [] {
       return brokenOf(tensorOf({MemoryLayout::ColumnMajor, 8, 8, 2, 16, 0, 1u << 30}, Access::Load));
     }},
    {Rule::MeasuredKeyword, [] { return map("shape 1\n"); }},
    {Rule::MeasuredHeader, [] { return map("matrix f16 a subgroup 1 2\n"); }},
    {Rule::MeasuredTooLarge, [] { return map("matrix f16 a subgroup 2000 2000 2\n"); }},
    {Rule::MeasuredRow, [] { return map("matrix f16 a subgroup 1 2 2\n0.0\n"); }},
    {Rule::MeasuredOwner, [] { return map("matrix f16 a subgroup 1 2 2\n0.0 2.0\n"); }},
    {Rule::MeasuredTwice, [] { return map("matrix f16 a subgroup 1 2 2\n0.0 0.0\n"); }},
    {Rule::MeasuredUnfinished, [] { return map("matrix f16 a subgroup 2 1 2\n0.0\n"); }},
    {Rule::MeasuredEmpty, [] { return map("device D\n"); }},
    {Rule::MeasuredElement, [] { return brokenOf(ownersOf(measured(), 1, 0)); }},
    {Rule::MeasuredInvocation, [] { return brokenOf(coopc::layout::elementOf(measured(), 2, 0)); }},
    {Rule::MeasuredComponent, [] { return brokenOf(coopc::layout::elementOf(measured(), 0, 1)); }},
};

}  // namespace

TEST_CASE("rules: each one is broken by a request, and says so") {
  std::set<Rule> broken;
  std::set<std::string_view> identifiers;
  for (const Breaks& breaks : kBreaks) {
    const RuleText& text = ruleText(breaks.rule);
    INFO(text.identifier);
    const Broken got = breaks.broken();
    CHECK(got.rule == breaks.rule);
    CHECK(message(got).find('{') == std::string::npos);
    CHECK_FALSE(text.clause.empty());
    CHECK(broken.insert(breaks.rule).second);
    CHECK(identifiers.insert(text.identifier).second);
  }
  CHECK(broken.size() == kRuleCount);
}
