// A value or an error message: functions return it instead of throwing.
#pragma once

#include <optional>
#include <string>
#include <utility>
#include <variant>

namespace coopc::vk {

struct Error {
  /// One line, lower case, no full stop; says what is wrong and where.
  std::string message;
};

template <typename T>
class [[nodiscard]] Result {
 public:
  Result(T value) : state_(std::in_place_index<0>, std::move(value)) {}
  Result(Error error) : state_(std::in_place_index<1>, std::move(error)) {}

  explicit operator bool() const { return state_.index() == 0; }
  T& operator*() { return std::get<0>(state_); }
  const T& operator*() const { return std::get<0>(state_); }
  T* operator->() { return &std::get<0>(state_); }
  const T* operator->() const { return &std::get<0>(state_); }
  const Error& error() const { return std::get<1>(state_); }

 private:
  std::variant<T, Error> state_;
};

/// No value on success; after a failure, the error.
using Status = std::optional<Error>;

}  // namespace coopc::vk
