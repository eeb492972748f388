// See search.hpp.
#include "cuda/search/search.hpp"

#include <algorithm>

#include "cuda/search/lists.hpp"
#include "cuda/search/multiply.hpp"
#include "cuda/search/pages.hpp"
#include "cuda/search/parts.hpp"
#include "cuda/search/stages.hpp"

namespace asof::cuda {
namespace {

using candidates::Joining;
using candidates::Reading;

constexpr std::uint32_t group_rows = 64;    // rows are read in groups of so many
constexpr std::uint32_t first_groups = 32;  // all rows survive until a threshold is known

constexpr std::uint32_t most_begun =
    512;  // so many rows of a sample are scored by their vectors faster than they survive
constexpr std::uint32_t most_laid = 16384,
                        laid_share = 16;  // bounds of more would be read for longer than they save

std::uint32_t rounded_up(std::uint32_t value, std::uint32_t to) {
  return (value + to - 1) / to * to;
}

std::size_t letter_bytes(const SearchRequest& asked) {
  return asked.query_count * (asked.dimensions * sizeof(float) + CandidateLists::letter_bytes) +
         asked.segment_count * (AskedPart::letter_bytes(asked) + sizeof(candidates::Vectors)) +
         sizeof(std::uint32_t);
}

std::size_t letter_things(const SearchRequest& asked) {
  return CandidateLists::letter_things + AskedPart::letter_things * asked.segment_count + 2;
}

/// Two ways to scan. The quick one starts stage after stage and asks the device late whether their
/// survivors found room, while the next stage is under way; the careful one asks after every chunk,
/// and makes room or goes back. What is quick and does not fit is done again with care. So is what
/// needs the host in between: pages, gathered vectors, approximate searches.
class Search {
 public:
  Search(Device& device, const SearchRequest& asked, const ResultSink& found)
      : device_(device),
        asked_(asked),
        found_(found),
        letter_(device, letter_bytes(asked), letter_things(asked)),
        lists_(device, asked, letter_),
        vectors_(letter_.put(asked.vectors, std::size_t(asked.query_count) * asked.dimensions)) {
    for (std::uint32_t p = 0; p < asked.segment_count; ++p)
      parts_.emplace_back(device, asked, asked.segments[p], letter_);
    std::vector<candidates::Vectors> all;
    for (const AskedPart& part : parts_)
      all.push_back({part.columns, part.asked, part.segment.vectors.get()});
    exact_ = {letter_.put(all.data(), all.size()), vectors_, asked.dimensions,
              static_cast<Summing>(asked.summing)};
    // Without panels nothing is approximate.
    const bool panels = std::any_of(parts_.begin(), parts_.end(), [](const AskedPart& part) {
      return part.segment.has_panels();
    });
    approximate_ = panels && asked.exactness != vector::Exactness::certified;
    letter_.send();
  }
  void run() {
    if (found_.visible != nullptr) std::fill_n(found_.visible, asked_.mask_count, 0);
    if (found_.rescored != nullptr) std::fill_n(found_.rescored, asked_.query_count, 0);
    stop_if_asked();
    for (AskedPart& part : parts_) part.look();
    if (scan_quickly() && give()) return;
    for (std::uint32_t p = 0; p < asked_.segment_count; ++p) scan(p);
    if (!approximate() && has_vectors()) {
      give();
      return;
    }
    count_visible();
    settle();
    hand_over();
  }

 private:
  void stop_if_asked() const {
    if (asked_.stop != nullptr && asked_.stop(asked_.context))
      throw Refusal(Cause::aborted, "The search was stopped.");
  }

  const PackedQueries& packed(quantized::Storage storage) {
    auto& known = packed_[static_cast<std::size_t>(storage)];
    if (!known) known.emplace(device_, storage, vectors_, asked_.query_count, asked_.dimensions);
    return *known;
  }

  const PlainQueries& plain() {
    if (!plain_) plain_.emplace(device_, asked_.vectors, asked_.query_count, asked_.dimensions);
    return *plain_;
  }

  void count_visible() const {
    if (found_.visible == nullptr) return;
    for (const AskedPart& part : parts_) part.count_visible(found_.visible);
  }

  static Page whole(const DeviceSegment& segment) {
    return {0,
            segment.rows,
            segment.panels.get(),
            segment.records.get(),
            segment.vectors.get(),
            segment.lengths.get()};
  }

  /// Whether all vectors are on the device.
  bool has_vectors() const {
    return std::all_of(parts_.begin(), parts_.end(), [](const AskedPart& part) {
      return part.segment.rows == 0 || part.segment.vectors.size() > 0;
    });
  }

  struct PartStage {
    std::uint32_t part;
    Stage stage;
  };

  /// The stages of all segments, where they can follow each other quickly.
  std::optional<std::vector<PartStage>> stages() const {
    if (approximate() || !has_vectors()) return std::nullopt;
    std::vector<PartStage> all;
    std::uint64_t known = 0;
    const std::uint32_t keep = *std::max_element(asked_.k, asked_.k + asked_.query_count);
    for (std::uint32_t p = 0; p < asked_.segment_count; ++p) {
      const AskedPart& part = parts_[p];
      const DeviceSegment& segment = part.segment;
      if (segment.paged()) return std::nullopt;
      const StagesAsked asked{part.columns.first_row,
                              part.columns.last_row,
                              segment.sample.rows,
                              laid_rows(segment, keep),
                              known,
                              keep,
                              asked_.query_count,
                              std::min(lists_.survivors_room(), lists_.room()),
                              part.least_share()};
      const std::optional<std::vector<Stage>> own = stages_of(asked);
      if (!own) return std::nullopt;
      for (const Stage& stage : *own) all.push_back({p, stage});
      known += part.scope();
    }
    return all;
  }

  /// Rows of a segment's sample of which bounds may be laid out: no more than tell the k best from
  /// the rest, and have room.
  std::uint32_t laid_rows(const DeviceSegment& segment, std::uint32_t keep) const {
    const std::uint32_t rows = std::min(segment.sample.rows, most_laid);
    const bool fits = std::size_t(rows) * asked_.query_count * sizeof(float) <=
                      device_.memory.left() / laid_share;
    return segment.has_panels() && fits && rows >= candidates::sample_classes &&
                   keep <= candidates::sample_classes / 8 && lays(device_, segment.tiles)
               ? rows
               : 0;
  }

  /// False where something did not fit: lists are empty then, and thresholds hold, since candidates
  /// were missing and not too many. Whether the last stage fits is left to give().
  bool scan_quickly() {
    const std::optional<std::vector<PartStage>> all = stages();
    if (!all) return false;
    std::uint32_t* missing = static_cast<std::uint32_t*>(
        device_.flags.room_for((all->size() + 1) * sizeof(std::uint32_t)));
    std::fill_n(missing, all->size() + 1, 0);
    for (std::size_t done = 0; done < all->size(); ++done) {
      stop_if_asked();
      const auto& [p, stage] = (*all)[done];
      run_stage(p, stage, (*all)[std::min(done + 1, all->size() - 1)].part, missing + done);
      told_[done % 2].record(device_.stream);
      if (done == 0) continue;
      told_[(done - 1) % 2].wait();
      if (missing[done - 1] == 0) continue;
      lists_.clear();
      return false;
    }
    missing_ = missing + (all->empty() ? 0 : all->size() - 1);
    return true;
  }

  /// Hands over what was scanned of a certified search; false where something of the quick way's
  /// last stage did not fit: lists are empty then.
  bool give() {
    const bool all =
        lists_.give(exact_, [&] { return missing_ == nullptr || *missing_ == 0; }, found_);
    if (missing_ != nullptr && *missing_ != 0) {
      missing_ = nullptr;
      lists_.clear();
      return false;
    }
    count_visible();
    if (!all) hand_over();
    return true;
  }

  void run_stage(std::uint32_t p, const Stage& stage, std::uint32_t next, std::uint32_t* missing) {
    const AskedPart& part = parts_[p];
    const Sample& sample = part.segment.sample;
    const std::uint32_t dropped = stage.ends_sample ? p : candidates::no_segment;
    const Page page = stage.sample ? Page{0, sample.rows, sample.panels.get(), sample.records.get()}
                                   : whole(part.segment);
    const Joining joins = joining(p, stage.sample ? sample.groups.get() : nullptr);
    if (stage.laid) {
      laid_ =
          Buffer<float>(device_.memory, std::size_t(asked_.query_count) * stage.last, "a sample");
      each_pass(part.segment, page, {0, stage.last}, nullptr,
                [&](const products::Pass& pass, std::uint32_t query) {
                  const products::Laying laying{laid_.get(), stage.last, query};
                  if (part.segment.whole())
                    lay_int8(device_, pass, laying);
                  else
                    lay_bf16(device_, pass, laying);
                });
    }
    const bool begins =
        stage.laid || (p == 0 && stage.sample && stage.first == 0 && stage.last <= most_begun);
    if (begins)
      return lists_.begin(joins, exact_, stage.laid ? laid_.get() : nullptr, stage.last,
                          parts_[next].asked, dropped);
    multiply(p, page, stage.first, stage.last, stage.sample ? nullptr : part.worth.get());
    lists_.settle(joins, exact_, parts_[next].asked, dropped, missing);
  }

  Joining joining(std::uint32_t p, const std::uint32_t* sampled) const {
    const AskedPart& part = parts_[p];
    const Reading reading =
        approximate() && part.segment.has_panels() ? Reading::approximate : Reading::certified;
    return {part.columns,   part.asked, part.masks,
            lists_.lists(), sampled,    static_cast<std::uint16_t>(p),
            reading};
  }

  /// A segment's rows: all of them, or a page after the other.
  void scan(std::uint32_t p) {
    const AskedPart& part = parts_[p];
    const DeviceSegment& segment = part.segment;
    if (part.scope() == 0) return;
    lists_.read_thresholds(part.asked);
    const std::uint32_t first = part.columns.first_row / group_rows * group_rows,
                        last = part.columns.last_row;
    if (!segment.paged()) return scan_rows(p, whole(segment), first, last);
    Pages pages(device_, segment, first, last);
    while (const std::optional<Page> page = pages.next()) {
      stop_if_asked();
      scan_rows(p, *page, page->first_row, page->last_row);
    }
  }

  /// In chunks that grow while their finds fit the lists, and shrink where they do not: as many
  /// rows as a list has places left always fit.
  void scan_rows(std::uint32_t p, const Page& page, std::uint32_t first, std::uint32_t last) {
    std::uint32_t groups = groups_ > 0 ? groups_ : std::min(sure_groups(), first_groups);
    for (std::uint32_t from = first; from < last;) {
      stop_if_asked();
      const std::uint32_t to = static_cast<std::uint32_t>(
          std::min<std::uint64_t>(last, from + std::uint64_t(groups) * group_rows));
      lists_.clear_survivors();
      multiply(p, page, from, to, parts_[p].worth.get());
      lists_.join(joining(p, nullptr));
      if (!lists_.settled()) {
        groups = std::max(sure_groups(), groups / 4);
        groups_ = 0;
        continue;
      }
      from = to;
      lists_.keep_best();
      if (lists_.room() - lists_.fullest() < group_rows) make_room();
      lists_.read_thresholds(parts_[p].asked);
      groups = groups_ = std::min(groups * lists_.growth(), 1u << 22);
    }
  }

  /// So many groups of rows find places for all of their survivors.
  std::uint32_t sure_groups() const {
    return std::max(
        1u, std::min(lists_.room() - lists_.fullest(), lists_.survivors_room()) / group_rows);
  }

  bool approximate() const { return approximate_; }

  /// Bounds could not tell enough rows apart.
  void make_room() {
    rescore(approximate() ? Scoring::bounded : Scoring::exact);
    lists_.keep_best();
    if (approximate())
      lists_.cut_to_keep();
    else
      lists_.cut_equals();
  }

  struct Range {
    std::uint32_t first, last;
  };

  /// Rows [first, last) of a page, by all queries; `worth` as Pass's.
  void multiply(std::uint32_t p, const Page& page, std::uint32_t first, std::uint32_t last,
                const unsigned long long* worth) {
    const DeviceSegment& segment = parts_[p].segment;
    if (segment.has_panels()) {
      return each_pass(segment, page, {first, last}, worth,
                       [&](const products::Pass& pass, std::uint32_t query) {
                         if (segment.whole())
                           multiply_int8(device_, pass, lists_.survivors(query));
                         else
                           multiply_bf16(device_, pass, lists_.survivors(query));
                       });
    }
    const products::FloatRows rows{page.vectors, page.lengths, page.last_row, segment.dimensions,
                                   page.first_row};
    for (std::uint32_t q = 0; q < asked_.query_count; q += most_pass_queries) {
      const std::uint32_t count = std::min(most_pass_queries, asked_.query_count - q);
      const auto* seen = reinterpret_cast<const std::uint64_t*>(worth);
      multiply_f32(
          device_,
          {rows, plain().part(q, count, lists_.lists().least_similarity), seen, first, last},
          lists_.survivors(q));
    }
  }

  /// The passes over rows of panels that all queries take: start(pass, number of its first query).
  template <typename Start>
  void each_pass(const DeviceSegment& segment, const Page& page, const Range& range,
                 const unsigned long long* worth, Start start) {
    constexpr std::uint32_t panel_rows = quantized::panel_rows;
    const std::uint32_t size = pass_queries(device_, asked_.query_count, segment.tiles),
                        end = rounded_up(range.last, panel_rows) / panel_rows;
    const products::Rows rows{page.panels, page.records, page.last_row, segment.tiles,
                              page.first_row / panel_rows};
    for (std::uint32_t q = 0; q < asked_.query_count; q += size) {
      const std::uint32_t count = std::min(size, asked_.query_count - q);
      const products::Queries queries =
          packed(segment.storage()).part(q, count, lists_.lists().least_similarity);
      start({rows, queries, reinterpret_cast<const std::uint64_t*>(worth), range.first / panel_rows,
             end, 1, 2},
            q);
    }
  }

  void rescore(Scoring scoring) {
    std::vector<candidates::Vectors> vectors;
    std::vector<const float*> host;
    for (const AskedPart& part : parts_) {
      vectors.push_back({part.columns, part.asked, part.segment.vectors.get()});
      host.push_back(part.segment.data.vectors);
    }
    lists_.rescore(scoring, vectors, host, vectors_, asked_.dimensions,
                   static_cast<Summing>(asked_.summing), found_.rescored);
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
    rescore(asked_.exactness == vector::Exactness::rescored ? Scoring::rescored : Scoring::raw);
  }

  void hand_over() {
    std::vector<Hit> rows;
    for (std::uint32_t q = 0; q < asked_.query_count; ++q) {
      rows.clear();
      for (const Candidate& candidate : lists_.download(q)) {
        if (candidate.most != candidate.most) continue;  // not a number: it can win nothing
        rows.push_back({candidate.least, candidate.row, candidate.segment, candidate.passage,
                        candidate.similarity});
      }
      if (!rows.empty())
        found_.emit(found_.context, q, rows.data(), static_cast<std::uint32_t>(rows.size()));
    }
  }

  /// The letter, and what comes and goes, are the device's until it has finished, also of a search
  /// that fails as it begins.
  struct Finishing {
    cudaStream_t stream;
    ~Finishing() { cudaStreamSynchronize(stream); }
  };

  Device& device_;
  const Finishing finishing_{device_.stream};
  const SearchRequest& asked_;
  const ResultSink& found_;
  Letter letter_;
  CandidateLists lists_;
  const float* vectors_;
  candidates::ExactScores exact_;
  Buffer<float> laid_;  // bounds of a sample's products
  Event told_[2];
  std::uint32_t* missing_ =
      nullptr;  // of the quick way's last stage; none where all was scanned with care
  std::optional<PackedQueries> packed_[2];
  std::optional<PlainQueries> plain_;
  std::vector<AskedPart> parts_;
  bool approximate_ = false;
  std::uint32_t groups_ = 0;  // of the latest chunk that fitted: the next page goes on from there
};

/// The queries [first, first + count) of a search.
void search_some(Device& device, const SearchRequest& asked, const ResultSink& found,
                 std::uint32_t first, std::uint32_t count) {
  std::vector<ScopedSegment> parts(asked.segments, asked.segments + asked.segment_count);
  for (ScopedSegment& part : parts) {
    if (part.lexical != nullptr) part.lexical += first;
    if (part.max_addend != nullptr) part.max_addend += first;
  }
  SearchRequest some = asked;
  some.segments = parts.data();
  some.queries += first;
  some.query_count = count;
  some.vectors += std::size_t(first) * asked.dimensions;
  some.k += first;
  struct Taking {
    const ResultSink& found;
    std::uint32_t first;
  } taking{found, first};
  const auto take = [](void* context, std::uint32_t query, const Hit* rows, std::uint32_t number) {
    const Taking& to = *static_cast<Taking*>(context);
    to.found.emit(to.found.context, to.first + query, rows, number);
  };
  Search(
      device, some,
      {take, &taking, found.visible, found.rescored == nullptr ? nullptr : found.rescored + first})
      .run();
}

}  // namespace

void search(Device& device, const SearchRequest& asked, const ResultSink& found) {
  if (asked.query_count == 0 || asked.segment_count == 0) return;
  if (asked.segment_count > 65535)
    throw Refusal(Cause::argument, "Expected at most 65535 segments, received " +
                                       std::to_string(asked.segment_count) + ".");
  if (!known(static_cast<Summing>(asked.summing)))
    throw Refusal(Cause::argument,
                  "Expected a way of summing that the library knows, received another.");
  for (std::uint32_t p = 0; p < asked.segment_count; ++p) {
    const DeviceSegment* segment = asked.segments[p].segment;
    if (segment == nullptr || &segment->device != &device)
      throw Refusal(Cause::argument,
                    "Expected segments that are resident on the device, received others.");
    if (segment->dimensions != asked.dimensions) {
      throw Refusal(Cause::argument, "Expected queries of " + std::to_string(segment->dimensions) +
                                         " dimensions, received " +
                                         std::to_string(asked.dimensions) + ".");
    }
  }
  const std::uint32_t most = CandidateLists::queries_at_once(device, asked);
  for (std::uint32_t first = 0; first < asked.query_count; first += most)
    search_some(device, asked, found, first, std::min(most, asked.query_count - first));
}

}  // namespace asof::cuda
