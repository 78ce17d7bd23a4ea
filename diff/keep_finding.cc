#include "diff/keep_finding.h"

#include <fmt/format.h>

#include "diff/case_writer.h"
#include "diff/check.h"
#include "diff/fuzz_input.h"
#include "diff/target.h"

namespace lanediff::diff {

std::expected<std::string, std::string> KeepFinding(Case c,
                                                    const Finding& finding,
                                                    std::string_view room,
                                                    std::string_view tool,
                                                    const std::string& folder) {
  c.origin = Origin{.tool = std::string(tool),
                    .seed = std::nullopt,
                    .target = finding.side,
                    .signature = std::nullopt,
                    .date = std::nullopt};
  const auto encoded = EncodeFuzzInput(c);
  const std::string hash =
      ContentHash(encoded ? *encoded : std::vector<std::uint8_t>());
  const std::string_view kind = isa::Name(finding.kind);
  c.id = fmt::format("{}/{}-{}", room, kind, hash);
  c.note = finding.message;
  c.expect = ToExpectation(RunCase(c, **FindTarget("oracle")));
  std::string path = fmt::format("{}/{}-{}-{}.json", folder, room, kind, hash);
  const std::string text = WriteCase(c);
  if (const auto written = WriteFile(path, text); !written) {
    return std::unexpected(
        fmt::format("{}; the case follows\n{}", written.error(), text));
  }
  return path;
}

}  // namespace lanediff::diff
