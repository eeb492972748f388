// Checks, term dictionary search and block decoding.
#include "index/lexical/reader.hpp"

#include <algorithm>
#include <string>

#include "core/error.hpp"
#include "core/path_text.hpp"

namespace asof::lexical {

Reader::Reader(const Segment& segment) : segment_(segment) {
  auto row_counts = segment.section<std::uint64_t>(asof::schema::counts);
  counts_ = segment.section<std::uint64_t>(schema::counts);
  if (row_counts.size() < 3 || row_counts[1] > row_counts[0] || row_counts[0] > row_counts[2])
    corrupt(asof::schema::counts, "does not describe rows");
  if (counts_.size() < 7) corrupt(schema::counts, "is too short");
  if (counts_[0] > format) {
    throw Error("ERR_CORPUS_NEWER", "Expected lexical sections of format " +
                                        std::to_string(format) + " in " + text_of(segment.path()) +
                                        ", received format " + std::to_string(counts_[0]) +
                                        ". Use a later version of asof.");
  }
  parts_ = {row_counts[1], row_counts[0], row_counts[2]};  // P, M, R in the file
  row_length_ = segment.section<std::uint32_t>(schema::row_length);
  term_bytes_ = segment.checked<std::uint8_t>(schema::term_bytes);
  term_offset_ = segment.checked<std::uint32_t>(schema::term_offset);
  term_frequency_ = segment.checked<std::uint32_t>(schema::term_frequency);
  term_block_ = segment.section<std::uint32_t>(schema::term_block);
  block_last_ = segment.section<std::uint32_t>(schema::block_last);
  block_offset_ = segment.section<std::uint64_t>(schema::block_offset);
  impact_offset_ = segment.section<std::uint32_t>(schema::impact_offset);
  impacts_ = segment.section<std::uint32_t>(schema::impacts);
  postings_ = segment.section<std::uint8_t>(schema::postings);
  std::uint64_t terms = counts_[1];
  if (row_length_.size() != parts_.rows)
    corrupt(schema::row_length, "does not have a length for every row");
  if (term_offset_.size() != terms + 1)
    corrupt(schema::term_offset, "does not match the number of terms");
  if (term_frequency_.size() != 3 * terms)
    corrupt(schema::term_frequency, "does not match the number of terms");
  if (term_block_.size() != terms + 1)
    corrupt(schema::term_block, "does not match the number of terms");
  if (block_offset_.size() != block_last_.size())
    corrupt(schema::block_offset, "does not match the number of blocks");
  if (impact_offset_.size() != block_last_.size() + 1)
    corrupt(schema::impact_offset, "does not match the number of blocks");
  if (postings_.size() < packing_padding) corrupt(schema::postings, "is too short");
}

void Reader::corrupt(const char* section, const char* what) const {
  throw Error("ERR_CORPUS_CORRUPT",
              "Expected a sound section " + std::string(section) + " in " +
                  text_of(segment_.path()) + ", received one that " + what +
                  ". Restore the file from a backup or index the corpus again.");
}

std::string_view Reader::term(std::uint32_t number) const {
  const auto offsets = term_offset_.subspan(number, 2);
  const std::uint32_t begin = offsets[0], end = offsets[1];
  if (begin > end || end > term_bytes_.size())
    corrupt(schema::term_offset, "points outside the term bytes");
  const auto bytes = term_bytes_.subspan(begin, end - begin);
  return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}

std::optional<std::uint32_t> Reader::find(std::string_view term_bytes) const {
  std::uint32_t low = 0, high = static_cast<std::uint32_t>(counts_[1]);
  while (low < high) {
    std::uint32_t middle = low + (high - low) / 2;
    int order = term(middle).compare(term_bytes);  // compares as unsigned bytes
    if (order == 0) return middle;
    if (order < 0)
      low = middle + 1;
    else
      high = middle;
  }
  return std::nullopt;
}

std::array<std::uint32_t, 3> Reader::frequency(std::uint32_t term) const {
  const auto parts = term_frequency_.subspan(std::size_t{3} * term, 3);
  return {parts[0], parts[1], parts[2]};
}

std::span<const std::uint32_t> Reader::impacts_of(std::uint32_t block) const {
  const std::size_t begin = impact_offset_[block], end = impact_offset_[block + 1];
  if (begin > end || 2 * end > impacts_.size())
    corrupt(schema::impact_offset, "points outside the impacts");
  return impacts_.subspan(2 * begin, 2 * (end - begin));
}

double Reader::bound(std::uint32_t block, double weight, const InverseNorms& norms) const {
  const std::span<const std::uint32_t> pairs = impacts_of(block);
  double best = 0;
  for (std::size_t i = 0; i < pairs.size(); i += 2)
    best = std::max(best, contribution(weight, pairs[i], norms(pairs[i + 1])));
  return best;
}

bool Reader::bounds(std::uint32_t block, std::uint32_t frequency, std::uint32_t length) const {
  const std::span<const std::uint32_t> pairs = impacts_of(block);
  for (std::size_t i = 0; i < pairs.size(); i += 2)
    if (pairs[i] >= frequency && pairs[i + 1] <= length) return true;
  return false;
}

Reader::Packed Reader::packed(std::uint32_t block, std::size_t count) const {
  std::uint64_t at = block_offset_[block], limit = postings_.size() - packing_padding;
  if (at > limit || limit - at < 2) corrupt(schema::block_offset, "points outside the postings");
  unsigned gap_bits = postings_[at], extra_bits = postings_[at + 1];
  std::size_t gap_bytes = packed_bytes(count, gap_bits),
              extra_bytes = packed_bytes(count, extra_bits);
  if (gap_bits > 32 || extra_bits > 32 || limit - at - 2 < gap_bytes + extra_bytes)
    corrupt(schema::postings, "holds a block that runs past its end");
  const std::uint8_t* bytes = postings_.data() + at + 2;
  return {bytes, bytes + gap_bytes, gap_bits, extra_bits};
}

void Reader::rows(std::uint32_t block, const Packed& packed, std::uint32_t before,
                  std::size_t count, std::uint32_t* out) const {
  unpack(packed.gaps, packed.gap_bits, count, out);
  std::uint64_t row = before + 1u;
  for (std::size_t i = 0; i < count; ++i) {
    row += out[i];
    out[i] = static_cast<std::uint32_t>(row);
    row += 1;
  }
  // Sums of gaps only grow, so that a last row that fits means that all of them do.
  if (row != std::uint64_t{block_last_[block]} + 1 || row > parts_.rows)
    corrupt(schema::postings, "holds rows that the segment does not have");
}

Cursor::Cursor(const Reader& reader, std::uint32_t term)
    : reader_(&reader),
      first_block_(reader.first_block(term)),
      end_block_(reader.first_block(term + 1)),
      block_(first_block_) {
  auto frequency = reader.frequency(term);
  postings_ = std::uint64_t{frequency[0]} + frequency[1] + frequency[2];
  std::uint64_t blocks = (postings_ + block_postings - 1) / block_postings;
  if (end_block_ < first_block_ || end_block_ > reader.blocks() ||
      end_block_ - first_block_ != blocks) {
    reader.corrupt(schema::term_block, "does not match the postings of a term");
  }
}

std::size_t Cursor::count() const {
  return block_ + 1 < end_block_
             ? block_postings
             : static_cast<std::size_t>(postings_ -
                                        std::uint64_t{block_ - first_block_} * block_postings);
}

void Cursor::shallow_advance(std::uint32_t row) {
  if (done() || last_row() >= row) return;
  // Gallop, then halve: a window's step is usually a few blocks, a rare term's lookup may be
  // thousands.
  std::uint32_t low = block_, step = 1;
  while (low + step < end_block_ && reader_->last_row(low + step) < row) low += step, step *= 2;
  std::uint32_t high = std::min(end_block_, low + step);
  while (low + 1 < high) {
    std::uint32_t middle = low + (high - low) / 2;
    if (reader_->last_row(middle) < row)
      low = middle;
    else
      high = middle;
  }
  block_ = high;
}

std::span<const std::uint32_t> Cursor::rows() {
  std::size_t n = count();
  if (rows_of_ != block_) {
    packed_ = reader_->packed(block_, n);
    reader_->rows(block_, packed_, block_ == first_block_ ? none : reader_->last_row(block_ - 1), n,
                  rows_.data());
    rows_of_ = block_;
  }
  return {rows_.data(), n};
}

std::span<const std::uint32_t> Cursor::frequencies() {
  rows();
  std::size_t n = count();
  if (frequencies_of_ != block_) {
    unpack(packed_.extra, packed_.extra_bits, n, frequencies_.data());
    for (std::size_t i = 0; i < n; ++i) frequencies_[i] += 1;
    frequencies_of_ = block_;
  }
  return {frequencies_.data(), n};
}

std::uint32_t Cursor::frequency_at(std::uint32_t row) {
  shallow_advance(row);
  if (done() || first_possible_row() > row) return 0;
  auto block = rows();
  auto position = std::lower_bound(block.begin(), block.end(), row);
  if (position == block.end() || *position != row) return 0;
  return unpack_one(packed_.extra, packed_.extra_bits,
                    static_cast<std::size_t>(position - block.begin())) +
         1;
}

}  // namespace asof::lexical
