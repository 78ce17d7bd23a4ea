#include "differential/compare/keep_finding.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <system_error>
#include <utility>

#include "differential/compare/check.h"
#include "differential/compare/open_elements.h"
#include "differential/targets/find_target.h"
#include "differential/testcase/case_writer.h"
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

std::string FileNameOf(std::string name) {
  std::ranges::replace(name, '/', '-');
  return name;
}

std::expected<void, std::string> KeepCase(const Case& c,
                                          const std::string& path) {
  std::error_code ignored;  // if there is no folder, writing fails
  std::filesystem::create_directories(std::filesystem::path(path).parent_path(),
                                      ignored);
  return WriteFile(path, WriteCase(c));
}

std::expected<void, std::string> KeepOrShowCase(const Case& c,
                                                const std::string& path) {
  auto kept = KeepCase(c, path);
  if (!kept) {
    return std::unexpected(
        fmt::format("{}; the case follows\n{}", kept.error(), WriteCase(c)));
  }
  return kept;
}

std::expected<std::string, std::string> KeepFinding(Case c,
                                                    const Finding& finding,
                                                    std::string_view slug,
                                                    std::string_view tool,
                                                    const std::string& folder) {
  c = CaseOfFinding(std::move(c), finding, slug, tool);
  std::string path = fmt::format("{}/{}.json", folder, FileNameOf(c.id));
  if (const auto kept = KeepOrShowCase(c, path); !kept) {
    return std::unexpected(kept.error());
  }
  return path;
}

std::string CheckCommand(std::string_view path, std::string_view target,
                         std::string_view reference) {
  std::string command = fmt::format("lanediff check {}", path);
  if (!target.empty()) command += fmt::format(" --target {}", target);
  if (!reference.empty()) command += fmt::format(" --reference {}", reference);
  return command + UlpOptions();
}

}  // namespace lanediff::diff
