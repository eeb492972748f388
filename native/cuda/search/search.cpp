// See search.hpp.
#include "cuda/search/search.hpp"

#include <algorithm>

#include "cuda/search/lists.hpp"
#include "cuda/search/queries.hpp"

namespace asof::cuda {
namespace {

using candidates::Asked;
using candidates::Columns;
using candidates::Joining;
using candidates::Mask;
using candidates::Reading;

constexpr std::uint32_t chunk_panels = products::warp_panels;      // rows are read in groups of 64
constexpr std::size_t page_bytes = std::size_t(256) << 20;
constexpr std::uint32_t pass_queries = 256;

std::uint32_t rounded_up(std::uint32_t value, std::uint32_t to) { return (value + to - 1) / to * to; }

Mask mask_of(const MaskData& data) {
  return {data.has_published != 0, data.has_window != 0, data.relation, data.clock, data.published_until,
          {data.start_floor, data.start_ceil, data.end_floor, data.end_ceil, data.last_ceil}};
}

/// A segment of the search, with what its queries ask of it on the device.
struct Prepared {
  Prepared(Device& device, const SearchData& asked, const Part& part);

  Resident& segment;
  Columns columns;
  Buffer<std::uint8_t> visible;
  Buffer<Mask> masks;
  std::vector<Buffer<float>> words;
  Buffer<Asked> asked;
  Buffer<unsigned long long> shown, worth;
};

Prepared::Prepared(Device& device, const SearchData& search, const Part& part) : segment(*part.segment) {
  const Resident& rows = segment;
  if (part.visible != nullptr) visible = device.uploaded(part.visible, (std::size_t(rows.passages) + 7) / 8, "bitmaps");
  columns = {rows.published.view(), rows.validity.view(), rows.content.view(), rows.row_passage.get(), rows.passages, visible.get(),
             static_cast<std::uint32_t>(part.first_row), static_cast<std::uint32_t>(part.last_row)};
  std::vector<Mask> compiled;
  for (std::uint32_t m = 0; m < search.mask_count; ++m) compiled.push_back(mask_of(part.masks[m]));
  masks = device.uploaded(compiled.data(), compiled.size(), "masks");
  std::vector<Asked> each;
  for (std::uint32_t q = 0; q < search.query_count; ++q) {
    const QueryData& query = search.queries[q];
    const float* lexical = part.lexical == nullptr ? nullptr : part.lexical[q];
    if (lexical != nullptr) words.push_back(device.uploaded(lexical, rows.rows, "words"));
    each.push_back({query.semantic_weight, query.lexical_weight, lexical == nullptr ? nullptr : words.back().get(), query.mask, query.form,
                    {query.standard.mean_from, query.standard.factor, query.standard.mean_to}, query.most_factor,
                    part.most_more == nullptr ? 0 : part.most_more[q]});
  }
  asked = device.uploaded(each.data(), each.size(), "queries");
  shown = device.filled<unsigned long long>(search.mask_count, 0, "counts");
  worth = device.filled<unsigned long long>(rows.rows / 4096 + 1, 0, "bitmaps");
  constexpr unsigned threads = 256;
  const dim3 blocks(std::max(1u, rounded_up(rows.rows, threads) / threads));
  check(launch({blocks, threads, 0, device.stream}, candidates::look, columns, masks.get(), search.mask_count, shown.get(), worth.get()), "to look at rows");
}

class Search {
 public:
  Search(Device& device, const SearchData& asked, const FoundData& found)
      : device_(device), asked_(asked), found_(found), lists_(device, asked),
        vectors_(device.uploaded(asked.vectors, std::size_t(asked.query_count) * asked.dimensions, "queries")) {}

  void run() {
    if (found_.visible != nullptr) std::fill_n(found_.visible, asked_.mask_count, 0);
    if (found_.rescored != nullptr) std::fill_n(found_.rescored, asked_.query_count, 0);
    for (std::uint32_t p = 0; p < asked_.part_count; ++p) {
      parts_.emplace_back(device_, asked_, asked_.parts[p]);
      scan(p);
      count_visible(parts_.back());
    }
    score_exactly();
    lists_.keep_best();
    hand_over();
  }

 private:
  void stop_if_asked() const {
    if (asked_.stop != nullptr && asked_.stop(asked_.context)) throw Refusal(Cause::aborted, "The search was stopped.");
  }

  const PackedQueries& packed(quantized::Storage storage) {
    auto& known = packed_[static_cast<std::size_t>(storage)];
    if (!known) known.emplace(device_, storage, asked_.vectors, asked_.query_count, asked_.dimensions);
    return *known;
  }

  void count_visible(const Prepared& part) {
    if (found_.visible == nullptr) return;
    const std::vector<unsigned long long> shown = device_.downloaded(part.shown.get(), asked_.mask_count);
    for (std::uint32_t m = 0; m < asked_.mask_count; ++m) found_.visible[m] += shown[m];
  }

  /// A segment's rows: all of its panels, or a page of them after the other.
  void scan(std::uint32_t p) {
    Prepared& part = parts_[p];
    Resident& segment = part.segment;
    lists_.read_thresholds(part.asked.get());
    const std::uint32_t first = part.columns.first_row / quantized::panel_rows / chunk_panels * chunk_panels;
    const std::uint32_t last = rounded_up(part.columns.last_row, quantized::panel_rows) / quantized::panel_rows;
    if (!segment.paged()) return scan_panels(p, {segment.panels.get(), segment.records.get(), segment.rows, segment.tiles, 0}, first, last);
    const std::uint32_t page = std::max<std::uint32_t>(chunk_panels, static_cast<std::uint32_t>(page_bytes / segment.panel_bytes()) / chunk_panels * chunk_panels);
    Buffer<std::uint8_t> panels(device_.memory, page * segment.panel_bytes(), "a page of panels");
    Buffer<quantized::PanelRecord> records(device_.memory, page, "a page of panels");
    for (std::uint32_t from = first; from < last; from += page) {
      const std::uint32_t count = std::min(page, last - from);
      device_.upload(panels.get(), segment.data.panels + from * segment.panel_bytes(), count * segment.panel_bytes());
      device_.upload(records.get(), static_cast<const quantized::PanelRecord*>(segment.data.records) + from, count * sizeof(quantized::PanelRecord));
      scan_panels(p, {panels.get(), records.get(), segment.rows, segment.tiles, from}, from, from + count);
    }
  }

  /// In chunks that grow while their finds fit the lists, and shrink where they do not: as many rows as a list has places left always fit.
  void scan_panels(std::uint32_t p, const products::Rows& rows, std::uint32_t first, std::uint32_t last) {
    constexpr std::uint32_t group_rows = chunk_panels * quantized::panel_rows;
    std::uint32_t groups = sure_groups();
    for (std::uint32_t from = first; from < last;) {
      stop_if_asked();
      const std::uint32_t to = static_cast<std::uint32_t>(std::min<std::uint64_t>(last, from + std::uint64_t(groups) * chunk_panels));
      multiply(p, rows, from, to);
      if (!lists_.settled()) {
        groups = std::max(sure_groups(), groups / 4);
        continue;
      }
      from = to;
      lists_.keep_best();
      if (lists_.room() - lists_.fullest() < group_rows) make_room();
      lists_.read_thresholds(parts_[p].asked.get());
      groups = std::min(groups * 4, 1u << 22);
    }
  }

  std::uint32_t sure_groups() const {
    return std::max(1u, (lists_.room() - lists_.fullest()) / (chunk_panels * static_cast<std::uint32_t>(quantized::panel_rows)));
  }

  /// Bounds could not tell enough rows apart.
  void make_room() {
    score_exactly();
    lists_.keep_best();
    lists_.cut_equals();
  }

  void multiply(std::uint32_t p, const products::Rows& rows, std::uint32_t first, std::uint32_t last) {
    const Prepared& part = parts_[p];
    const auto storage = static_cast<quantized::Storage>(part.segment.data.storage);
    const Reading reading = asked_.exactness == flat::Exactness::certified ? Reading::certified : Reading::approximate;
    const PackedQueries& queries = packed(storage);
    std::uint32_t size = pass_queries;
    while (size > 16 && products::shared_bytes(std::min(size, asked_.query_count), rows.tiles) > device_.properties.sharedMemPerBlockOptin) size /= 2;
    for (std::uint32_t q = 0; q < asked_.query_count; q += size) {
      const std::uint32_t count = std::min(size, asked_.query_count - q);
      candidates::Lists lists = lists_.lists();
      lists.list += std::size_t(q) * lists.room;
      lists.count += q;
      lists.threshold += q;
      const products::Pass pass{rows, queries.part(q, count, lists_.lists().least_similarity), reinterpret_cast<const std::uint64_t*>(part.worth.get()), first, last, 1};
      const Joining joining{part.columns, part.asked.get() + q, part.masks.get(), lists, static_cast<std::uint16_t>(p), reading};
      if (part.segment.whole()) start_shape<true>(pass, joining);
      else start_shape<false>(pass, joining);
    }
  }

  template <bool whole>
  void start_shape(const products::Pass& pass, const Joining& joining) {
    if (pass.queries.nq <= 8) return start<whole, 1>(pass, joining, 1);
    if (pass.queries.nq <= 16) return start<whole, 2>(pass, joining, 1);
    if (pass.queries.nq <= 32) return start<whole, 4>(pass, joining, 1);
    return start<whole, 8>(pass, joining, pass.queries.nq <= 64 ? 1 : pass.queries.nq <= 128 ? 2 : 4);
  }

  template <bool whole, int query_tiles>
  void start(products::Pass pass, const Joining& joining, std::uint32_t query_warps) {
    pass.query_warps = query_warps;
    const std::size_t shared = products::shared_bytes(pass.queries.nq, pass.rows.tiles);
    const std::uint32_t rows_a_block = products::block_warps / query_warps * chunk_panels;
    const std::uint32_t most = static_cast<std::uint32_t>(device_.properties.multiProcessorCount) * 4;
    const dim3 blocks(std::min(most, rounded_up(pass.last_panel - pass.first_panel, rows_a_block) / rows_a_block));
    const auto kernel = products::survivors<whole, query_tiles, Joining>;
    check(allow_shared(kernel, shared), "so much shared memory");
    check(launch({blocks, products::block_warps * warp_lanes, shared, device_.stream}, kernel, pass, joining), "to multiply");
  }

  void score_exactly() {
    std::vector<candidates::Vectors> vectors;
    std::vector<const float*> host;
    for (const Prepared& part : parts_) {
      vectors.push_back({part.columns, part.asked.get(), part.segment.vectors.get()});
      host.push_back(part.segment.data.vectors);
    }
    lists_.rescore(asked_.exactness == flat::Exactness::raw, vectors, host, vectors_.get(), asked_.dimensions, static_cast<candidates::Summing>(asked_.summing), found_.rescored);
  }

  void hand_over() {
    std::vector<FoundRow> rows;
    for (std::uint32_t q = 0; q < asked_.query_count; ++q) {
      rows.clear();
      for (const Candidate& candidate : lists_.download(q)) rows.push_back({candidate.least, candidate.row, candidate.segment, candidate.passage, candidate.similarity});
      if (!rows.empty()) found_.take(found_.context, q, rows.data(), static_cast<std::uint32_t>(rows.size()));
    }
  }

  Device& device_;
  const SearchData& asked_;
  const FoundData& found_;
  CandidateLists lists_;
  Buffer<float> vectors_;
  std::optional<PackedQueries> packed_[2];
  std::vector<Prepared> parts_;
};

}  // namespace

bool multiplies(const Device& device, const Resident& resident) {
  return products::shared_bytes(quantized::panel_rows, resident.tiles) <= device.properties.sharedMemPerBlockOptin;
}

void search(Device& device, const SearchData& asked, const FoundData& found) {
  const std::lock_guard turn(device.one_at_a_time);
  device.use();
  if (asked.query_count == 0 || asked.part_count == 0) return;
  for (std::uint32_t p = 0; p < asked.part_count; ++p) {
    if (!multiplies(device, *asked.parts[p].segment)) throw Refusal(Cause::argument, "Expected vectors whose queries fit the device's shared memory.");
  }
  Search(device, asked, found).run();
}

}  // namespace asof::cuda
