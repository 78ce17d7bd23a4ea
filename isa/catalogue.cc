#include "isa/catalogue.h"

#include <algorithm>
#include <iterator>
#include <string_view>
#include <unordered_map>

#include "isa/rule_files.h"

namespace lanediff::isa {
namespace {

/// Whether `edition` has `value`: it is in `all`, and in `newer` only for the
/// newest.
template <class T>
bool IsIn(const std::vector<T>& all, const std::vector<T>& newer, T value,
          Edition edition) {
  return std::ranges::find(all, value) != all.end() &&
         (edition == kNewestEdition ||
          std::ranges::find(newer, value) == newer.end());
}

}  // namespace

bool Instruction::Has(Profile profile) const {
  return IsIn(products, newer_products, profile.product, profile.edition);
}

bool Instruction::Has(Profile profile, DType dtype) const {
  return (dtypes.empty() ||
          IsIn(dtypes, newer_dtypes, dtype, profile.edition)) &&
         std::ranges::none_of(lacks, [&](const Lack& lack) {
           return lack.product == profile.product && lack.dtype == dtype;
         });
}

const Instruction::Conversion* Instruction::Find(Product product, DType from,
                                                 DType to) const {
  const auto found = std::ranges::find_if(conversions, [&](const auto& one) {
    return one.from == from && one.to == to &&
           std::ranges::find(one.products, product) != one.products.end();
  });
  return found == conversions.end() ? nullptr : &*found;
}

std::string_view Rule::StatementIn(Edition edition) const {
  return edition == Edition::k2024 && !statement_2024.empty() ? statement_2024
                                                              : statement;
}

std::vector<Range> Rule::RangesIn(Edition edition) const {
  std::vector<Range> found;
  std::ranges::copy_if(
      ranges, std::back_inserter(found),
      [&](const Range& one) { return !one.only || *one.only == edition; });
  return found;
}

std::span<const Instruction> Instructions() { return Files().instructions; }

const Instruction* FindInstruction(std::string_view op) {
  const auto all = Instructions();
  const auto found = std::ranges::find_if(all, [&](const Instruction& one) {
    return one.op == op || one.slug == op;
  });
  return found == all.end() ? nullptr : &*found;
}

const Instruction* InstructionOf(const Step& step) {
  return FindInstruction(OpName(step));
}

Stage StageOf(RuleId rule) {
  const Rule* const found = FindRule(rule.text());
  return found == nullptr ? Stage::kParameters : found->stage;
}

Topic TopicOf(RuleId rule) {
  const Rule* const found = FindRule(rule.text());
  return found == nullptr ? Topic::kOther : found->topic;
}

std::vector<RuleId> RulesAbout(const Step& step, Topic topic) {
  const Instruction* const instruction = InstructionOf(step);
  if (instruction == nullptr) return {};
  const unsigned form = std::visit(
      [](const auto& s) -> unsigned {
        if constexpr (requires { s.form; }) return s.form;
        return 0;
      },
      step);
  std::vector<RuleId> rules;
  for (const Rule& rule : instruction->rules) {
    const bool speaks = (rule.forms >> form & 1) != 0;
    if (rule.topic == topic && speaks) rules.push_back(rule.id);
  }
  return rules;
}

bool Rule::SpeaksOf(std::string_view op) const {
  if (instruction != kCommon && instruction != kKernel) {
    return instruction == op;
  }
  return steps.empty() || std::ranges::find(steps, op) != steps.end();
}

bool IsOfLint(const Rule& rule) {
  return rule.effect == Effect::kHazard || rule.instruction == kKernel ||
         rule.id == sync::kAuto;
}

std::span<const Rule> Catalogue() { return Files().rules; }

EvidenceLevel EvidenceOf(const Rule& rule) {
  // Enumerators run from the strongest to the weakest.
  EvidenceLevel weakest = EvidenceLevel::kDeviceResults;
  for (const Source& one : rule.sources) {
    EvidenceLevel strongest = one.level;
    for (const Source& other : rule.sources) {
      if (other.part != one.part) continue;
      strongest = std::min(strongest, other.level);
    }
    weakest = std::max(weakest, strongest);
  }
  return weakest;
}

const Rule* FindRule(std::string_view text) {
  static const auto* const rules = [] {
    auto* const by_id = new std::unordered_map<std::string_view, const Rule*>;
    for (const Rule& rule : Catalogue()) by_id->emplace(rule.id.text(), &rule);
    return by_id;
  }();
  const auto found = rules->find(text);
  return found == rules->end() ? nullptr : found->second;
}

bool HasRule(const Signature& row, CallRule rule) {
  return FindRule(row.Rule(rule).text()) != nullptr;
}

std::span<const Document> Documents() { return Files().documents; }

const Document* FindDocument(std::string_view title) {
  const auto all = Documents();
  const auto found = std::ranges::find(all, title, &Document::title);
  return found == all.end() ? nullptr : &*found;
}

std::vector<Citation> CitationsOf(std::string_view text) {
  std::vector<Citation> found;
  /// What stands before `mark`, which is taken off `rest` with it.
  const auto take = [](std::string_view& rest, std::string_view mark) {
    const std::size_t end = std::min(rest.find(mark), rest.size());
    const std::string_view first = rest.substr(0, end);
    rest.remove_prefix(std::min(end + mark.size(), rest.size()));
    return first;
  };
  while (!text.empty()) {
    std::string_view place = take(text, "; ");
    std::string_view titles = take(place, " · ");
    while (!titles.empty()) {
      const std::string_view title = take(titles, ", ");
      found.push_back({title, place, FindDocument(title)});
    }
  }
  return found;
}

std::string CitationText(std::string_view text, std::string_view quote) {
  if (text.empty()) return "assumed";
  std::string cited(text);
  if (quote.empty()) return cited;
  if (quote.starts_with(kNoQuotation)) {
    return cited.append(" (").append(quote).append(")");
  }
  return cited.append(": `").append(quote).append("`");
}

std::string InCell(std::string_view text) {
  std::string cell;
  for (const char c : text) {
    if (c == '|') cell += '\\';
    cell += c;
  }
  return cell;
}

}  // namespace lanediff::isa
