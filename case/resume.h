#pragma once

#include <sys/types.h>

namespace lanediff {

/// Lets process `pid` go on if a signal has stopped it, or a process below it
/// that traces it, which is killed.
void ResumeIfStopped(pid_t pid);

}  // namespace lanediff
