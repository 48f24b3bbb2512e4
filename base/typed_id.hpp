// Ids that cannot be mixed up: each kind of id is a separate type, which converts neither into another kind
// nor into an integer, and costs no more than the 32-bit index in it. Arrays indexed by such ids accept only
// the right kind.
//
//   using ExprId = TypedId<struct ExprIdTag>;
//   IdVector<ExprId, Expr> exprs;
//   Expr& e = exprs[id];   // an ExprId: neither 3 nor a StmtId compiles
#pragma once

#include <compare>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <type_traits>
#include <utility>
#include <vector>

namespace coopc {

/// A 32-bit index of the kind that `Tag` names; 0 is not an id. Every conversion from and to integers is
/// written out (`ExprId(word)`, `id.index()`) and takes uint32_t exactly, so that nothing is narrowed on the
/// way.
template <typename Tag>
class TypedId {
 public:
  constexpr TypedId() = default;  ///< none
  constexpr explicit TypedId(std::same_as<uint32_t> auto index) : index_(index) {}
  static constexpr TypedId none() { return {}; }

  constexpr uint32_t index() const { return index_; }
  constexpr explicit operator bool() const { return index_ != 0; }  ///< whether it is an id, not none()

  friend constexpr bool operator==(TypedId, TypedId) = default;
  /// The order in which ids were assigned. (clang-tidy 14 takes the 0 in its definition for a null pointer.)
  friend constexpr std::strong_ordering operator<=>(TypedId,
                                                    TypedId) = default;  // NOLINT(modernize-use-nullptr)

 private:
  uint32_t index_ = 0;
};

template <typename T>
inline constexpr bool kIsTypedId = false;
template <typename Tag>
inline constexpr bool kIsTypedId<TypedId<Tag>> = true;

/// Consecutive ids: `count` of them from `first`.
template <typename Id>
requires kIsTypedId<Id>
class IdRange {
 public:
  class Iterator {
   public:
    using value_type = Id;
    using difference_type = std::ptrdiff_t;
    constexpr Iterator() = default;
    constexpr explicit Iterator(uint32_t index) : index_(index) {}
    constexpr Id operator*() const { return Id(index_); }
    constexpr Iterator& operator++() {
      ++index_;
      return *this;
    }
    constexpr Iterator operator++(int) { return Iterator(index_++); }
    friend constexpr bool operator==(Iterator, Iterator) = default;

   private:
    uint32_t index_ = 0;
  };

  constexpr IdRange() = default;
  constexpr IdRange(Id first, uint32_t count) : first_(first.index()), count_(count) {}
  /// From `first` to the id before `end`.
  constexpr IdRange(Id first, Id end) : IdRange(first, end.index() - first.index()) {}

  constexpr uint32_t size() const { return count_; }
  constexpr bool empty() const { return count_ == 0; }
  constexpr Id operator[](uint32_t i) const { return Id(first_ + i); }
  constexpr bool contains(Id id) const { return id.index() - first_ < count_; }
  constexpr Iterator begin() const { return Iterator(first_); }
  constexpr Iterator end() const { return Iterator(first_ + count_); }

 private:
  uint32_t first_ = 0;
  uint32_t count_ = 0;
};

/// An array of objects, indexed by ids of one kind. If position 0 is reserved for none(), the owner adds an
/// element there.
template <typename Id, typename T>
requires kIsTypedId<Id>
class IdVector {
 public:
  IdVector() = default;
  explicit IdVector(size_t count) : items_(count) {}
  IdVector(size_t count, const T& value) : items_(count, value) {}

  typename std::vector<T>::reference operator[](Id id) { return items_[id.index()]; }
  typename std::vector<T>::const_reference operator[](Id id) const { return items_[id.index()]; }
  bool contains(Id id) const { return id.index() < items_.size(); }
  /// All ids but none().
  IdRange<Id> ids() const {
    const auto count = static_cast<uint32_t>(items_.size());
    return count == 0 ? IdRange<Id>() : IdRange<Id>(Id(1u), count - 1);
  }

  Id next() const { return Id(static_cast<uint32_t>(items_.size())); }  ///< for the next add()
  Id add(const T& item) {
    items_.push_back(item);
    return last();
  }
  Id add(T&& item) {
    items_.push_back(std::move(item));
    return last();
  }
  /// Extends the array to ids of objects that were never added; they get `value`.
  void resize(size_t count, const T& value = T()) { items_.resize(count, value); }
  void reserve(size_t count) { items_.reserve(count); }
  void clear() { items_.clear(); }

  size_t size() const { return items_.size(); }
  bool empty() const { return items_.empty(); }
  T& back() { return items_.back(); }
  const T& back() const { return items_.back(); }
  auto begin() { return items_.begin(); }
  auto end() { return items_.end(); }
  auto begin() const { return items_.begin(); }
  auto end() const { return items_.end(); }

 private:
  Id last() const { return Id(static_cast<uint32_t>(items_.size() - 1)); }
  std::vector<T> items_;
};

namespace typed_id_detail {
using Sample = TypedId<struct SampleTag>;
// An id is as cheap as its index: passed in a register, trivially copied, and of the same size in every
// structure.
static_assert(sizeof(Sample) == sizeof(uint32_t));
static_assert(alignof(Sample) == alignof(uint32_t));
static_assert(std::is_trivially_copyable_v<Sample> && std::is_trivially_destructible_v<Sample> &&
              std::is_standard_layout_v<Sample>);
}  // namespace typed_id_detail

}  // namespace coopc

template <typename Tag>
struct std::hash<coopc::TypedId<Tag>> {
  size_t operator()(coopc::TypedId<Tag> id) const noexcept { return std::hash<uint32_t>()(id.index()); }
};
