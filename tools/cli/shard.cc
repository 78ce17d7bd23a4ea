#include "tools/cli/shard.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cstdint>
#include <cstdlib>
#include <optional>
#include <string_view>

namespace lanediff::cli {
namespace {

/// A pair of variables that a runner sets.
struct Variables {
  const char* index;
  const char* count;
};
constexpr Variables kVariables[] = {
    {"GTEST_SHARD_INDEX", "GTEST_TOTAL_SHARDS"},
    {"JOB_COMPLETION_INDEX", "JOB_COMPLETIONS"}};

std::optional<std::uint64_t> ParseNumber(std::string_view text) {
  std::uint32_t value = 0;  // products with other numbers fit 64 bits
  const char* const last = text.data() + text.size();
  const auto [end, error] = std::from_chars(text.data(), last, value);
  if (error != std::errc{} || end != last) return std::nullopt;
  return value;
}

std::optional<Shard> ParseShard(std::string_view text) {
  const auto slash = text.find('/');
  if (slash == std::string_view::npos) return std::nullopt;
  const auto i = ParseNumber(text.substr(0, slash));
  const auto n = ParseNumber(text.substr(slash + 1));
  if (!i || !n || *i >= *n) return std::nullopt;
  return Shard{*i, *n};
}

std::unexpected<std::string> Missing(const char* there, const char* missing) {
  return std::unexpected(
      fmt::format("{} is set, but {} is not; set both, or give --shard i/n",
                  there, missing));
}

/// The shard of two variables, of which one at least is set.
std::expected<Shard, std::string> FromVariables(const Variables& names,
                                                const char* index,
                                                const char* count) {
  if (index == nullptr) return Missing(names.count, names.index);
  if (count == nullptr) return Missing(names.index, names.count);
  const auto n = ParseNumber(count);
  if (!n || *n == 0) {
    return std::unexpected(
        fmt::format("{}: \"{}\"; the number of shards, 1 or more, is allowed",
                    names.count, count));
  }
  const auto i = ParseNumber(index);
  if (!i || *i >= *n) {
    return std::unexpected(fmt::format("{}: \"{}\"; 0 to {} is allowed",
                                       names.index, index, *n - 1));
  }
  return Shard{*i, *n};
}

}  // namespace

bool IsShardVariable(std::string_view name) {
  return std::ranges::any_of(kVariables, [&](const Variables& pair) {
    return name == pair.index || name == pair.count;
  });
}

std::expected<Shard, std::string> FindShard(const std::string& option) {
  if (!option.empty()) {
    if (const auto shard = ParseShard(option)) return *shard;
    return std::unexpected(
        fmt::format("--shard: \"{}\"; i/n with 0 <= i < n is allowed", option));
  }
  for (const Variables& names : kVariables) {
    const char* const index = std::getenv(names.index);
    const char* const count = std::getenv(names.count);
    if (index == nullptr && count == nullptr) continue;
    return FromVariables(names, index, count);
  }
  return Shard{};
}

}  // namespace lanediff::cli
