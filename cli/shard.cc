#include "cli/shard.h"

#include <charconv>
#include <cstdlib>
#include <string_view>

namespace lanediff::cli {
namespace {

std::optional<std::uint64_t> ParseNumber(std::string_view text) {
  std::uint64_t value = 0;
  const char* const last = text.data() + text.size();
  const auto [end, error] = std::from_chars(text.data(), last, value);
  if (error != std::errc{} || end != last) return std::nullopt;
  return value;
}

}  // namespace

std::optional<Shard> FindShard(const std::string& option) {
  std::string text = option;
  const char* const total = std::getenv("GTEST_TOTAL_SHARDS");
  const char* const index = std::getenv("GTEST_SHARD_INDEX");
  if (text.empty() && total != nullptr && index != nullptr) {
    text = std::string(index) + "/" + total;
  }
  if (text.empty()) return Shard{};
  const auto slash = text.find('/');
  if (slash == std::string::npos) return std::nullopt;
  const auto i = ParseNumber(std::string_view(text).substr(0, slash));
  const auto n = ParseNumber(std::string_view(text).substr(slash + 1));
  if (!i || !n || *i >= *n) return std::nullopt;
  return Shard{*i, *n};
}

}  // namespace lanediff::cli
