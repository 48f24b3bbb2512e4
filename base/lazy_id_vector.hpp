// A table of objects by id, for owners whose tables are mostly empty.
#pragma once

#include <utility>
#include <vector>

#include "base/typed_id.hpp"

namespace coopc {

/// An IdVector that allocates nothing until the first object is added. The element for none() is then added
/// first.
template <typename Id, typename T>
class LazyIdVector : public IdVector<Id, T> {
 public:
  Id next() const { return this->empty() ? Id(1u) : IdVector<Id, T>::next(); }
  Id add(T item) {
    if (this->empty()) this->resize(1);
    return IdVector<Id, T>::add(std::move(item));
  }
  /// Adds several objects and returns their ids.
  IdRange<Id> addAll(const std::vector<T>& added) {
    const Id first = next();
    for (const T& item : added) add(item);
    return {first, static_cast<uint32_t>(added.size())};
  }
  const T* data() const { return this->empty() ? nullptr : &*this->begin(); }
};

}  // namespace coopc
