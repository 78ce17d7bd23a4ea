#pragma once

#include <expected>
#include <string>
#include <string_view>

#include "differential/compare/finding.h"
#include "differential/testcase/case.h"

/// How cases that show something are kept, and the command that shows it again.
namespace lanediff::diff {

/// Who found a case that shows `finding`: `tool`, with what was under test and
/// the signature. For those who keep a case that disagrees.
Origin OriginOf(const Finding& finding, std::string_view tool);

/// `c` as it is kept once it has shown `finding`: an id made from `slug`,
/// kind and content, the finding's message as its note, what the oracle makes
/// of it as its expectation, unless only lint ran, and `OriginOf` the
/// finding.
Case CaseOfFinding(Case c, const Finding& finding, std::string_view slug,
                   std::string_view tool);

/// `name`, an id or a signature, as that of a file: "-" for each "/".
std::string FileNameOf(std::string name);

/// Writes `c` to `path`; its folder is made where it is not there. The error is
/// one line.
std::expected<void, std::string> KeepCase(const Case& c,
                                          const std::string& path);

/// The same where nothing else has the case: the error goes on with its text.
std::expected<void, std::string> KeepOrShowCase(const Case& c,
                                                const std::string& path);

/// Saves `c`, in which `finding` was made, in `folder` under a name made from
/// `slug`, the finding's kind and the content. The file states the finding and
/// the `tool`, and expects what the oracle does. Returns the path, or why
/// there is none, and the case.
std::expected<std::string, std::string> KeepFinding(Case c,
                                                    const Finding& finding,
                                                    std::string_view slug,
                                                    std::string_view tool,
                                                    const std::string& folder);

/// The command that shows again what the case in a file shows. Each is a word
/// of a shell; without target or reference they are the emulator and the
/// oracle.
std::string CheckCommand(std::string_view path, std::string_view target = "",
                         std::string_view reference = "");

}  // namespace lanediff::diff
