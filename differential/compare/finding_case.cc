#include "differential/compare/finding_case.h"

#include <fmt/format.h>

#include "differential/compare/check.h"
#include "differential/targets/the_oracle.h"
#include "differential/testcase/fuzz_input.h"

namespace lanediff::diff {

Origin OriginOf(const Finding& finding, std::string_view tool) {
  return {.tool = std::string(tool),
          .seed = std::nullopt,
          .target = finding.side,
          .signature = finding.signature,
          .date = std::nullopt};
}

Case CaseOfFinding(Case c, const Finding& finding, std::string_view slug,
                   std::string_view tool) {
  const auto encoded = EncodeFuzzInput(c);
  const std::string hash =
      ContentHash(encoded ? *encoded : std::vector<std::uint8_t>());
  c.id = fmt::format("{}/{}-{}", slug, isa::Name(finding.kind), hash);
  c.note = finding.message;
  c.origin = OriginOf(finding, tool);
  c.expect.reset();
  if (finding.kind != FindingKind::kLintDiffers) {
    c.expect = ToExpectation(TheOracle().Run(c).value());
  }
  return c;
}

}  // namespace lanediff::diff
