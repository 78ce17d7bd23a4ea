// Queues and buffers by themselves: what is handed out, in whose turn, what it
// implies, and what the messages name.

#include "sanitizer/resources/buffers.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <fstream>
#include <string>
#include <vector>

#include "sanitizer/resources/program_testing.h"

namespace lanediff::machine {
namespace {

using Lines = std::vector<std::string>;

/// Takes the steps of a text and writes down what comes of each.
class Taken {
 public:
  explicit Taken(std::string_view text,
                 isa::Product product = isa::Product::kAtlasA2)
      : buffers(product), events_(product) {
    for (const isa::Step& step : test::Program(text, product).program) {
      Take(std::get<isa::Resource>(step));
    }
  }

  void Take(const isa::Resource& resource) {
    std::vector<Implied> implied;
    std::vector<Finding> found;
    const bool goes_on =
        buffers.Take(resource, number_, events_, implied, found);
    for (const Implied& one : implied) {
      constexpr const char* kKinds[] = {"set", "wait", "barrier"};
      order.push_back(fmt::format(
          "{} {} {}>{} {}", number_, kKinds[static_cast<int>(one.kind)],
          isa::Name(one.from), isa::Name(one.to), one.token));
    }
    for (const Finding& one : found) Add(one);
    if (!goes_on) lines.push_back(fmt::format("{} ends the block", number_));
    if (resource.name == isa::ResourceName::kAllocTensor ||
        resource.name == isa::ResourceName::kDeQue) {
      handed_out.push_back(buffers.handed_out().at);
    }
    ++number_;
  }

  void Add(const Finding& one) {
    lines.push_back(fmt::format(
        "{} {}{}{}: {}", one.step, one.note ? "note " : "", one.rule.text(),
        one.earlier ? fmt::format(" ({})", *one.earlier) : "", one.what));
  }

  Buffers buffers;
  Lines lines;
  Lines order;
  std::vector<std::int64_t> handed_out;

 private:
  EventPool events_;
  std::size_t number_ = 0;
};

std::string Queue(std::string_view what, int num = 3, int len = 40) {
  return fmt::format(
      "TPipe tpipe=0; InitBuffer tpipe=0 buffer=9 src=VECCALC num=1 len=33;"
      "InitBuffer tpipe=0 buffer=1 {} depth=2 num={} len={};",
      what, num, len);
}
const std::string kAlloc = "AllocTensor buffer=1;";

TEST(BufferTurns, GoOnBehindTheLastOne) {
  const std::string queue = Queue("src=VECIN");
  EXPECT_EQ(Taken(queue + kAlloc + "FreeTensor buffer=1 at=64;" + kAlloc +
                  "FreeTensor buffer=1 at=128;" + kAlloc +
                  "FreeTensor buffer=1 at=192;" + kAlloc)
                .handed_out,
            (std::vector<std::int64_t>{64, 128, 192, 64}));
  EXPECT_EQ(Taken(queue + kAlloc + kAlloc + "FreeTensor buffer=1 at=64;" +
                  kAlloc + kAlloc)
                .handed_out,
            (std::vector<std::int64_t>{64, 128, 192, 64}));
  EXPECT_EQ(Taken(queue + kAlloc + kAlloc + kAlloc +
                  "FreeTensor buffer=1 at=128;" + kAlloc)
                .handed_out,
            (std::vector<std::int64_t>{64, 128, 192, 128}))
      << "the one that is idle";
  EXPECT_EQ(Taken(queue + kAlloc + kAlloc +
                  "EnQue buffer=1 at=128;"
                  "EnQue buffer=1 at=64;"
                  "DeQue buffer=1; DeQue buffer=1")
                .handed_out,
            (std::vector<std::int64_t>{64, 128, 128, 64}))
      << "first in, first out";
}

TEST(BufferTurns, AreWhatAboutReports) {
  Taken taken(Queue("src=VECIN dst=VECOUT") + kAlloc + kAlloc +
              "FreeTensor buffer=1 at=64; EnQue buffer=1 at=128");
  const auto about = taken.buffers.AboutOf(1);
  ASSERT_TRUE(about);
  EXPECT_EQ(about->src, isa::Position::kVecin);
  EXPECT_EQ(about->dst, isa::Position::kVecout);
  EXPECT_EQ(about->at, 64);
  EXPECT_EQ(about->bytes, 192);
  EXPECT_EQ(about->queued, 1U);
  EXPECT_EQ(about->idle, 2U);
  EXPECT_EQ(about->next_queued, 128);
  EXPECT_EQ(about->next_idle, 192);
  EXPECT_EQ(taken.buffers.handed_out().bytes, 64);
  EXPECT_FALSE(taken.buffers.AboutOf(2));
  const auto plain = taken.buffers.AboutOf(9);
  ASSERT_TRUE(plain);
  EXPECT_EQ(plain->src, isa::Position::kVeccalc);
  EXPECT_EQ(plain->dst, isa::Position::kVeccalc);
  EXPECT_EQ(plain->bytes, 64);
  EXPECT_FALSE(plain->next_queued);
  EXPECT_EQ(plain->next_idle, 0);
}

TEST(BufferTurns, GoAroundInWhatAboutReports) {
  const Taken taken(Queue("src=VECIN") + kAlloc + kAlloc + kAlloc +
                    "FreeTensor buffer=1 at=128; FreeTensor buffer=1 at=192");
  EXPECT_EQ(taken.buffers.AboutOf(1)->next_idle, 128);
  const Taken none(Queue("src=VECIN", 0));
  EXPECT_EQ(none.buffers.AboutOf(1)->bytes, 0);
  EXPECT_FALSE(none.buffers.AboutOf(1)->next_idle);
  EXPECT_EQ(Taken(Queue("src=VECIN", 255)).buffers.AboutOf(1)->bytes, 255 * 64);
}

TEST(BufferEnds, AreTheMostOfAMemory) {
  const std::string pipes =
      "TPipe tpipe=0; TPipe tpipe=1;"
      "InitBuffer tpipe=0 buffer=0 src=VECIN num=2 len=100;"
      "InitBuffer tpipe=1 buffer=1 src=VECCALC num=1 len=32;"
      "InitBuffer tpipe=0 buffer=2 src=A1 num=1 len=4096;";
  Taken taken(pipes);
  EXPECT_EQ(taken.buffers.EndOf(isa::Memory::kUb), 256);
  EXPECT_EQ(taken.buffers.EndOf(isa::Memory::kL1), 4096);
  EXPECT_EQ(taken.buffers.EndOf(isa::Memory::kL0c), 0);
  Taken placed(pipes +
               "InitBuffer tpipe=0 buffer=3 src=VECIN num=1 len=32 "
               "at=4096;"
               "InitBuffer tpipe=0 buffer=4 src=VECIN num=1 len=32");
  EXPECT_EQ(placed.buffers.EndOf(isa::Memory::kUb), 288);
  EXPECT_EQ(placed.buffers.AboutOf(3)->at, 4096);
  EXPECT_EQ(placed.buffers.AboutOf(4)->at, 256);
  Taken reset(pipes + "Reset tpipe=0");
  EXPECT_EQ(reset.buffers.EndOf(isa::Memory::kUb), 32);
  EXPECT_EQ(reset.buffers.EndOf(isa::Memory::kL1), 0);
  EXPECT_FALSE(reset.buffers.AboutOf(0));
  EXPECT_TRUE(reset.buffers.AboutOf(1));
}

/// The flags and barriers of one tensor's way through a queue.
Lines Order(std::string_view queue, std::string_view positions = "") {
  return Taken(Queue(queue, 1) + kAlloc +
               fmt::format("EnQue buffer=1 at=64 {};", positions) +
               "DeQue buffer=1; FreeTensor buffer=1 at=64;" + kAlloc +
               "Destroy tpipe=0")
      .order;
}

TEST(BufferOrder, IsBetweenThePipesOfThePositions) {
  EXPECT_EQ(Order("src=VECIN"),
            (Lines{"4 set MTE2>V 3", "5 wait MTE2>V 3", "6 set V>MTE2 2",
                   "7 wait V>MTE2 2", "8 barrier V>ALL 0"}));
  EXPECT_EQ(Order("src=VECOUT"),
            (Lines{"4 set V>MTE3 3", "5 wait V>MTE3 3", "6 set MTE3>V 2",
                   "7 wait MTE3>V 2", "8 barrier V>ALL 0"}));
  EXPECT_EQ(
      Order("src=VECIN dst=VECOUT"),
      (Lines{"4 set MTE2>MTE3 3", "5 wait MTE2>MTE3 3", "6 set MTE3>MTE2 2",
             "7 wait MTE3>MTE2 2", "8 barrier V>ALL 0"}));
  EXPECT_EQ(Order("src=VECCALC"),
            (Lines{"5 barrier V>V 3", "7 barrier V>V 2", "8 barrier V>ALL 0"}));
  for (const auto& [position, last] :
       {std::pair("A1", "MTE1"), std::pair("B1", "MTE1"),
        std::pair("C1", "MTE1"), std::pair("TSCM", "MTE1"),
        std::pair("GM", "MTE3")}) {
    const Lines order =
        Taken(fmt::format("TPipe tpipe=0; InitBuffer tpipe=0 buffer=1 src={} "
                          "depth=1 num=1 len=64; AllocTensor buffer=1; "
                          "EnQue buffer=1 at=0; DeQue buffer=1; "
                          "FreeTensor buffer=1 at=0",
                          position))
            .order;
    EXPECT_EQ(order, (Lines{fmt::format("3 set MTE2>{} 1", last),
                            fmt::format("4 wait MTE2>{} 1", last),
                            fmt::format("5 set {}>MTE2 0", last)}))
        << position;
  }
  EXPECT_EQ(Order("src=VECIN", "src=VECCALC dst=VECOUT"),
            (Lines{"4 set V>MTE3 3", "5 wait V>MTE3 3", "6 set V>MTE2 2",
                   "7 wait V>MTE2 2", "8 barrier V>ALL 0"}))
      << "those of EnQue";
}

TEST(BufferMessages, AreThoseThatTheFileLists) {
  std::ifstream file(LANEDIFF_SOURCE_DIR "/sanitizer/resources/messages.txt");
  std::size_t programs = 0;
  std::string program;
  Lines wanted;
  for (std::string line; std::getline(file, line);) {
    if (line.starts_with("program: ")) {
      program = line.substr(9);
      ++programs;
    } else if (!line.empty() && !line.starts_with('#')) {
      if (line != "nothing") wanted.push_back(line);
    } else if (!program.empty()) {
      EXPECT_EQ(Taken(program).lines, wanted) << program;
      program.clear();
      wanted.clear();
    }
  }
  EXPECT_TRUE(program.empty()) << "an empty line ends each";
  EXPECT_EQ(programs, 20U);
  EXPECT_EQ(Taken("LocalTensor position=VECIN at=0 bytes=-1").lines.size(), 1U);
}

TEST(BufferMessages, AtTheEndNameWhatIsLeft) {
  Taken taken(Queue("src=VECIN") + kAlloc + kAlloc + "EnQue buffer=1 at=128");
  std::vector<Finding> left;
  taken.buffers.Finish(17, left);
  for (const Finding& one : left) taken.Add(one);
  EXPECT_EQ(taken.lines,
            (Lines{"17 note KRN-QUEUE-LEFT (3): ends the TPipe while the "
                   "tensor of buffer 1 at 64 is not freed",
                   "17 note KRN-QUEUE-LEFT (4): ends the TPipe while the "
                   "tensor of buffer 1 at 128 is queued"}));
}

/// What is found of an access behind `text`.
Lines Touching(std::string_view text, const isa::Access& access) {
  Taken taken(Queue("src=VECIN") + std::string(text));
  std::vector<Finding> found;
  taken.buffers.Look(30, {&access, 1}, found);
  for (const Finding& one : found) taken.Add(one);
  return taken.lines;
}

TEST(BufferFreed, BytesAreThoseOfTheTensorUntilTheyAreGivenOut) {
  const std::string freed = kAlloc + "FreeTensor buffer=1 at=64;";
  const auto read = [](std::int64_t at, std::int64_t bytes,
                       isa::Memory memory = isa::Memory::kUb) {
    return isa::Access{"src0", false, memory, at, bytes};
  };
  const Lines first = {
      "30 KRN-FREED (4): reads src0 of buffer 1, at 64, after FreeTensor; an "
      "AllocTensor is needed before"};
  EXPECT_EQ(Touching(freed, read(0, 65)), first);
  EXPECT_EQ(Touching(freed, read(0, 64)), Lines());
  EXPECT_EQ(Touching(freed, read(128, 32)), Lines());
  EXPECT_EQ(Touching(freed, read(127, 1)).size(), 1U);
  EXPECT_EQ(Touching(freed, read(64, 32, isa::Memory::kL1)), Lines());
  EXPECT_EQ(Touching(freed, read(64, 32, isa::Memory::kGm)), Lines());
  EXPECT_EQ(Touching(freed, {"dst", true, isa::Memory::kUb, 100, 4}),
            Lines{"30 KRN-FREED (4): writes dst of buffer 1, at 100, after "
                  "FreeTensor; an AllocTensor is needed before"});
  EXPECT_EQ(Touching(freed + "InitBuffer tpipe=0 buffer=2 src=VECCALC num=1 "
                             "len=32 at=96;",
                     read(64, 32)),
            Lines())
      << "its bytes are another one's";
  EXPECT_EQ(Touching(freed + "InitBuffer tpipe=0 buffer=2 src=VECCALC num=1 "
                             "len=32 at=128;",
                     read(64, 32)),
            first);
  EXPECT_EQ(Touching(freed + "InitBuffer tpipe=0 buffer=2 src=A1 num=1 len=256 "
                             "at=0;",
                     read(64, 32)),
            first);
}

}  // namespace
}  // namespace lanediff::machine
