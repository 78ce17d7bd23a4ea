#pragma once

#include <cstdint>
#include <optional>
#include <string>

namespace lanediff::cli {

/// Part `index` of `count`: of a numbered space, the numbers that leave `index`
/// when divided by `count`. All parts together are the whole, none twice.
struct Shard {
  std::uint64_t index = 0;
  std::uint64_t count = 1;

  bool Holds(std::uint64_t number) const { return number % count == index; }
};

/// The shard that `option` spells as "i/n"; where it is empty, the one that a
/// test runner set in the environment, else the whole. None where i is not
/// below n or the text is something else.
std::optional<Shard> FindShard(const std::string& option);

/// What to say of an option that `FindShard` does not know.
inline constexpr const char* kShardUsage =
    "--shard: i/n with 0 <= i < n is allowed";

}  // namespace lanediff::cli
