#pragma once

#include "isa/intervals.h"

namespace lanediff::lint {

using Range = isa::Interval;
using RangeList = isa::IntervalSet;

}  // namespace lanediff::lint
