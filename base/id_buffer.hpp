// A list of ids that lives briefly and is usually short, such as the arguments of a call or the components of
// a constructor.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>

#include "base/typed_id.hpp"

namespace coopc {

/// A list of ids that lives on the stack until it outgrows N.
template <typename Id, uint32_t N>
requires kIsTypedId<Id>
class IdBuffer {
 public:
  IdBuffer() = default;
  IdBuffer(const IdBuffer&) = delete;
  IdBuffer& operator=(const IdBuffer&) = delete;
  void push(Id id) {
    if (size_ == capacity_) grow();
    data_[size_++] = id;
  }
  void append(std::span<const Id> ids) {
    for (Id id : ids) push(id);
  }
  void clear() { size_ = 0; }
  uint32_t size() const { return size_; }
  Id& operator[](uint32_t i) { return data_[i]; }
  Id operator[](uint32_t i) const { return data_[i]; }
  std::span<const Id> view() const { return {data_, size_}; }

 private:
  void grow() {
    auto bigger = std::make_unique<Id[]>(size_t{capacity_} * 2);
    std::copy_n(data_, size_, bigger.get());
    heap_ = std::move(bigger);
    data_ = heap_.get();
    capacity_ *= 2;
  }
  Id inline_[N];
  std::unique_ptr<Id[]> heap_;
  Id* data_ = inline_;
  uint32_t size_ = 0;
  uint32_t capacity_ = N;
};

}  // namespace coopc
