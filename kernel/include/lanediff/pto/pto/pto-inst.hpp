#ifndef LANEDIFF_PTO_PTO_INST_HPP
#define LANEDIFF_PTO_PTO_INST_HPP

/// PTO on the host: tiles, loads and stores, TROWPROD, flags and events, over
/// the kernel ABI. C++17; needs the folders kernel/include/lanediff/pto and kernel/include/lanediff/ascendc
/// among the include folders.
///
/// What arrives at lanediff_execute, in this order; a tile is an operand in the
/// position of its TileType (UB for Vec) that reaches from its address to its
/// end, `tile` stands for its name:
///
///     name      operands        parameters
///     TROWPROD  dst, src, tmp   of each tile: tile.rows, tile.cols,
///                               tile.validRow, tile.validCol, tile.layout
///     TLOAD     dst, src (GM)   of dst: as above; src.shape0 to src.shape4,
///                               src.stride0 to src.stride4, src.layout
///     TSTORE    dst (GM), src   of src: as above; dst.shape0 to dst.shape4,
///                               dst.stride0 to dst.stride4, dst.layout; atomic
///
/// Layouts are the words ND (a tile's: BLayout::RowMajor) and DN; `atomic` is
/// AtomicNone or AtomicAdd; shapes, strides, rows and columns count elements;
/// dimension 4 is the innermost. The operand in GM begins at the tensor's
/// pointer. The last parameter is `auto`: 1 where a tile of the call was placed
/// without TASSIGN, so that its compiler synchronizes it, else 0.
///
/// TASSIGN is lanediff_local_tensor with the tile's bytes; a tile that is used
/// without it requests the address -1 once, when it is first used.

#include "lanediff_ascendc/block.h"
#include "lanediff_pto/calls.h"
#include "lanediff_pto/event.h"
#include "lanediff_pto/global_tensor.h"
#include "lanediff_pto/refused.h"
#include "lanediff_pto/tile.h"

#endif  // LANEDIFF_PTO_PTO_INST_HPP
