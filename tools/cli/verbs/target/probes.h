#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "differential/targets/capabilities.h"
#include "differential/targets/target.h"
#include "differential/testcase/case.h"

/// What `lanediff target check` puts to a target of each instruction.
namespace lanediff::cli {

/// Systematic cases of one instruction that the target claims, spread over all
/// of them, by what the oracle makes of them.
struct Samples {
  std::vector<Case> legal;
  std::vector<Case> illegal;
};

Samples SamplesOf(std::string_view slug, const diff::Capabilities& can,
                  const diff::Target& oracle);

/// Legal cases of one kind; a target runs those that it supports.
struct Probe {
  std::string what;
  std::vector<Case> cases;
};

/// Of what is easily forgotten: a mask that SetVectorMask set, calls that leave
/// it as it is, counts that fill no block, and one call after another. A kind
/// that the instruction has no legal case of is left out.
std::vector<Probe> ProbesOf(const Samples& samples, const diff::Target& oracle);

}  // namespace lanediff::cli
