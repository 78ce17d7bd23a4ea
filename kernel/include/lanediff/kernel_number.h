#ifndef LANEDIFF_KERNEL_NUMBER_H
#define LANEDIFF_KERNEL_NUMBER_H

#include <cstddef>
#include <cstdint>
#include <type_traits>

#include "lanediff/kernel_abi.h"

/// The last parameter of every function: where the user calls it.
#define LANEDIFF_SITE                \
  ::lanediff_site lanediff_site_ = { \
      __builtin_FILE(), static_cast<std::int32_t>(__builtin_LINE())}

namespace lanediff::front {

/// T, but never what T is deduced from.
template <typename T>
struct AsIs {
  using Type = T;
};
template <typename T>
using Same = typename AsIs<T>::Type;

/// A number of any integer or enum type, in 64 bits: a 256 that a narrow type
/// would make 0 arrives as 256 (KRN-RANGE). What the caller has cast, or keeps
/// in a narrow variable, is beyond help.
class Num {
 public:
  Num() = default;
  template <
      typename V,
      std::enable_if_t<std::is_enum_v<V> || std::is_convertible_v<V, long long>,
                       int> = 0>
  // NOLINTNEXTLINE(google-explicit-constructor): stands for every number
  constexpr Num(V value) : value_(static_cast<std::int64_t>(value)) {}
  // NOLINTNEXTLINE(google-explicit-constructor): is read like a number
  constexpr operator std::int64_t() const { return value_; }
  constexpr Num& operator+=(std::int64_t by) { return *this = value_ + by; }
  constexpr Num& operator-=(std::int64_t by) { return *this = value_ - by; }
  constexpr Num& operator*=(std::int64_t by) { return *this = value_ * by; }
  constexpr Num& operator/=(std::int64_t by) { return *this = value_ / by; }
  constexpr Num& operator++() { return *this += 1; }
  constexpr Num& operator--() { return *this -= 1; }

 private:
  std::int64_t value_;
};

/// A mask: a number of elements, or two words of bits. One class, as a literal
/// 0 must not become a null pointer.
class Mask {
 public:
  template <
      typename V,
      std::enable_if_t<std::is_enum_v<V> || std::is_convertible_v<V, long long>,
                       int> = 0>
  // NOLINTNEXTLINE(google-explicit-constructor): stands for every number
  constexpr Mask(V elements)
      : words_{static_cast<std::uint64_t>(static_cast<std::int64_t>(elements)),
               0},
        form_(LANEDIFF_MASK_LEN) {}
  /// Older prints have arrays of one word.
  template <std::size_t N>
  // NOLINTNEXTLINE(google-explicit-constructor): as documented
  constexpr Mask(const std::uint64_t (&words)[N])
      : words_{words[0], N > 1 ? words[N > 1 ? 1 : 0] : 0},
        form_(LANEDIFF_MASK_BITS) {}
  template <typename Pointer,
            std::enable_if_t<std::is_same_v<Pointer, const std::uint64_t*> ||
                                 std::is_same_v<Pointer, std::uint64_t*>,
                             int> = 0>
  // NOLINTNEXTLINE(google-explicit-constructor): as documented
  constexpr Mask(const Pointer& words)
      : words_{words[0], words[1]}, form_(LANEDIFF_MASK_BITS) {}

  constexpr std::uint64_t word(int index) const { return words_[index]; }
  constexpr std::uint8_t form() const { return form_; }

 private:
  std::uint64_t words_[2];
  std::uint8_t form_;
};

}  // namespace lanediff::front
#endif  // LANEDIFF_KERNEL_NUMBER_H
