// See panels.hpp.
#include "index/panels.hpp"

#include <algorithm>

#include "core/error.hpp"
#include "core/threads.hpp"
#include "index/segment_writer.hpp"

namespace asof {
namespace {

using quantized::PanelRecord;
using quantized::panel_rows;
using quantized::panels;

constexpr std::size_t floats_each = sizeof(PanelRecord) / sizeof(float);
static_assert(sizeof(PanelRecord) % sizeof(float) == 0 && alignof(PanelRecord) == alignof(float), "records are floats, and files hold them as such");

void expect(const Segment& segment, const char* section, std::uint64_t expected, std::uint64_t found) {
  if (expected == found) return;
  throw Error("ERR_CORPUS_CORRUPT", "Expected the section " + std::string(section) + " of " + segment.path().filename().string() + " to hold " +
                                        std::to_string(expected) + " elements, found " + std::to_string(found) +
                                        ". Restore the file from a copy or index the passages again.");
}

}  // namespace

Storage storage_named(std::string_view name) {
  if (name == "f32") return std::nullopt;
  if (name == "bf16") return quantized::Storage::bf16;
  if (name == "int8") return quantized::Storage::int8;
  throw Error("ERR_INVALID_ARGUMENT", "Expected the storage to be int8, bf16 or f32, received " + std::string(name) + ". Leave it out for int8.");
}

const char* panels_section(quantized::Storage storage) { return storage == quantized::Storage::int8 ? schema::panels_int8 : schema::panels_bf16; }

std::span<const float> record_floats(std::span<const PanelRecord> records) {
  return {reinterpret_cast<const float*>(records.data()), records.size() * floats_each};
}

PackedPanels pack_panels(std::span<const float> vectors, std::size_t dimensions, quantized::Storage storage, const Cancel& cancel) {
  const std::size_t rows = dimensions == 0 ? 0 : vectors.size() / dimensions, bytes = quantized::panel_bytes(storage, dimensions);
  PackedPanels packed{storage, LargeVector<std::uint8_t>(panels(rows) * bytes), LargeVector<PanelRecord>(panels(rows))};
  constexpr std::size_t piece = 1024;
  static_assert(piece % panel_rows == 0);
  parallel_for((rows + piece - 1) / piece, 0, [&](std::size_t p, std::size_t) {
    cancel.throw_if_requested();
    const std::size_t from = p * piece, n = std::min(piece, rows - from);
    const std::size_t panel = from / panel_rows;
    const float* some = vectors.data() + from * dimensions;
    quantized::pack_rows(storage, some, dimensions, dimensions, n, &packed.bytes[panel * bytes], &packed.records[panel]);
  });
  return packed;
}

std::optional<Panels> view_panels(const Segment& segment, std::size_t rows, std::size_t dimensions) {
  for (const quantized::Storage storage : {quantized::Storage::int8, quantized::Storage::bf16}) {
    const char* section = panels_section(storage);
    if (!segment.has(section) || !segment.has(schema::panel_rows)) continue;
    Panels found{storage, segment.section<std::uint8_t>(section), {}};
    const std::span<const float> records = segment.section<float>(schema::panel_rows);
    expect(segment, section, panels(rows) * quantized::panel_bytes(storage, dimensions), found.bytes.size());
    expect(segment, schema::panel_rows, panels(rows) * floats_each, records.size());
    found.records = {reinterpret_cast<const PanelRecord*>(records.data()), records.size() / floats_each};
    return found;
  }
  return std::nullopt;
}

void append_panels(SegmentWriter& writer, std::size_t rows, std::size_t dimensions, Storage storage, const Cancel& cancel) {
  if (!storage) return;
  constexpr std::size_t piece = 16384;
  const SegmentWriter::Written vectors = writer.written(schema::vectors);
  std::vector<PanelRecord> records;
  std::vector<float> some(std::min(piece, rows) * dimensions);
  writer.begin(panels_section(*storage), Element::u8);
  for (std::size_t from = 0; from < rows; from += piece) {
    const std::size_t n = std::min(piece, rows - from);
    writer.read_back(vectors, from * dimensions, n * dimensions, some.data());
    const PackedPanels packed = pack_panels(std::span<const float>(some).first(n * dimensions), dimensions, *storage, cancel);
    writer.append<std::uint8_t>(packed.bytes);
    records.insert(records.end(), packed.records.begin(), packed.records.end());
  }
  writer.begin(schema::panel_rows, Element::f32);
  writer.append(record_floats(records));
}

}  // namespace asof
