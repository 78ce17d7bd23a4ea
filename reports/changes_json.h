#pragma once

#include <nlohmann/json_fwd.hpp>

#include "reports/changes.h"

namespace lanediff::reports {

/// The member "changes" of a document.
nlohmann::ordered_json ChangesJson(const RunChanges& changes);
nlohmann::ordered_json ChangesJson(const AuditChanges& changes);
nlohmann::ordered_json ChangesJson(const MutantsChanges& changes);

}  // namespace lanediff::reports
