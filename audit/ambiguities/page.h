#pragma once

#include <string>

namespace lanediff::audit {

/// The documents' disagreements as a Markdown page: for each the readings with
/// what comes out by them, why one was chosen, and its case.
std::string DisagreementsPage();

}  // namespace lanediff::audit
