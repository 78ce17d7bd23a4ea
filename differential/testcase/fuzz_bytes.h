#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "isa/step.h"
#include "isa/vocabulary.h"

/// The primitives and the steps of a fuzzer's input (docs/case-format.md), for
/// the files that read and write it.
namespace lanediff {

/// Of a list of an unaudited call, so that no input is slow.
inline constexpr std::size_t kMostEntries = 64;

/// Reads zeros past the end.
class ByteReader {
 public:
  static constexpr bool kReads = true;

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
  void Varint(std::uint64_t& value) { value = Varint(); }
  /// Zigzag.
  void Signed(std::int64_t& number) {
    const std::uint64_t value = Varint();
    number = static_cast<std::int64_t>(value >> 1 ^ (~(value & 1) + 1));
  }
  template <class E>
  void Word(E& word) {
    word = static_cast<E>(Byte() % isa::kCount<E>);
  }
  /// 0, or one more than the word's index.
  template <class E>
  void OptionalWord(std::optional<E>& word) {
    const auto index = Byte() % (isa::kCount<E> + 1);
    word.reset();
    if (index != 0) word = static_cast<E>(index - 1);
  }
  /// A byte of flags, each a bit of its own.
  std::uint8_t Flags(std::uint8_t /*given*/) { return Byte(); }
  /// Up to 255 printable characters, at least one.
  void Text(std::string& text) {
    text.assign(Byte(), ' ');
    for (char& character : text) {
      character = static_cast<char>(' ' + (Byte() + 63) % 95);
    }
    if (text.empty()) text = "x";
  }
  /// A list whose entries `codec(entry)` reads in turn; `keeps(entry)`: whether
  /// one belongs there.
  template <class T, class Codec, class Keeps>
  void List(std::vector<T>& list, const Codec& codec, const Keeps& keeps) {
    for (std::size_t n = Byte() % (kMostEntries + 1); n > 0; --n) {
      T entry{};
      codec(entry);
      if (keeps(entry)) list.push_back(std::move(entry));
    }
  }

 private:
  std::span<const std::uint8_t> bytes_;
};

/// Writes what `ByteReader` reads, by functions of the same names.
class ByteWriter {
 public:
  static constexpr bool kReads = false;

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
  template <class E>
  void OptionalWord(const std::optional<E>& word) {
    Byte(word ? static_cast<std::size_t>(*word) + 1 : 0);
  }
  std::uint8_t Flags(std::uint8_t given) {
    Byte(given);
    return given;
  }
  void Text(std::string_view text) {
    Byte(text.size());
    for (const char character : text) {
      Byte(static_cast<std::uint8_t>(character));
    }
  }
  template <class T, class Codec, class Keeps>
  void List(const std::vector<T>& list, const Codec& codec, const Keeps&) {
    Byte(list.size());
    for (const T& entry : list) codec(entry);
  }

  std::vector<std::uint8_t> bytes;
};

/// Any bytes are a step that a case may have. `kinds`: those that the version
/// has, by their numbers.
isa::Step DecodeStep(ByteReader& in, std::span<const isa::Step> kinds);

/// The inverse of decoding; `BeyondFuzzInputs(step)` is empty.
void EncodeStep(const isa::Step& step, ByteWriter& out);

/// What of the step has no encoding, in a few words; empty if all has.
std::string_view BeyondFuzzInputs(const isa::Step& step);

/// Whether `ByteReader::Text` gives it back.
inline bool IsFuzzText(std::string_view text) {
  return !text.empty() && text.size() <= 255 &&
         std::ranges::all_of(text, [](char c) { return c >= ' ' && c <= '~'; });
}

}  // namespace lanediff
