// Bytes of passages in a section that offsets lead into: records, statements, ids.
#pragma once

#include <cstdint>
#include <span>

#include "index/segment/segment.hpp"

namespace asof {

/// Verified where they are first read. Borrows from the segment.
class PassageBytes {
 public:
  PassageBytes(const Segment& segment, const char* offsets, const char* bytes);
  /// How many passages there are.
  std::size_t size() const noexcept { return offsets_.size() == 0 ? 0 : offsets_.size() - 1; }
  /// Of a passage below size(). Throws ERR_CORPUS_CORRUPT where its offsets do not ascend within
  /// the section.
  std::span<const std::uint8_t> operator[](std::size_t passage) const;

 private:
  const Segment* segment_;
  const char* section_;
  CheckedSpan<std::uint64_t> offsets_;
  CheckedSpan<std::uint8_t> bytes_;
};

}  // namespace asof
