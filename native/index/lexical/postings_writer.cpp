// Writing of terms, posting blocks and impacts.
#include "index/lexical/postings_writer.hpp"

#include <algorithm>
#include <array>
#include <limits>
#include <string>

#include "core/error.hpp"
#include "index/lexical/packing.hpp"

namespace asof::lexical {
namespace {

std::uint32_t offset_of(std::size_t value, const char* what) {
  if (value > std::numeric_limits<std::uint32_t>::max()) {
    throw Error("ERR_INVALID_ARGUMENT", std::string("Expected the ") + what +
                                            " of one segment to number less than 2^32, received " +
                                            std::to_string(value) + ". Write smaller segments.");
  }
  return static_cast<std::uint32_t>(value);
}

}  // namespace

std::vector<SectionData> Sections::sections() const {
  auto of = [](const char* name, const auto& values) {
    using T = typename std::decay_t<decltype(values)>::value_type;
    return SectionData{name, element_of<T>(), values.data(), values.size()};
  };
  return {of(schema::counts, counts),
          of(schema::row_length, row_length),
          of(schema::term_bytes, term_bytes),
          of(schema::term_offset, term_offset),
          of(schema::term_frequency, term_frequency),
          of(schema::term_block, term_block),
          of(schema::block_last, block_last),
          of(schema::block_offset, block_offset),
          of(schema::impact_offset, impact_offset),
          of(schema::impacts, impacts),
          of(schema::postings, postings)};
}

PostingsWriter::PostingsWriter(const Parts& parts, std::vector<std::uint32_t> row_length)
    : parts_(parts) {
  out_.counts.assign(8, 0);
  out_.counts[0] = format;
  for (std::size_t row = 0; row < row_length.size(); ++row) {
    out_.counts[3 + parts.of(row)] += row_length[row];
    out_.counts[6] = std::max<std::uint64_t>(out_.counts[6], row_length[row]);
  }
  out_.row_length = std::move(row_length);
  out_.term_offset.push_back(0);
  out_.term_block.push_back(0);
  out_.impact_offset.push_back(0);
}

void PostingsWriter::term(std::string_view bytes, std::span<const Posting> postings) {
  out_.term_bytes.insert(out_.term_bytes.end(), bytes.begin(), bytes.end());
  out_.term_offset.push_back(offset_of(out_.term_bytes.size(), "term bytes"));
  std::array<std::uint32_t, 3> in_part{};
  for (const Posting& posting : postings) in_part[parts_.of(posting.row)] += 1;
  out_.term_frequency.insert(out_.term_frequency.end(), in_part.begin(), in_part.end());
  std::uint32_t before = std::numeric_limits<std::uint32_t>::max();  // one before row 0
  for (std::size_t first = 0; first < postings.size(); first += block_postings) {
    auto piece = postings.subspan(first, std::min(block_postings, postings.size() - first));
    block(piece, before);
    before = piece.back().row;
  }
  out_.term_block.push_back(offset_of(out_.block_last.size(), "posting blocks"));
  written_ += postings.size();
}

void PostingsWriter::block(std::span<const Posting> postings, std::uint32_t before) {
  std::array<std::uint32_t, block_postings> gaps, extra;
  std::uint32_t largest_gap = 0, largest_extra = 0;
  for (std::size_t i = 0; i < postings.size(); ++i) {
    gaps[i] = postings[i].row - before - 1;
    extra[i] = postings[i].frequency - 1;
    before = postings[i].row;
    largest_gap = std::max(largest_gap, gaps[i]);
    largest_extra = std::max(largest_extra, extra[i]);
  }
  out_.block_offset.push_back(out_.postings.size());
  out_.block_last.push_back(before);
  out_.postings.push_back(static_cast<std::uint8_t>(bits_for(largest_gap)));
  out_.postings.push_back(static_cast<std::uint8_t>(bits_for(largest_extra)));
  pack({gaps.data(), postings.size()}, bits_for(largest_gap), out_.postings);
  pack({extra.data(), postings.size()}, bits_for(largest_extra), out_.postings);
  impacts(postings);
}

// The pairs (tf, length) that no other posting of the block beats in both. Where there are more
// than block_impacts, the two neighbours closest in tf become one pair that is at least as good as
// either: still a bound, a little looser.
void PostingsWriter::impacts(std::span<const Posting> postings) {
  struct Pair {
    std::uint32_t frequency, length;
  };
  std::array<Pair, block_postings> pairs;
  std::size_t count = 0;
  for (const Posting& posting : postings)
    pairs[count++] = {posting.frequency, out_.row_length[posting.row]};
  std::sort(pairs.begin(), pairs.begin() + count, [](const Pair& a, const Pair& b) {
    return a.frequency != b.frequency ? a.frequency > b.frequency : a.length < b.length;
  });
  std::size_t size = 0;
  for (std::size_t i = 0; i < count; ++i) {
    if (size == 0 || pairs[i].length < pairs[size - 1].length) pairs[size++] = pairs[i];
  }
  while (size > block_impacts) {
    std::size_t closest = 0;
    auto distance = [&](std::size_t i) { return pairs[i].frequency - pairs[i + 1].frequency; };
    for (std::size_t i = 1; i + 1 < size; ++i) {
      if (distance(i) <= distance(closest)) closest = i;
    }
    pairs[closest].length = pairs[closest + 1].length;
    std::copy(pairs.begin() + closest + 2, pairs.begin() + size, pairs.begin() + closest + 1);
    size -= 1;
  }
  for (std::size_t i = 0; i < size; ++i)
    out_.impacts.insert(out_.impacts.end(), {pairs[i].frequency, pairs[i].length});
  out_.impact_offset.push_back(offset_of(out_.impacts.size() / 2, "impacts"));
}

Sections PostingsWriter::finish() {
  out_.postings.insert(out_.postings.end(), packing_padding, 0);
  out_.counts[1] = out_.term_block.size() - 1;
  out_.counts[2] = written_;
  return std::move(out_);
}

}  // namespace asof::lexical
