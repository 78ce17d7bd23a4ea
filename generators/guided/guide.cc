#include "generators/guided/guide.h"

#include <algorithm>
#include <utility>

#include "generators/random/generate.h"
#include "generators/random/mutate.h"

namespace lanediff::make {
namespace {

/// Shares of a hundred. Most cases are new ones: the generators know more about
/// what a call may look like than a change does.
constexpr int kNew = 60;
constexpr int kCrossed = 15;
/// The newest kept cases are taken up more often.
constexpr std::int64_t kRecent = 16;

}  // namespace

Guide::Guide(std::string_view slug, std::uint64_t seed, isa::Edition edition)
    : slug_(slug), random_(seed), edition_(edition) {}

const Case& Guide::AnyKept() {
  const auto size = static_cast<std::int64_t>(kept_.size());
  const std::int64_t first =
      random_.Percent(30) ? std::max<std::int64_t>(0, size - kRecent) : 0;
  return kept_[static_cast<std::size_t>(random_.Between(first, size - 1))];
}

Case Guide::Next() {
  Case c = Make();
  if (edition_ != isa::kNewestEdition) c.edition = edition_;
  return c;
}

Case Guide::Make() {
  const std::int64_t choice = random_.Between(0, 99);
  if (kept_.empty() || choice < kNew) {
    return Generate(slug_, random_, Style::kByIntent, nullptr, edition_).c;
  }
  if (choice < kNew + kCrossed) {
    const Case& other = AnyKept();
    return Cross(random_, AnyKept(), other);
  }
  Case c = AnyKept();
  for (std::int64_t n = random_.Between(1, 3); n > 0; --n) Mutate(random_, c);
  return c;
}

void Guide::Learn(const Case& c, const coverage::Observer& observer) {
  if (reached_.Add(observer.bins()) > 0) kept_.push_back(c);
}

}  // namespace lanediff::make
