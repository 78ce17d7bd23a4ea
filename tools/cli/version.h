#pragma once

namespace lanediff::cli {

/// The version of this program: that of the project, the commit from which it
/// is built and a hash of what was changed since. Two of one version do the
/// same.
extern const char* const kVersion;

}  // namespace lanediff::cli
