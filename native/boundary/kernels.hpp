// What the files that export kernels share: checks of shapes that arguments.hpp does not know.
#pragma once

#include <cstdint>
#include <span>

namespace asof::boundary {

/// Offsets of groups that lie one after another: at least one, ascending, none beyond `rows`, the
/// length of the array `of`.
void check_offsets(std::span<const std::uint32_t> offsets, std::size_t rows, const char* of);

}  // namespace asof::boundary
