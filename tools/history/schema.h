#pragma once

#include <cstdint>

/// The tables of a campaign's database, as SQL.
namespace lanediff::campaign {

/// Of the tables; PRAGMA user_version.
inline constexpr std::int64_t kSchemaVersion = 2;

extern const char* const kTables;
/// Renames tables of version 1 whose names version 2 has too.
extern const char* const kSetVersion1Aside;
/// Copies version 1 into `kTables`, and drops it.
extern const char* const kCopyVersion1;

}  // namespace lanediff::campaign
