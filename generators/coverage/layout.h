#pragma once

#include <span>
#include <string_view>

#include "generators/coverage/model.h"
#include "isa/access.h"

namespace lanediff::make::coverage {

/// How what `source` read lies to what was written, by the accesses of an
/// executed call.
Layout LayoutOf(std::span<const isa::Access> accesses, std::string_view source);

/// The lanes that `source` read in the first iteration; `lanes` is how many
/// there are.
Lanes LanesOf(std::span<const isa::Access> accesses, std::string_view source,
              std::int64_t lanes);

}  // namespace lanediff::make::coverage
