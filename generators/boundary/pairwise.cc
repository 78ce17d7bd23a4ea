#include <fmt/format.h>
#include <fmt/ranges.h>

#include <utility>

#include "generators/boundary/calls.h"
#include "generators/random.h"

namespace lanediff::make::sweep {
namespace {

/// A parameter and one of its classes.
struct Choice {
  std::size_t parameter;
  std::size_t number;
};

constexpr std::size_t kOpen = static_cast<std::size_t>(-1);

constexpr std::uint64_t kCoverings = 24;

/// Which pairs of classes are still missing.
class MissingPairs {
 public:
  explicit MissingPairs(const std::vector<std::size_t>& classes) {
    for (std::size_t count : classes) {
      first_.push_back(total_);
      total_ += count;
    }
    missing_.assign(total_ * total_, false);
    for (std::size_t p = 0; p < classes.size(); ++p) {
      for (std::size_t q = 0; q < p; ++q) {
        for (std::size_t a = 0; a < classes[p]; ++a) {
          for (std::size_t b = 0; b < classes[q]; ++b) {
            missing_[Index({p, a}, {q, b})] = true;
            ++left_;
          }
        }
      }
    }
  }

  bool Has(Choice a, Choice b) const { return missing_[Index(a, b)]; }
  void Take(Choice a, Choice b) {
    const std::size_t index = Index(a, b);
    left_ -= missing_[index];
    missing_[index] = false;
  }
  std::size_t left() const { return left_; }

 private:
  std::size_t Index(Choice a, Choice b) const {
    if (a.parameter < b.parameter) std::swap(a, b);
    return (first_[a.parameter] + a.number) * total_ + first_[b.parameter] +
           b.number;
  }

  std::vector<std::size_t> first_;
  std::size_t total_ = 0;
  std::vector<bool> missing_;
  std::size_t left_ = 0;
};

/// The class of `parameter` that closes most pairs with what `row` has.
std::size_t BestClass(const MissingPairs& missing,
                      const std::vector<std::size_t>& row,
                      std::size_t parameter, std::size_t count,
                      std::size_t start) {
  std::size_t best = start % count;
  std::size_t best_gain = 0;
  for (std::size_t k = 0; k < count; ++k) {
    const std::size_t number = (start + k) % count;
    std::size_t gain = 0;
    for (std::size_t q = 0; q < row.size(); ++q) {
      if (q == parameter || row[q] == kOpen) continue;
      gain += missing.Has({parameter, number}, {q, row[q]});
    }
    if (gain > best_gain) {
      best = number;
      best_gain = gain;
    }
  }
  return best;
}

/// Sets the two parameters of the first missing pair, from `start` on.
void StartRow(const MissingPairs& missing,
              const std::vector<std::size_t>& classes, std::size_t start,
              std::vector<std::size_t>& row) {
  for (std::size_t i = 0; i < classes.size(); ++i) {
    const std::size_t p = (start + i) % classes.size();
    for (std::size_t q = 0; q < classes.size(); ++q) {
      if (q == p) continue;
      for (std::size_t a = 0; a < classes[p]; ++a) {
        for (std::size_t b = 0; b < classes[q]; ++b) {
          if (!missing.Has({p, a}, {q, b})) continue;
          row[p] = a;
          row[q] = b;
          return;
        }
      }
    }
  }
}

}  // namespace

std::vector<std::vector<std::size_t>> CoveringRows(
    const std::vector<std::size_t>& classes, std::uint64_t seed) {
  Random random(seed);
  MissingPairs missing(classes);
  std::vector<std::vector<std::size_t>> rows;
  while (missing.left() > 0) {
    std::vector<std::size_t> row(classes.size(), kOpen);
    StartRow(missing, classes, random.Bits() % classes.size(), row);
    for (std::size_t p = 0; p < row.size(); ++p) {
      if (row[p] != kOpen) continue;
      row[p] = BestClass(missing, row, p, classes[p], random.Bits() % 4096);
    }
    for (std::size_t p = 0; p < row.size(); ++p) {
      for (std::size_t q = 0; q < p; ++q) {
        missing.Take({p, row[p]}, {q, row[q]});
      }
    }
    rows.push_back(std::move(row));
  }
  return rows;
}

void SweepRows(
    Emitter& out, const std::vector<std::size_t>& classes,
    const std::function<std::optional<Case>(const std::vector<std::size_t>&)>&
        combine) {
  for (std::uint64_t round = 0; round < kCoverings; ++round) {
    for (const auto& row : CoveringRows(classes, round)) {
      if (!out.Next()) continue;
      std::optional<Case> c = combine(row);
      if (!c) continue;
      out.Give(
          {.what = fmt::format("pairwise: classes {}", fmt::join(row, " ")),
           .rule = std::nullopt,
           .c = std::move(*c),
           .data = static_cast<Data>(row.back())});
    }
  }
}

}  // namespace lanediff::make::sweep
