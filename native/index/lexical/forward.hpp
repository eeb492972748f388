// Forward index: the texts of a segment as sequences of term numbers, so that candidates are
// matched without analysing their text again.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "core/cancel.hpp"
#include "index/lexical/postings_writer.hpp"
#include "index/lexical/reader.hpp"

// Texts are the titles of passages 0 to P - 1, then the sentences of rows M to R - 1 (see
// index/segment/segment.hpp); the sentences of a passage are consecutive. All tokens are packed one
// after another, each in the bits that the largest number needs. A segment lacks these sections if
// it was built without them, merged from one without, or has more than 2^32 tokens.

namespace asof::lexical {

namespace schema {
inline constexpr const char* forward_offset =
    "lexical.forward_offset";  // u32[P + R - M + 1]: the first token of each text
inline constexpr const char* forward_terms =
    "lexical.forward_terms";  // u8: packed numbers of terms, padded for the reader at the end
}  // namespace schema

/// The sections, owned; or empty.
struct ForwardSections {
  std::vector<std::uint32_t> offset;
  std::vector<std::uint8_t> terms;
};

/// The number of texts of a segment.
inline std::uint64_t forward_texts(const Parts& parts) {
  return parts.passages + parts.rows - parts.multi_sentence;
}

/// Writer of texts, in their order.
class ForwardWriter {
 public:
  /// `terms`: size of the dictionary. More than `max_tokens` tokens in all give no
  /// sections.
  ForwardWriter(const Parts& parts, std::uint64_t terms, std::uint32_t max_tokens = 0xffffffff);
  void text(std::span<const std::uint32_t> terms);
  ForwardSections finish();

 private:
  ForwardSections out_;
  unsigned bits_;
  std::uint32_t max_tokens_;
  std::uint64_t tokens_ = 0, pending_ = 0;
  unsigned pending_bits_ = 0;
};

/// Texts read one after another: text t is terms[offsets[t], offsets[t + 1]).
struct Texts {
  std::vector<std::uint32_t> offsets{0};
  std::vector<std::uint32_t> terms;
  std::span<const std::uint32_t> of(std::size_t text) const {
    return std::span(terms).subspan(offsets[text], offsets[text + 1] - offsets[text]);
  }
};

class Forward {
 public:
  static bool in(const Segment& segment) { return segment.has(schema::forward_offset); }
  /// Throws ERR_CORPUS_CORRUPT where the sections contradict the others. The segment must outlive
  /// it; the reader need not.
  Forward(const Segment& segment, const Reader& reader);

  /// Appends a text. Throws ERR_CORPUS_CORRUPT for a text whose length or terms are invalid.
  void title(std::uint32_t passage, Texts& out) const { text(passage, out); }
  /// Of a row in [M, R).
  void sentence(std::uint32_t row, Texts& out) const {
    text(parts_.passages + row - parts_.multi_sentence, out);
  }
  [[noreturn]] void corrupt(const char* section, const char* what) const;

 private:
  void text(std::uint64_t number, Texts& out) const;
  const Segment& segment_;
  Parts parts_;
  std::uint64_t dictionary_;
  std::span<const std::uint32_t> offset_;
  std::span<const std::uint8_t> terms_;
  unsigned bits_;
};

}  // namespace asof::lexical
