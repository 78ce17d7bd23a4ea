// The rows of the tables of verbs: what they check, and what help has of them.

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <ranges>
#include <system_error>

#include "differential/testcase/json.h"
#include "differential/testcase/nearest.h"
#include "tools/cli/command_line.h"

namespace lanediff::cli {
namespace {

std::string Bound(long double bound) {
  return bound == std::floor(bound)
             ? fmt::format("{:.0f}", bound)
             : fmt::format("{}", static_cast<double>(bound));
}

/// CLI11 takes -1, and what is too large, for the largest number; and what
/// compares with nothing, as NaN does, is not within.
template <class T>
bool IsWithin(const std::string& text, long double least, long double most) {
  T value{};
  const char* const last = text.data() + text.size();
  const auto [end, error] = std::from_chars(text.data(), last, value);
  return error == std::errc{} && end == last && value >= least && value <= most;
}

}  // namespace

std::string Option::ValueName() const {
  if (!value.empty()) return value;
  const bool text = std::holds_alternative<std::string*>(into) ||
                    std::holds_alternative<std::vector<std::string>*>(into);
  return text ? "TEXT" : "N";
}

Option& Option::Within(long double least, long double most) {
  range = fmt::format("{} to {}", Bound(least), Bound(most));
  const bool fraction = std::holds_alternative<double*>(into);
  const bool sign = std::holds_alternative<std::int64_t*>(into);
  checks.emplace_back([=, allowed = range](const std::string& text) {
    const bool is = fraction ? IsWithin<double>(text, least, most)
                    : sign   ? IsWithin<std::int64_t>(text, least, most)
                             : IsWithin<std::uint64_t>(text, least, most);
    return is ? ""
              : fmt::format("\"{}\" is no number from {}", Quote(text, 80),
                            allowed);
  });
  return *this;
}

Option& Option::OneOf(std::vector<std::string> allowed) {
  words = std::move(allowed);
  checks.emplace_back([words = words](const std::string& text) {
    if (std::ranges::count(words, text) != 0) return std::string();
    return fmt::format("expected {}, found \"{}\"{}", fmt::join(words, ", "),
                       Quote(text, 80),
                       DidYouMean(text, {words.begin(), words.end()}));
  });
  return *this;
}

Option& Option::ParsedBy(
    std::function<std::expected<std::string, std::string>(const std::string&)>
        parse) {
  checks.emplace_back([parse = std::move(parse)](std::string& text) {
    auto parsed = parse(text);
    if (!parsed) return parsed.error();
    text = *std::move(parsed);
    return std::string();
  });
  return *this;
}

Option& Option::NotEmpty(const std::string& allowed) {
  checks.emplace_back([allowed](const std::string& text) {
    return text.empty() ? "is empty; " + allowed + " is allowed" : "";
  });
  return *this;
}

Option& Option::Was(const char* name, std::map<std::string, std::string> of) {
  old.push_back({name, std::move(of)});
  return *this;
}

Option& Verb::AddRow(std::string_view names, Option::Into into,
                     std::string help) {
  Option& row =
      options.emplace_back(Option{.names = {}, .into = into, .help = help});
  const std::size_t space = std::min(names.find(' '), names.size());
  if (space < names.size()) row.value = names.substr(space + 1);
  for (const auto word : names.substr(0, space) | std::views::split(',')) {
    row.names.emplace_back(word.begin(), word.end());
  }
  return row;
}

std::pair<std::string, std::string> Verb::selector() const {
  const std::size_t from = std::min(name.find(' '), name.size() - 1) + 1;
  const std::size_t to = std::min(name.find(' ', from), name.size());
  return {name.substr(from, to - from),
          to < name.size() ? name.substr(to + 1) : ""};
}

void Verb::Docs(std::string file, std::vector<Example> two) {
  page = std::move(file);
  examples = std::move(two);
}

std::string Verb::HelpEnd() const {
  std::string text = footer;
  if (!examples.empty()) text += text.empty() ? "Examples:" : "\n\nExamples:";
  for (const Example& example : examples) {
    text += fmt::format("\n  lanediff {}{}", example.words,
                        example.not_tested.empty()
                            ? ""
                            : fmt::format("  # {}", example.not_tested));
  }
  if (!page.empty()) text += fmt::format("\nMore: docs/{}", page);
  return text;
}

const Option* Verb::Find(std::string_view option) const {
  for (const Option& row : options) {
    if (std::ranges::count(row.names, option) != 0) return &row;
  }
  return nullptr;
}

}  // namespace lanediff::cli
