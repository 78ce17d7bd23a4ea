#include "reports/target_record.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <charconv>
#include <iterator>
#include <system_error>
#include <utility>

#include "differential/targets/external/target_coverage.h"
#include "differential/testcase/case_reader.h"
#include "differential/testcase/record_json.h"
#include "reports/printable.h"

namespace lanediff::reports {
namespace {

/// Of a name or a version that is shown.
constexpr std::size_t kMostNameBytes = 200;
/// Of a file of `characterise`, which has the cases.
constexpr std::size_t kMostCharacterBytes = std::size_t{256} << 20;

std::string ListText(const auto& texts) {
  return texts.empty() ? "none" : fmt::format("{}", fmt::join(texts, ", "));
}

template <class E>
std::string WordsText(const std::vector<E>& words) {
  std::vector<std::string_view> names;
  for (E word : words) names.push_back(isa::Name(word));
  return ListText(names);
}

std::string LegalityText(diff::Capabilities::Legality legality) {
  switch (legality) {
    case diff::Capabilities::Legality::kRules:
      return "rejects illegal calls and names the broken rules";
    case diff::Capabilities::Legality::kYes:
      return "rejects illegal calls and names no rule";
    case diff::Capabilities::Legality::kNone:
      break;
  }
  return "executes whatever it is given: a broken rule is tolerated";
}

std::vector<CapabilityRecord> CapabilitiesOf(const diff::Capabilities& can) {
  std::vector<CapabilityRecord> all;
  const auto add = [&](std::string field, std::string value) {
    all.push_back({std::move(field), std::move(value)});
  };
  add("instructions",
      can.instructions ? Shortened(ListText(*can.instructions), 1000) : "all");
  add("products", can.products ? WordsText(*can.products) : "all");
  add("dtypes", can.dtypes ? WordsText(*can.dtypes) : "all");
  if (can.orders) add("orders", WordsText(*can.orders));
  if (can.forms) add("forms", ListText(*can.forms));
  if (can.saturation) {
    std::vector<std::string_view> modes;
    for (bool on : *can.saturation) modes.push_back(on ? "on" : "off");
    add("saturation", ListText(modes));
  }
  add("legality", LegalityText(can.legality));
  add("notes", can.notes ? "reported" : "not reported, and not compared");
  return all;
}

std::string Ranges(const std::set<std::uint64_t>& numbers) {
  std::string text;
  for (auto first = numbers.begin(); first != numbers.end();) {
    auto next = std::next(first);
    std::uint64_t last = *first;
    for (; next != numbers.end() && *next == last + 1; ++next) last = *next;
    if (!text.empty()) text += ' ';
    text += last == *first ? fmt::format("{}", last)
                           : fmt::format("{}-{}", *first, last);
    first = next;
  }
  return text;
}

/// What `Ranges` wrote; stops at what it can't have written.
std::set<std::uint64_t> Numbers(std::string_view text) {
  std::set<std::uint64_t> numbers;
  const char* at = text.data();
  const char* const end = at + text.size();
  const auto read = [&](std::uint64_t& number) {
    const auto result = std::from_chars(at, end, number);
    at = result.ptr;
    return result.ec == std::errc() && number < diff::kMostTargetCounters;
  };
  for (std::uint64_t first = 0; at < end && read(first);) {
    std::uint64_t last = first;
    if (at < end && *at == '-' && (++at, !read(last))) break;
    for (; first <= last; ++first) numbers.insert(first);
    at += at < end;
  }
  return numbers;
}

}  // namespace

std::string Shortened(std::string_view text, std::size_t most_bytes) {
  if (text.size() <= most_bytes) return std::string(text);
  std::size_t end = most_bytes;
  const auto inside = [&](char byte) { return (byte & 0xc0) == 0x80; };
  while (end > 0 && inside(text[end])) --end;
  return std::string(text.substr(0, end)) + "…";
}

TargetRecord DescribeTarget(const diff::Target& target) {
  const diff::TargetInfo info = target.info();
  const diff::Capabilities can = target.capabilities();
  TargetRecord record;
  record.name = Shortened(info.name, kMostNameBytes);
  record.version = Shortened(info.version, kMostNameBytes);
  record.capabilities = CapabilitiesOf(can);
  record.legal_only = can.legal_only;
  record.names_no_rules = can.legality != diff::Capabilities::Legality::kRules;
  return record;
}

void SetCharacter(const character::Character& character, TargetRecord& record) {
  record.character = TraitsOf(character);
}

std::optional<character::Character> CharacterIn(const std::string& json) {
  auto character = ReadDocument<character::Character>(json);
  if (!character) return std::nullopt;
  return *std::move(character);
}

std::expected<character::Character, std::string> ReadCharacter(
    const std::string& file, std::string_view target) {
  const auto fail = [&](const std::string& what) {
    return std::unexpected(fmt::format("--character: {}: {}", file, what));
  };
  const auto text = ReadFile(file, kMostCharacterBytes);
  if (!text) return fail(text.error());
  if (text->size() > kMostCharacterBytes) {
    return fail(fmt::format("more than {} bytes; at most these are allowed",
                            kMostCharacterBytes));
  }
  auto character = ReadDocument<character::Character>(*text);
  if (!character) return fail(LineOf(character.error()));
  if (character->target != target) {
    return fail(fmt::format(
        "/target: found \"{}\"; \"{}\" is allowed, which is under test",
        InOneLine(character->target), target));
  }
  return *std::move(character);
}

std::string TargetText(const std::string& target, const std::string& vectors) {
  // The names of the other emulators contain their vectors.
  return target == "emulator" ? target + " (" + vectors + ")" : target;
}

std::string TargetLine(const TargetRecord& r, std::string_view target) {
  if (r.name.empty() && r.version.empty()) return "";
  return fmt::format("target: \"{}\" {} ({})\n", InOneLine(r.name),
                     InOneLine(r.version), InOneLine(target));
}

TargetCoverageRecord TargetCoverageOf(std::uint64_t counters,
                                      const std::set<std::uint64_t>& reached) {
  return {
      .counters = counters,
      .places = std::min<std::uint64_t>(counters, diff::kMostTargetCounters),
      .reached = reached.size(),
      .which = Ranges(reached)};
}

TargetCoverageRecord Join(const TargetCoverageRecord& a,
                          const TargetCoverageRecord& b) {
  if (a.counters != b.counters) return a.reached < b.reached ? b : a;
  std::set<std::uint64_t> both = Numbers(a.which);
  both.merge(Numbers(b.which));
  return TargetCoverageOf(a.counters, both);
}

std::string TargetCoverageText(const TargetCoverageRecord& r) {
  if (r.counters == 0) return "target's own coverage: not instrumented\n";
  const std::string folded =
      r.places == r.counters
          ? ""
          : fmt::format(" (the library has {}, folded)", r.counters);
  return fmt::format("target's own coverage: {} of {} counters{}\n", r.reached,
                     r.places, folded);
}

}  // namespace lanediff::reports
