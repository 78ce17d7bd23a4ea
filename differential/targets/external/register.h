#pragma once

#include <functional>
#include <string>
#include <vector>

/// What is to be done when no outside target is used any more.
namespace lanediff::diff {

/// `end` lets a target's processes end in good order. It returns a line for
/// each that didn't.
void AtOutsideEnd(std::function<std::vector<std::string>()> end);

/// Whether the last target that this thread could not find was there and failed
/// at once.
bool& StartFailed();

/// Lets all outside targets' processes end: their input is closed, and they
/// have the time of one case. A line for each that didn't end, or not with
/// status 0. No target may be used meanwhile, and any may be afterwards.
std::vector<std::string> EndOutsideTargets();

}  // namespace lanediff::diff
