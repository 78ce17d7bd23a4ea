#pragma once

#include <algorithm>
#include <cstdint>
#include <expected>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "differential/compare/byte_range.h"
#include "differential/memory/memory_set.h"
#include "differential/testcase/record.h"
#include "isa/access.h"
#include "isa/vocabulary.h"

/// Results that no document determines to the last bit: they are compared with
/// the correctly rounded value by their distance in ULP.
namespace lanediff::diff {

/// By instruction, how many ULP results may be away from the correctly rounded
/// value, as a user declares it.
using UlpBounds = std::map<std::string, std::uint64_t, std::less<>>;

/// Those of this process. To be changed, if at all, before anything is
/// compared. At the start those in the environment, for programs that lanediff
/// starts.
UlpBounds& TheUlpBounds();
/// "Exp=2". The error is what is allowed.
std::expected<void, std::string> AddUlpBound(std::string_view word,
                                             UlpBounds& bounds);
/// "Exp=2,Ln=1"; empty where there are none.
std::string UlpText(const UlpBounds& bounds);
/// For commands: " --ulp Exp=2 --ulp Ln=1".
std::string UlpOptions();

/// The results of one instruction that were compared so.
struct OpenCount {
  std::string op;
  std::uint64_t elements = 0;
  std::uint64_t most_ulp = 0;  ///< the largest distance
  /// What was declared for them; none: nothing is documented.
  std::optional<std::uint64_t> allowed = std::nullopt;

  bool operator==(const OpenCount&) const = default;

  /// Distances are never added.
  void JoinOwn(const OpenCount& more) {
    elements += more.elements;
    most_ulp = std::max(most_ulp, more.most_ulp);
  }

  static void Fields(auto& c, auto& v) {
    v.Required("instruction", c.op, kFilled);
    v.Required("elements", c.elements, kNotNegative);
    v.Required("largestUlp", c.most_ulp, kAllBits);
    v.Optional("allowedUlp", c.allowed,
               {.description = "how far apart they may be, as --ulp declares "
                               "it; absent: precision not documented"});
  }
};
using OpenCounts = std::vector<OpenCount>;

/// Adds numbers of elements, and takes the larger of distances.
void Join(const OpenCounts& from, OpenCounts& into);

/// Elements of one type side by side, results of `op`.
struct OpenRun : ByteRange {
  isa::DType dtype;
  std::string_view op;
};

/// The elements of `op` that an oracle left open.
std::vector<OpenRun> OpenRunsOf(std::string_view op,
                                const std::vector<isa::Access>& open_results);

/// Where they are, as `ByteRange`.
std::vector<ByteRange> RangesOf(const std::vector<OpenRun>& open);

/// Makes the elements equal in `actual` that may differ from `expected`: of the
/// same sign, no farther away than is declared, and finite, as an error carries
/// beyond the largest number only from within its binade. Returns what was
/// compared.
OpenCounts Settle(const std::vector<OpenRun>& open, const MemorySet& expected,
                  MemorySet& actual);
/// The same of one element; `count` takes the distance. Whether they may be
/// apart so far.
bool MayDiffer(std::uint64_t expected, std::uint64_t actual, isa::DType dtype,
               OpenCount& count);
/// A count of nothing yet.
OpenCount CountOf(std::string_view op);

}  // namespace lanediff::diff
