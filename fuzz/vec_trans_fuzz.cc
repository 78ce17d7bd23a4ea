#include "diff/generate/vec_trans.h"
#include "fuzz/subject.h"

const lanediff::fuzz::Subject lanediff::fuzz::kSubject = {
    .room = "vec_trans",
    .generate = lanediff::diff::GenerateVecTrans,
};
