# Gives tools/scripts/kernel-coverage units that compile, run, and miss a name.

mkdir -p "$folder/good/op_kernel" "$folder/bad"
cat > "$folder/good/op_kernel/good.cpp" <<'END'
#include "kernel_operator.h"
extern "C" __global__ __aicore__ void good(GM_ADDR x, GM_ADDR tiling) {
  GET_TILING_DATA(data, tiling);
  AscendC::TPipe pipe;
  AscendC::GlobalTensor<DTYPE_X> gm;
  gm.SetGlobalBuffer((__gm__ DTYPE_X*)x, 64);
  if (data.total == 0) gm.SetValue(data.at, DTYPE_X(1));
}
END
cat > "$folder/bad/bad.cpp" <<'END'
#include "kernel_operator.h"
void bad() {
  AscendC::NoSuchCall(1);
}
END

expect 0 'good.cpp: compiled (tiling data is a stub' tools/scripts/kernel-coverage --stub-tiling "$folder/good"
expect 0 'good.cpp: ran, status 0, findings 0' tools/scripts/kernel-coverage --stub-tiling --launch "$folder/good"
expect 1 'good.cpp: missing: option_TILING_HEADER_TYPE_must_name_the_tiling_struct at ' tools/scripts/kernel-coverage "$folder/good"
expect 1 "bad.cpp: missing: NoSuchCall at $folder/bad/bad.cpp:3" tools/scripts/kernel-coverage "$folder/bad"
expect 1 'units 2, ran 0, compiled 1, missing 1' tools/scripts/kernel-coverage --stub-tiling --json "$folder/all.json" "$folder"
expect 1 '| both | 2 | 0 | 1 | `NoSuchCall` 1 |' tools/scripts/kernel-coverage --stub-tiling --markdown both "$folder"
grep -q '"name": "NoSuchCall"' "$folder/all.json"
mkdir "$folder/none"
expect 2 'found no unit' tools/scripts/kernel-coverage "$folder/none"
