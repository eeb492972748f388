// See search.hpp.
#include "cuda/search/search.hpp"

#include <algorithm>

#include "cuda/search/lists.hpp"
#include "cuda/search/multiply.hpp"
#include "cuda/search/pages.hpp"

namespace asof::cuda {
namespace {

using candidates::Asked;
using candidates::Columns;
using candidates::Mask;
using candidates::Reading;

constexpr std::uint32_t group_rows = 64;    // rows are read in groups of so many
constexpr std::uint32_t first_groups = 32;  // all rows survive until a threshold is known

std::uint32_t rounded_up(std::uint32_t value, std::uint32_t to) { return (value + to - 1) / to * to; }

Mask mask_of(const MaskData& data) {
  return {data.has_published != 0, data.has_window != 0, data.relation, data.clock, data.published_until,
          {data.start_floor, data.start_ceil, data.end_floor, data.end_ceil, data.last_ceil}};
}

/// Whether some row in scope may be hidden from some query.
bool hides(const SearchData& search, const Part& part) {
  const auto hiding = [](const MaskData& mask) { return mask.has_published != 0 || mask.has_window != 0; };
  return part.visible != nullptr || std::any_of(part.masks, part.masks + search.mask_count, hiding);
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
  Buffer<unsigned long long> shown, worth;  // none where no row is hidden
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
  if (!hides(search, part)) return;
  shown = device.filled<unsigned long long>(search.mask_count, 0, "counts");
  worth = device.filled<unsigned long long>(rows.rows / 4096 + 1, 0, "bitmaps");
  const dim3 blocks(std::max(1u, rounded_up(rows.rows, candidates::look_rows) / candidates::look_rows));
  check(launch({blocks, candidates::look_threads, 0, device.stream}, candidates::look, columns, masks.get(), search.mask_count, shown.get(), worth.get()), "to look at rows");
}

class Search {
 public:
  Search(Device& device, const SearchData& asked, const FoundData& found)
      : device_(device), asked_(asked), found_(found), lists_(device, asked),
        vectors_(device.uploaded(asked.vectors, std::size_t(asked.query_count) * asked.dimensions, "queries")) {
    // Without panels nothing is approximate.
    const bool panels = std::any_of(asked.parts, asked.parts + asked.part_count, [](const Part& part) { return part.segment->has_panels(); });
    approximate_ = panels && asked.exactness != flat::Exactness::certified;
  }

  void run() {
    if (found_.visible != nullptr) std::fill_n(found_.visible, asked_.mask_count, 0);
    if (found_.rescored != nullptr) std::fill_n(found_.rescored, asked_.query_count, 0);
    for (std::uint32_t p = 0; p < asked_.part_count; ++p) {
      parts_.emplace_back(device_, asked_, asked_.parts[p]);
      scan(p);
      count_visible(parts_.back());
    }
    settle();
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

  const PlainQueries& plain() {
    if (!plain_) plain_.emplace(device_, asked_.vectors, asked_.query_count, asked_.dimensions);
    return *plain_;
  }

  void count_visible(const Prepared& part) {
    if (found_.visible == nullptr) return;
    const candidates::Columns& columns = part.columns;
    std::vector<unsigned long long> shown(asked_.mask_count, columns.last_row > columns.first_row ? columns.last_row - columns.first_row : 0);
    if (part.shown.size() > 0) shown = device_.downloaded(part.shown.get(), asked_.mask_count);
    for (std::uint32_t m = 0; m < asked_.mask_count; ++m) found_.visible[m] += shown[m];
  }

  /// A segment's rows: all of them, or a page after the other.
  void scan(std::uint32_t p) {
    const Prepared& part = parts_[p];
    const Resident& segment = part.segment;
    if (part.columns.last_row <= part.columns.first_row) return;
    lists_.read_thresholds(part.asked.get());
    const std::uint32_t first = part.columns.first_row / group_rows * group_rows, last = part.columns.last_row;
    if (!segment.paged()) {
      const Page all{0, segment.rows, segment.panels.get(), segment.records.get(), segment.vectors.get(), segment.lengths.get()};
      return scan_rows(p, all, first, last);
    }
    Pages pages(device_, segment, first, last);
    while (const std::optional<Page> page = pages.next()) {
      stop_if_asked();
      scan_rows(p, *page, page->first_row, page->last_row);
    }
  }

  /// In chunks that grow while their finds fit the lists, and shrink where they do not: as many rows as a list has places left always fit.
  void scan_rows(std::uint32_t p, const Page& page, std::uint32_t first, std::uint32_t last) {
    std::uint32_t groups = groups_ > 0 ? groups_ : std::min(sure_groups(), first_groups);
    for (std::uint32_t from = first; from < last;) {
      stop_if_asked();
      const std::uint32_t to = static_cast<std::uint32_t>(std::min<std::uint64_t>(last, from + std::uint64_t(groups) * group_rows));
      multiply(p, page, from, to);
      if (!lists_.settled()) {
        groups = std::max(sure_groups(), groups / 4);
        groups_ = 0;
        continue;
      }
      from = to;
      lists_.keep_best();
      if (lists_.room() - lists_.fullest() < group_rows) make_room();
      lists_.read_thresholds(parts_[p].asked.get());
      groups = groups_ = std::min(groups * lists_.growth(), 1u << 22);
    }
  }

  /// So many groups of rows find places for all of their survivors.
  std::uint32_t sure_groups() const {
    const std::uint32_t pairs = lists_.survivors_room() / std::min(asked_.query_count, most_pass_queries);
    return std::max(1u, std::min(lists_.room() - lists_.fullest(), pairs) / group_rows);
  }

  bool approximate() const { return approximate_; }

  /// Bounds could not tell enough rows apart.
  void make_room() {
    rescore(approximate() ? Scoring::bounded : Scoring::exact);
    lists_.keep_best();
    if (approximate()) lists_.cut_to_keep();
    else lists_.cut_equals();
  }

  void multiply(std::uint32_t p, const Page& page, std::uint32_t first, std::uint32_t last) {
    const Resident& segment = parts_[p].segment;
    const std::uint32_t size = segment.has_panels() ? pass_queries(device_, asked_.query_count, segment.tiles) : most_pass_queries;
    for (std::uint32_t q = 0; q < asked_.query_count; q += size) {
      const Prepared& part = parts_[p];
      const Reading reading = approximate() && segment.has_panels() ? Reading::approximate : Reading::certified;
      const products::Collecting survivors = lists_.survivors(q);
      multiply_pass(part, page, first, last, q, std::min(size, asked_.query_count - q), survivors);
      lists_.join({part.columns, part.asked.get(), part.masks.get(), lists_.lists(), static_cast<std::uint16_t>(p), reading}, survivors);
    }
  }

  void multiply_pass(const Prepared& part, const Page& page, std::uint32_t first, std::uint32_t last, std::uint32_t query, std::uint32_t count,
                     const products::Collecting& survivors) {
    const Resident& segment = part.segment;
    const auto* worth = reinterpret_cast<const std::uint64_t*>(part.worth.get());
    const float* least = lists_.lists().least_similarity;
    if (!segment.has_panels()) {
      const products::FloatRows rows{page.vectors, page.lengths, segment.rows, segment.dimensions, page.first_row};
      return multiply_f32(device_, {rows, plain().part(query, count, least), worth, first, last}, survivors);
    }
    constexpr std::uint32_t panel_rows = quantized::panel_rows;
    const products::Rows rows{page.panels, page.records, segment.rows, segment.tiles, page.first_row / panel_rows};
    const products::Pass pass{rows, packed(segment.storage()).part(query, count, least), worth, first / panel_rows, rounded_up(last, panel_rows) / panel_rows, 1, 2};
    if (segment.whole()) multiply_int8(device_, pass, survivors);
    else multiply_bf16(device_, pass, survivors);
  }

  void rescore(Scoring scoring) {
    std::vector<candidates::Vectors> vectors;
    std::vector<const float*> host;
    for (const Prepared& part : parts_) {
      vectors.push_back({part.columns, part.asked.get(), part.segment.vectors.get()});
      host.push_back(part.segment.data.vectors);
    }
    lists_.rescore(scoring, vectors, host, vectors_.get(), asked_.dimensions, static_cast<Summing>(asked_.summing), found_.rescored);
  }

  /// What is left has its exact score afterwards, or the one that was asked for in its place.
  void settle() {
    if (!approximate()) {
      rescore(Scoring::exact);
      return lists_.keep_best();
    }
    rescore(Scoring::bounded);
    lists_.keep_best();
    lists_.cut_to_keep();
    rescore(asked_.exactness == flat::Exactness::rescored ? Scoring::rescored : Scoring::raw);
  }

  void hand_over() {
    std::vector<FoundRow> rows;
    for (std::uint32_t q = 0; q < asked_.query_count; ++q) {
      rows.clear();
      for (const Candidate& candidate : lists_.download(q)) {
        if (candidate.most != candidate.most) continue;  // not a number: it can win nothing
        rows.push_back({candidate.least, candidate.row, candidate.segment, candidate.passage, candidate.similarity});
      }
      if (!rows.empty()) found_.take(found_.context, q, rows.data(), static_cast<std::uint32_t>(rows.size()));
    }
  }

  Device& device_;
  const SearchData& asked_;
  const FoundData& found_;
  CandidateLists lists_;
  Buffer<float> vectors_;
  std::optional<PackedQueries> packed_[2];
  std::optional<PlainQueries> plain_;
  std::vector<Prepared> parts_;
  bool approximate_ = false;
  std::uint32_t groups_ = 0;  // of the latest chunk that fitted: the next page goes on from there
};

/// The queries [first, first + count) of a search.
void search_some(Device& device, const SearchData& asked, const FoundData& found, std::uint32_t first, std::uint32_t count) {
  std::vector<Part> parts(asked.parts, asked.parts + asked.part_count);
  for (Part& part : parts) {
    if (part.lexical != nullptr) part.lexical += first;
    if (part.most_more != nullptr) part.most_more += first;
  }
  SearchData some = asked;
  some.parts = parts.data();
  some.queries += first;
  some.query_count = count;
  some.vectors += std::size_t(first) * asked.dimensions;
  some.keep += first;
  struct Taking {
    const FoundData& found;
    std::uint32_t first;
  } taking{found, first};
  const auto take = [](void* context, std::uint32_t query, const FoundRow* rows, std::uint32_t number) {
    const Taking& to = *static_cast<Taking*>(context);
    to.found.take(to.found.context, to.first + query, rows, number);
  };
  Search(device, some, {take, &taking, found.visible, found.rescored == nullptr ? nullptr : found.rescored + first}).run();
}

}  // namespace

void search(Device& device, const SearchData& asked, const FoundData& found) {
  if (asked.query_count == 0 || asked.part_count == 0) return;
  if (asked.part_count > 65535) throw Refusal(Cause::argument, "Expected at most 65535 segments, received " + std::to_string(asked.part_count) + ".");
  if (!known(static_cast<Summing>(asked.summing))) throw Refusal(Cause::argument, "Expected a way of summing that the library knows, received another.");
  for (std::uint32_t p = 0; p < asked.part_count; ++p) {
    const Resident* segment = asked.parts[p].segment;
    if (segment == nullptr || &segment->device != &device) throw Refusal(Cause::argument, "Expected segments that are resident on the device, received others.");
    if (segment->dimensions != asked.dimensions) {
      throw Refusal(Cause::argument, "Expected queries of " + std::to_string(segment->dimensions) + " dimensions, received " + std::to_string(asked.dimensions) + ".");
    }
  }
  const std::uint32_t most = CandidateLists::queries_at_once(device, asked);
  for (std::uint32_t first = 0; first < asked.query_count; first += most) search_some(device, asked, found, first, std::min(most, asked.query_count - first));
}

}  // namespace asof::cuda
