#include "emulator/flags.h"

#include "emulator/address.h"

namespace lanediff::emulator {
namespace {

using isa::Event;
using isa::Pipe;
using isa::Product;

bool Joins(Event event, Pipe a, Pipe b) {
  const Pipe from = isa::SourceOf(event);
  const Pipe to = isa::DestinationOf(event);
  return (from == a && to == b) || (from == b && to == a);
}

/// Events that only products with a matrix unit beside the vector unit have.
bool IsOfOneCore(Event event) {
  return Joins(event, Pipe::kM, Pipe::kV) ||
         Joins(event, Pipe::kMte1, Pipe::kV) || event == Event::kMS;
}

bool IsOfFixpipe(Event event) {
  return event != Event::kFixS && (isa::SourceOf(event) == Pipe::kFix ||
                                   isa::DestinationOf(event) == Pipe::kFix);
}

}  // namespace

bool EventExists(Product product, Event event) {
  switch (product) {
    case Product::kAtlasA2:
    case Product::kAtlasA3:
      return !IsOfOneCore(event) && event != Event::kFixS;
    case Product::kAtlas200i500A2:
      return true;
    case Product::kAtlasInferenceAicore:
    case Product::kAtlasTraining:
      return !IsOfFixpipe(event) && event != Event::kFixS;
    case Product::kAtlasInferenceVectorcore:
    case Product::kAtlas200_300_500:
      return false;
  }
  return false;
}

std::int64_t FlagsOf(Product product) {
  switch (product) {
    case Product::kAtlasTraining:
      return 4;
    case Product::kAtlasInferenceVectorcore:
    case Product::kAtlas200_300_500:
      return 0;
    default:
      return 8;
  }
}

bool FlagExists(Product product, Event event, std::int64_t id) {
  return EventExists(product, event) && InRange(id, 0, FlagsOf(product) - 1);
}

}  // namespace lanediff::emulator
