#pragma once

#include <string>

namespace lanediff::test {

/// Where and how `document` breaks the JSON schema (draft 4 or 7) in the file
/// `schema`, a line for each fault; "no JSON" for what is none; empty if valid.
std::string SchemaFaults(const std::string& document,
                         const std::string& schema);

}  // namespace lanediff::test
