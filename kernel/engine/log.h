#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <utility>

#include "isa/step.h"

namespace lanediff::kernel {

/// A step of the launch at hand, and where it was called.
struct Logged {
  isa::Step step;
  std::size_t site = 0;
  std::int64_t block = 0;
  std::int64_t execution = 1;
  /// It was rejected and did nothing.
  bool withdrawn = false;
};

/// The last steps of a launch. What is older than `kMost` steps is forgotten.
class Log {
 public:
  static constexpr std::size_t kMost = 200'000;

  std::size_t Add(Logged logged) {
    steps_.push_back(std::move(logged));
    if (steps_.size() > kMost) {
      steps_.pop_front();
      ++first_;
    }
    return end() - 1;
  }
  /// Null if it is forgotten.
  const Logged* At(std::size_t number) const {
    return number < first_ || number >= end() ? nullptr
                                              : &steps_[number - first_];
  }
  Logged* At(std::size_t number) {
    return const_cast<Logged*>(std::as_const(*this).At(number));
  }
  std::size_t first() const { return first_; }
  std::size_t end() const { return first_ + steps_.size(); }
  void Clear() {
    steps_.clear();
    first_ = 0;
  }

 private:
  std::deque<Logged> steps_;
  std::size_t first_ = 0;
};

}  // namespace lanediff::kernel
