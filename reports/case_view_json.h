#pragma once

#include <string>

#include "reports/trace/case_view.h"

namespace lanediff::reports {

/// What the page of a case shows, as a JSON document in one line. Numbers that
/// a page calculates with are numbers; elements are texts, in decimal and bits.
/// A DataBlock's bytes are hex digits in the order of memory, its elements
/// decimal texts with a blank between; one text stands for elements that are
/// all alike. "after" is left out where it is "before", "actual" where it is
/// "after". A node is a list, in the order that "nodeColumns" names.
std::string CaseViewJson(const view::CaseView& view);

}  // namespace lanediff::reports
