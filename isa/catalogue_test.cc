// What a rule of the catalogue states of its foundations, and the figures of
// positions and memories, typed once more from the documents.

#include "isa/catalogue.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <set>
#include <string_view>

#include "isa/documents_testing.h"
#include "isa/memory_map.h"

namespace lanediff::isa {
namespace {

bool Cites(const Source& source, std::string_view section) {
  return source.document.find(section) != std::string_view::npos;
}

TEST(Evidence, EachSourceIsCitedByTheSectionThatHasIt) {
  std::array<int, kCount<EvidenceLevel>> rules{};
  std::set<std::string_view> ids;
  for (const Rule& rule : Catalogue()) {
    SCOPED_TRACE(rule.id.text());
    EXPECT_TRUE(ids.insert(rule.id.text()).second);
    ++rules[static_cast<std::size_t>(EvidenceOf(rule))];
    EXPECT_FALSE(rule.sources.empty());
    EXPECT_FALSE(rule.statement.contains('{')) << "a text that no page has";
    EXPECT_FALSE(rule.statement_2024.contains('{'));
    for (const Source& source : rule.sources) {
      SCOPED_TRACE(source.part);
      const bool assumed = source.level == EvidenceLevel::kAssumption;
      EXPECT_EQ(source.document.empty(), assumed);
      EXPECT_EQ(Cites(source, " · "), !assumed);
      if (assumed) {
        EXPECT_EQ(EvidenceOf(rule), EvidenceLevel::kAssumption);
      }
      if (source.level == EvidenceLevel::kVendorTables) {
        EXPECT_TRUE(Cites(source, "参数说明") || Cites(source, "· 表") ||
                    Cites(source, "产品支持情况"));
      }
      if (source.level == EvidenceLevel::kDeviceResults) {
        EXPECT_TRUE(Cites(source, "调用示例"));
      }
    }
  }
  for (const int count : rules) EXPECT_GT(count, 0);
}

TEST(RuleSet, HoldsAnyNumberOfRules) {
  const auto all = Catalogue();
  ASSERT_GT(all.size(), 3 * RuleSet::kInPlace);
  for (const std::size_t count : {RuleSet::kInPlace - 1, RuleSet::kInPlace,
                                  RuleSet::kInPlace + 1, all.size()}) {
    std::set<RuleId> expected;
    RuleSet rules;
    for (const Rule& rule : all.first(count)) {
      expected.insert(rule.id);
      rules.Add(rule.id);
      rules.Add(rule.id);
    }
    RuleSet copy = rules;
    for (const RuleSet& set : {rules, copy}) {
      EXPECT_TRUE(std::ranges::equal(set, expected)) << count;
      EXPECT_TRUE(set.Contains(all[count - 1].id));
      EXPECT_FALSE(set.Contains(RuleId("ZZZ")));
    }
    copy = RuleSet();
    EXPECT_TRUE(copy.empty());
    copy.AddAll(rules);
    EXPECT_EQ(copy, rules);
  }
}

// That a quotation stands in its document was checked against the documents,
// which are no part of the sources.
TEST(Evidence, EachSourceHasAQuotationAndPlacesWithAnAddress) {
  bool any_without = false;
  for (const Rule& rule : Catalogue()) {
    SCOPED_TRACE(rule.id.text());
    bool quoted = false;
    for (const Source& source : rule.sources) {
      ExpectCitation(source.document, source.quote);
      const bool no_quotation = source.quote.starts_with(kNoQuotation);
      const bool is_code = Cites(source, ".h · ") || Cites(source, ".py · ");
      EXPECT_TRUE(is_code || !no_quotation) << source.document;
      any_without = any_without || no_quotation;
      quoted = quoted || (!no_quotation && !source.quote.empty());
    }
    const bool assumed = std::ranges::all_of(rule.sources, &std::string::empty,
                                             &Source::document);
    constexpr std::string_view kOfCode[] = {
        "VT-BOUNDS", "WRS-IN-ORDER", "BRCB-STRIDE-RANGE", "BRCB-CLOBBERS-MASK",
        "COMPARE-PLACEHOLDER"};
    const bool code_alone = std::ranges::count(kOfCode, rule.id.text()) > 0;
    EXPECT_NE(quoted, assumed || code_alone);
  }
  EXPECT_TRUE(any_without);
}

TEST(Documents, EachHasATitleOfItsOwnAnEditionAndAnAddress) {
  std::set<std::string_view> titles;
  for (const Document& document : Documents()) {
    SCOPED_TRACE(document.title);
    EXPECT_TRUE(titles.insert(document.title).second);
    EXPECT_FALSE(document.edition.empty());
    EXPECT_TRUE(document.address.starts_with("https://") ||
                document.title == "TIK common_util.py")
        << document.address;
  }
}

TEST(Documents, ACitationIsSplitIntoItsPlaces) {
  const auto places =
      CitationsOf("Min, Unknown · 参数说明 · mask; Max · 表1, 表2");
  ASSERT_EQ(places.size(), 3u);
  EXPECT_EQ(places[0].document->title, "Min");
  EXPECT_EQ(places[0].section, "参数说明 · mask");
  EXPECT_EQ(places[1].document, nullptr);
  EXPECT_EQ(places[1].section, "参数说明 · mask");
  EXPECT_EQ(places[2].title, "Max");
  EXPECT_EQ(places[2].section, "表1, 表2");
  EXPECT_TRUE(CitationsOf("").empty());
  EXPECT_EQ(CitationText("", ""), "assumed");
  EXPECT_EQ(CitationText("Min · 表1", "a | b"), "Min · 表1: `a | b`");
  EXPECT_EQ(InCell("a | b"), "a \\| b");
  EXPECT_EQ(CitationText("Min · 表1", "no quotation: source code"),
            "Min · 表1 (no quotation: source code)");
}

TEST(Evidence, TheWeakestPartCountsAndWithinAPartTheStrongestSource) {
  using enum EvidenceLevel;
  Rule rule{};
  rule.sources = {{kDeviceResults, "d", "a"}, {kDocumentText, "d", "a"}};
  for (const EvidenceLevel weaker :
       {kDeviceResults, kSupplement, kDocumentText, kAssumption}) {
    if (weaker != kDeviceResults) {
      rule.sources.push_back({weaker, "", weaker == kAssumption ? "c" : "b"});
    }
    EXPECT_EQ(EvidenceOf(rule), weaker) << Name(weaker);
  }
  EXPECT_LT(kDocumentText, kPublishedResult);
  EXPECT_LT(kPublishedResult, kSupplement);
  EXPECT_LT(kSupplement, kAssumption);
}

/// Those of single elements belong to no instruction.
TEST(Capacities, AreFollowedByOneRuleOfEachInstruction) {
  std::set<std::string_view> instructions;
  for (const Rule& rule : Catalogue()) {
    if (rule.stage != Stage::kBounds) continue;
    EXPECT_TRUE(instructions.insert(rule.instruction).second);
    EXPECT_EQ(rule.effect, Effect::kReject);
  }
  EXPECT_EQ(instructions.erase("common"), 1u);
  EXPECT_EQ(instructions.erase(kKernel), 1u);
  EXPECT_EQ(instructions.size(), Instructions().size());
}

TEST(MemoryMap, PositionsAndCapacitiesAreThoseOfTheDocuments) {
  using enum Memory;
  using enum Product;
  struct Row {
    Product product;
    std::int64_t ub, l1, l0c;
    Memory c1, c2, co2;  // the positions on which products differ
  };
  const Row rows[] = {
      {kAtlasTraining, 262144, 1048576, 262144, kUb, kL0c, kUb},
      {kAtlasInferenceAicore, 262144, 1048576, 262144, kUb, kL0c, kUb},
      {kAtlasInferenceVectorcore, 262144, 1048576, 262144, kUb, kL0c, kGm},
      {kAtlasA2, 196608, 524288, 131072, kL1, kBt, kGm},
      {kAtlasA3, 196608, 524288, 131072, kL1, kBt, kGm},
      {kAtlas200i500A2, 262144, 1048576, 131072, kUb, kBt, kGm},
      {kAtlas200_300_500, 262144, 1048576, 262144, kUb, kL0c, kGm},
  };
  ASSERT_EQ(std::size(rows), kCount<Product>);
  for (const Row& row : rows) {
    SCOPED_TRACE(Name(row.product));
    const std::int64_t bytes[] = {0, row.ub, row.l1, row.l0c, 1024, 7168};
    for (std::size_t m = 0; m < kCount<Memory>; ++m) {
      const auto memory = static_cast<Memory>(m);
      EXPECT_EQ(CapacityBytes(row.product, memory), bytes[m]) << Name(memory);
    }
    const Memory memories[] = {kGm, kUb,    kUb,    kUb, kL1,     kL1,
                               kL1, row.c1, row.c2, kFb, row.co2, kUb};
    for (std::size_t p = 0; p < kCount<Position>; ++p) {
      const auto position = static_cast<Position>(p);
      EXPECT_EQ(MemoryAt(row.product, position), memories[p]) << Name(position);
    }
  }
}

}  // namespace
}  // namespace lanediff::isa
