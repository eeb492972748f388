// Segment files and merges under whatever bytes: some hundred random damages of header, table and
// sections. Each is answered with an Error or with a result, never with a read or write out of
// bounds (run it built with ASOF_SANITIZE=address).
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <random>

#include "check.hpp"
#include "core/checksum.hpp"
#include "core/output_file.hpp"
#include "index/rows/block.hpp"
#include "index/segment/clock_sections.hpp"
#include "index/segment/merge.hpp"
#include "index/segment/passage_ids.hpp"
#include "index/segment/segment_writer.hpp"

using namespace asof;

namespace {

std::mt19937 random_numbers(7);
std::uint32_t below(std::uint64_t bound) {
  return static_cast<std::uint32_t>(random_numbers() % bound);
}

/// A segment of `passages` passages, every third of which has two sentences.
void write_sample(const std::filesystem::path& path, std::uint32_t passages,
                  const std::string& prefix) {
  std::vector<std::uint32_t> row_passage, sentence;
  std::vector<std::uint64_t> id_offset{0};
  std::string ids;
  for (std::uint32_t p = 0; p < passages; p += 3) row_passage.push_back(p);
  const std::uint64_t multi_sentence = row_passage.size();
  for (std::uint32_t p = 0; p < passages; ++p)
    if (p % 3 != 0) row_passage.push_back(p);
  for (std::uint32_t p = 0; p < passages; p += 3) row_passage.insert(row_passage.end(), 2, p);
  for (std::uint32_t p = 0; p < passages; ++p) {
    char id[16];
    std::snprintf(id, sizeof id, "%05u", p);
    ids += prefix + id;
    id_offset.push_back(ids.size());
  }
  const std::size_t rows = row_passage.size();
  std::vector<double> published(rows), starts(rows), ends(rows), content_start, content_end;
  std::vector<std::uint32_t> content_offset{0};
  std::vector<std::uint8_t> granularity;
  std::vector<float> vectors(rows * 3, 0.5f);
  for (std::size_t row = 0; row < rows; ++row) {
    published[row] = 86400000.0 * static_cast<double>(row);
    starts[row] = published[row];
    ends[row] = published[row] + 1000;
    if (row % 2 == 0)
      content_start.push_back(0), content_end.push_back(86400000.0), granularity.push_back(5);
    content_offset.push_back(static_cast<std::uint32_t>(content_start.size()));
    sentence.insert(sentence.end(), {0, 10});
  }
  const std::uint64_t counts[8] = {passages, multi_sentence, rows, content_start.size(),
                                   3,        block_rows,     0,    0};
  OutputFile file = OutputFile::create(path);
  SegmentWriter writer(file, Cancel());
  writer.section<std::uint64_t>(schema::counts, counts);
  writer.section<std::uint32_t>(schema::row_passage, row_passage);
  writer.section<std::uint32_t>(schema::row_sentence, sentence);
  writer.section<std::uint64_t>(schema::passage_id_offset, id_offset);
  writer.section<std::uint8_t>(
      schema::passage_id, std::span(reinterpret_cast<const std::uint8_t*>(ids.data()), ids.size()));
  // Records are the ids once more: the merge copies bytes.
  writer.section<std::uint64_t>(schema::passage_record_offset, id_offset);
  writer.section<std::uint8_t>(
      schema::passage_record,
      std::span(reinterpret_cast<const std::uint8_t*>(ids.data()), ids.size()));
  writer.section<std::uint8_t>(schema::passage_hash,
                               std::vector<std::uint8_t>(std::size_t{16} * passages, 7));
  for (const PackedSection& section : pack_clock_sections(
           {published, starts, ends, content_offset, content_start, content_end, granularity})) {
    writer.begin(section.name, section.element);
    writer.append(section.bytes.data(), section.count);
  }
  writer.section<float>(schema::vectors, vectors);
  writer.finish();
}

std::vector<char> read_file(const std::filesystem::path& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

void damage(std::vector<char>& bytes) {
  layout::Header header;
  std::memcpy(&header, bytes.data(), sizeof header);
  const std::uint32_t kind = below(4);
  if (kind == 0)
    bytes.resize(below(bytes.size()));  // cut
  else if (kind == 1)
    bytes[below(64)] ^= static_cast<char>(1 << below(8));
  else if (kind == 2)
    bytes[header.table_offset + below(bytes.size() - header.table_offset)] ^=
        static_cast<char>(1 << below(8));
  else
    for (std::uint32_t i = 0; i < 1 + below(3); ++i)
      bytes[4096 + below(header.table_offset - 4096)] = static_cast<char>(below(256));
  if (bytes.size() < sizeof header || bytes.size() <= header.table_offset || below(3) == 0) return;
  // The file lies well: its checksums hold.
  std::memcpy(&header, bytes.data(), sizeof header);
  if (header.table_offset < bytes.size())
    header.table_checksum =
        crc32c(bytes.data() + header.table_offset, bytes.size() - header.table_offset);
  header.header_checksum = crc32c(&header, 60);
  std::memcpy(bytes.data(), &header, sizeof header);
}

/// Opens, verifies and merges; true where all of it was answered with a result.
bool use(const std::filesystem::path& damaged, const std::filesystem::path& whole,
         const std::filesystem::path& merged) {
  bool verified = true;
  try {
    const auto segment = Segment::open(damaged);
    try {
      segment->verify(Cancel());
    } catch (const Error&) {
      verified = false;
    }
    const std::vector<MergeSource> sources{{segment, std::vector<std::uint8_t>(5, 0xB7)},
                                           {Segment::open(whole), {}}};
    const std::shared_ptr<const Segment> segments[] = {sources[0].segment, sources[1].segment};
    const MergePlan plan = plan_merge(sources, Cancel());
    OutputFile file = OutputFile::create(merged);
    write_merge(file, segments, plan, {{}, quantized::Storage::int8}, Cancel());
    std::filesystem::remove(merged);
    return verified;
  } catch (const Error&) {
    return false;
  }
}

}  // namespace

int main() {
  const auto folder = std::filesystem::temp_directory_path() /
                      ("asof-native-segments-" + std::to_string(std::random_device()()));
  std::filesystem::create_directory(folder);
  write_sample(folder / "a.seg", 40, "a");
  write_sample(folder / "b.seg", 25, "b");
  CHECK(use(folder / "a.seg", folder / "b.seg", folder / "merged.seg"));
  const std::vector<char> original = read_file(folder / "a.seg");
  int refused = 0, rounds = 600;
  for (int round = 0; round < rounds; ++round) {
    std::vector<char> bytes = original;
    damage(bytes);
    std::ofstream(folder / "damaged.seg", std::ios::binary)
        .write(bytes.data(), static_cast<std::streamsize>(bytes.size()));
    if (!use(folder / "damaged.seg", folder / "b.seg", folder / "merged.seg")) ++refused;
  }
  std::filesystem::remove_all(folder);
  CHECK(refused > rounds / 4);
  std::printf("%d of %d damaged files refused\n", refused, rounds);
}
