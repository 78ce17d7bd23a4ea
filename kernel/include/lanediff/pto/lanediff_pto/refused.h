#ifndef LANEDIFF_PTO_REFUSED_H
#define LANEDIFF_PTO_REFUSED_H

#include "lanediff_pto/event.h"
#include "lanediff_pto/names.h"

/// Instructions that are known and not executed: they compile, and stop the
/// block that reaches them.
namespace lanediff::pto_front {

/// Whatever was passed, and where: behind it a function may take a pack.
struct Anything {
  template <typename T>
  // NOLINTNEXTLINE(google-explicit-constructor): stands for everything
  Anything(const T& /*value*/, LANEDIFF_SITE) : site(lanediff_site_) {}
  lanediff_site site;
};

}  // namespace lanediff::pto_front

namespace pto {

#define LANEDIFF_REFUSED(NAME)                                            \
  template <typename... Rest>                                             \
  RecordEvent NAME(const lanediff::pto_front::Anything& first,            \
                   const Rest&... /*rest*/) {                             \
    lanediff_refused(#NAME, "of PTO, TROWPROD is supported", first.site); \
    return {first.site};                                                  \
  }
LANEDIFF_PTO_REFUSED_VECTOR(LANEDIFF_REFUSED)
LANEDIFF_PTO_REFUSED_OTHER(LANEDIFF_REFUSED)
#undef LANEDIFF_REFUSED

}  // namespace pto

#endif  // LANEDIFF_PTO_REFUSED_H
