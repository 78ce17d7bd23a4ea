#pragma once

#include <string>
#include <string_view>

#include "differential/testcase/case.h"

/// Programs in a line, for tests: half throughout, atlas-a2, GM of 65536 bytes
/// and UB given and initialised, windows as large as what is touched.
namespace lanediff::lint::test {

/// `IN d s n`, `OUT d s n`: DataCopy GM to VECIN and VECOUT to GM of n bytes.
/// `INGAP d s c l g`: GM to VECIN, c blocks of l, dstGap g. `PAD d s c n l r`:
/// DataCopyPad GM to VECIN, c blocks of n bytes, l and r elements of padding,
/// `PADV` of a value; `UNPAD d s c n`: back from VECOUT. `MIN d a b n`: by
/// count, n bytes. `MINR d a b r`: 128 lanes, r repeats. `MINB d a b w`: one
/// repeat of the lanes of w. `MINF d a b`: one repeat without isSetMask.
/// `RRS d s k`, `RRSF d s`: one repeat. `VT d s r`. `PROD d s t`. `GET a`,
/// `SET a`. `COUNT`: SetMaskCount. `MASK h l`: SetVectorMask. `+E i`, `-E i`:
/// SetFlag and WaitFlag. `|p`: PipeBarrier. `N×[…]`: N copies, in which {…} may
/// hold products and sums of numbers, i = 0, 1, … and e = i mod 2.
Case CaseOf(std::string_view program);

/// What lint finds, as "RAW 0→1 UB 0+256/1024 ×4 MTE2_V 0; …".
std::string FoundIn(const Case& c);

}  // namespace lanediff::lint::test
