#pragma once

#include <string>

#include "tools/history/part.h"

namespace lanediff::campaign {

/// A message, as long as it is kept.
std::string Short(const std::string& message);

/// Whether what calls a case by a finding calls it by another one than this:
/// fuzz does, by the first that the case shows.
bool IsOfAnother(const std::string& case_name, const std::string& signature);

/// Adds what one more case shows. Throws a `CaseError` where the signature is
/// none.
void AddSighting(const std::string& signature, Sighting more, Part& part);

}  // namespace lanediff::campaign
