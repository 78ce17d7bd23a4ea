#include "differential/testcase/content_hash.h"

#include <gtest/gtest.h>

#include <array>

namespace lanediff {
namespace {

TEST(ContentHasher, IsFnv1aOfAllPieces) {
  EXPECT_EQ(TextHash(""), "cbf29ce484222325");
  EXPECT_EQ(TextHash("a"), "af63dc4c8601ec8c");
  ContentHasher hasher;
  hasher.Add("foo");
  hasher.Add(std::array<std::uint8_t, 3>{'b', 'a', 'r'});
  EXPECT_EQ(hasher.Number(), 0x85944171f73967e8);
  EXPECT_EQ(hasher.Text(), TextHash("foobar"));
}

}  // namespace
}  // namespace lanediff
