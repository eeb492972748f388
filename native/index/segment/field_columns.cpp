// Reading and packing of columns.
#include "index/segment/field_columns.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include "core/error.hpp"
#include "core/path_text.hpp"
#include "index/rows/block.hpp"

namespace asof::fields {
namespace {

std::string section_name(std::size_t n, const char* part) {
  return "fields." + std::to_string(n) + "." + part;
}

[[noreturn]] void corrupt(const Segment& segment, const std::string& section, const char* what) {
  throw Error("ERR_CORPUS_CORRUPT", "Expected a sound section " + section + " in " +
                                        text_of(segment.path()) + ", received one that " + what +
                                        ". Restore the file from a backup or index the corpus "
                                        "again.");
}

[[noreturn]] void refuse(const std::string& what, const std::string& expected,
                         const std::string& received) {
  throw Error("ERR_INVALID_ARGUMENT",
              "Expected " + what + " to be " + expected + ", received " + received + ".");
}

std::vector<double> blocks_of(std::span<const double> values) {
  std::vector<double> blocks;
  for (std::size_t from = 0; from < values.size(); from += block_rows) {
    double low = std::numeric_limits<double>::infinity(), high = -low;
    for (const double value : values.subspan(from, std::min(block_rows, values.size() - from))) {
      if (std::isnan(value)) continue;
      low = std::min(low, value);
      high = std::max(high, value);
    }
    blocks.insert(blocks.end(), {low, high});
  }
  return blocks;
}

bool ascends(std::span<const std::uint32_t> offsets, std::size_t end) {
  return !offsets.empty() && offsets.front() == 0 && offsets.back() == end &&
         std::is_sorted(offsets.begin(), offsets.end());
}

Numbers view_numbers(const Segment& segment, std::size_t n, std::size_t passages) {
  const Numbers column{segment.section<double>(section_name(n, "numbers")),
                       segment.section<double>(section_name(n, "blocks"))};
  if (column.values.size() != passages)
    corrupt(segment, section_name(n, "numbers"), "does not have a number for each passage");
  if (column.blocks.size() != 2 * ((passages + block_rows - 1) / block_rows))
    corrupt(segment, section_name(n, "blocks"), "does not have a pair for each block");
  return column;
}

Keywords view_keywords(const Segment& segment, std::size_t n) {
  const Keywords column{segment.section<std::uint8_t>(section_name(n, "values")),
                        segment.section<std::uint32_t>(section_name(n, "value_offset")),
                        segment.section<std::uint32_t>(section_name(n, "passage_offset")),
                        segment.section<std::uint32_t>(section_name(n, "passages"))};
  if (column.value_offset.empty() || column.value_offset.size() != column.passage_offset.size())
    corrupt(segment, section_name(n, "value_offset"), "does not have the values of passages");
  return column;
}

}  // namespace

namespace {

/// Elements [offsets[number], offsets[number + 1]) of a list.
template <typename T>
std::span<const T> stretch(std::span<const T> all, std::span<const std::uint32_t> offsets,
                           std::size_t number) {
  const std::uint32_t begin = offsets[number], end = offsets[number + 1];
  if (begin > end || end > all.size())
    throw Error("ERR_CORPUS_CORRUPT",
                "Expected the offsets of a field's values to lie within them, found others. "
                "Restore the corpus from a backup, or run asof repair.");
  return all.subspan(begin, end - begin);
}

}  // namespace

std::string_view Keywords::value(std::size_t number) const {
  const auto bytes = stretch(values, value_offset, number);
  return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}

std::span<const std::uint32_t> Keywords::passages_of(std::size_t number) const {
  return stretch(passages, passage_offset, number);
}

std::vector<Column> view_columns(const Segment& segment) {
  const auto counts = segment.section<std::uint64_t>(schema::counts);
  std::vector<Column> columns;
  for (std::size_t n = 0; !counts.empty(); ++n) {
    if (segment.has(section_name(n, "numbers")))
      columns.emplace_back(view_numbers(segment, n, counts[0]));
    else if (segment.has(section_name(n, "values")))
      columns.emplace_back(view_keywords(segment, n));
    else
      break;
  }
  return columns;
}

void verify_columns(const Segment& segment, const Cancel& cancel) {
  const std::vector<Column> columns = view_columns(segment);
  for (std::size_t n = 0; n < columns.size(); ++n) {
    cancel.throw_if_requested();
    if (const auto* numbers = std::get_if<Numbers>(&columns[n])) {
      if (!std::ranges::equal(blocks_of(numbers->values), numbers->blocks))
        corrupt(segment, section_name(n, "blocks"), "is not of its numbers");
      continue;
    }
    const Keywords& keywords = std::get<Keywords>(columns[n]);
    const std::uint64_t count = segment.section<std::uint64_t>(schema::counts)[0];
    if (!ascends(keywords.value_offset, keywords.values.size()))
      corrupt(segment, section_name(n, "value_offset"), "does not ascend to the end of the values");
    if (!ascends(keywords.passage_offset, keywords.passages.size()))
      corrupt(segment, section_name(n, "passage_offset"), "does not ascend to the last passage");
    if (std::ranges::any_of(keywords.passages, [&](std::uint32_t each) { return each >= count; }))
      corrupt(segment, section_name(n, "passages"), "names passages that are not there");
    for (std::size_t value = 0; value < keywords.size(); ++value) {
      if (value > 0 && keywords.value(value - 1) >= keywords.value(value))
        corrupt(segment, section_name(n, "values"), "does not ascend");
      const auto passages = keywords.passages_of(value);
      if (passages.empty() || std::adjacent_find(passages.begin(), passages.end(),
                                                 std::greater_equal<>()) != passages.end())
        corrupt(segment, section_name(n, "passages"), "does not ascend");
    }
  }
}

Column OwnedColumn::view() const {
  if (is_number) return Numbers{numbers, blocks};
  return Keywords{values, value_offset, passage_offset, passages};
}

std::vector<SectionData> OwnedColumn::sections(std::size_t n) const {
  std::vector<SectionData> all;
  auto add = [&](const char* part, const auto& elements) {
    using T = typename std::decay_t<decltype(elements)>::value_type;
    all.push_back({section_name(n, part), element_of<T>(), elements.data(), elements.size()});
  };
  if (is_number) {
    add("numbers", numbers);
    add("blocks", blocks);
  } else {
    add("values", values);
    add("value_offset", value_offset);
    add("passage_offset", passage_offset);
    add("passages", passages);
  }
  return all;
}

OwnedColumn pack_numbers(std::vector<double> values) {
  OwnedColumn column;
  column.is_number = true;
  column.blocks = blocks_of(values);
  column.numbers = std::move(values);
  return column;
}

void OwnedColumn::end_value(std::string_view value) {
  values.insert(values.end(), value.begin(), value.end());
  constexpr std::size_t most = 0xffffffff;
  if (values.size() >= most || passages.size() >= most)
    refuse("the values of a field in a segment", "less than 4 GiB", "more");
  value_offset.push_back(static_cast<std::uint32_t>(values.size()));
  passage_offset.push_back(static_cast<std::uint32_t>(passages.size()));
}

OwnedColumn pack_keywords(const ValueRows& rows) {
  if (!ascends(rows.offsets, rows.bytes.size()))
    refuse("termOffsets", "ascending offsets from 0 to the end", "others");
  if (!ascends(rows.row_offsets, rows.row_values.size()))
    refuse("rowOffsets", "ascending offsets from 0 to the end", "others");
  const std::size_t count = rows.offsets.size() - 1;
  auto value = [&](std::uint32_t number) {
    const std::uint32_t begin = rows.offsets[number];
    return std::string_view(reinterpret_cast<const char*>(rows.bytes.data()) + begin,
                            rows.offsets[number + 1] - begin);
  };
  std::vector<std::vector<std::uint32_t>> passages(count);
  for (std::uint32_t passage = 0; passage + 1 < rows.row_offsets.size(); ++passage) {
    for (std::uint32_t at = rows.row_offsets[passage]; at < rows.row_offsets[passage + 1]; ++at) {
      const std::uint32_t number = rows.row_values[at];
      if (number >= count)
        refuse("rowTerms", "numbers below " + std::to_string(count), std::to_string(number));
      if (passages[number].empty() || passages[number].back() != passage)
        passages[number].push_back(passage);
    }
  }
  std::vector<std::uint32_t> order(count);
  std::iota(order.begin(), order.end(), 0u);
  std::sort(order.begin(), order.end(),
            [&](std::uint32_t a, std::uint32_t b) { return value(a) < value(b); });
  OwnedColumn column;
  for (std::size_t i = 0; i < count; ++i) {
    if (i > 0 && value(order[i - 1]) == value(order[i]))
      refuse("values", "distinct", std::string(value(order[i])) + " twice");
    if (passages[order[i]].empty()) continue;
    column.passages.insert(column.passages.end(), passages[order[i]].begin(),
                           passages[order[i]].end());
    column.end_value(value(order[i]));
  }
  return column;
}

}  // namespace asof::fields
