#include "diff/generate/data_copy.h"
#include "fuzz/subject.h"

const lanediff::fuzz::Subject lanediff::fuzz::kSubject = {
    .room = "data_copy",
    .generate = lanediff::diff::GenerateDataCopy,
};
