#include "differential/compare/signature.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <iterator>
#include <ranges>
#include <string_view>
#include <vector>

#include "differential/testcase/element.h"
#include "isa/catalogue.h"
#include "isa/memory_map.h"

namespace lanediff::diff {
namespace {

using isa::DType;

/// "SetSaturation" as "set_saturation".
std::string SnakeCase(std::string_view op) {
  std::string text;
  for (char c : op) {
    const bool upper = 'A' <= c && c <= 'Z';
    if (upper && !text.empty()) text += '_';
    text += upper ? static_cast<char>(c - 'A' + 'a') : c;
  }
  return text;
}

/// The parts of a floating element that a class is made of.
struct FloatingBits {
  bool zero;
  bool subnormal;
  bool extreme;  ///< infinite, or the largest finite value of either sign
};

FloatingBits Dissect(DType type, std::uint64_t bits) {
  const int width = static_cast<int>(isa::SizeBytes(type)) * 8;
  const int fraction = FractionBits(type);
  const std::uint64_t sign = std::uint64_t{1} << (width - 1);
  const std::uint64_t magnitude = bits & (sign - 1);
  const std::uint64_t infinity =
      (sign - 1) >> fraction << fraction;  // all exponent bits
  return {.zero = magnitude == 0,
          .subnormal = magnitude != 0 && magnitude >> fraction == 0,
          .extreme = magnitude == infinity || magnitude == infinity - 1};
}

std::string_view ClassOf(const ElementDifference& d) {
  if (d.operand.empty()) return "outside";
  if (d.before && *d.before == d.actual) return "missing";
  if (!IsFloating(d.dtype)) return "value";
  if (IsNan(d.dtype, d.expected) || IsNan(d.dtype, d.actual)) return "nan";
  const FloatingBits expected = Dissect(d.dtype, d.expected);
  const FloatingBits actual = Dissect(d.dtype, d.actual);
  if (expected.zero && actual.zero) return "zero-sign";
  if (expected.extreme || actual.extreme) return "saturation";
  if (expected.subnormal || actual.subnormal) return "subnormal";
  return "value";
}

/// Empty where both sides name the same rules.
std::string_view FirstOddRule(const Finding& finding) {
  std::vector<isa::RuleId> odd;
  std::ranges::set_symmetric_difference(
      finding.expected_rules, finding.actual_rules, std::back_inserter(odd));
  return odd.empty() ? std::string_view() : odd.front().text();
}

std::string_view WhatOf(const Finding& finding) {
  switch (finding.kind) {
    case FindingKind::kNotDeterministic:
      return "two-runs";
    case FindingKind::kCrash:
    case FindingKind::kTimeout:
    case FindingKind::kProtocol:
      return "target";
    case FindingKind::kState:
      return "fresh-process";
    case FindingKind::kReadsOutside:
      return finding.difference ? "result" : "answer";
    default:
      break;
  }
  if (finding.difference) return ClassOf(*finding.difference);
  const std::string_view rule = FirstOddRule(finding);
  return rule.empty() ? "step" : rule;
}

std::vector<std::string> WordsOf(std::string_view text) {
  std::vector<std::string> words;
  for (const auto word : std::views::split(text, '/')) {
    words.emplace_back(word.begin(), word.end());
  }
  return words;
}

}  // namespace

std::string_view DTypeWord(const isa::Step& step) {
  return std::visit(
      [](const auto& s) -> std::string_view {
        if constexpr (requires { s.dtype; }) {
          return isa::Name(s.dtype);
        } else {
          return "none";
        }
      },
      step);
}

std::string_view FormWord(const isa::Step& step) {
  const auto* const call = std::get_if<isa::Call>(&step);
  if (call == nullptr || call->signature->forms.empty()) return "";
  if (call->Has(isa::Param::kIsSetMask) && !call->is_set_mask) {
    return "register";
  }
  const isa::FormKey& form = call->signature->forms[call->form];
  if (form.shape == isa::FormShape::kWords) return "mask-words";
  return form.key.empty() ? kPlainForm : form.key;
}

std::vector<std::string> ReportedSignatures(
    const std::vector<std::string>& all) {
  std::vector<std::string> reported;
  for (bool expectation : {false, true}) {
    if (!reported.empty()) break;
    for (const std::string& one : all) {
      if (one.starts_with("expectation/") == expectation &&
          std::ranges::find(reported, one) == reported.end()) {
        reported.push_back(one);
      }
    }
  }
  return reported;
}

std::string_view WithoutForm(std::string_view text) {
  return std::ranges::count(text, '/') == 4 ? text.substr(0, text.rfind('/'))
                                            : text;
}

std::string SlugOf(const isa::Step& step) {
  const auto* const call = std::get_if<isa::Call>(&step);
  return call != nullptr ? std::string(call->signature->slug)
                         : SnakeCase(isa::OpName(step));
}

Signature SignatureOf(const Case& c, const Finding& finding) {
  const isa::Step& step = c.program.at(finding.step);
  const bool of_element =
      finding.kind == FindingKind::kExpectation && finding.difference;
  return {.kind = finding.kind,
          .instruction = SlugOf(step),
          .what = std::string(WhatOf(finding)),
          .type = std::string(of_element ? isa::Name(finding.difference->dtype)
                                         : DTypeWord(step)),
          .form = std::string(FormWord(step))};
}

std::string Signature::Text() const {
  return fmt::format("{}/{}/{}/{}{}{}", isa::Name(kind), instruction, what,
                     type, form.empty() ? "" : "/", form);
}

std::string LintSignature(const isa::Step& step, isa::RuleId rule) {
  return fmt::format("lint/{}/{}/{}", SlugOf(step), rule.text(),
                     DTypeWord(step));
}

bool IsLintSignature(std::string_view text) {
  return text.starts_with("lint/") && NoLintSignature(text).empty();
}

std::string NoLintSignature(std::string_view text) {
  const std::vector<std::string> words = WordsOf(text);
  constexpr std::string_view kAllowed =
      "a signature \"lint/instruction/rule/type\" is allowed";
  if (words.size() == 5) {
    return fmt::format("found a fifth word \"{}\"; {}", Quote(words[4]),
                       kAllowed);
  }
  if (words.size() != 4 || std::ranges::count(words, std::string()) > 0) {
    return fmt::format("found \"{}\"; {}", Quote(text), kAllowed);
  }
  if (isa::FindRule(words[2]) == nullptr) {
    return fmt::format("found \"{}\"; a rule that lanediff has is allowed",
                       Quote(words[2]));
  }
  return "";
}

std::optional<FindingKind> KindIn(std::string_view signature) {
  return isa::Parse<FindingKind>(signature.substr(0, signature.find('/')));
}

std::expected<Signature, std::string> ParseSignature(std::string_view text) {
  const std::vector<std::string> words = WordsOf(text);
  if (words.size() < 4 || words.size() > 5 ||
      std::ranges::count(words, std::string()) > 0) {
    return std::unexpected(fmt::format(
        "found \"{}\"; a signature \"kind/instruction/what/type\", of a call "
        "with forms \"kind/instruction/what/type/form\", is allowed",
        Quote(text)));
  }
  const auto kind = isa::Parse<FindingKind>(words[0]);
  if (!kind) {
    return std::unexpected(
        fmt::format("found \"{}\"; {} is allowed", Quote(words[0]),
                    fmt::join(isa::Words<FindingKind>::kSpelling, ", ")));
  }
  return Signature{*kind, words[1], words[2], words[3],
                   words.size() > 4 ? words[4] : ""};
}

const Finding* SignatureCounts::Add(const std::vector<Finding>& findings) {
  std::vector<std::string> signatures;
  for (const Finding& f : findings) signatures.push_back(f.signature);
  const Finding* fresh = nullptr;
  for (const std::string& reported : ReportedSignatures(signatures)) {
    if (!Add(reported) || fresh != nullptr) continue;
    fresh = &*std::ranges::find(findings, reported, &Finding::signature);
  }
  return fresh;
}

bool SignatureCounts::Add(const std::string& signature) {
  return ++cases_[signature] <= kKeptOfSignature;
}

void SignatureCounts::Add(const std::vector<SignatureCount>& counts) {
  for (const SignatureCount& one : counts) cases_[one.signature] += one.cases;
}

std::vector<SignatureCount> SignatureCounts::Record() const {
  std::vector<SignatureCount> record;
  for (const auto& [signature, cases] : cases_) {
    record.push_back({signature, cases});
  }
  return record;
}

}  // namespace lanediff::diff
