// Typed ids: what must not compile does not, what must be free is, and arrays are found by their own ids
// only.
#include <string>
#include <unordered_set>

#include <catch2/catch_test_macros.hpp>

#include "base/typed_id.hpp"

namespace coopc {
namespace {

using RedId = TypedId<struct RedTag>;
using BlueId = TypedId<struct BlueTag>;

template <typename Container, typename Key>
concept IndexedBy = requires(Container c, Key k) {
  c[k];
};
template <typename A, typename B>
concept Comparable = requires(A a, B b) {
  a == b;
};
template <typename A, typename B>
concept Ordered = requires(A a, B b) {
  a < b;
};
template <typename A, typename B>
concept Summable = requires(A a, B b) {
  a + b;
};
template <typename To, typename From>
concept CastFrom = requires(From f) {
  static_cast<To>(f);
};

// No conversion between kinds, written out or not.
static_assert(!std::is_convertible_v<RedId, BlueId> && !std::is_constructible_v<BlueId, RedId>);
static_assert(!std::is_assignable_v<RedId&, BlueId>);
// To integers: index() only. To bool: in conditions only.
static_assert(!std::is_convertible_v<RedId, uint32_t> && !CastFrom<uint32_t, RedId> && !CastFrom<int, RedId>);
static_assert(!std::is_convertible_v<RedId, bool> && std::is_constructible_v<bool, RedId>);
// From integers: written out, and from uint32_t only.
static_assert(!std::is_convertible_v<uint32_t, RedId> && std::is_constructible_v<RedId, uint32_t>);
static_assert(!std::is_assignable_v<RedId&, uint32_t> && !std::is_assignable_v<RedId&, int>);
static_assert(!std::is_constructible_v<RedId, int> && !std::is_constructible_v<RedId, size_t> &&
              !std::is_constructible_v<RedId, bool>);
// Compared with their own kind only; no arithmetic.
static_assert(Comparable<RedId, RedId> && Ordered<RedId, RedId>);
static_assert(!Comparable<RedId, BlueId> && !Comparable<RedId, uint32_t> && !Comparable<RedId, int>);
static_assert(!Ordered<RedId, BlueId> && !Ordered<RedId, uint32_t>);
static_assert(!Summable<RedId, uint32_t> && !Summable<RedId, int> && !Summable<RedId, RedId>);
// Functions and arrays take the right kind only.
static_assert(std::is_invocable_v<void (*)(RedId), RedId> && !std::is_invocable_v<void (*)(RedId), BlueId> &&
              !std::is_invocable_v<void (*)(RedId), uint32_t> &&
              !std::is_invocable_v<void (*)(uint32_t), RedId>);
static_assert(IndexedBy<IdVector<RedId, int>, RedId> && !IndexedBy<IdVector<RedId, int>, BlueId> &&
              !IndexedBy<IdVector<RedId, int>, int> && !IndexedBy<IdVector<RedId, int>, size_t>);
static_assert(!IndexedBy<std::vector<int>, RedId> && !IndexedBy<const int*, RedId>);
// Free: a word in memory, a word in a register.
static_assert(sizeof(RedId) == 4 && std::is_trivially_copyable_v<RedId> && std::is_standard_layout_v<RedId>);
// Usable where tables are made by the compiler.
constexpr RedId kSeven = RedId(7u);
static_assert(kSeven && kSeven.index() == 7 && kSeven == RedId(7u) && kSeven < RedId(8u));
static_assert(!RedId() && RedId() == RedId::none());

TEST_CASE("Typed ids hash as their indices do, each on its own") {
  std::unordered_set<RedId> seen;
  for (uint32_t i = 0; i < 100; ++i) seen.insert(RedId(i % 10));
  CHECK(seen.size() == 10);
  CHECK(seen.contains(RedId(9u)));
  CHECK_FALSE(seen.contains(RedId(10u)));
}

TEST_CASE("A typed array gives out the ids that find its elements") {
  IdVector<RedId, std::string> names(1);
  CHECK(names[RedId::none()].empty());
  const RedId expected = names.next();
  const RedId a = names.add("a");
  const std::string b = "b";
  const RedId second = names.add(b);
  CHECK(a == expected);
  CHECK(a < second);
  CHECK(names[a] == "a");
  CHECK(names[second] == "b");
  CHECK(names.contains(second));
  CHECK_FALSE(names.contains(names.next()));
  names.resize(5, "later");
  CHECK(names.size() == 5);
  CHECK(names[RedId(4u)] == "later");
  CHECK(names[second] == "b");
  names[a] = "changed";
  CHECK(names[a] == "changed");
}

}  // namespace
}  // namespace coopc
