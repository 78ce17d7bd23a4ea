# Writes OUT, a source file with the version of the tree SOURCE that a program
# is built from: VERSION, the commit, and a hash of what was changed since. Run at
# every build; the file changes only when the version does.

set(text "${VERSION}")
execute_process(COMMAND git -C "${SOURCE}" rev-parse --short=12 HEAD
  OUTPUT_VARIABLE commit OUTPUT_STRIP_TRAILING_WHITESPACE ERROR_QUIET RESULT_VARIABLE failed)
if(NOT failed)
  string(APPEND text "+${commit}")
  execute_process(COMMAND git -C "${SOURCE}" diff HEAD --no-ext-diff
    OUTPUT_VARIABLE changes ERROR_QUIET)
  if(NOT changes STREQUAL "")
    string(SHA1 hash "${changes}")
    string(SUBSTRING "${hash}" 0 8 hash)
    string(APPEND text ".changed.${hash}")
  endif()
endif()
file(CONFIGURE OUTPUT "${OUT}" @ONLY CONTENT [[#include "tools/cli/version.h"

namespace lanediff::cli {

const char* const kVersion = "@text@";

}  // namespace lanediff::cli
]])
