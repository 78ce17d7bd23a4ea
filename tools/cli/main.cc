#include "tools/cli/program.h"

int main(int argc, char** argv) {
  return lanediff::cli::RunProgram(argc, argv);
}
