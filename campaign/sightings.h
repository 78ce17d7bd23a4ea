#pragma once

#include <string>

#include "campaign/part.h"

namespace lanediff::campaign {

/// A message, as long as it is kept.
std::string Short(const std::string& message);

/// Adds what one more case shows. Throws a `CaseError` where the signature is
/// none.
void AddSighting(const std::string& signature, Sighting more, Part& part);

}  // namespace lanediff::campaign
