#include "differential/testcase/write_file.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <thread>

namespace lanediff {
namespace {

namespace fs = std::filesystem;

class WriteFileTest : public testing::Test {
 protected:
  WriteFileTest() {
    fs::remove_all(folder_);
    fs::create_directories(folder_ / "folder");
  }
  ~WriteFileTest() override { fs::remove_all(folder_); }

  static std::string Slurp(const fs::path& path) {
    std::ifstream file(path, std::ios::binary);
    return {std::istreambuf_iterator<char>(file), {}};
  }
  std::size_t Entries() const {
    return static_cast<std::size_t>(
        std::distance(fs::directory_iterator(folder_), {}));
  }
  /// A file that looks as if it had been left two days ago.
  void Leave(const std::string& name, int hours) const {
    std::ofstream(folder_ / name) << "left";
    fs::last_write_time(folder_ / name, fs::file_time_type::clock::now() -
                                            std::chrono::hours(hours));
  }

  /// Of each test its own, as a process looks for what was left only once.
  const fs::path folder_ =
      fs::path(testing::TempDir()) /
      (std::string("lanediff-write-") +
       testing::UnitTest::GetInstance()->current_test_info()->name() + "-" +
       std::to_string(getpid()));
};

TEST_F(WriteFileTest, WritesAllOrNothing) {
  EXPECT_TRUE(WriteFile(folder_ / "a", "one"));
  EXPECT_TRUE(WriteFile(folder_ / "a", "two"));
  EXPECT_EQ(Slurp(folder_ / "a"), "two");
  EXPECT_FALSE(WriteFile(folder_ / "none/a", "x"));
  EXPECT_EQ(
      WriteFile(folder_ / "folder", "x").error(),
      (folder_ / "folder").string() + ": can't be written: Is a directory");
  EXPECT_EQ(Entries(), 2u) << "no temporary file stays";
  const std::string longest(255, 'n');
  EXPECT_TRUE(WriteFile(folder_ / longest, "x")) << "a name of full length";
}

TEST_F(WriteFileTest, LinksStayLinksAndModesStay) {
  const fs::path target = folder_ / "folder" / "target";
  fs::create_symlink("folder/target", folder_ / "link");
  fs::create_symlink("link", folder_ / "second");
  EXPECT_TRUE(WriteFile(folder_ / "second", "one"));
  EXPECT_EQ(Slurp(target), "one") << "made through a link to nothing";
  fs::permissions(target, fs::perms{0640});
  EXPECT_TRUE(WriteFile(folder_ / "second", "two"));
  EXPECT_EQ(Slurp(target), "two");
  EXPECT_EQ(fs::status(target).permissions(), fs::perms{0640});
  EXPECT_TRUE(fs::is_symlink(folder_ / "link"));
  EXPECT_TRUE(fs::is_symlink(folder_ / "second"));
  fs::create_symlink("loop", folder_ / "loop");
  EXPECT_FALSE(WriteFile(folder_ / "loop", "x"));
}

TEST_F(WriteFileTest, WritesInPlaceWhatIsNoRegularFile) {
  const std::string path = folder_ / "fifo";
  ASSERT_EQ(mkfifo(path.c_str(), 0600), 0);
  std::string read;
  std::jthread reader([&] { read = Slurp(path); });
  EXPECT_TRUE(WriteFile(path, "through"));
  reader.join();
  EXPECT_EQ(read, "through");
  EXPECT_TRUE(fs::is_fifo(path));
}

TEST_F(WriteFileTest, WritesToAFileOfOursBehindWhatIsThere) {
  const std::string path = folder_ / "out";
  const int file = open(path.c_str(), O_CREAT | O_WRONLY, 0600);
  ASSERT_EQ(write(file, "text ", 5), 5);
  EXPECT_TRUE(WriteFile("/dev/fd/" + std::to_string(file), "report"));
  ASSERT_EQ(write(file, " more", 5), 5);
  close(file);
  EXPECT_EQ(Slurp(path), "text report more");
}

TEST_F(WriteFileTest, RemovesWhatDeadProcessesLeft) {
  const std::string dead = ".lanediff-1999999999-0.tmp";
  const std::string own = ".lanediff-" + std::to_string(getpid()) + "-7.tmp";
  const char* const others[] = {"x.lanediff-1999999999-0.tmp",
                                ".lanediff-1999999999-0.tmp~",
                                ".lanediff-1999999999.tmp",
                                ".lanediff--5-0.tmp",
                                ".lanediff-0-0.tmp",
                                ".lanediff-1999999999-0x.tmp",
                                ".lanediff-.tmp",
                                "report.json.1999999999.tmp"};
  Leave(dead, 48);
  Leave(".lanediff-1999999999-1.tmp", 1);
  Leave(own, 48);
  for (const char* other : others) Leave(other, 48);
  fs::create_directory(folder_ / ".lanediff-1999999999-2.tmp");
  fs::create_symlink("folder", folder_ / ".lanediff-1999999999-3.tmp");
  const std::size_t before = Entries();
  EXPECT_TRUE(WriteFile(folder_ / "a", "x"));
  EXPECT_FALSE(fs::exists(folder_ / dead));
  EXPECT_EQ(Entries(), before) << "one is new, one is gone";
}

TEST_F(WriteFileTest, AFileThatWouldBeTooLargeChangesNothing) {
  EXPECT_TRUE(WriteFile(folder_ / "a", "one"));
  rlimit old{};
  getrlimit(RLIMIT_FSIZE, &old);
  const rlimit few{.rlim_cur = 4096, .rlim_max = old.rlim_max};
  const auto handler = signal(SIGXFSZ, SIG_IGN);
  setrlimit(RLIMIT_FSIZE, &few);
  const auto written = WriteFile(folder_ / "a", std::string(5000, 'x'));
  setrlimit(RLIMIT_FSIZE, &old);
  signal(SIGXFSZ, handler);
  ASSERT_FALSE(written);
  EXPECT_EQ(written.error(),
            (folder_ / "a").string() + ": can't be written: File too large");
  EXPECT_EQ(Slurp(folder_ / "a"), "one");
  EXPECT_EQ(Entries(), 2u);
}

TEST_F(WriteFileTest, AProcessThatIsEndedLeavesNoTemporaryFile) {
  const pid_t child = fork();
  if (child == 0) {
    signal(SIGTERM, [](int) {
      RemoveTemporaryFile();
      _exit(0);
    });
    const std::string text(4 << 20, 'x');
    for (;;) (void)WriteFile(folder_ / "a", text);
  }
  const auto is_writing = [&] {
    return std::ranges::any_of(
        fs::directory_iterator(folder_), [](const auto& entry) {
          return entry.path().filename().string().ends_with(".tmp");
        });
  };
  while (!is_writing()) {
  }
  kill(child, SIGTERM);
  waitpid(child, nullptr, 0);
  EXPECT_FALSE(is_writing());
}

}  // namespace
}  // namespace lanediff
