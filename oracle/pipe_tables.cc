#include "oracle/pipe_tables.h"

#include <cstdint>
#include <optional>
#include <utility>

namespace lanediff::oracle {

using isa::Event;
using isa::Pipe;
using isa::Product;

namespace {

/// The lists of events, by the names that the table has for them.
struct EventLists {
  bool n = false;
  bool f = false;
  bool j = false;
  bool fix_s = false;
};

EventLists EventListsOf(Product product) {
  switch (product) {
    case Product::kAtlasA2:
    case Product::kAtlasA3:
      return {.n = true, .f = true};
    case Product::kAtlas200i500A2:
      return {.n = true, .f = true, .j = true, .fix_s = true};
    case Product::kAtlasInferenceAicore:
    case Product::kAtlasTraining:
      return {.n = true, .j = true};
    case Product::kAtlasInferenceVectorcore:
    case Product::kAtlas200_300_500:
      return {};
  }
  std::unreachable();
}

}  // namespace

bool HasEvent(Product product, Event event) {
  const EventLists has = EventListsOf(product);
  switch (event) {
    case Event::kMte2Mte1:
    case Event::kMte1Mte2:
    case Event::kMte1M:
    case Event::kMMte1:
    case Event::kMte2M:
    case Event::kMMte2:
    case Event::kMte2Mte3:
    case Event::kMte3Mte2:
    case Event::kMte1Mte3:
    case Event::kMte3Mte1:
    case Event::kMte2V:
    case Event::kVMte2:
    case Event::kMte3V:
    case Event::kVMte3:
    case Event::kSV:
    case Event::kVS:
    case Event::kSMte2:
    case Event::kMte2S:
    case Event::kSMte3:
    case Event::kMte3S:
      return has.n;
    case Event::kMFix:
    case Event::kFixM:
    case Event::kMte1Fix:
    case Event::kFixMte1:
    case Event::kMte2Fix:
    case Event::kFixMte2:
    case Event::kFixMte3:
      return has.f;
    case Event::kMV:
    case Event::kVM:
    case Event::kMte1V:
    case Event::kVMte1:
    case Event::kMS:
      return has.j;
    case Event::kFixS:
      return has.fix_s;
  }
  std::unreachable();
}

std::optional<std::int64_t> GreatestFlagId(Product product) {
  switch (product) {
    case Product::kAtlasA2:
    case Product::kAtlasA3:
    case Product::kAtlas200i500A2:
    case Product::kAtlasInferenceAicore:
      return 7;
    case Product::kAtlasTraining:
      return 3;
    case Product::kAtlasInferenceVectorcore:
    case Product::kAtlas200_300_500:
      return std::nullopt;
  }
  std::unreachable();
}

bool HasBarrier(Product product, Pipe pipe) {
  switch (product) {
    case Product::kAtlasA2:
    case Product::kAtlasA3:
    case Product::kAtlas200i500A2:
      return pipe != Pipe::kS;
    case Product::kAtlasInferenceAicore:
    case Product::kAtlasTraining:
      return pipe != Pipe::kS && pipe != Pipe::kFix;
    case Product::kAtlasInferenceVectorcore:
    case Product::kAtlas200_300_500:
      return false;
  }
  std::unreachable();
}

bool IsReservedFlagId(Product product, std::int64_t id) {
  return GreatestFlagId(product) == 7 && (id == 6 || id == 7);
}

}  // namespace lanediff::oracle
