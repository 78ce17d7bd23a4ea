#pragma once

#include <cstddef>
#include <deque>
#include <functional>
#include <utility>

#include "differential/targets/target.h"

namespace lanediff::diff {

/// Things with a case each, on their way to be compared. The target hears of
/// each when it comes; it is compared when as many as the target looks ahead
/// wait behind it, in the order in which they came. With a target that looks
/// ahead by none that is at once. One thread.
template <class Item>
class Ahead {
 public:
  /// `announce` announces an item to the target, where it looks ahead.
  /// `compare` is called for each in turn and returns whether to go on. Both
  /// and the target must outlive this.
  Ahead(const Target& target, std::function<void(const Item&)> announce,
        std::function<bool(Item&&)> compare)
      : target_(target),
        announce_(std::move(announce)),
        compare_(std::move(compare)) {}
  /// What waits is not compared.
  ~Ahead() {
    if (ahead_ > 0) target_.Withdraw();
  }
  Ahead(const Ahead&) = delete;
  Ahead& operator=(const Ahead&) = delete;

  /// False once `compare` was.
  bool Add(Item item) {
    if (!goes_on_) return false;
    if (ahead_ == 0) return goes_on_ = compare_(std::move(item));
    announce_(item);
    waiting_.push_back(std::move(item));
    if (waiting_.size() > ahead_) CompareNext();
    return goes_on_;
  }

  /// Compares all that waits, unless `compare` returns false.
  bool Finish() {
    while (goes_on_ && !waiting_.empty()) CompareNext();
    return goes_on_;
  }

 private:
  void CompareNext() {
    Item item = std::move(waiting_.front());
    waiting_.pop_front();
    goes_on_ = compare_(std::move(item));
  }

  const Target& target_;
  std::function<void(const Item&)> announce_;
  std::function<bool(Item&&)> compare_;
  std::size_t ahead_ = target_.foresight();
  std::deque<Item> waiting_;
  bool goes_on_ = true;
};

}  // namespace lanediff::diff
