#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>
#include <string>
#include <vector>

#include "isa/vocabulary.h"

/// The primitives of a fuzzer's input, for the files that read and write it.
namespace lanediff {

/// Reads zeros past the end.
class ByteReader {
 public:
  explicit ByteReader(std::span<const std::uint8_t> bytes) : bytes_(bytes) {}

  bool empty() const { return bytes_.empty(); }
  std::size_t size() const { return bytes_.size(); }

  std::uint8_t Byte() {
    if (bytes_.empty()) return 0;
    const std::uint8_t byte = bytes_.front();
    bytes_ = bytes_.subspan(1);
    return byte;
  }
  /// Zeros where there are none left.
  void Bytes(std::span<std::uint8_t> to) {
    const std::size_t count = std::min(to.size(), bytes_.size());
    if (count == 0) return;
    std::memcpy(to.data(), bytes_.data(), count);
    bytes_ = bytes_.subspan(count);
  }
  /// LEB128; bits beyond the 64th are dropped.
  std::uint64_t Varint() {
    std::uint64_t value = 0;
    for (int shift = 0; shift < 64; shift += 7) {
      const std::uint8_t byte = Byte();
      value |= std::uint64_t{byte & 0x7fu} << shift;
      if ((byte & 0x80u) == 0) break;
    }
    return value;
  }
  /// Zigzag.
  std::int64_t Signed() {
    const std::uint64_t value = Varint();
    return static_cast<std::int64_t>(value >> 1 ^ (~(value & 1) + 1));
  }
  template <class E>
  E Word() {
    return static_cast<E>(Byte() % isa::kCount<E>);
  }
  /// Up to 255 printable characters, at least one.
  std::string Text() {
    std::string text(Byte(), ' ');
    for (char& character : text) {
      character = static_cast<char>(' ' + (Byte() + 63) % 95);
    }
    return text.empty() ? "x" : text;
  }

 private:
  std::span<const std::uint8_t> bytes_;
};

class ByteWriter {
 public:
  void Byte(std::size_t value) {
    bytes.push_back(static_cast<std::uint8_t>(value));
  }
  void Varint(std::uint64_t value) {
    for (; value >= 0x80; value >>= 7) Byte((value & 0x7f) | 0x80);
    Byte(value);
  }
  void Signed(std::int64_t value) {
    Varint(static_cast<std::uint64_t>(value) << 1 ^
           static_cast<std::uint64_t>(value >> 63));
  }
  template <class E>
  void Word(E value) {
    Byte(static_cast<std::size_t>(value));
  }

  void Text(std::string_view text) {
    Byte(text.size());
    for (const char character : text) {
      Byte(static_cast<std::uint8_t>(character));
    }
  }

  std::vector<std::uint8_t> bytes;
};

/// Whether `ByteReader::Text` gives it back.
inline bool IsFuzzText(std::string_view text) {
  return !text.empty() && text.size() <= 255 &&
         std::ranges::all_of(text, [](char c) { return c >= ' ' && c <= '~'; });
}

}  // namespace lanediff
