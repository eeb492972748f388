// On-the-fly packing of f32 rows into int8 panels (kernels/quantized) at memory speed: a scan packs
// rows while they are in cache, uses the panels for all queries of a batch and discards them.
#pragma once

#include "core/isa.hpp"
#include "core/matrix.hpp"
#include "kernels/quantized/contract.hpp"

//   r^_c = s_r n_c,  s_r = max |r_c| / 127 rounded to float
//   n_c the integer nearest to r_c * (127 / max |r_c|), rounded to float twice
//
// Files are packed by quantized::pack_rows instead, once for all levels. The layout is that of
// panels, and so is the guarantee of a record: with error >= |r - r^| and length >= |r^| the bounds
// of kernels/quantized hold. Integers, scales and the choice of unusable rows (a component that is
// not finite, or a length beyond 2^60: zeros and an infinite error; tested in float, within 2^-10
// of that) are those of pack_rows up to rounding. Lengths are summed in float and inflated to bound
// the true ones:
//   error  = sqrt(S (1 + (d + 256) 2^-24) + d 2^-126) (1 + 2^-20)
//            S = sum of (r_c - s_r n_c)^2, each difference rounded once
//   length = error + the same of r
//
// A float sum of d squares, each rounded, in sixteen lanes and a tree, is at least 1 - (d / 16 + 8)
// 2^-24 of the true one, less 2^-126 a square that underflows; a rounded difference is within 2^-24
// of itself, or of 2^-126; s_r n_c is exact in the fused instruction. Rows beyond `count` in the
// last panel are zeros throughout, as are components beyond d.
//
// Reads the rows only, and prefetches as much beyond them. No alignment is required; aligned lines
// of 64 bytes are faster. d <= quantized::most_dimensions.

namespace asof::packing {

struct Kernels {
  /// Packs rows of d components into int8 panels and records; pack_rows at levels without code of
  /// their own.
  void (*pack)(const Matrix& rows, std::size_t d, std::uint8_t* panels,
               quantized::PanelRecord* records);
};

const Kernels& kernels(Isa level);
const Kernels& kernels();

namespace reference {
extern const Kernels kernels;
}

}  // namespace asof::packing
