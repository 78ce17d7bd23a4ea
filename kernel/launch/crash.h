#pragma once

/// What a program leaves when a signal is about to end it.
namespace lanediff::host {

/// Handles SIGSEGV, SIGBUS, SIGFPE, SIGILL and SIGABRT without other handlers;
/// they end the process all the same.
void WatchCrashes();

/// Gives this thread a stack for signals, if it has none: the end of its own
/// may be what it met.
void MakeSignalStack();

}  // namespace lanediff::host
