// Segment files and merges under whatever bytes: some hundred random damages of header, table,
// sections and checksums. Each is answered with an Error or, where all checksums hold, with a
// result, never with a read or write out of bounds (run it built with ASOF_SANITIZE=address).
#include <algorithm>
#include <atomic>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <random>
#include <thread>

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

/// Makes the checksums of a file hold again, as far as its table leads to sections: it lies well.
void seal(std::vector<char>& bytes) {
  layout::Header header;
  std::memcpy(&header, bytes.data(), sizeof header);
  std::uint64_t at = header.table_offset;
  const std::uint64_t table_bytes = header.sections * sizeof(layout::Entry);
  const bool whole = at <= bytes.size() && bytes.size() - at >= table_bytes;
  std::vector<std::uint32_t> checksums;
  for (std::uint32_t i = 0; whole && i < header.sections; ++i, at += sizeof(layout::Entry)) {
    layout::Entry entry;
    std::memcpy(&entry, bytes.data() + at, sizeof entry);
    const bool known = entry.element >= 1 && entry.element <= 9;
    const std::uint64_t width = known ? element_bytes(static_cast<Element>(entry.element)) : 1;
    if (entry.offset > bytes.size() || entry.count > (bytes.size() - entry.offset) / width)
      continue;
    const std::size_t first = checksums.size();
    for (std::uint64_t done = 0; done < entry.count * width; done += checksum_block_bytes)
      checksums.push_back(crc32c(bytes.data() + entry.offset + done,
                                 std::min(checksum_block_bytes, entry.count * width - done)));
    entry.checksum = crc32c(checksums.data() + first, (checksums.size() - first) * 4);
    std::memcpy(bytes.data() + at, &entry, sizeof entry);
  }
  if (whole) {
    const std::size_t room = std::min(bytes.size() - at, checksums.size() * sizeof(std::uint32_t));
    if (room > 0) std::memcpy(bytes.data() + at, checksums.data(), room);
    header.table_checksum = crc32c(bytes.data() + header.table_offset, table_bytes);
  }
  header.header_checksum = crc32c(&header, 60);
  std::memcpy(bytes.data(), &header, sizeof header);
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
  seal(bytes);
}

/// Opens, verifies and merges; true where all of it was answered with a result. Nothing is merged
/// whose checksums do not hold.
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
    CHECK(verified);
    return true;
  } catch (const Error&) {
    return false;
  }
}

/// Threads that read a file of several blocks at once are all answered alike.
void read_together(const std::filesystem::path& path, bool whole) {
  const auto segment = Segment::open(path);
  const auto vectors = segment->checked<float>(schema::vectors);
  CHECK(vectors.size() * sizeof(float) > 4 * checksum_block_bytes);
  std::atomic<int> refused = 0;
  std::vector<std::thread> threads;
  for (int t = 0; t < 6; ++t) {
    threads.emplace_back([&, t] {
      try {
        if (t % 2 == 0) segment->check(Cancel());
        for (std::size_t i = 0; i < vectors.size(); ++i) CHECK(vectors[i] == 0.5f);
      } catch (const Error&) {
        ++refused;
      }
    });
  }
  for (std::thread& each : threads) each.join();
  CHECK(refused == (whole ? 0 : 6));
  CHECK(vectors.is_verified() == whole);
}

/// Of a file whose last vector has a wrong bit, too.
void check_threads(const std::filesystem::path& folder) {
  write_sample(folder / "large.seg", 30'000, "c");
  read_together(folder / "large.seg", true);
  std::vector<char> bytes = read_file(folder / "large.seg");
  const auto segment = Segment::open(folder / "large.seg");
  for (const SectionInfo& section : segment->sections()) {
    if (section.name == schema::vectors) bytes[section.offset + 4 * section.count - 1] ^= 1;
  }
  std::ofstream(folder / "flipped.seg", std::ios::binary)
      .write(bytes.data(), static_cast<std::streamsize>(bytes.size()));
  read_together(folder / "flipped.seg", false);
}

}  // namespace

int main() {
  const auto folder = std::filesystem::temp_directory_path() /
                      ("asof-native-segments-" + std::to_string(std::random_device()()));
  std::filesystem::create_directory(folder);
  write_sample(folder / "a.seg", 40, "a");
  write_sample(folder / "b.seg", 25, "b");
  check_threads(folder);
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
