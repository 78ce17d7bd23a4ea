#pragma once

#include <sys/types.h>

#include <set>

namespace lanediff::host {

/// From its beginning on, processes that a program leaves when it ends become
/// children of this process. Children that were there before stay alone.
class Descendants {
 public:
  Descendants();
  ~Descendants();
  Descendants(const Descendants&) = delete;
  Descendants& operator=(const Descendants&) = delete;

  /// Kills all of them and waits for their end.
  void Kill() const;

 private:
  std::set<pid_t> before_;
  int was_subreaper_ = 0;
};

/// A process that lets this one go on where what it runs has stopped it. What a
/// terminal sends stops both.
class StopGuard {
 public:
  StopGuard();
  ~StopGuard();
  StopGuard(const StopGuard&) = delete;
  StopGuard& operator=(const StopGuard&) = delete;

 private:
  pid_t pid_;
};

}  // namespace lanediff::host
