#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <initializer_list>
#include <map>

#include "reports/audit.h"

namespace lanediff::reports {
namespace {

using audit::Cell;
using audit::Showing;
using enum audit::Showing;

using Counts = std::array<std::uint64_t, isa::kCount<Showing>>;

std::uint64_t Of(const Counts& counts, Showing showing) {
  return counts[static_cast<std::size_t>(showing)];
}

/// Steps that broke the rule and came to an end.
std::uint64_t Broken(const Counts& counts) {
  std::uint64_t sum = 0;
  for (Showing showing : {kRefused, kRefusedOtherwise, kRanAsExtended,
                          kRanUndefined, kRanOtherwise, kWroteOutside}) {
    sum += Of(counts, showing);
  }
  return sum;
}

void Append(std::string& text, std::string_view separator,
            const std::string& more) {
  if (!text.empty()) text += separator;
  text += more;
}

std::string RefusedText(const Counts& alone, const Counts& together) {
  std::string text;
  if (Broken(alone) > 0) {
    text = fmt::format("refused {} of {} alone", Of(alone, kRefused),
                       Broken(alone));
  }
  if (Broken(together) > 0) {
    Append(
        text, ", ",
        fmt::format("{}{} of {} beside others", text.empty() ? "refused " : "",
                    Of(together, kRefused), Broken(together)));
  }
  return text;
}

/// ", wrong 9: blamed on it 2, on MIN-VALUE 7"; empty where nothing is. Adds
/// those on others to `elsewhere`.
std::string WrongText(const std::vector<Cell>& cells,
                      std::uint64_t& elsewhere) {
  std::uint64_t own = 0;
  std::map<std::string_view, std::uint64_t> others;
  for (const Cell& cell : cells) {
    for (const audit::WrongPart& part : cell.wrong) own += part.wrong;
    for (const audit::Elsewhere& one : cell.elsewhere) {
      others[one.rule.text()] += one.wrong;
      elsewhere += one.wrong;
    }
  }
  std::string text = own > 0 ? fmt::format("it {}", own) : "";
  for (const auto& [rule, wrong] : others) {
    Append(text, ", on ", fmt::format("{} {}", rule, wrong));
  }
  if (text.empty()) return "";
  return fmt::format(", wrong {}: blamed on {}", own + elsewhere, text);
}

}  // namespace

std::string_view ShortName(isa::Product product) {
  constexpr std::string_view kFamily = "atlas-";
  std::string_view name = isa::Name(product);
  if (name.starts_with(kFamily)) name.remove_prefix(kFamily.size());
  return name;
}

bool IsBad(const audit::Evidence& evidence) {
  constexpr Showing kBad[] = {
      kRefusedOtherwise, kRanOtherwise, kWroteOutside, kRefusedLegal,
      kDifferently,      kCrashed,      kHung};
  return !evidence.tolerated &&
         std::ranges::find(kBad, evidence.showing) != std::end(kBad);
}

bool IsBad(audit::Verdict verdict) {
  return verdict == audit::Verdict::kViolated ||
         verdict == audit::Verdict::kContradicted;
}

std::string TriedText(const std::vector<Cell>& cells) {
  Counts alone{};
  Counts together{};
  for (const Cell& cell : cells) {
    for (std::size_t i = 0; i < alone.size(); ++i) {
      alone[i] += cell.alone[i];
      together[i] += cell.together[i];
    }
  }
  const auto both = [&](Showing showing) {
    return Of(alone, showing) + Of(together, showing);
  };
  std::string text = RefusedText(alone, together);
  const auto append = [&](std::initializer_list<Showing> showings) {
    for (const Showing one : showings) {
      if (both(one) == 0) continue;
      Append(text, "; ", fmt::format("{} {}", isa::Name(one), both(one)));
    }
  };
  append({kRefusedOtherwise, kRanAsExtended, kRanUndefined, kRanOtherwise,
          kWroteOutside});
  std::uint64_t elsewhere = 0;
  const std::string wrong = WrongText(cells, elsewhere);
  if (const auto all = both(kAsDocumented) + both(kDifferently) + elsewhere;
      all > 0) {
    Append(text, "; ",
           fmt::format("as documented {} of {}{}", both(kAsDocumented), all,
                       wrong));
  }
  append({kAccepted, kRefusedLegal, kCrashed, kHung});
  return text;
}

std::string ShareText(const audit::AuditedRule& rule) {
  return rule.share ? " in " + make::SampleText(*rule.share) : "";
}

std::string EvidenceText(const audit::Evidence& evidence) {
  return fmt::format("{}{}{}: {}{}{}", isa::Name(evidence.side),
                     evidence.what.empty() ? "" : ", ", evidence.what,
                     isa::Name(evidence.showing),
                     evidence.message.empty() ? "" : ": ", evidence.message);
}

}  // namespace lanediff::reports

namespace lanediff::audit {

std::variant<std::int64_t, std::string> ExactInteger(std::int64_t value) {
  constexpr std::int64_t kExact = std::int64_t{1} << 53;
  if (value < -kExact || value > kExact) return std::to_string(value);
  return value;
}

std::array<std::size_t, isa::kCount<Verdict>> AuditRecord::Cells() const {
  std::array<std::size_t, isa::kCount<Verdict>> sums{};
  for (const AuditedRule& rule : rules) {
    for (const Cell& cell : rule.cells) {
      ++sums[static_cast<std::size_t>(cell.verdict)];
    }
  }
  return sums;
}

Verdict Worse(Verdict a, Verdict b) {
  // Nothing compared is better than something wrong and worse than anything
  // else.
  constexpr std::array<int, isa::kCount<Verdict>> kBadness = {0, 1, 4, 0,
                                                              4, 2, 3};
  return kBadness[static_cast<std::size_t>(a)] <
                 kBadness[static_cast<std::size_t>(b)]
             ? b
             : a;
}

std::string_view AuditedDisagreement::Source() const {
  for (isa::RuleId used : rules) {
    const isa::Rule* const rule = isa::FindRule(used.text());
    const auto* const found =
        rule == nullptr ? nullptr : isa::FindInstruction(rule->instruction);
    if (found != nullptr) return found->slug;
  }
  return "program";
}

}  // namespace lanediff::audit
