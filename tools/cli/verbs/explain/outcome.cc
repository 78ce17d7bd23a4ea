#include "tools/cli/verbs/explain/outcome.h"

#include <fmt/format.h>

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "differential/testcase/element.h"
#include "differential/testcase/json.h"
#include "reports/trace/sides.h"
#include "tools/cli/verbs/explain/text.h"

namespace lanediff::cli::explain {
namespace {

using view::ElementRow;
using view::Side;
using view::Sides;

std::string PlaceText(const ElementRow& e) {
  std::string text = fmt::format("{} {}", isa::Name(e.memory), e.at);
  if (!e.operand.empty()) {
    text += fmt::format(" {} of iteration {} lane {}", e.operand, e.iteration,
                        e.lane);
  }
  return text;
}

/// `line` without the blanks at its end.
std::string Trimmed(const std::string& line) {
  return line.substr(0, line.find_last_not_of(' ') + 1);
}

void PrintRows(const Sides& sides) {
  std::string head;
  for (const std::string& name : sides.columns) {
    head += fmt::format(" {:<18}", name);
  }
  fmt::print("  {:<34}{}\n", "element", Trimmed(head));
  for (const ElementRow& row : sides.rows) {
    std::string line;
    for (const std::uint64_t bits : row.bits) {
      line += fmt::format(" {:<18}", DescribeElement(row.dtype, bits));
    }
    line += row.differs ? " DIFFERS" : "";
    fmt::print("  {:<34}{}\n", PlaceText(row), Trimmed(line));
  }
}

/// How each side ended, equal ones in one line.
void PrintOutcomes(const std::vector<Side>& sides) {
  for (std::size_t i = 0; i < sides.size();) {
    std::string names;
    std::size_t end = i;
    for (; end < sides.size() && sides[end].outcome == sides[i].outcome;
         ++end) {
      names += (names.empty() ? "" : ", ") + sides[end].name;
    }
    PrintWrapped(fmt::format("  {}: ", names), sides[i].outcome);
    i = end;
  }
}

void PrintTable(const Sides& sides) {
  if (sides.rows.empty()) {
    fmt::print("  no byte is written\n");
    return;
  }
  PrintRows(sides);
  if (sides.maybe_more) {
    fmt::print("  … the first elements that differ\n");
  } else if (!sides.differ) {
    fmt::print("  … the first of {} bytes that the program writes\n",
               sides.written_bytes);
  }
}

}  // namespace

std::string VerdictText(const diff::Comparison& compared) {
  if (!compared.findings.empty()) return "DISAGREE";
  if (!compared.malformed && !compared.unsupported) return "all agree";
  return "NOT COMPARED: " + (compared.why.empty() ? "a side can't do a step"
                                                  : Quote(compared.why, 500));
}

void PrintOutcome(const Case& c, const diff::Examination& examined) {
  const diff::Comparison& compared = examined.comparison;
  fmt::print("\nexpected against actual: {}\n", VerdictText(compared));
  for (const diff::Finding& finding : compared.findings) {
    PrintWrapped(fmt::format("  {}: ", isa::Name(finding.kind)),
                 fmt::format("{} against {}: {}", finding.side,
                             finding.reference, finding.message));
  }
  const Sides sides = view::CompareSides(c, examined);
  PrintOutcomes(sides.sides);
  PrintTable(sides);
  if (compared.malformed || compared.unsupported) return;
  if (sides.unspecified_bytes > 0) {
    fmt::print(
        "  {} are unspecified at the end and not compared: tmp tiles of "
        "TROWPROD and what was computed from them\n",
        Counted(sides.unspecified_bytes, "byte"));
  }
  fmt::print(
      "  compared {} and {} bytes of {} against {}{}\n",
      Counted(static_cast<std::int64_t>(compared.steps), "step"),
      compared.compared_bytes, examined.target, examined.reference,
      c.expect ? ", and both against expect" : "; the case expects nothing");
}

}  // namespace lanediff::cli::explain
