#include "tools/history/scope.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <charconv>
#include <chrono>
#include <cstdlib>
#include <map>
#include <system_error>
#include <utility>

#include "isa/vocabulary.h"

namespace lanediff::campaign {

std::int64_t DayNumber(const std::string& date) {
  const auto number = [&](std::size_t from, std::size_t size) {
    return std::atoi(date.substr(from, size).c_str());
  };
  const std::chrono::year_month_day day{
      std::chrono::year(number(0, 4)),
      std::chrono::month(static_cast<unsigned>(number(5, 2))),
      std::chrono::day(static_cast<unsigned>(number(8, 2)))};
  return std::chrono::sys_days(day).time_since_epoch().count();
}

std::string DayText(std::int64_t number) {
  const std::chrono::year_month_day day{
      std::chrono::sys_days(std::chrono::days(number))};
  return fmt::format("{:04}-{:02}-{:02}", static_cast<int>(day.year()),
                     static_cast<unsigned>(day.month()),
                     static_cast<unsigned>(day.day()));
}

std::string NextDay(const std::string& day) {
  return DayText(DayNumber(day) + 1);
}

std::vector<std::string> MissingDays(const std::vector<std::string>& dates) {
  constexpr std::size_t kFewest = 4;  // fewer show no rhythm
  std::vector<std::int64_t> days;
  for (const std::string& date : dates) days.push_back(DayNumber(date));
  days.erase(std::ranges::unique(days).begin(), days.end());
  std::vector<std::string> missing;
  if (days.size() < kFewest) return missing;
  std::map<std::int64_t, std::size_t> apart;
  for (std::size_t i = 1; i < days.size(); ++i) ++apart[days[i] - days[i - 1]];
  const std::int64_t step =
      std::ranges::max_element(apart, {}, [](const auto& one) {
        return one.second;
      })->first;
  for (std::size_t i = 1; i < days.size(); ++i) {
    for (auto day = days[i - 1] + step; day < days[i]; day += step) {
      missing.push_back(DayText(day));
    }
  }
  return missing;
}

namespace {

constexpr std::string_view kLegalOnly = "legal only";
constexpr std::string_view kEdition = "; edition ";

/// Whether `edition` has all words that the other one has.
bool HasEditionsOf(std::string_view edition, std::string_view other) {
  const std::string_view newest = isa::Name(isa::kNewestEdition);
  if (edition.empty()) edition = newest;
  if (other.empty()) other = newest;
  return std::ranges::all_of(
      isa::Words<isa::Edition>::kSpelling, [&](std::string_view word) {
        return edition.contains(word) || !other.contains(word);
      });
}

/// Of "40 of each rule" the number, and what is behind it.
std::pair<std::uint64_t, std::string_view> CountIn(std::string_view sample) {
  std::uint64_t count = 0;
  const auto [end, error] =
      std::from_chars(sample.data(), sample.data() + sample.size(), count);
  sample.remove_prefix(static_cast<std::size_t>(end - sample.data()));
  return {error == std::errc() ? count : 0, sample};
}

/// Whether a sample has all that the other one has.
bool HasAllOf(std::string_view sample, std::string_view other) {
  if (sample.empty() || sample == other) return true;
  const auto [count, of] = CountIn(sample);
  const auto [fewer, of_other] = CountIn(other);
  return fewer > 0 && count >= fewer && of == of_other;
}

}  // namespace

std::string ScopeText(const Scope& scope) {
  if (scope == Scope()) return "";
  return fmt::format("{}\n{}{}{}\n{}", scope.sample,
                     scope.legal_only ? kLegalOnly : "",
                     scope.edition.empty() ? "" : kEdition, scope.edition,
                     fmt::join(scope.only, "\n"));
}

Scope ScopeIn(std::string_view text) {
  Scope scope;
  const auto line = [&] {
    const auto end = std::min(text.find('\n'), text.size());
    const std::string word(text.substr(0, end));
    text.remove_prefix(std::min(end + 1, text.size()));
    return word;
  };
  scope.sample = line();
  const std::string narrowed = line();
  scope.legal_only = narrowed.starts_with(kLegalOnly);
  if (const auto at = narrowed.find(kEdition); at != std::string::npos) {
    scope.edition = narrowed.substr(at + kEdition.size());
  }
  while (!text.empty()) scope.only.insert(line());
  return scope;
}

bool Covers(const Scope& scope, const Scope& other) {
  const bool sample = HasAllOf(scope.sample, other.sample) &&
                      (!scope.legal_only || other.legal_only);
  const bool only =
      scope.only.empty() ||
      (!other.only.empty() && std::ranges::includes(scope.only, other.only));
  return sample && only && HasEditionsOf(scope.edition, other.edition);
}

bool IsSignature(std::string_view text) {
  std::size_t words = 1;
  char before = '/';
  for (const char c : text) {
    const bool of_kind = (c >= 'a' && c <= 'z') || c == '-';
    if (c == '/'
            ? before == '/'
            : (words == 1 && !of_kind) || static_cast<unsigned char>(c) < ' ') {
      return false;
    }
    words += c == '/' ? 1 : 0;
    before = c;
  }
  return before != '/' && (words == 4 || words == 5);
}

std::string InstructionIn(std::string_view signature) {
  const auto from = signature.find('/');
  if (from == std::string_view::npos) return "";
  signature.remove_prefix(from + 1);
  return std::string(signature.substr(0, signature.find('/')));
}

}  // namespace lanediff::campaign
