#include "diff/finding_case.h"

#include <fmt/format.h>

#include "case/fuzz_input.h"
#include "diff/check.h"
#include "diff/the_oracle.h"

namespace lanediff::diff {

Origin OriginOf(const Finding& finding, std::string_view tool) {
  return {.tool = std::string(tool),
          .seed = std::nullopt,
          .target = finding.side,
          .signature = finding.signature,
          .date = std::nullopt};
}

Case CaseOfFinding(Case c, const Finding& finding, std::string_view room,
                   std::string_view tool) {
  const auto encoded = EncodeFuzzInput(c);
  const std::string hash =
      ContentHash(encoded ? *encoded : std::vector<std::uint8_t>());
  c.id = fmt::format("{}/{}-{}", room, isa::Name(finding.kind), hash);
  c.note = finding.message;
  c.origin = OriginOf(finding, tool);
  c.expect.reset();
  if (finding.kind != FindingKind::kLintDiffers) {
    c.expect = ToExpectation(TheOracle().Run(c).value());
  }
  return c;
}

}  // namespace lanediff::diff
