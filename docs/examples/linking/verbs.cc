// Verbs as functions of a program that does other things, too: 0 if our
// emulator agrees and one with a planted bug does not.
#include <lanediff/check.h>

#include <string>
#include <vector>

int Sweep(const std::string& target) {
  return lanediff::RunVerb({"sweep", "--instruction", "min", "--max-cases",
                            "20", "--sample", "--target", target, "--out",
                            "out"});
}

int main() {
  const int good = Sweep("emulator");
  const int bad = Sweep("mutant:min-count-zero-refused");
  const int wrong = Sweep("mutant:none");
  return good == 0 && bad == 1 && wrong == 2 ? 0 : 1;
}
