#pragma once

#include <cstddef>
#include <deque>
#include <functional>
#include <utility>

#include "differential/compare/compare.h"
#include "differential/targets/target.h"
#include "differential/testcase/case.h"

namespace lanediff::diff {

/// Things with a case each, on their way to be compared. The target hears of
/// each when it comes; it is compared when as many as the target looks ahead
/// wait behind it, in the order in which they came. With a target that looks
/// ahead by none that is at once. One thread.
template <class Item>
class Ahead {
 public:
  using CaseOf = const Case* (*)(const Item&);

  /// `case_of` is the case of an item, or null where it has none. `compare` is
  /// called for each in turn and returns whether to go on. It, the target and
  /// the reference must outlive this.
  Ahead(const Target& target, const Target& reference, CaseOf case_of,
        std::function<bool(Item&&)> compare)
      : target_(target),
        reference_(reference),
        case_of_(case_of),
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
    if (const Case* const c = case_of_(item)) {
      AnnounceCase(*c, target_, reference_);
    }
    waiting_.push_back(std::move(item));
    if (waiting_.size() > ahead_) CompareNext();
    return goes_on_;
  }

  /// Compares all that waits, unless `compare` returns false.
  bool Finish() {
    while (goes_on_ && !waiting_.empty()) CompareNext();
    return goes_on_;
  }

  /// How many were added and are not compared.
  std::size_t waiting() const { return waiting_.size(); }

 private:
  void CompareNext() {
    Item item = std::move(waiting_.front());
    waiting_.pop_front();
    goes_on_ = compare_(std::move(item));
  }

  const Target& target_;
  const Target& reference_;
  CaseOf case_of_;
  std::function<bool(Item&&)> compare_;
  std::size_t ahead_ = target_.foresight();
  std::deque<Item> waiting_;
  bool goes_on_ = true;
};

}  // namespace lanediff::diff
