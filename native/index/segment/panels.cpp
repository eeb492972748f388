// Packing and validation of panel sections.
#include "index/segment/panels.hpp"

#include <algorithm>

#include "core/error.hpp"
#include "core/path_text.hpp"
#include "core/threads.hpp"
#include "index/segment/segment_writer.hpp"

namespace asof {
namespace {

using quantized::panel_rows;
using quantized::PanelRecord;
using quantized::panels;

constexpr std::size_t floats_each = sizeof(PanelRecord) / sizeof(float);
static_assert(sizeof(PanelRecord) % sizeof(float) == 0 && alignof(PanelRecord) == alignof(float),
              "records are floats, and files hold them as such");

void expect(const Segment& segment, const char* section, std::uint64_t expected,
            std::uint64_t received) {
  if (expected == received) return;
  throw Error("ERR_CORPUS_CORRUPT",
              "Expected the section " + std::string(section) + " of " +
                  text_of(segment.path().filename()) + " to hold " + std::to_string(expected) +
                  " elements, found " + std::to_string(received) +
                  ". Restore the file from a copy or index the passages again.");
}

}  // namespace

Storage storage_named(std::string_view name) {
  if (name == "f32") return std::nullopt;
  if (name == "bf16") return quantized::Storage::bf16;
  if (name == "int8") return quantized::Storage::int8;
  if (name == "int4") return quantized::Storage::int4;
  throw Error("ERR_INVALID_ARGUMENT",
              "Expected the storage to be int8, int4, bf16 or f32, received " + std::string(name) +
                  ". Leave it out for int8.");
}

const char* panels_section(quantized::Storage storage) {
  switch (storage) {
    case quantized::Storage::int8:
      return schema::panels_int8;
    case quantized::Storage::int4:
      return schema::panels_int4;
    default:
      return schema::panels_bf16;
  }
}

std::span<const float> record_floats(std::span<const PanelRecord> records) {
  return {reinterpret_cast<const float*>(records.data()), records.size() * floats_each};
}

/// Rows to find a centre of int4 by, spread over `rows`; `read(row, out)` gives one. Any centre is
/// right, a better one certifies more.
template <typename Read>
static std::vector<float> centre_for(quantized::Storage storage, std::size_t rows,
                                     std::size_t dimensions, Read read) {
  if (storage != quantized::Storage::int4) return {};
  constexpr std::size_t max_sample = 1024;
  const std::size_t count = std::min(max_sample, rows);
  std::vector<float> sample(count * dimensions);
  for (std::size_t i = 0; i < count; ++i) read(i * rows / count, sample.data() + i * dimensions);
  return int4::centre_of(sample.data(), count, dimensions);
}

/// Packs rows into panels, records and the centre that is there.
static void pack_into(PackedPanels& packed, std::span<const float> vectors, std::size_t dimensions,
                      const Cancel& cancel) {
  const std::size_t rows = dimensions == 0 ? 0 : vectors.size() / dimensions,
                    bytes = quantized::panel_bytes(packed.storage, dimensions);
  constexpr std::size_t piece = 1024;
  static_assert(piece % int4::block_rows == 0);
  parallel_for((rows + piece - 1) / piece, 0, [&](std::size_t p, std::size_t) {
    cancel.throw_if_requested();
    const std::size_t from = p * piece, n = std::min(piece, rows - from);
    const std::size_t panel = from / panel_rows;
    const float* some = vectors.data() + from * dimensions;
    if (packed.storage == quantized::Storage::int4) {
      int4::pack_rows({some, n, dimensions}, dimensions, packed.centre.data(),
                      &packed.bytes[panel * bytes], &packed.records[panel]);
    } else {
      quantized::pack_rows(packed.storage, {some, n, dimensions}, dimensions,
                           &packed.bytes[panel * bytes], &packed.records[panel]);
    }
  });
}

static PackedPanels room_for(quantized::Storage storage, std::size_t rows, std::size_t dimensions) {
  return {storage,
          HugePageVector<std::uint8_t>(panels(rows) * quantized::panel_bytes(storage, dimensions)),
          HugePageVector<PanelRecord>(panels(rows)),
          {}};
}

PackedPanels pack_panels(std::span<const float> vectors, std::size_t dimensions,
                         quantized::Storage storage, const Cancel& cancel) {
  const std::size_t rows = dimensions == 0 ? 0 : vectors.size() / dimensions;
  PackedPanels packed = room_for(storage, rows, dimensions);
  packed.centre = centre_for(storage, rows, dimensions, [&](std::size_t row, float* out) {
    std::copy_n(vectors.data() + row * dimensions, dimensions, out);
  });
  pack_into(packed, vectors, dimensions, cancel);
  return packed;
}

std::optional<Panels> view_panels(const Segment& segment, std::size_t rows,
                                  std::size_t dimensions) {
  for (const quantized::Storage storage :
       {quantized::Storage::int8, quantized::Storage::int4, quantized::Storage::bf16}) {
    const char* section = panels_section(storage);
    if (!segment.has(section) || !segment.has(schema::panel_rows)) continue;
    Panels view{storage, segment.section<std::uint8_t>(section), {}, {}};
    const std::span<const float> records = segment.section<float>(schema::panel_rows);
    expect(segment, section, panels(rows) * quantized::panel_bytes(storage, dimensions),
           view.bytes.size());
    expect(segment, schema::panel_rows, panels(rows) * floats_each, records.size());
    view.records = {reinterpret_cast<const PanelRecord*>(records.data()),
                    records.size() / floats_each};
    if (storage != quantized::Storage::int4) return view;
    view.centre = segment.section<float>(schema::panel_centre);
    expect(segment, schema::panel_centre, dimensions, view.centre.size());
    return view;
  }
  return std::nullopt;
}

void append_panels(SegmentWriter& writer, std::size_t rows, std::size_t dimensions, Storage storage,
                   const Cancel& cancel) {
  if (!storage) return;
  constexpr std::size_t piece = 16384;
  const SegmentWriter::SectionRange vectors = writer.section_range(schema::vectors);
  std::vector<PanelRecord> records;
  std::vector<float> some(std::min(piece, rows) * dimensions);
  std::vector<float> centre =
      centre_for(*storage, rows, dimensions, [&](std::size_t row, float* out) {
        writer.read_back(vectors, row * dimensions, dimensions, out);
      });
  writer.begin(panels_section(*storage), Element::u8);
  for (std::size_t from = 0; from < rows; from += piece) {
    const std::size_t n = std::min(piece, rows - from);
    writer.read_back(vectors, from * dimensions, n * dimensions, some.data());
    PackedPanels packed = room_for(*storage, n, dimensions);
    packed.centre = std::move(centre);
    pack_into(packed, std::span<const float>(some).first(n * dimensions), dimensions, cancel);
    centre = std::move(packed.centre);
    writer.append<std::uint8_t>(packed.bytes);
    records.insert(records.end(), packed.records.begin(), packed.records.end());
  }
  writer.begin(schema::panel_rows, Element::f32);
  writer.append(record_floats(records));
  if (*storage == quantized::Storage::int4) writer.section<float>(schema::panel_centre, centre);
}

}  // namespace asof
