// Pieces of a run's record from one process to another: nothing is lost.

#include "reports/kernel_line.h"

#include <gtest/gtest.h>

#include <limits>

#include "reports/kernel_record.h"
#include "reports/kernel_testing.h"

namespace lanediff::reports::test {
namespace {

template <class T>
void ComesBack(const T& piece) {
  const std::string line = KernelLine(piece);
  EXPECT_EQ(line.find('\n'), std::string::npos) << line;
  EXPECT_EQ(line, KernelLine(piece));
  const auto read = ReadKernelLine<T>(line);
  ASSERT_TRUE(read.has_value()) << LineOf(read.error());
  EXPECT_TRUE(*read == piece) << line << '\n' << KernelLine(*read);
}

TEST(KernelLine, EveryPieceComesBackWhateverItsTextsAre) {
  for (const kernel::RunRecord& record :
       {CleanRun(), SampleRun(), HostileRun()}) {
    for (const auto& finding : record.findings) ComesBack(finding);
    for (const auto& note : record.notes) ComesBack(note);
    for (const auto& refusal : record.refusals) ComesBack(refusal);
    for (const auto& row : record.sites) ComesBack(row);
    ComesBack(record.end);
    ComesBack(record.counts);
    ComesBack(record.settings);
  }
}

TEST(KernelLine, EveryByteComesBack) {
  kernel::Note note;
  for (int byte = 0; byte < 256; ++byte) {
    note.message += static_cast<char>(byte);
  }
  note.message += note.message;
  note.times = std::numeric_limits<std::int64_t>::max();
  note.site.line = -1;
  ComesBack(note);
}

TEST(KernelLine, InvalidLineIsReportedWithItsPlace) {
  const std::string line = KernelLine(SampleFinding());
  const auto cut = ReadKernelLine<kernel::Finding>(
      std::string_view(line).substr(0, line.size() - 1));
  ASSERT_FALSE(cut.has_value());
  const auto other = ReadKernelLine<kernel::Note>(line);
  ASSERT_FALSE(other.has_value());
  EXPECT_NE(LineOf(other.error()).find("field \"site\" is missing"),
            std::string::npos)
      << LineOf(other.error());
  const auto lanes = line.find("[0,63]");
  ASSERT_NE(lanes, std::string::npos) << line;
  std::string wrong = line;
  wrong.replace(lanes, 6, "[63,0]");
  const auto span = ReadKernelLine<kernel::Finding>(wrong);
  ASSERT_FALSE(span.has_value());
  EXPECT_EQ(LineOf(span.error()),
            "/later/lanes: the first and the last number are allowed, "
            "ascending");
}

}  // namespace
}  // namespace lanediff::reports::test
