// Verbs as functions of a program that does other things, too: 0 if they say of
// our emulator that it agrees, and of one with a planted bug that it doesn't.
#include <lanediff/check.h>

#include <string>
#include <vector>

int Sweep(const std::string& target) {
  return lanediff::RunVerb({"sweep", "--instruction", "min", "--cases", "20",
                            "--sample", "--target", target, "--out", "out"});
}

int main() {
  const int good = Sweep("emulator");
  const int bad = Sweep("mutant:min-count-zero-refused");
  const int wrong = Sweep("mutant:none");
  return good == 0 && bad == 1 && wrong == 2 ? 0 : 1;
}
