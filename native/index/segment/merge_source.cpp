// Checks of the sections of a merge's sources.
#include "index/segment/merge_source.hpp"

#include <algorithm>
#include <string>

#include "core/error.hpp"
#include "core/path_text.hpp"

namespace asof::merging {

void contradicts(const Segment& segment, const char* section) {
  throw Error(
      "ERR_CORPUS_CORRUPT",
      std::string("Expected the section ") + section + " to agree with the counts in the segment " +
          text_of(segment.path()) +
          ", found that it does not. Restore the file from a backup, or index the corpus again.");
}

Texts::Texts(const Segment& file, const char* offsets, const char* bytes, std::uint64_t passages)
    : offset_(file.section<std::uint64_t>(offsets)), bytes_(file.section<std::uint8_t>(bytes)) {
  if (offset_.size() != passages + 1 || offset_.front() != 0 || offset_.back() != bytes_.size() ||
      !std::is_sorted(offset_.begin(), offset_.end()))
    contradicts(file, offsets);
}

Source::Source(const Segment& file) : segment(&file) {
  const auto counts = file.section<std::uint64_t>(schema::counts);
  if (counts.size() != 8) contradicts(file, schema::counts);
  passages = counts[0], multi_sentence = counts[1], rows = counts[2], mentions = counts[3],
  dimensions = counts[4];
  if (multi_sentence > passages || passages > rows || rows >= dropped)
    contradicts(file, schema::counts);
  row_passage = file.section<std::uint32_t>(schema::row_passage);
  ids = Texts(file, schema::passage_id_offset, schema::passage_id, passages);
  records = Texts(file, schema::passage_record_offset, schema::passage_record, passages);
  if (file.has(schema::passage_statement))
    statements = Texts(file, schema::passage_statement_offset, schema::passage_statement, passages);
  if (row_passage.size() != rows) contradicts(file, schema::row_passage);
  whole_row.assign(passages, dropped);
  for (std::uint32_t row = 0; row < rows; ++row) {
    if (row_passage[row] >= passages) contradicts(file, schema::row_passage);
    if (row < passages) whole_row[row_passage[row]] = row;
  }
  if (std::find(whole_row.begin(), whole_row.end(), dropped) != whole_row.end())
    contradicts(file, schema::row_passage);
  find_sentences();
}

void Source::find_sentences() {
  sentences.resize(passages);
  std::uint64_t passages_with = 0;
  for (auto row = static_cast<std::uint32_t>(passages); row < rows;) {
    const std::uint32_t passage = row_passage[row], begin = row;
    while (row < rows && row_passage[row] == passage) ++row;
    if (whole_row[passage] >= multi_sentence || sentences[passage].end != 0)
      contradicts(*segment, schema::row_passage);
    sentences[passage] = {begin, row};
    ++passages_with;
  }
  if (passages_with != multi_sentence) contradicts(*segment, schema::row_passage);
}

Milliseconds::Milliseconds(const Segment& segment, const char* name, std::size_t clock,
                           std::uint64_t count) {
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

std::span<const std::uint32_t> content_offsets(const Source& source) {
  const auto offset = source.segment->section<std::uint32_t>(schema::content_offset);
  if (offset.size() != source.rows + 1 || offset.front() != 0 || offset.back() != source.mentions ||
      !std::is_sorted(offset.begin(), offset.end()))
    contradicts(*source.segment, schema::content_offset);
  return offset;
}

}  // namespace asof::merging
