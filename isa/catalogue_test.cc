// What a rule of the catalogue states of its foundations.

#include "isa/catalogue.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <set>
#include <string_view>

namespace lanediff::isa {
namespace {

bool Cites(const Source& source, std::string_view section) {
  return source.document.find(section) != std::string_view::npos;
}

/// Whether a source of that provenance may carry that much.
bool Fits(const Source& source) {
  const EvidenceLevel level = EvidenceOf(source);
  switch (source.provenance) {
    case Provenance::kDocumented:
      return level <= EvidenceLevel::kDocumentText;
    case Provenance::kSupplement:
      return level == EvidenceLevel::kSupplement ||
             level == EvidenceLevel::kPublishedResult;
    case Provenance::kAssumed:
      return level == EvidenceLevel::kAssumption;
  }
  return false;
}

EvidenceLevel LevelOf(std::string_view id) {
  const Rule* const rule = FindRule(id);
  EXPECT_NE(rule, nullptr) << id;
  return rule == nullptr ? EvidenceLevel::kAssumption : EvidenceOf(*rule);
}

TEST(Evidence, EachRuleHasSourcesAndTheirLevelsFitTheProvenance) {
  for (const Rule& rule : Catalogue()) {
    EXPECT_FALSE(rule.sources.empty()) << rule.id.text();
    for (const Source& source : rule.sources) {
      EXPECT_TRUE(Fits(source)) << rule.id.text() << ": " << source.part;
    }
  }
}

TEST(Evidence, ADocumentIsCitedExactlyWhereOneSpeaks) {
  for (const Rule& rule : Catalogue()) {
    for (const Source& source : rule.sources) {
      EXPECT_EQ(source.document.empty(),
                source.provenance == Provenance::kAssumed)
          << rule.id.text() << ": " << source.part;
    }
  }
}

TEST(Evidence, ADocumentIsCitedByItsTitleAndSection) {
  for (const Rule& rule : Catalogue()) {
    for (const Source& source : rule.sources) {
      if (source.provenance == Provenance::kAssumed) continue;
      EXPECT_TRUE(Cites(source, " · "))
          << rule.id.text() << ": " << source.part;
    }
  }
}

TEST(Evidence, TablesAreCitedByTheSectionThatHasThem) {
  for (const Rule& rule : Catalogue()) {
    for (const Source& source : rule.sources) {
      if (EvidenceOf(source) != EvidenceLevel::kVendorTables) continue;
      EXPECT_TRUE(Cites(source, "参数说明") || Cites(source, "· 表") ||
                  Cites(source, "产品支持情况"))
          << rule.id.text();
    }
  }
}

TEST(Evidence, PrintedResultsAreCitedByTheExampleThatHasThem) {
  for (const Rule& rule : Catalogue()) {
    for (const Source& source : rule.sources) {
      if (EvidenceOf(source) != EvidenceLevel::kDeviceResults) continue;
      if (source.provenance != Provenance::kDocumented) continue;
      EXPECT_TRUE(Cites(source, "调用示例")) << rule.id.text();
    }
  }
}

TEST(Evidence, ARuleWithAnAssumedPartIsAnAssumption) {
  for (const Rule& rule : Catalogue()) {
    for (const Source& source : rule.sources) {
      if (source.provenance != Provenance::kAssumed) continue;
      EXPECT_EQ(EvidenceOf(rule), EvidenceLevel::kAssumption) << rule.id.text();
    }
  }
}

TEST(Evidence, TheWeakestPartCountsAndWithinAPartTheStrongestSource) {
  Rule rule{RuleId("X"), "x", Effect::kSemantics, "", {}};
  using enum Provenance;
  rule.sources = {{kDocumented, "d", "a", EvidenceLevel::kDeviceResults},
                  {kDocumented, "d", "a"}};
  EXPECT_EQ(EvidenceOf(rule), EvidenceLevel::kDeviceResults);
  rule.sources.push_back({kSupplement, "", "b"});
  EXPECT_EQ(EvidenceOf(rule), EvidenceLevel::kSupplement);
  rule.sources.push_back({kDocumented, "d", "b"});
  EXPECT_EQ(EvidenceOf(rule), EvidenceLevel::kDocumentText);
  rule.sources.push_back({kAssumed, "", "c"});
  EXPECT_EQ(EvidenceOf(rule), EvidenceLevel::kAssumption);
}

TEST(Evidence, OfRulesThatWereReadClosely) {
  using enum EvidenceLevel;
  EXPECT_EQ(LevelOf("VT-TRANSPOSE"), kDeviceResults);
  EXPECT_EQ(LevelOf("VT-ADDRESS"), kDeviceResults);
  EXPECT_EQ(LevelOf("DC-BLOCK-COUNT"), kSupplement);  // 0 is newer
  EXPECT_EQ(LevelOf("DC-GAP"), kVendorTables);
  EXPECT_EQ(LevelOf("DC-ROUTE"), kVendorTables);
  EXPECT_EQ(LevelOf("RRS-REPEAT"), kVendorTables);
  // The parameter is in a table, but not the ranges of its neighbours.
  EXPECT_EQ(LevelOf("RRS-STRIDE-RANGE"), kSupplement);
  EXPECT_EQ(LevelOf("TRP-DTYPE"), kSupplement);  // integers are newer
  // A sentence and an example that was worked out by hand, wrongly.
  EXPECT_EQ(LevelOf("RRS-SATURATE"), kPublishedResult);
  // Tables print a pair of zeros in one order of the operands.
  EXPECT_EQ(LevelOf("ARITH-ZERO-SIGN"), kAssumption);
  EXPECT_EQ(LevelOf("MAX-VALUE"), kAssumption);
  EXPECT_EQ(LevelOf("MIN-VALUE"), kPublishedResult);
  EXPECT_EQ(LevelOf("MIN-STRIDE-RANGE"), kSupplement);
  // Published values speak of the sum alone.
  EXPECT_EQ(LevelOf("ARITH-ROUND"), kAssumption);
  EXPECT_EQ(LevelOf("ARITH-SUBNORMAL"), kAssumption);
}

TEST(Evidence, PublishedResultsStandBetweenWordsOldAndNew) {
  using enum EvidenceLevel;
  EXPECT_LT(kDocumentText, kPublishedResult);
  EXPECT_LT(kPublishedResult, kSupplement);
  EXPECT_LT(kSupplement, kAssumption);
  for (const char* id :
       {"STATE-SATURATION", "ARITH-ROUND", "ARITH-ZERO-SIGN", "ARITH-NAN",
        "RRS-TREE", "RRS-SATURATE", "MIN-VALUE", "TRP-SATURATE"}) {
    const auto& sources = FindRule(id)->sources;
    EXPECT_TRUE(std::ranges::any_of(sources, [](const Source& source) {
      return EvidenceOf(source) == kPublishedResult;
    })) << id;
  }
}

// The figures, once more: UB, L1, L0C, BT and FB of each product.
TEST(Capacities, AreThoseOfEachProduct) {
  using enum Product;
  for (std::size_t p = 0; p < kCount<Product>; ++p) {
    const auto product = static_cast<Product>(p);
    const bool newer = product == kAtlasA2 || product == kAtlasA3;
    const auto of = [&](Memory memory) {
      return CatalogueCapacityBytes(product, memory);
    };
    EXPECT_EQ(of(Memory::kGm), 0);
    EXPECT_EQ(of(Memory::kUb), newer ? 192 << 10 : 256 << 10);
    EXPECT_EQ(of(Memory::kL1), newer ? 512 << 10 : 1 << 20);
    EXPECT_EQ(of(Memory::kL0c),
              newer || product == kAtlas200i500A2 ? 128 << 10 : 256 << 10);
    EXPECT_EQ(of(Memory::kBt), 1 << 10);
    EXPECT_EQ(of(Memory::kFb), 7 << 10);
  }
}

/// Those of single elements belong to no instruction.
TEST(Capacities, AreFollowedByOneRuleOfEachInstruction) {
  std::set<std::string_view> instructions;
  for (const Rule& rule : Catalogue()) {
    if (!FollowsCapacities(rule)) continue;
    EXPECT_TRUE(instructions.insert(rule.instruction).second);
    EXPECT_EQ(rule.effect, Effect::kReject);
  }
  EXPECT_EQ(instructions.erase("common"), 1u);
  EXPECT_EQ(instructions.erase(kKernel), 1u);
  EXPECT_EQ(instructions.size(), Instructions().size());
}

TEST(Quotes, AreShortAndOfADocument) {
  int quotes = 0;
  for (const Rule& rule : Catalogue()) {
    for (const Source& source : rule.sources) {
      if (source.quote.empty()) continue;
      ++quotes;
      EXPECT_FALSE(source.document.empty()) << rule.id.text();
      const auto characters =
          std::ranges::count_if(source.quote, [](char byte) {
            return (static_cast<unsigned char>(byte) & 0xc0) != 0x80;
          });
      EXPECT_LE(characters, 40) << rule.id.text();
    }
  }
  EXPECT_GT(quotes, 50);
}

TEST(Evidence, EachLevelStandsBehindSomeRule) {
  std::array<int, kCount<EvidenceLevel>> rules{};
  for (const Rule& rule : Catalogue()) {
    ++rules[static_cast<std::size_t>(EvidenceOf(rule))];
  }
  for (const int count : rules) EXPECT_GT(count, 0);
}

}  // namespace
}  // namespace lanediff::isa
