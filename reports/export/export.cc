#include "reports/export/export.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <vector>

#include "differential/compare/rule_text.h"
#include "differential/testcase/element.h"
#include "isa/catalogue.h"
#include "isa/memory_map.h"
#include "reports/export/snippet.h"

namespace lanediff::exports {
namespace {

using Elements = std::vector<diff::ChangedElement>;
using Iterator = Elements::const_iterator;

/// Lines of expected elements, items in one of them, and the bytes of a note
/// that are worth showing: what a reader still looks at.
constexpr std::size_t kMostLines = 1024;
constexpr std::size_t kItems = 4;
constexpr std::size_t kMostNote = 4000;
constexpr std::size_t kMostName = 200;

bool Follows(const diff::ChangedElement& a, const diff::ChangedElement& b) {
  return a.memory == b.memory && a.dtype == b.dtype &&
         a.at + isa::SizeBytes(a.dtype) == b.at;
}

/// The end of the equal elements that start at `first` and lie side by side.
Iterator EndOfRun(Iterator first, Iterator last) {
  Iterator end = first + 1;
  while (end != last && Follows(*(end - 1), *end) && end->bits == first->bits) {
    ++end;
  }
  return end;
}

/// "UB 0 half: 35584 (0x7858), 3 x 1 (0x3c00)", and moves `first` behind it.
std::string ElementsLine(Iterator& first, Iterator last) {
  std::string line = fmt::format("{} byte {} {}: ", isa::Name(first->memory),
                                 first->at, isa::Name(first->dtype));
  for (std::size_t item = 0; item < kItems; ++item) {
    const Iterator end = EndOfRun(first, last);
    if (item > 0) line += ", ";
    if (end - first > 1) line += fmt::format("{} x ", end - first);
    line += DescribeElement(first->dtype, first->bits);
    first = end;
    if (end == last || !Follows(*(end - 1), *end)) break;
  }
  return line;
}

void WriteElements(const Elements& elements, Source& out) {
  if (elements.empty()) {
    out.Comment("  no byte changes");
    return;
  }
  std::size_t lines = 0;
  for (Iterator at = elements.begin(); at != elements.end(); ++lines) {
    if (lines == kMostLines) {
      out.Comment("  and {} elements more: lanediff exec CASE --target oracle",
                  elements.end() - at);
      break;
    }
    out.HangingComment("  " + ElementsLine(at, elements.end()), 4);
  }
  out.Comment("  every other byte keeps what it had");
}

void WriteExpected(const Case& c, const diff::ExpectedResult& expected,
                   Source& out) {
  const Outcome& outcome = expected.outcome;
  const auto line = [&](const std::string& text) {
    out.HangingComment("  " + text, 4);
  };
  out.Comment("Expected by the documents:");
  switch (outcome.status) {
    case Outcome::Status::kRejected:
      line(fmt::format("step {} ({}) is illegal{}", outcome.step,
                       isa::OpName(c.program[outcome.step]),
                       diff::RuleList(outcome.RulesOrNone())));
      line(
          "a call that is refused changes nothing; no document states what a "
          "device does with it");
      break;
    case Outcome::Status::kUnsupported:
      line(fmt::format("unknown: step {} is nothing that the oracle can do",
                       outcome.step));
      break;
    case Outcome::Status::kExecuted:
      line("every step is executed");
      break;
  }
  if (const auto notes = outcome.NotesOrNone(); !notes.empty()) {
    line("noted" + diff::RuleList(notes));
  }
  WriteElements(expected.changed, out);
}

void WriteOrigin(const Origin& origin, Source& out) {
  const auto add = [&](std::string_view what,
                       const std::optional<std::string>& text) {
    if (text)
      out.HangingComment(fmt::format("Found with {} {}", what, *text), 4);
  };
  if (origin.tool && !origin.signature) {
    out.HangingComment("Expectation: " + *origin.tool, 4);
  } else {
    add("tool", origin.tool);
  }
  add("target", origin.target);
  add("signature", origin.signature);
}

/// "RRS-REPEAT: repeat is 0 to 255 (RepeatReduceSum · 参数说明)".
std::string RuleLine(isa::RuleId id) {
  const isa::Rule* rule = isa::FindRule(id.text());
  if (rule == nullptr) return std::string(id.text());
  std::string sources;
  for (const isa::Source& source : rule->sources) {
    sources += sources.empty() ? "" : "; ";
    sources += source.document.empty() ? isa::Name(source.provenance())
                                       : source.document;
  }
  return fmt::format("{}: {} [{}]", id.text(), rule->statement, sources);
}

}  // namespace

void SnippetWriter::WriteHead(std::string_view api) const {
  const Case& c = c_;
  Source& out = out_;
  out.Comment("Case {} for {}, as {}. Made by lanediff export.", c.id,
              isa::Name(c.product), api);
  if (!c.note.empty()) {
    std::string_view note = c.note;
    if (note.size() > kMostNote) {
      note = note.substr(0, kMostNote);
      // Not within a character.
      while ((static_cast<unsigned char>(c.note[note.size()]) & 0xc0) == 0x80) {
        note.remove_suffix(1);
      }
    }
    out.Comment("Note: {}{}", note,
                note.size() < c.note.size() ? " [cut]" : "");
  }
  if (c.origin) WriteOrigin(*c.origin, out);
  if (!c.requirement.empty()) {
    out.HangingComment("Evidence" + diff::RuleList(c.requirement), 4);
  }
  out.Comment("");
  WriteExpected(c, expected_, out);
}

void SnippetWriter::WriteStepHead(std::size_t index) const {
  const Outcome& outcome = expected_.outcome;
  out_.Comment("Step {}: {}", index, isa::OpName(c_.program[index]));
  if (!outcome.rejected() || outcome.step != index) return;
  out_.Comment("Illegal; it breaks");
  for (const isa::RuleId id : outcome.RulesOrNone()) {
    out_.HangingComment("  " + RuleLine(id), 4);
  }
}

std::size_t StepsWritten(const Case& c, const diff::ExpectedResult& expected) {
  return expected.outcome.rejected() ? expected.outcome.step + 1
                                     : c.program.size();
}

void SnippetWriter::WriteSteps(
    const std::function<void(std::size_t)>& write) const {
  const std::size_t written = StepsWritten(c_, expected_);
  for (std::size_t i = 0; i < written; ++i) write(i);
  for (std::size_t i = written; i < c_.program.size(); ++i) {
    out_.Comment(
        "Step {}: {} is not written: the rejected step ends the program", i,
        isa::OpName(c_.program[i]));
  }
}

std::string KernelName(const Case& c) {
  std::string name = "lanediff_" + c.id.substr(0, kMostName);
  std::ranges::replace_if(
      name,
      [](char ch) { return (ch < 'a' || ch > 'z') && (ch < '0' || ch > '9'); },
      '_');
  return name;
}

std::expected<Api, std::string> ApiOf(const Case& c) {
  std::optional<Api> api;
  std::size_t first = 0;
  for (std::size_t i = 0; i < c.program.size(); ++i) {
    if (isa::IsOfKernel(c.program[i])) {
      return std::unexpected(fmt::format(
          "step {} is {}, of a kernel: the kernel's own source has it, and no "
          "program is written of it; `lanediff check` replays the case",
          i, isa::OpName(c.program[i])));
    }
    const isa::Instruction* const found = isa::InstructionOf(c.program[i]);
    if (found == nullptr) continue;
    static_assert(static_cast<Api>(isa::Api::kAscendC) == Api::kAscendc &&
                  static_cast<Api>(isa::Api::kPto) == Api::kPto &&
                  static_cast<Api>(isa::Api::kTik) == Api::kTik);
    const auto mine = static_cast<Api>(found->api);
    if (api && *api != mine) {
      return std::unexpected(
          fmt::format("step {} ({}) is {} and step {} ({}) is {}: no API has "
                      "both; export a case with the steps of one",
                      first, isa::OpName(c.program[first]), isa::Name(*api), i,
                      isa::OpName(c.program[i]), isa::Name(mine)));
    }
    if (!api) first = i;
    api = mine;
  }
  return api.value_or(Api::kAscendc);
}

std::expected<Snippet, std::string> ExportCase(
    const Case& c, const diff::ExpectedResult& expected,
    std::string_view file_name) {
  const auto api = ApiOf(c);
  if (!api) return std::unexpected(api.error());
  Snippet snippet;
  const auto data = DataOf(c, file_name, snippet.files);
  if (!data) return std::unexpected(data.error());
  Source out(*api == Api::kTik ? "#" : "//");
  const SnippetWriter writer{c, expected, *data, out};
  switch (*api) {
    case Api::kAscendc:
      WriteAscendc(writer);
      break;
    case Api::kPto:
      WritePto(writer);
      break;
    case Api::kTik:
      WriteTik(writer);
      break;
  }
  snippet.text = out.Take();
  return snippet;
}

}  // namespace lanediff::exports
