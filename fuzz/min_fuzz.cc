#include "diff/generate/min.h"
#include "fuzz/subject.h"

const lanediff::fuzz::Subject lanediff::fuzz::kSubject = {
    .room = "min",
    .generate = lanediff::diff::GenerateMin,
};
