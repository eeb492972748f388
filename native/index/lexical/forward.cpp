// Packing and unpacking of the forward index.
#include "index/lexical/forward.hpp"

#include <limits>
#include <string>

#include "core/error.hpp"
#include "index/lexical/packing.hpp"

namespace asof::lexical {
namespace {

unsigned bits_of(std::uint64_t terms) {
  return terms < 2 ? 0 : bits_for(static_cast<std::uint32_t>(terms - 1));
}

}  // namespace

ForwardWriter::ForwardWriter(const Parts& parts, std::uint64_t terms, std::uint32_t max_tokens)
    : bits_(bits_of(terms)), max_tokens_(max_tokens) {
  out_.offset.reserve(forward_texts(parts) + 1);
  out_.offset.push_back(0);
}

void ForwardWriter::text(std::span<const std::uint32_t> terms) {
  tokens_ += terms.size();
  if (tokens_ > max_tokens_) {
    out_ = {};
    return;
  }
  for (const std::uint32_t term : terms) {
    pending_ |= std::uint64_t{term} << pending_bits_;
    for (pending_bits_ += bits_; pending_bits_ >= 8; pending_bits_ -= 8, pending_ >>= 8)
      out_.terms.push_back(static_cast<std::uint8_t>(pending_));
  }
  out_.offset.push_back(static_cast<std::uint32_t>(tokens_));
}

ForwardSections ForwardWriter::finish() {
  if (tokens_ > max_tokens_) return {};
  if (pending_bits_ > 0) out_.terms.push_back(static_cast<std::uint8_t>(pending_));
  out_.terms.insert(out_.terms.end(), packing_padding, 0);
  return std::move(out_);
}

Forward::Forward(const Segment& segment, const Reader& reader)
    : segment_(segment),
      parts_(reader.parts()),
      dictionary_(reader.terms()),
      bits_(bits_of(reader.terms())) {
  if (dictionary_ > std::uint64_t{1} << 32)
    corrupt(schema::forward_terms, "has more terms than can be numbered");
  offset_ = segment.section<std::uint32_t>(schema::forward_offset);
  terms_ = segment.section<std::uint8_t>(schema::forward_terms);
  if (offset_.size() != forward_texts(parts_) + 1)
    corrupt(schema::forward_offset, "does not match the number of texts");
  // Every text's end is compared with the last one's, which the bytes were compared with here.
  if (terms_.size() != packed_bytes(offset_.back(), bits_) + packing_padding)
    corrupt(schema::forward_terms, "does not match the number of tokens");
}

void Forward::text(std::uint64_t number, Texts& out) const {
  const std::uint32_t begin = offset_[number], end = offset_[number + 1];
  if (begin > end || end > offset_.back()) corrupt(schema::forward_offset, "does not ascend");
  for (std::uint64_t at = begin; at < end; ++at) {
    const std::uint32_t term = unpack_one(terms_.data(), bits_, at);
    if (term >= dictionary_)
      corrupt(schema::forward_terms, "names terms that the segment does not have");
    out.terms.push_back(term);
  }
  if (out.terms.size() > std::numeric_limits<std::uint32_t>::max())
    throw Error("ERR_INVALID_ARGUMENT",
                "Expected texts of less than 2^32 tokens, received more. Read fewer at once.");
  out.offsets.push_back(static_cast<std::uint32_t>(out.terms.size()));
}

void Forward::corrupt(const char* section, const char* what) const {
  throw Error("ERR_CORPUS_CORRUPT",
              "Expected a sound section " + std::string(section) + " in " +
                  segment_.path().string() + ", received one that " + what +
                  ". Restore the file from a backup or index the corpus again.");
}

}  // namespace asof::lexical
