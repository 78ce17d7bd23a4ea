#pragma once

#include <sys/types.h>

namespace lanediff {

/// The parent of process `pid`; 0 if unknown.
pid_t ParentOf(pid_t pid);

/// Lets process `pid` go on if a signal has stopped it, or a process below it
/// that traces it, which is killed.
void ResumeIfStopped(pid_t pid);

/// Kills what traces the child `pid` after its end, a process below this one:
/// waiting for the child would wait for its tracer, too.
void ReleaseIfDead(pid_t pid);

}  // namespace lanediff
