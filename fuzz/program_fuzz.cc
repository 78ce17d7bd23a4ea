#include "diff/generate/program.h"
#include "fuzz/subject.h"

const lanediff::fuzz::Subject lanediff::fuzz::kSubject = {
    .room = "program",
    .generate = lanediff::diff::GenerateProgram,
};
