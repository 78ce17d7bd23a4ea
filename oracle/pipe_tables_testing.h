#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <set>
#include <string_view>

#include "isa/vocabulary.h"

/// The table of events, ids and barriers once more, as words, for tests.
namespace lanediff::oracle::test {

inline constexpr std::string_view kListN =
    "MTE2_MTE1 MTE1_MTE2 MTE1_M M_MTE1 MTE2_M M_MTE2 MTE2_MTE3 MTE3_MTE2 "
    "MTE1_MTE3 MTE3_MTE1 MTE2_V V_MTE2 MTE3_V V_MTE3 S_V V_S S_MTE2 MTE2_S "
    "S_MTE3 MTE3_S ";
inline constexpr std::string_view kListF =
    "M_FIX FIX_M MTE1_FIX FIX_MTE1 MTE2_FIX FIX_MTE2 FIX_MTE3 ";
inline constexpr std::string_view kListJ = "M_V V_M MTE1_V V_MTE1 M_S ";
inline constexpr std::string_view kWithFix = "V M MTE1 MTE2 MTE3 FIX ALL";
inline constexpr std::string_view kWithoutFix = "V M MTE1 MTE2 MTE3 ALL";

/// One row of the table.
struct PipesOfProduct {
  isa::Product product;
  std::array<std::string_view, 4> events;  ///< lists of words
  std::int64_t greatest_id;                ///< -1: no flags
  std::string_view barriers;

  static void Split(std::string_view list, std::set<std::string_view>& words) {
    while (!list.empty()) {
      const std::size_t end = std::min(list.find(' '), list.size());
      if (end > 0) words.insert(list.substr(0, end));
      list.remove_prefix(std::min(end + 1, list.size()));
    }
  }
  std::set<std::string_view> Events() const {
    std::set<std::string_view> words;
    for (std::string_view list : events) Split(list, words);
    return words;
  }
  std::set<std::string_view> Barriers() const {
    std::set<std::string_view> words;
    Split(barriers, words);
    return words;
  }
};

inline constexpr std::array<PipesOfProduct, 7> kPipesOfProducts = {{
    {isa::Product::kAtlasA2, {kListN, kListF}, 7, kWithFix},
    {isa::Product::kAtlasA3, {kListN, kListF}, 7, kWithFix},
    {isa::Product::kAtlas200i500A2,
     {kListN, kListF, kListJ, "FIX_S"},
     7,
     kWithFix},
    {isa::Product::kAtlasInferenceAicore, {kListN, kListJ}, 7, kWithoutFix},
    {isa::Product::kAtlasTraining, {kListN, kListJ}, 3, kWithoutFix},
    {isa::Product::kAtlasInferenceVectorcore, {}, -1, ""},
    {isa::Product::kAtlas200_300_500, {}, -1, ""},
}};

}  // namespace lanediff::oracle::test
