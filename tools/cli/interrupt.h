#pragma once

/// Signals that end a run.
namespace lanediff::cli {

/// From now on SIGINT, SIGTERM and SIGHUP end the process without leaving a
/// temporary file. A pipe without a reader, and a file that may not grow, are
/// errors of writing, no signals.
void HandleSignals();

/// From now on the first of SIGINT (Ctrl-C), SIGTERM and SIGHUP lets a verb
/// finish what it holds, and report it; the second ends the process. Forgets
/// what came before. SIGHUP stays ignored under nohup.
void WatchInterrupt();

/// Whether one has come since.
bool Interrupted();

}  // namespace lanediff::cli
