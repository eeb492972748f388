// Encoding of clock columns and block summaries.
#include "index/segment/clock_sections.hpp"

#include <algorithm>
#include <cstring>

#include "core/clock_column.hpp"
#include "index/segment/block_ranges.hpp"

namespace asof {
namespace {

template <typename T>
PackedSection packed(const char* name, std::span<const T> values) {
  PackedSection section{name, element_of<T>(), values.size(),
                        std::vector<std::byte>(values.size_bytes())};
  if (!values.empty()) std::memcpy(section.bytes.data(), values.data(), values.size_bytes());
  return section;
}

template <typename Tick>
void pack_published(const RowClocks& clocks, const ClockEncoding& encoding,
                    std::vector<PackedSection>& sections) {
  const std::vector<Tick> column = pack_ticks<Tick>(clocks.published, encoding);
  BlockRanges<Tick> blocks(column.size());
  for (std::size_t row = 0; row < column.size(); ++row) {
    if (column[row] != ticks<Tick>::absent) blocks.add(row, column[row], column[row]);
  }
  sections.push_back(packed<Tick>(schema::published, column));
  sections.push_back(packed<Tick>(schema::block_published, blocks.pairs()));
}

template <typename Tick>
void pack_valid(const RowClocks& clocks, const ClockEncoding& encoding,
                std::vector<PackedSection>& sections) {
  const std::vector<Tick> starts = pack_ticks<Tick>(clocks.valid_start, encoding);
  const std::vector<Tick> ends = pack_ticks<Tick>(clocks.valid_end, encoding);
  BlockRanges<Tick> blocks(starts.size());
  for (std::size_t row = 0; row < starts.size(); ++row) {
    if (starts[row] != ticks<Tick>::absent) blocks.add(row, starts[row], ends[row]);
  }
  sections.push_back(packed<Tick>(schema::valid_start, starts));
  sections.push_back(packed<Tick>(schema::valid_end, ends));
  sections.push_back(packed<Tick>(schema::block_valid, blocks.pairs()));
}

template <typename Tick>
void pack_content(const RowClocks& clocks, const ClockEncoding& encoding,
                  std::vector<PackedSection>& sections) {
  const std::vector<Tick> starts = pack_ticks<Tick>(clocks.content_start, encoding);
  const std::vector<Tick> ends = pack_ticks<Tick>(clocks.content_end, encoding);
  const std::size_t rows = clocks.content_offset.size() - 1;
  BlockRanges<Tick> blocks(rows);
  for (std::size_t row = 0; row < rows; ++row) {
    for (std::size_t mention = clocks.content_offset[row]; mention < clocks.content_offset[row + 1];
         ++mention)
      blocks.add(row, starts[mention], ends[mention]);
  }
  sections.push_back(packed<std::uint32_t>(schema::content_offset, clocks.content_offset));
  sections.push_back(packed<Tick>(schema::content_start, starts));
  sections.push_back(packed<Tick>(schema::content_end, ends));
  sections.push_back(packed<std::uint8_t>(schema::content_granularity, clocks.content_granularity));
  sections.push_back(packed<Tick>(schema::block_content, blocks.pairs()));
}

}  // namespace

std::vector<PackedSection> pack_clock_sections(const RowClocks& clocks) {
  const ClockChoice published = choose_encoding(clocks.published);
  const ClockChoice valid = choose_encoding(clocks.valid_start, clocks.valid_end);
  const ClockChoice content = choose_encoding(clocks.content_start, clocks.content_end);
  const double encodings[6] = {published.encoding.unit_ms, published.encoding.origin_ms,
                               valid.encoding.unit_ms,     valid.encoding.origin_ms,
                               content.encoding.unit_ms,   content.encoding.origin_ms};
  std::vector<PackedSection> sections;
  sections.push_back(packed<double>(schema::clock_encoding, encodings));
  (published.wide ? pack_published<std::int64_t>
                  : pack_published<std::int32_t>)(clocks, published.encoding, sections);
  (valid.wide ? pack_valid<std::int64_t> : pack_valid<std::int32_t>)(clocks, valid.encoding,
                                                                     sections);
  (content.wide ? pack_content<std::int64_t> : pack_content<std::int32_t>)(clocks, content.encoding,
                                                                           sections);
  return sections;
}

}  // namespace asof
