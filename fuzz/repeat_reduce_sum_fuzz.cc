#include "diff/generate/repeat_reduce_sum.h"
#include "fuzz/subject.h"

const lanediff::fuzz::Subject lanediff::fuzz::kSubject = {
    .room = "repeat_reduce_sum",
    .generate = lanediff::diff::GenerateRepeatReduceSum,
};
