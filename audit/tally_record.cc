// A tally as a document: workers hand theirs over a pipe, shards theirs in a
// file.

#include <fmt/format.h>

#include <algorithm>
#include <stdexcept>

#include "audit/child.h"
#include "audit/corpus_cases.h"
#include "audit/tally.h"
#include "differential/testcase/record_json.h"

namespace lanediff::audit {
namespace {

struct RuleCell : CellTally {
  isa::RuleId rule;
  isa::Product product = isa::Product::kAtlasA2;

  static void Fields(auto& c, auto& v) {
    v.Required("rule", c.rule);
    v.Required("product", c.product);
    CellTally::Fields(c, v);
  }
};

struct SourceFailures : FailureCounts {
  std::string source;

  static void Fields(auto& f, auto& v) {
    v.Required("source", f.source, {.check = NoSource});
    FailureCounts::Fields(f, v);
  }
};

std::string NoInstruction(const std::string& op) {
  if (op.empty() || isa::FindInstruction(op) != nullptr) return "";
  return fmt::format("found \"{}\"; an instruction or none is allowed",
                     Quote(op));
}

struct AcceptedCalls {
  std::string instruction;  ///< empty: any program
  isa::Product product = isa::Product::kAtlasA2;

  static void Fields(auto& a, auto& v) {
    v.Required("instruction", a.instruction, {.check = NoInstruction});
    v.Required("product", a.product);
  }
};

struct TallyDocument : TallyCounts {
  std::vector<std::string> problems;
  std::vector<RuleCell> cells;
  std::vector<FailureTally> failing;
  std::vector<PassTally> passing;
  std::vector<SourceFailures> failures;
  std::vector<AcceptedCalls> accepted;

  static void Fields(auto& t, auto& v) {
    TallyCounts::Fields(t, v);
    v.Required("problems", t.problems, {.each = &kPlain});
    v.Required("cells", t.cells);
    v.Required("failing", t.failing);
    v.Required("passing", t.passing);
    v.Required("failures", t.failures);
    v.Required("accepted", t.accepted);
  }
};

/// Whether all that a cell prints is plain text.
bool IsPlain(const CellTally& cell) {
  return std::ranges::all_of(cell.tried,
                             [](const Tried& one) {
                               return NotPlain(one.form).empty() &&
                                      NotPlain(one.positions).empty();
                             }) &&
         std::ranges::all_of(cell.points, [](const Point& point) {
           return NotPlain(point.field).empty();
         });
}

}  // namespace

std::string NotPlain(const std::string& text) {
  if (IsPlainText(text)) return "";
  return fmt::format("found \"{}\"; plain text is allowed", Quote(text));
}

std::string NoSource(const std::string& text) {
  const auto modules = make::SweepModules();
  if (text == kGivenSource || text == kMeasuredSource ||
      std::ranges::find(modules, text) != modules.end()) {
    return "";
  }
  return fmt::format("found \"{}\"; a source of cases is allowed", Quote(text));
}

std::vector<std::uint8_t> Tally::Serialized() const {
  TallyDocument document{*this, problems, {}, failing_, passing_, {}, {}};
  for (const auto& [key, cell] : cells_) {
    document.cells.push_back({cell, isa::RuleId(key.first), key.second});
  }
  for (const auto& [source, counts] : failures) {
    document.failures.push_back({counts, source});
  }
  for (const auto& [op, product] : accepted_) {
    document.accepted.push_back({std::string(op), product});
  }
  const std::string text = RecordText(document);
  return {text.begin(), text.end()};
}

Tally Tally::Parse(std::span<const std::uint8_t> bytes) {
  const std::string_view text(reinterpret_cast<const char*>(bytes.data()),
                              bytes.size());
  auto read = ReadDocument(text, [](const Cursor& place) {
    auto document = ReadRecord<TallyDocument>(place);
    if (!std::ranges::all_of(document.cells, IsPlain)) {
      place.Fail("a form, place or field is no plain text");
    }
    return document;
  });
  if (!read) throw std::runtime_error(LineOf(read.error()));
  TallyDocument& document = *read;
  Tally tally;
  static_cast<TallyCounts&>(tally) = document;
  tally.problems = std::move(document.problems);
  tally.failing_ = std::move(document.failing);
  tally.passing_ = std::move(document.passing);
  for (RuleCell& cell : document.cells) {
    tally.cells_[{cell.rule.text(), cell.product}] = std::move(cell);
  }
  for (SourceFailures& one : document.failures) {
    tally.failures[one.source] = one;
  }
  for (const AcceptedCalls& one : document.accepted) {
    const auto* const instruction = isa::FindInstruction(one.instruction);
    tally.accepted_.emplace(
        instruction == nullptr ? std::string_view() : instruction->op,
        one.product);
  }
  return tally;
}

}  // namespace lanediff::audit
