#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "differential/testcase/case.h"
#include "generators/coverage/model.h"
#include "generators/coverage/observer.h"

namespace lanediff::make::coverage {

/// A case that reaches a bin.
struct Filler {
  std::string what;  ///< "corpus PATH", "sweep NUMBER: …", "generated NUMBER"
  Case c;
};

/// Finds cases for bins, each looked for once.
class Fillers {
 public:
  struct Known {
    std::string path;
    Case c;
  };

  /// `corpus` is tried first and must outlive this; `generated` is how many
  /// cases each instruction's guided generator may make. Bins and cases are
  /// those of `edition`.
  Fillers(std::span<const Known> corpus, std::uint64_t generated,
          isa::Edition edition = isa::kNewestEdition)
      : corpus_(corpus), generated_(generated), edition_(edition) {}

  /// Looks for cases that reach `wanted`: the corpus, then instruction by
  /// instruction the sweep and the generator, until all are reached or `stop`
  /// returns true. Bins that nothing can reach are not looked for. What is
  /// found besides is kept.
  void Find(
      const std::vector<Bin>& wanted,
      const std::function<bool()>& stop = [] { return false; });

  /// The first case found for `bin`; null where none was.
  const Filler* Of(Bin bin) const;

 private:
  void Try(const Case& c, const std::function<std::string()>& what);
  bool AllFilled(std::string_view slug, const std::vector<Bin>& wanted) const;
  void Sweep(std::string_view slug, const std::vector<Bin>& wanted,
             const std::function<bool()>& stop);
  void Generate(std::string_view slug, const std::vector<Bin>& wanted,
                const std::function<bool()>& stop);

  std::span<const Known> corpus_;
  std::uint64_t generated_;
  isa::Edition edition_;
  bool corpus_tried_ = false;
  Reached reached_;
  std::map<Bin, Filler> fillers_;
};

/// The bins of `edition` that are not in `reached`, in order; `slug` empty: all
/// instructions.
std::vector<Bin> Holes(const Reached& reached, std::string_view slug,
                       isa::Edition edition = isa::kNewestEdition);

}  // namespace lanediff::make::coverage
