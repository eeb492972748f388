// Streaming of the sections of a merged segment.
#include "index/segment/merge.hpp"

#include <algorithm>
#include <string>

#include "index/rows/block.hpp"
#include "index/segment/clock_sections.hpp"
#include "index/segment/merge_fields.hpp"
#include "index/segment/merge_source.hpp"
#include "index/segment/segment_writer.hpp"
#include "index/segment/vector_moments.hpp"

namespace asof {
namespace {

using merging::contradicts;
using merging::Milliseconds;
using merging::Origin;
using merging::Source;
using merging::Texts;

/// Of a record, in the section of hashes.
constexpr std::size_t record_hash_bytes = 16;

/// The source of each new number. Throws ERR_INVALID_ARGUMENT unless the numbers are a bijection.
std::vector<Origin> origins(const std::vector<std::vector<std::uint32_t>>& numbers,
                            std::uint64_t count, const char* what) {
  std::vector<Origin> sources(count, Origin{dropped, 0});
  std::uint64_t assigned_count = 0;
  for (std::uint32_t s = 0; s < numbers.size(); ++s) {
    for (std::uint32_t i = 0; i < numbers[s].size(); ++i) {
      const std::uint32_t number = numbers[s][i];
      if (number == dropped) continue;
      if (number >= count || sources[number].source != dropped)
        throw Error("ERR_INVALID_ARGUMENT", std::string("Expected ") + what +
                                                " that name every new one once, received others.");
      sources[number] = {s, i};
      ++assigned_count;
    }
  }
  if (assigned_count != count)
    throw Error("ERR_INVALID_ARGUMENT", std::string("Expected ") + what +
                                            " that name every new one once, received others.");
  return sources;
}

/// A section with `width` values for each row or passage.
struct ColumnSection {
  const char* name;
  std::size_t width;
  std::uint64_t (*count)(const Source&);  // of rows or passages
};

template <typename T>
void write_column(SegmentWriter& writer, const ColumnSection& section,
                  const std::vector<Source>& sources, const std::vector<Origin>& origins) {
  const auto [name, width, count] = section;
  std::vector<std::span<const T>> columns;
  for (const Source& source : sources) {
    columns.push_back(source.segment->section<T>(name));
    if (columns.back().size() != count(source) * width) contradicts(*source.segment, name);
  }
  writer.begin(name, element_of<T>());
  std::vector<T> buffer;
  const std::size_t at_once = std::max<std::size_t>(1, (1 << 18) / std::max<std::size_t>(1, width));
  for (std::size_t from = 0; from < origins.size(); from += at_once) {
    const std::size_t to = std::min(origins.size(), from + at_once);
    buffer.clear();
    for (std::size_t i = from; i < to; ++i) {
      const auto values =
          columns[origins[i].source].subspan(std::size_t{origins[i].number} * width, width);
      buffer.insert(buffer.end(), values.begin(), values.end());
    }
    writer.append<T>(buffer);
  }
}

std::vector<double> clock_values(const std::vector<Source>& sources,
                                 const std::vector<Origin>& rows, const char* name,
                                 std::size_t clock) {
  std::vector<Milliseconds> columns;
  columns.reserve(sources.size());
  for (const Source& source : sources)
    columns.emplace_back(*source.segment, name, clock, source.rows);
  std::vector<double> values(rows.size());
  for (std::size_t row = 0; row < rows.size(); ++row)
    values[row] = columns[rows[row].source][rows[row].number];
  return values;
}

struct Contents {
  std::vector<std::uint32_t> offset{0};
  std::vector<double> start, end;
  std::vector<std::uint8_t> granularity;
};

Contents content_times(const std::vector<Source>& sources, const std::vector<Origin>& rows) {
  std::vector<std::span<const std::uint32_t>> offsets;
  std::vector<Milliseconds> starts, ends;
  std::vector<std::span<const std::uint8_t>> granularities;
  for (const Source& source : sources) {
    const Segment& segment = *source.segment;
    offsets.push_back(merging::content_offsets(source));
    starts.emplace_back(segment, schema::content_start, 2, source.mentions);
    ends.emplace_back(segment, schema::content_end, 2, source.mentions);
    granularities.push_back(segment.section<std::uint8_t>(schema::content_granularity));
    if (granularities.back().size() != source.mentions)
      contradicts(segment, schema::content_granularity);
  }
  Contents contents;
  for (const Origin& row : rows) {
    for (std::uint32_t mention = offsets[row.source][row.number];
         mention < offsets[row.source][row.number + 1]; ++mention) {
      contents.start.push_back(starts[row.source][mention]);
      contents.end.push_back(ends[row.source][mention]);
      contents.granularity.push_back(granularities[row.source][mention]);
    }
    if (contents.start.size() >= dropped)
      throw Error("ERR_INVALID_ARGUMENT",
                  "Expected fewer than 4,294,967,295 content times in a merged segment, received "
                  "more. Use several corpora.");
    contents.offset.push_back(static_cast<std::uint32_t>(contents.start.size()));
  }
  return contents;
}

/// The two sections of texts, and the texts of a source.
struct TextSections {
  const char* offsets;
  const char* bytes;
  const Texts Source::* texts;
};

void write_texts(SegmentWriter& writer, const TextSections& sections,
                 const std::vector<Source>& sources, const std::vector<Origin>& passages) {
  const auto text = [&](const Origin& place) {
    return (sources[place.source].*sections.texts)[place.number];
  };
  std::vector<std::uint64_t> offsets{0};
  offsets.reserve(passages.size() + 1);
  for (const Origin& place : passages) offsets.push_back(offsets.back() + text(place).size());
  writer.section<std::uint64_t>(sections.offsets, offsets);
  writer.begin(sections.bytes, Element::u8);
  for (const Origin& place : passages) writer.append(text(place));
}

}  // namespace

void write_merge(OutputFile& file, std::span<const std::shared_ptr<const Segment>> segments,
                 const MergePlan& plan, const MergeExtras& extras, const Cancel& cancel) {
  std::vector<Source> sources;
  for (std::size_t s = 0; s < segments.size(); ++s) {
    segments[s]->check_all(cancel);
    sources.emplace_back(*segments[s]);
    if (sources[s].dimensions != sources[0].dimensions) contradicts(*segments[s], schema::counts);
    if (plan.new_rows[s].size() != sources[s].rows ||
        plan.new_passages[s].size() != sources[s].passages)
      throw Error("ERR_INVALID_ARGUMENT",
                  "Expected a number for each row and passage of a source, received others.");
  }
  const std::vector<Origin> rows = origins(plan.new_rows, plan.rows, "new rows");
  const std::vector<Origin> passages = origins(plan.new_passages, plan.passages, "new passages");
  const Contents contents = content_times(sources, rows);
  const std::uint64_t dimensions = sources.empty() ? 0 : sources[0].dimensions;
  const std::uint64_t counts[8] = {
      plan.passages, plan.multi_sentence, plan.rows, contents.start.size(),
      dimensions,    block_rows,          0,         0};
  std::vector<std::uint32_t> row_passage;
  row_passage.reserve(rows.size());
  for (const Origin& row : rows)
    row_passage.push_back(
        plan.new_passages[row.source][sources[row.source].row_passage[row.number]]);
  std::vector<std::uint32_t> passage_row(passages.size(), dropped);
  for (std::uint32_t row = 0; row < passages.size(); ++row) {
    if (row_passage[row] >= passages.size())
      throw Error("ERR_INVALID_ARGUMENT",
                  "Expected new passages for all new rows, received a row without one.");
    passage_row[row_passage[row]] = row;
  }

  SegmentWriter writer(file, cancel);
  writer.section<std::uint64_t>(schema::counts, counts);
  writer.section<std::uint32_t>(schema::row_passage, row_passage);
  const auto row_count = [](const Source& source) { return source.rows; };
  const auto passage_count = [](const Source& source) { return source.passages; };
  write_column<std::uint32_t>(writer, {schema::row_sentence, 2, row_count}, sources, rows);
  write_texts(writer, {schema::passage_id_offset, schema::passage_id, &Source::ids}, sources,
              passages);
  write_texts(writer, {schema::passage_record_offset, schema::passage_record, &Source::records},
              sources, passages);
  write_column<std::uint8_t>(writer, {schema::passage_hash, record_hash_bytes, passage_count},
                             sources, passages);
  if (std::any_of(sources.begin(), sources.end(),
                  [](const Source& source) { return !source.statements.empty(); }))
    write_texts(writer,
                {schema::passage_statement_offset, schema::passage_statement, &Source::statements},
                sources, passages);
  writer.section<std::uint32_t>(schema::passage_row, passage_row);
  std::vector<const Segment*> files;
  files.reserve(sources.size());
  for (const Source& source : sources) files.push_back(source.segment);
  fields::write_merged(writer, files, passages, plan.new_passages, cancel);
  const std::vector<double> published = clock_values(sources, rows, schema::published, 0);
  const std::vector<double> valid_start = clock_values(sources, rows, schema::valid_start, 1);
  const std::vector<double> valid_end = clock_values(sources, rows, schema::valid_end, 1);
  for (const PackedSection& section :
       pack_clock_sections({published, valid_start, valid_end, contents.offset, contents.start,
                            contents.end, contents.granularity})) {
    writer.begin(section.name, section.element);
    writer.append(section.bytes.data(), section.count);
  }
  for (const SectionData& section : extras.sections) {
    writer.begin(section.name, section.element);
    writer.append(section.data, section.count);
  }
  write_column<float>(writer, {schema::vectors, dimensions, row_count}, sources, rows);
  append_panels(writer, rows.size(), dimensions, extras.storage, cancel);
  append_moments(writer, {plan.multi_sentence, plan.passages, plan.rows}, dimensions, cancel);
  writer.finish();
}

}  // namespace asof
