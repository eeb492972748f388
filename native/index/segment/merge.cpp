// Merge planning, row order of the merged segment and streaming of its sections.
#include "index/segment/merge.hpp"

#include <algorithm>
#include <limits>
#include <queue>
#include <string>

#include "core/clock_column.hpp"
#include "core/path_text.hpp"
#include "index/rows/block.hpp"
#include "index/segment/clock_sections.hpp"
#include "index/segment/merge_fields.hpp"
#include "index/segment/passage_ids.hpp"
#include "index/segment/segment_writer.hpp"
#include "index/segment/vector_moments.hpp"

namespace asof {
namespace {

[[noreturn]] void contradicts(const Segment& segment, const char* section) {
  throw Error(
      "ERR_CORPUS_CORRUPT",
      std::string("Expected the section ") + section + " to agree with the counts in the segment " +
          text_of(segment.path()) +
          ", found that it does not. Restore the file from a backup, or index the corpus again.");
}

/// Texts of passages, end to end in one section with their offsets in another.
class Texts {
 public:
  Texts() = default;
  Texts(const Segment& file, const char* offsets, const char* bytes, std::uint64_t passages)
      : offset_(file.section<std::uint64_t>(offsets)), bytes_(file.section<std::uint8_t>(bytes)) {
    if (offset_.size() != passages + 1 || offset_.front() != 0 || offset_.back() != bytes_.size() ||
        !std::is_sorted(offset_.begin(), offset_.end()))
      contradicts(file, offsets);
  }
  std::span<const std::uint8_t> operator[](std::size_t p) const {
    return bytes_.subspan(offset_[p], offset_[p + 1] - offset_[p]);
  }

 private:
  std::span<const std::uint64_t> offset_;
  std::span<const std::uint8_t> bytes_;
};

/// A source's sections of passages and rows, checked against each other.
struct Source {
  explicit Source(const Segment& file) : segment(&file) {
    const auto counts = file.section<std::uint64_t>(schema::counts);
    if (counts.size() != 8) contradicts(file, schema::counts);
    passages = counts[0], multi_sentence = counts[1], rows = counts[2], mentions = counts[3],
    dimensions = counts[4];
    if (multi_sentence > passages || passages > rows || rows >= dropped)
      contradicts(file, schema::counts);
    row_passage = file.section<std::uint32_t>(schema::row_passage);
    ids = Texts(file, schema::passage_id_offset, schema::passage_id, passages);
    records = Texts(file, schema::passage_record_offset, schema::passage_record, passages);
    if (row_passage.size() != rows) contradicts(file, schema::row_passage);
    whole_row.assign(passages, dropped);
    for (std::uint32_t row = 0; row < rows; ++row) {
      if (row_passage[row] >= passages) contradicts(file, schema::row_passage);
      if (row < passages) whole_row[row_passage[row]] = row;
    }
    if (std::find(whole_row.begin(), whole_row.end(), dropped) != whole_row.end())
      contradicts(file, schema::row_passage);
    first_sentence.assign(passages + 1, static_cast<std::uint32_t>(passages));
    count_sentences();
  }
  std::span<const std::uint8_t> id(std::size_t p) const { return ids[p]; }

  const Segment* segment;
  std::uint64_t passages, multi_sentence, rows, mentions, dimensions;
  std::span<const std::uint32_t> row_passage;
  Texts ids, records;
  std::vector<std::uint32_t> whole_row;  // of a passage, in [0, P)
  std::vector<std::uint32_t>
      first_sentence;  // passage p's further rows are [first_sentence[p], first_sentence[p + 1])

 private:
  void count_sentences() {
    std::uint32_t next = static_cast<std::uint32_t>(passages);
    for (std::uint32_t p = 0; p < passages; ++p) {
      first_sentence[p] = next;
      while (next < rows && row_passage[next] == p) ++next;
      const bool has_sentences = next > first_sentence[p];
      if (has_sentences != (whole_row[p] < multi_sentence))
        contradicts(*segment, schema::row_passage);
    }
    first_sentence[passages] = next;
    if (next != rows) contradicts(*segment, schema::row_passage);
  }
};

/// Of a record, in the section of hashes.
constexpr std::size_t record_hash_bytes = 16;

using Origin = fields::Place;

/// The visible passages of all sources, by ascending id.
std::vector<Origin> ordered_passages(std::span<const MergeSource> merge_sources,
                                     const std::vector<Source>& sources, const Cancel& cancel) {
  auto shown = [&](const Origin& place) {
    const auto& bits = merge_sources[place.source].visible;
    return bits.empty() || (bits[place.number / 8] >> (place.number % 8) & 1) != 0;
  };
  // Versions of a passage are in the order of their sources, which is that of time.
  auto later = [&](const Origin& a, const Origin& b) {
    const auto of_a = sources[a.source].id(a.number), of_b = sources[b.source].id(b.number);
    return std::ranges::equal(of_a, of_b) ? a.source > b.source : id_less(of_b, of_a);
  };
  std::priority_queue<Origin, std::vector<Origin>, decltype(later)> heads(later);
  auto advance = [&](Origin place) {
    while (place.number < sources[place.source].passages && !shown(place)) ++place.number;
    if (place.number < sources[place.source].passages) heads.push(place);
  };
  for (std::uint32_t s = 0; s < sources.size(); ++s) advance({s, 0});
  std::vector<Origin> order;
  while (!heads.empty()) {
    if (order.size() % 4096 == 0) cancel.throw_if_requested();
    const Origin place = heads.top();
    heads.pop();
    order.push_back(place);
    advance({place.source, place.number + 1});
  }
  return order;
}

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

/// A clock column in milliseconds, from ticks of any type.
class Milliseconds {
 public:
  Milliseconds(const Segment& segment, const char* name, std::size_t clock, std::uint64_t count) {
    const auto encodings = segment.section<double>(schema::clock_encoding);
    if (encodings.size() != 6) contradicts(segment, schema::clock_encoding);
    encoding_ = {encodings[2 * clock], encodings[2 * clock + 1]};
    const auto& all = segment.sections();
    const auto section = std::find_if(all.begin(), all.end(),
                                      [&](const SectionInfo& each) { return each.name == name; });
    if (section != all.end() && section->element == Element::i64)
      wide_ = segment.section<std::int64_t>(name);
    else
      narrow_ = segment.section<std::int32_t>(name);
    if (narrow_.size() + wide_.size() != count) contradicts(segment, name);
  }
  double operator[](std::size_t i) const {
    return wide_.empty() ? milliseconds_of(narrow_[i], encoding_)
                         : milliseconds_of(wide_[i], encoding_);
  }

 private:
  ClockEncoding encoding_;
  std::span<const std::int32_t> narrow_;
  std::span<const std::int64_t> wide_;
};

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
    offsets.push_back(segment.section<std::uint32_t>(schema::content_offset));
    const auto& offset = offsets.back();
    if (offset.size() != source.rows + 1 || offset.front() != 0 ||
        offset.back() != source.mentions || !std::is_sorted(offset.begin(), offset.end()))
      contradicts(segment, schema::content_offset);
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

MergePlan plan_merge(std::span<const MergeSource> merge_sources, const Cancel& cancel) {
  std::vector<Source> sources;
  MergePlan plan;
  for (const MergeSource& each : merge_sources) {
    each.segment->check_all(cancel);
    sources.emplace_back(*each.segment);
    const Source& source = sources.back();
    if (!each.visible.empty() && each.visible.size() != (source.passages + 7) / 8)
      throw Error("ERR_INVALID_ARGUMENT",
                  "Expected visible to have a bit for each passage, received another length.");
    plan.new_rows.emplace_back(source.rows, dropped);
    plan.new_passages.emplace_back(source.passages, dropped);
  }
  const std::vector<Origin> order = ordered_passages(merge_sources, sources, cancel);
  plan.passages = order.size();
  auto is_multi_sentence = [&](const Origin& place) {
    return sources[place.source].whole_row[place.number] < sources[place.source].multi_sentence;
  };
  plan.multi_sentence =
      static_cast<std::uint64_t>(std::count_if(order.begin(), order.end(), is_multi_sentence));
  std::uint64_t next_multi_sentence = 0, next_single = plan.multi_sentence,
                next_sentence = plan.passages;
  for (std::uint32_t number = 0; number < order.size(); ++number) {
    const Origin& place = order[number];
    const Source& source = sources[place.source];
    auto& new_rows = plan.new_rows[place.source];
    plan.new_passages[place.source][place.number] = number;
    new_rows[source.whole_row[place.number]] = static_cast<std::uint32_t>(
        is_multi_sentence(place) ? next_multi_sentence++ : next_single++);
    for (std::uint32_t row = source.first_sentence[place.number];
         row < source.first_sentence[place.number + 1]; ++row)
      new_rows[row] = static_cast<std::uint32_t>(next_sentence++);
  }
  plan.rows = next_sentence;
  if (plan.rows >= dropped)
    throw Error("ERR_INVALID_ARGUMENT",
                "Expected fewer than 4,294,967,295 rows in a merged segment, received more. Use "
                "several corpora.");
  return plan;
}

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
