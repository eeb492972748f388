// Ids of the passages of a segment: their order, and the passage of an id.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "index/segment/segment.hpp"

namespace asof {

/// The number of no passage.
inline constexpr std::uint32_t no_passage = 0xffffffff;

/// The passage of each id in UTF-8 whose bit is set in `visible` (empty: the first), or
/// `no_passage`: by bisection of the sorted ids, of which versions of a passage share one. Throws
/// ERR_CORPUS_CORRUPT where offsets of ids contradict each other.
std::vector<std::uint32_t> find_passages(const Segment& segment, std::span<const std::string> ids,
                                         std::span<const std::uint8_t> visible);

/// Whether id a comes before id b as JavaScript compares strings (UTF-16 units), both in UTF-8.
bool id_less(std::span<const std::uint8_t> a, std::span<const std::uint8_t> b) noexcept;

}  // namespace asof
