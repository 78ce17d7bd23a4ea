#pragma once

#include <span>

/// The tables of a campaign's database.
namespace lanediff::campaign {

/// What brings a database from schema version i to i + 1: SQL. Version 0 is an
/// empty file. Steps are added at the end and never changed.
std::span<const char* const> SchemaSteps();

}  // namespace lanediff::campaign
