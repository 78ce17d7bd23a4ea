#include "differential/targets/recorded/outcome_path.h"

#include <fmt/format.h>

#include "differential/testcase/json.h"

namespace lanediff::diff {

std::expected<std::string, std::string> OutcomePath(std::string_view folder,
                                                    std::string_view id) {
  std::string_view rest = id;
  while (true) {
    const auto slash = rest.find('/');
    const std::string_view part = rest.substr(0, slash);
    if (part.empty() || part == "." || part == "..") {
      return std::unexpected(
          fmt::format("the id \"{}\" names no outcome document; one without "
                      "\"..\", \".\" and empty parts is allowed",
                      Quote(id)));
    }
    if (slash == rest.npos) break;
    rest.remove_prefix(slash + 1);
  }
  const bool slashed = folder.ends_with('/');
  return fmt::format("{}{}{}.json", folder, slashed ? "" : "/", id);
}

}  // namespace lanediff::diff
