#pragma once

#include <functional>

namespace lanediff::cli {

/// Does `work` in a thread. False as soon as there is an interrupt, which
/// `WatchInterrupt` watches for: the thread may go on, and this process has to
/// end by `_exit`.
bool DoneUnlessInterrupted(const std::function<void()>& work);

}  // namespace lanediff::cli
