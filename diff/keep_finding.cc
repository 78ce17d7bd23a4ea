#include "diff/keep_finding.h"

#include <fmt/format.h>

#include <algorithm>

#include "case/case_writer.h"
#include "diff/finding_case.h"

namespace lanediff::diff {

std::expected<std::string, std::string> KeepFinding(Case c,
                                                    const Finding& finding,
                                                    std::string_view room,
                                                    std::string_view tool,
                                                    const std::string& folder) {
  c = CaseOfFinding(std::move(c), finding, room, tool);
  std::string name = c.id;
  std::ranges::replace(name, '/', '-');
  std::string path = fmt::format("{}/{}.json", folder, name);
  const std::string text = WriteCase(c);
  if (const auto written = WriteFile(path, text); !written) {
    return std::unexpected(
        fmt::format("{}; the case follows\n{}", written.error(), text));
  }
  return path;
}

}  // namespace lanediff::diff
