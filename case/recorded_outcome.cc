#include "case/recorded_outcome.h"

#include <utility>

namespace lanediff {

RecordedOutcome ToRecorded(const Outcome& outcome, std::string observed) {
  RecordedOutcome recorded{.status = outcome.status,
                           .step = outcome.step,
                           .rules = std::nullopt,
                           .notes = outcome.notes,
                           .memory = outcome.changed,
                           .observed = std::move(observed)};
  if (outcome.status == Outcome::Status::kRejected) {
    recorded.rules = outcome.rules;
  }
  return recorded;
}

}  // namespace lanediff
