#include "diff/generate/trowprod.h"
#include "fuzz/subject.h"

const lanediff::fuzz::Subject lanediff::fuzz::kSubject = {
    .room = "trowprod",
    .generate = lanediff::diff::GenerateTrowprod,
};
