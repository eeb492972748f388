// Counts of passages by the values of a field of keywords.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "core/cancel.hpp"
#include "index/segment/segment.hpp"

namespace asof::fields {

/// Passages of a segment: bit p % 8 of byte p / 8 says whether passage p counts; empty for all.
struct CountedSegment {
  std::shared_ptr<const Segment> segment;
  std::vector<std::uint8_t> passages;
};

struct ValueCount {
  std::string value;  // UTF-8
  std::uint64_t passages;
};

/// The values that most passages have, at most `most` of them, the most frequent first and equally
/// frequent ones by their bytes. Throws ERR_INVALID_ARGUMENT for a field that is not there or not
/// of keywords.
std::vector<ValueCount> most_frequent_values(std::span<const CountedSegment> segments,
                                             std::size_t field, std::size_t most,
                                             const Cancel& cancel);

}  // namespace asof::fields
