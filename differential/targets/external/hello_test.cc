#include "differential/targets/external/hello.h"

#include <gtest/gtest.h>

namespace lanediff::diff {
namespace {

TEST(Hello, WithoutCapabilitiesExecutesWhateverItIsGiven) {
  const auto self = ReadHello(R"({"hello": {"protocol": 1, "name": "m"}})");
  ASSERT_TRUE(self);
  EXPECT_EQ(self->name, "m");
  EXPECT_EQ(self->can.legality, Capabilities::Legality::kNone);
  EXPECT_FALSE(self->can.notes);
  EXPECT_FALSE(self->can.instructions);
  EXPECT_EQ(self->window, 1);
  EXPECT_EQ(self->memory, MemoryText::kWhole);
}

TEST(Hello, ListsWhatThereIs) {
  const auto self = ReadHello(
      R"({"hello": {"protocol": 1, "name": "m", "version": "2", "capabilities":
        {"instructions": ["Min"], "products": ["atlas-a2"], "dtypes": ["half"],
         "orders": ["left-fold"], "saturation": ["on"], "legality": "rules",
         "notes": true, "window": 16, "memory": "sparse"}}})");
  ASSERT_TRUE(self) << LineOf(self.error());
  EXPECT_EQ(self->can.instructions, (std::vector<std::string>{"Min"}));
  EXPECT_EQ(self->can.orders, (std::vector{isa::Order::kLeftFold}));
  EXPECT_EQ(self->can.saturation, (std::vector<bool>{true}));
  EXPECT_EQ(self->can.legality, Capabilities::Legality::kRules);
  EXPECT_EQ(self->window, 16);
  EXPECT_EQ(self->memory, MemoryText::kSparse);
}

TEST(Hello, NamesThePlaceOfWhatIsWrong) {
  const auto pointer = [](const std::string& capabilities) {
    OutsideSelf self;
    const auto read = ReadCapabilities(capabilities, self);
    return read ? std::string("none") : read.error().pointer;
  };
  EXPECT_EQ(pointer("{}"), "none");
  EXPECT_EQ(pointer(R"({"instructions": ["Mim"]})"), "/instructions/0");
  EXPECT_EQ(pointer(R"({"instructions": ["Min", "SetVectorMask", "ResetMask",
                        "SetFlag", "GetValue"]})"),
            "none");
  EXPECT_EQ(pointer(R"({"instructions": ["Min", "Carried"]})"),
            "/instructions/1");
  EXPECT_EQ(pointer(R"({"window": 0})"), "/window");
  EXPECT_EQ(pointer(R"({"legality": "no"})"), "/legality");
  EXPECT_EQ(pointer(R"({"speed": 9})"), "/speed");
  EXPECT_EQ(pointer(R"({"forms": ["count", "register"]})"), "none");
  EXPECT_EQ(pointer(R"({"forms": ["count", "masks"]})"), "/forms/1");
  EXPECT_FALSE(ReadHello(R"({"hello": {"protocol": 2}})"));
  EXPECT_FALSE(ReadHello("hello"));
}

}  // namespace
}  // namespace lanediff::diff
