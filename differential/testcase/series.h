#pragma once

#include <cstdint>
#include <expected>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "differential/testcase/element.h"
#include "isa/vocabulary.h"

namespace lanediff {

/// Elements that one line of a case states: all equal (a run), or evenly spaced
/// (a ramp), each exact before it is rounded once. What an element is, is
/// computed on request.
class Series {
 public:
  /// The most elements: those of 1 byte that a memory has space for.
  static constexpr std::int64_t kMaxCount = std::int64_t{1} << 30;

  static Series Run(isa::DType type, std::uint64_t bits, std::int64_t count);
  /// `from` and `step` are numbers in JSON spelling, `count` is at most
  /// `kMaxCount`. The error is one line; it names which element does not fit,
  /// or that a number has too many digits to be added to exactly.
  static std::expected<Series, std::string> Ramp(isa::DType type,
                                                 std::string_view from,
                                                 std::string_view step,
                                                 std::int64_t count);

  isa::DType dtype() const { return type_; }
  std::int64_t count() const { return count_; }
  std::int64_t bytes() const;

  /// The bits of element `i`.
  std::uint64_t At(std::int64_t i) const;
  /// Bytes [first, first + out.size()) of the elements.
  void Write(std::int64_t first, std::span<std::uint8_t> out) const;
  /// The first `count` elements.
  Series First(std::int64_t count) const;

  bool is_run() const { return from_.empty(); }
  /// Of a ramp, as they were spelt.
  const std::string& from() const { return from_; }
  const std::string& step() const { return step_; }

  bool operator==(const Series& other) const;

 private:
  Series(isa::DType type, std::int64_t count) : type_(type), count_(count) {}

  std::optional<std::uint64_t> Quickly(std::int64_t i) const;
  std::expected<std::uint64_t, std::string> Element(std::int64_t i) const;
  void Fill(std::int64_t first, std::uint64_t first_bits, std::int64_t last,
            std::uint64_t last_bits, std::span<std::uint8_t> out) const;

  isa::DType type_;
  std::int64_t count_;
  std::uint64_t first_bits_ = 0;
  std::string from_;
  std::string step_;
  std::string exact_from_;  ///< the same without zeros that mean nothing
  std::string exact_step_;
  /// ⌊from⌋ and ⌊step⌋ in units of 10^unit; all there is of them if `whole_`.
  Wide from_units_ = 0;
  Wide step_units_ = 0;
  std::int64_t unit_ = 0;
  bool whole_ = false;
};

}  // namespace lanediff
