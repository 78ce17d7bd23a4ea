#pragma once

#include <optional>

#include "isa/step.h"
#include "isa/vocabulary.h"

/// Which pipe runs what, and which products can synchronize which.
namespace lanediff::lint {

/// The pipe of an operation; nothing for steps that touch no byte.
std::optional<isa::Pipe> PipeOf(const isa::Step& step, isa::Product product);

/// Whether the product has a PipeBarrier of that pipe, or of ALL.
bool HasBarrier(isa::Product product, isa::Pipe pipe);

/// SYNC-AUTO: whether the compiler orders an operation of `a` and one of `b`.
bool OrderedByCompiler(isa::Pipe a, isa::Pipe b);

}  // namespace lanediff::lint
