// Parts of C++20's library that the one of Debian's emscripten (libc++ 13) lacks: std::bit_cast, conversions
// between floating-point numbers and text, and algorithms over ranges. Included before all sources that are
// compiled to WebAssembly.
#pragma once

#include <algorithm>
#include <bit>
#include <cerrno>
#include <charconv>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <functional>
#include <iterator>
#include <string>
#include <type_traits>

namespace std {

#ifndef __cpp_lib_bit_cast
template <class To, class From>
requires(sizeof(To) == sizeof(From) && is_trivially_copyable_v<To> &&
         is_trivially_copyable_v<From>) constexpr To bit_cast(const From& from) noexcept {
  return __builtin_bit_cast(To, from);
}
#endif

#ifndef __cpp_lib_to_chars
/// Reads a decimal number, rounded to nearest. The only locale here has `.` as its decimal point.
template <class T>
requires is_floating_point_v<T> from_chars_result from_chars(const char* first, const char* last, T& value) {
  const string text(first, last);
  char* end = nullptr;
  errno = 0;
  const T read = is_same_v<T, float> ? static_cast<T>(strtof(text.c_str(), &end))
                                     : static_cast<T>(strtod(text.c_str(), &end));
  const char* const stop = first + (end - text.c_str());
  if (stop == first) return {first, errc::invalid_argument};
  if (errno == ERANGE && (isinf(read) || read == 0)) return {stop, errc::result_out_of_range};
  value = read;
  return {stop, errc{}};
}

/// Writes the fewest digits that are read back as the same number, in the shorter of both notations.
template <class T>
requires is_floating_point_v<T> to_chars_result to_chars(char* first, char* last, T value) {
  char scientific[64];
  char fixed[400] = "";
  int digits = 0;
  for (T back{}; digits < 17; ++digits) {
    snprintf(scientific, sizeof scientific, "%.*e", digits, static_cast<double>(value));
    from_chars(scientific, scientific + strlen(scientific), back);
    if (back == value || !isfinite(value)) break;
  }
  const char* const e = strchr(scientific, 'e');
  const int exponent = e != nullptr ? atoi(e + 1) : 0;
  snprintf(fixed, sizeof fixed, "%.*f", digits > exponent ? digits - exponent : 0,
           static_cast<double>(value));
  const char* const text = e == nullptr || strlen(fixed) <= strlen(scientific) ? fixed : scientific;
  const auto size = static_cast<ptrdiff_t>(strlen(text));
  if (size > last - first) return {last, errc::value_too_large};
  memcpy(first, text, static_cast<size_t>(size));
  return {first + size, errc{}};
}
#endif

#ifndef __cpp_lib_ranges
// The algorithms over ranges that the sources of the library use.
namespace ranges {
struct missing_identity {
  template <class T>
  constexpr T&& operator()(T&& value) const noexcept {
    return static_cast<T&&>(value);
  }
};
template <class R, class P, class Projection = missing_identity>
constexpr auto find_if(R&& range, P holds, Projection projection = {}) {
  auto at = std::begin(range);
  while (at != std::end(range) && !std::invoke(holds, std::invoke(projection, *at))) ++at;
  return at;
}
template <class R, class T, class Projection = missing_identity>
constexpr auto find(R&& range, const T& value, Projection projection = {}) {
  return ranges::find_if(
      range, [&](const auto& element) { return element == value; }, projection);
}
template <class R, class P, class Projection = missing_identity>
constexpr bool any_of(R&& range, P holds, Projection projection = {}) {
  return ranges::find_if(range, holds, projection) != std::end(range);
}
template <class R, class P, class Projection = missing_identity>
constexpr bool none_of(R&& range, P holds, Projection projection = {}) {
  return !ranges::any_of(range, holds, projection);
}
template <class R, class P, class Projection = missing_identity>
constexpr bool all_of(R&& range, P holds, Projection projection = {}) {
  return !ranges::any_of(
      range, [&](const auto& element) { return !std::invoke(holds, element); }, projection);
}
template <class R, class T>
constexpr void fill(R&& range, const T& value) {
  std::fill(std::begin(range), std::end(range), value);
}
template <class A, class B>
constexpr auto find_first_of(A&& range, B&& wanted) {
  return std::find_first_of(std::begin(range), std::end(range), std::begin(wanted), std::end(wanted));
}
// The order is always `<`: the sources need no other.
struct missing_less {};
template <class R>
constexpr void sort(R&& range) {
  std::sort(std::begin(range), std::end(range));
}
template <class R, class Projection>
constexpr void stable_sort(R&& range, missing_less, Projection projection) {
  std::stable_sort(std::begin(range), std::end(range), [&](const auto& a, const auto& b) {
    return std::invoke(projection, a) < std::invoke(projection, b);
  });
}
template <class R, class T, class Projection = missing_identity>
constexpr auto lower_bound(R&& range, const T& value, missing_less = {}, Projection projection = {}) {
  return std::lower_bound(std::begin(range), std::end(range), value, [&](const auto& element, const T& than) {
    return std::invoke(projection, element) < than;
  });
}
template <class R, class T, class Projection = missing_identity>
constexpr bool binary_search(R&& range, const T& value, missing_less = {}, Projection projection = {}) {
  const auto at = ranges::lower_bound(range, value, {}, projection);
  return at != std::end(range) && !(value < std::invoke(projection, *at));
}
template <class R, class T>
constexpr auto upper_bound(R&& range, const T& value) {
  return std::upper_bound(std::begin(range), std::end(range), value);
}
}  // namespace ranges
#endif

}  // namespace std
