#include "differential/subprocess/spawn.h"

#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <cstdlib>

namespace lanediff::diff {
namespace {

Spawn Shell(const std::string& command) {
  return {.words = {"sh", "-c", command}};
}

TEST(Spawn, StatusAndBothOutputsComeBack) {
  const auto [status, output] = RunToEnd(Shell("echo a; echo b >&2; exit 3"));
  EXPECT_EQ(status, 3);
  EXPECT_EQ(output, "a\nb\n");
  EXPECT_EQ(RunToEnd(Shell("kill -9 $$")).status, 128 + SIGKILL);
}

TEST(Spawn, ProgramThatIsMissingIsNotStarted) {
  const auto [status, output] = RunToEnd({.words = {"/no/such/program"}});
  EXPECT_EQ(status, kNotStarted);
  EXPECT_EQ(output, "No such file or directory");
}

TEST(Spawn, ProcessIsKilledInTimeOrWhereItDoesNotGoOn) {
  const auto begin = std::chrono::steady_clock::now();
  EXPECT_EQ(RunToEnd(Shell("trap '' TERM INT; sleep 100"), 0.1).status,
            kTimedOut);
  int calls = 0;
  EXPECT_EQ(RunToEnd(Shell("sleep 100"), kForever, [&] { return ++calls < 3; })
                .status,
            kStopped);
  EXPECT_LT(std::chrono::steady_clock::now() - begin, std::chrono::seconds(50));
}

TEST(Spawn, GroupIsKilledWithIt) {
  const Descendants descendants;  // this process gets what is left
  Spawn shell = Shell("sleep 100 & echo $!; wait");
  shell.own_group = true;
  const auto [status, output] = RunToEnd(shell, 0.5);
  EXPECT_EQ(status, kTimedOut);
  int left = 0;
  ASSERT_GT(waitpid(std::atoi(output.c_str()), &left, 0), 0);
  EXPECT_EQ(ExitStatus(left), 128 + SIGKILL);
}

TEST(Spawn, OutputBeyondItsLimitIsDropped) {
  const auto result = RunToEnd(Shell("head -c 80M /dev/zero; echo end"));
  EXPECT_EQ(result.status, 0);
  EXPECT_EQ(result.output.size(), kMostOutputBytes);
}

TEST(Spawn, EnvironmentIsChangedByName) {
  setenv("LANEDIFF_SPAWN_A", "1", 1);
  setenv("LANEDIFF_SPAWN_B", "2", 1);
  Spawn shell = Shell("echo $LANEDIFF_SPAWN_A/$LANEDIFF_SPAWN_B/$PATH");
  shell.environment =
      EnvironmentWith({"LANEDIFF_SPAWN_A=3", "LANEDIFF_SPAWN_B"});
  EXPECT_TRUE(RunToEnd(shell).output.starts_with("3//"));
  EXPECT_TRUE(RunToEnd(Shell("echo $LANEDIFF_SPAWN_B")).output == "2\n");
}

TEST(Spawn, DescendantsThatLeftTheirGroupEnd) {
  const Descendants descendants;
  const auto [status, output] =
      RunToEnd(Shell("(setsid sleep 100 & echo $!) ; exit 0"));
  ASSERT_EQ(status, 0);
  const auto left = static_cast<pid_t>(std::atoi(output.c_str()));
  EXPECT_EQ(kill(left, 0), 0);
  descendants.Kill();
  EXPECT_NE(kill(left, 0), 0);
}

}  // namespace
}  // namespace lanediff::diff
