// Check of group offsets, shared by the exports of several kernel families.
#pragma once

#include <cstdint>
#include <span>

namespace asof::boundary {

/// Refuses offsets that are empty, descend, or exceed `rows`, the length of the array named `of`.
void check_offsets(std::span<const std::uint32_t> offsets, std::size_t rows, const char* of);

}  // namespace asof::boundary
