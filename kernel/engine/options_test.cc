#include "kernel/engine/options.h"

#include <gtest/gtest.h>

#include "differential/subprocess/spawn.h"

namespace lanediff::kernel {
namespace {

using isa::Product;

std::string ErrorOf(const std::vector<std::string>& words) {
  const auto read = ReadOptions(words);
  return read ? "none" : read.error();
}

TEST(KernelOptions, ReadsBothSpellings) {
  const auto read = ReadOptions(
      {"--auto-sync", "off", "--seconds=5", "--values", "1", "--strict",
       "--check", "initcheck,racecheck,initcheck", "--product=atlas-a3",
       "--fail-on", "hidden", "--fail-on=not-checked,hidden", "--max-errors=0",
       "--start-mask=ones", "--json", "a b.json"});
  ASSERT_TRUE(read) << read.error();
  const Settings& s = read->settings;
  EXPECT_FALSE(s.auto_sync);
  EXPECT_EQ(s.seconds, 5U);
  EXPECT_EQ(s.values, 1U);
  EXPECT_TRUE(s.strict);
  EXPECT_EQ(s.checks, (std::vector{Group::kRacecheck, Group::kInitcheck}));
  EXPECT_EQ(s.fail_on, (std::vector{FailOn::kNotChecked, FailOn::kHidden}));
  EXPECT_EQ(read->product, Product::kAtlasA3);
  EXPECT_EQ(s.max_errors, 0U);
  EXPECT_TRUE(s.mask_start_ones);
  EXPECT_EQ(s.json, "a b.json");
  EXPECT_FALSE(s.poison_both);
}

TEST(KernelOptions, TellsWhatIsAllowed) {
  EXPECT_EQ(ErrorOf({"--sink"}),
            "no option \"--sink\"; `lanediff run --help` lists the options");
  EXPECT_EQ(ErrorOf({"--auto-sink"}),
            "no option \"--auto-sink\", did you mean --auto-sync?; `lanediff "
            "run --help` lists the options");
  EXPECT_EQ(ErrorOf({"--auto-sync", "maybe"}),
            "--auto-sync: \"maybe\"; allowed: on, off or both");
  EXPECT_EQ(ErrorOf({"--seconds", "0"}),
            "--seconds: \"0\"; allowed: a number from 1 to 1000000");
  EXPECT_EQ(ErrorOf({"--seconds", "-1"}),
            "--seconds: \"-1\"; allowed: a number from 1 to 1000000");
  EXPECT_EQ(ErrorOf({"--values", "some"}),
            "--values: \"some\"; allowed: all, or how many");
  EXPECT_EQ(ErrorOf({"--out"}), "--out needs DIR");
  EXPECT_EQ(ErrorOf({"--out="}), "--out: \"\"; allowed: a path");
  EXPECT_EQ(ErrorOf({"--strict=1"}), "--strict takes no value");
  for (const std::string place : {"", "add.cpp", "add.cpp:24", "add.cpp:24:",
                                  ":24:Add", "a:0:Add", "a:b:Add", "24:Add"}) {
    EXPECT_EQ(ErrorOf({"--without", place}),
              "--without: \"" + place +
                  "\"; allowed: FILE:LINE:NAME, as add.cpp:24:PipeBarrier");
  }
  EXPECT_EQ(ErrorOf({"--without", "add.cpp:24:DeQue"}),
            "--without: \"add.cpp:24:DeQue\"; allowed: the place of the EnQue, "
            "with which DeQue goes");
  EXPECT_EQ(ErrorOf({"--fail-on", "hid"}),
            "--fail-on: \"hid\"; allowed: by commas: not-checked, hidden, "
            "approximate");
  EXPECT_EQ(ErrorOf({"--check", "memcheck,"}),
            "--check: \"memcheck,\"; allowed: by commas: memcheck, racecheck, "
            "synccheck, initcheck, paramcheck, maskcheck, valuecheck");
}

TEST(KernelOptions, EveryRowThatListsWordsTakesThem) {
  for (const OptionRow& row : OptionRows()) {
    for (const std::string& word : row.words()) {
      RunOptions options;
      EXPECT_TRUE(TakeOption(row, word, options)) << row.name << " " << word;
    }
  }
}

TEST(KernelOptions, TextWithAnOpenQuoteIsReported) {
  EXPECT_EQ(ReadOptionsText("'a").error(), "a ' has no end in: 'a");
}

TEST(KernelOptions, WhatIsQuotedIsReadAsItWas) {
  for (const std::string word : {"", "a b", "it's", "\\", "\"", "\n"}) {
    EXPECT_EQ(diff::SplitWords(Quoted(word) + " " + Quoted(word)),
              (std::vector<std::string>{word, word}));
  }
}

TEST(KernelOptions, ProductsWithTheSameMacrosStandForEachOther) {
  EXPECT_EQ(ProductOfRun(Product::kAtlasA2, {}), Product::kAtlasA2);
  EXPECT_EQ(ProductOfRun(Product::kAtlasA2, Product::kAtlasA3),
            Product::kAtlasA3);
  EXPECT_EQ(ProductOfRun(Product::kAtlasInferenceVectorcore,
                         Product::kAtlasInferenceAicore),
            Product::kAtlasInferenceAicore);
  EXPECT_EQ(ProductOfRun(Product::kAtlasA2, Product::kAtlasTraining).error(),
            "--product: atlas-training, and the program was compiled for "
            "atlas-a2, whose macros are others; compile it for atlas-training");
}

}  // namespace
}  // namespace lanediff::kernel
