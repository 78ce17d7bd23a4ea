#include "reports/shortfall.h"

#include <fmt/format.h>

#include "reports/headline.h"

namespace lanediff::reports {

std::string LackingText(const diff::AccountRecord& account) {
  if (account.lacking == 0) return "";
  return fmt::format(
      "{} of {} that the target claims {} legal and unsupported; fix: claim "
      "less in its capabilities, or give --allow-unsupported where that is "
      "meant",
      account.lacking, Counted(account.claimed, "case"),
      account.lacking == 1 ? "is" : "are");
}

std::string ShortfallText(const RunRecord& record) {
  if (record.sample && record.sample->IsTooSmall()) {
    return fmt::format(
        "{} was compared; fix: leave out --cases, or give --sample where a "
        "sample is meant",
        make::SampleText(*record.sample));
  }
  return record.account ? LackingText(*record.account) : "";
}

}  // namespace lanediff::reports
