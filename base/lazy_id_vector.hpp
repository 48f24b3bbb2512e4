// Objects found by ids, of which most owners have none.
#pragma once

#include <utility>
#include <vector>

#include "base/typed_id.hpp"

namespace coopc {

/// An IdVector that allocates nothing before the first object is added, and then puts the element of none() before it.
template <typename Id, typename T>
class LazyIdVector : public IdVector<Id, T> {
 public:
  Id next() const { return this->empty() ? Id(1u) : IdVector<Id, T>::next(); }
  Id add(T item) {
    if (this->empty()) this->resize(1);
    return IdVector<Id, T>::add(std::move(item));
  }
  /// Adds one after the other; what they are called.
  IdRange<Id> addAll(const std::vector<T>& added) {
    const Id first = next();
    for (const T& item : added) add(item);
    return {first, static_cast<uint32_t>(added.size())};
  }
  const T* data() const { return this->empty() ? nullptr : &*this->begin(); }
};

}  // namespace coopc
