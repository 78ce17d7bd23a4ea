#include "sanitizer/pipes.h"

#include <initializer_list>

#include "isa/memory_map.h"

namespace lanediff::lint {
namespace {

using isa::Memory;
using isa::Pipe;

Pipe PipeOfCall(const isa::Call& call, isa::Product product) {
  if (!call.Is(isa::Family::kCopy)) return Pipe::kV;
  const Memory src = isa::MemoryAt(product, call.src(0).position);
  const Memory dst = isa::MemoryAt(product, call.dst().position);
  if (src == Memory::kGm) return Pipe::kMte2;
  if (dst == Memory::kGm) return Pipe::kMte3;
  if (src == Memory::kUb) return dst == Memory::kUb ? Pipe::kV : Pipe::kMte3;
  return dst == Memory::kBt ? Pipe::kMte1 : Pipe::kFix;
}

bool IsOf(Pipe pipe, std::initializer_list<Pipe> pipes) {
  for (Pipe one : pipes) {
    if (one == pipe) return true;
  }
  return false;
}

}  // namespace

std::optional<Pipe> PipeOf(const isa::Step& step, isa::Product product) {
  if (const auto* const call = std::get_if<isa::Call>(&step)) {
    return PipeOfCall(*call, product);
  }
  if (const auto* const call = std::get_if<isa::Carried>(&step)) {
    return call->pipe;
  }
  const bool scalar = std::holds_alternative<isa::GetValue>(step) ||
                      std::holds_alternative<isa::SetValue>(step);
  return scalar ? std::optional(Pipe::kS) : std::nullopt;
}

bool HasBarrier(isa::Product product, Pipe pipe) {
  using isa::Product;
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
  return false;
}

bool OrderedByCompiler(Pipe a, Pipe b) {
  if (a == Pipe::kV && b == Pipe::kV) return true;
  const auto others = {Pipe::kV, Pipe::kMte2, Pipe::kMte3};
  return (a == Pipe::kS && IsOf(b, others)) ||
         (b == Pipe::kS && IsOf(a, others));
}

}  // namespace lanediff::lint
