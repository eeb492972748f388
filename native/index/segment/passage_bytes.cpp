// Offsets of passages, checked at each read.
#include "index/segment/passage_bytes.hpp"

#include <string>

#include "core/error.hpp"
#include "core/path_text.hpp"

namespace asof {

PassageBytes::PassageBytes(const Segment& segment, const char* offsets, const char* bytes)
    : segment_(&segment),
      section_(offsets),
      offsets_(segment.checked<std::uint64_t>(offsets)),
      bytes_(segment.checked<std::uint8_t>(bytes)) {}

std::span<const std::uint8_t> PassageBytes::operator[](std::size_t passage) const {
  const auto range = offsets_.subspan(passage, 2);
  if (range[0] > range[1] || range[1] > bytes_.size())
    throw Error("ERR_CORPUS_CORRUPT",
                std::string("Expected ascending offsets in section ") + section_ + " of " +
                    text_of(segment_->path()) +
                    ", found others. Restore the file from a backup, or run asof repair.");
  return bytes_.subspan(range[0], range[1] - range[0]);
}

}  // namespace asof
