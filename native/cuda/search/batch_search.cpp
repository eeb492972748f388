// Setup, pipelined scan and results of a batch. See batch_search.hpp.
#include "cuda/search/batch_search.hpp"

#include <algorithm>

#include "cuda/search/multiply.hpp"

namespace asof::cuda {
namespace {

// Up to this many sample rows are scored by their vectors: cheaper than a scan that all survive.
constexpr std::uint32_t max_seed_rows = 512;
// Reading more bounds than these takes longer than the better threshold saves.
constexpr std::uint32_t max_bound_rows = 16384, bound_memory_share = 16;

std::size_t staging_bytes(const SearchRequest& request) {
  const std::size_t query_bytes =
      request.dimensions * sizeof(float) + CandidateLists::staging_bytes;
  const std::size_t segment_bytes =
      SegmentContext::staging_bytes(request) + sizeof(candidates::Vectors);
  return request.query_count * query_bytes + request.segment_count * segment_bytes +
         sizeof(std::uint32_t);
}

std::size_t staging_slices(const SearchRequest& request) {
  return CandidateLists::staging_slices + SegmentContext::staging_slices * request.segment_count +
         2;
}

}  // namespace

Page whole_segment(const DeviceSegment& segment) {
  return {0,
          segment.rows,
          segment.panels.get(),
          segment.records.get(),
          segment.vectors.get(),
          segment.lengths.get()};
}

BatchSearch::BatchSearch(Device& device, const SearchRequest& request, const ResultSink& sink)
    : device_(device),
      request_(request),
      sink_(sink),
      staging_(device, staging_bytes(request), staging_slices(request)),
      lists_(device, request, staging_),
      vectors_(
          staging_.append(request.vectors, std::size_t(request.query_count) * request.dimensions)) {
  segments_.reserve(request.segment_count);
  for (std::uint32_t s = 0; s < request.segment_count; ++s)
    segments_.emplace_back(device, request, request.segments[s], staging_);
  std::vector<candidates::Vectors> vectors;
  vectors.reserve(segments_.size());
  for (const SegmentContext& each : segments_)
    vectors.push_back({each.columns, each.descriptors, each.segment.vectors.get()});
  exact_ = {staging_.append(vectors.data(), vectors.size()), vectors_, request.dimensions,
            static_cast<Summing>(request.summing)};
  // Without panels every product is exact.
  const bool panels =
      std::any_of(segments_.begin(), segments_.end(),
                  [](const SegmentContext& each) { return each.segment.has_panels(); });
  approximate_ = panels && request.exactness != Exactness::certified;
  staging_.upload();
}

void BatchSearch::run() {
  if (sink_.visible != nullptr) std::fill_n(sink_.visible, request_.mask_count, 0);
  if (sink_.rescored != nullptr) std::fill_n(sink_.rescored, request_.query_count, 0);
  throw_if_stopped();
  for (SegmentContext& each : segments_) each.evaluate_masks();
  if (scan_pipelined() && emit()) return;
  for (std::uint32_t s = 0; s < request_.segment_count; ++s) scan(s);
  if (!approximate_ && has_vectors()) {
    emit();
    return;
  }
  count_visible();
  score_candidates();
  emit_lists();
}

void BatchSearch::throw_if_stopped() const {
  if (request_.stop != nullptr && request_.stop(request_.context))
    throw DeviceError(Cause::aborted, "The search was stopped.");
}

const PackedQueries& BatchSearch::packed(quantized::Storage storage) {
  auto& queries = packed_[static_cast<std::size_t>(storage)];
  if (!queries)
    queries.emplace(device_, storage, vectors_, request_.query_count, request_.dimensions);
  return *queries;
}

const PlainQueries& BatchSearch::plain() {
  if (!plain_) plain_.emplace(device_, request_.vectors, request_.query_count, request_.dimensions);
  return *plain_;
}

void BatchSearch::count_visible() const {
  if (sink_.visible == nullptr) return;
  for (const SegmentContext& each : segments_) each.count_visible(sink_.visible);
}

bool BatchSearch::has_vectors() const {
  return std::all_of(segments_.begin(), segments_.end(), [](const SegmentContext& each) {
    return each.segment.rows == 0 || each.segment.vectors.size() > 0;
  });
}

std::optional<std::vector<BatchSearch::SegmentPass>> BatchSearch::plan() const {
  if (approximate_ || !has_vectors()) return std::nullopt;
  std::vector<SegmentPass> all;
  std::uint64_t known_rows = 0;
  const std::uint32_t max_k = *std::max_element(request_.k, request_.k + request_.query_count);
  for (std::uint32_t s = 0; s < request_.segment_count; ++s) {
    const SegmentContext& context = segments_[s];
    const DeviceSegment& segment = context.segment;
    if (segment.paged()) return std::nullopt;
    const PassPlanInput input{context.columns.first_row,
                              context.columns.last_row,
                              segment.sample.rows,
                              bound_rows(segment, max_k),
                              known_rows,
                              max_k,
                              request_.query_count,
                              std::min(lists_.survivor_capacity(), lists_.capacity()),
                              context.min_visible_share()};
    const std::optional<std::vector<ScanPass>> passes = plan_passes(input);
    if (!passes) return std::nullopt;
    for (const ScanPass& pass : *passes) all.push_back({s, pass});
    known_rows += context.scope();
  }
  return all;
}

std::uint32_t BatchSearch::bound_rows(const DeviceSegment& segment, std::uint32_t max_k) const {
  const std::uint32_t rows = std::min(segment.sample.rows, max_bound_rows);
  const bool fits = std::size_t(rows) * request_.query_count * sizeof(float) <=
                    device_.memory.available() / bound_memory_share;
  const bool useful = rows >= candidates::sample_classes && max_k <= candidates::sample_classes / 8;
  return segment.has_panels() && fits && useful && can_store_bounds(device_, segment.tiles) ? rows
                                                                                            : 0;
}

bool BatchSearch::scan_pipelined() {
  const std::optional<std::vector<SegmentPass>> passes = plan();
  if (!passes) return false;
  auto* overflow = static_cast<std::uint32_t*>(
      device_.flags.reserve((passes->size() + 1) * sizeof(std::uint32_t)));
  std::fill_n(overflow, passes->size() + 1, 0);
  for (std::size_t i = 0; i < passes->size(); ++i) {
    throw_if_stopped();
    run_pass((*passes)[i], (*passes)[std::min(i + 1, passes->size() - 1)].segment, overflow + i);
    pass_done_[i % 2].record(device_.stream);
    if (i == 0) continue;
    pass_done_[(i - 1) % 2].wait();
    if (overflow[i - 1] == 0) continue;
    lists_.clear();
    return false;
  }
  overflow_ = overflow + (passes->empty() ? 0 : passes->size() - 1);
  return true;
}

void BatchSearch::run_pass(const SegmentPass& current, std::uint32_t next,
                           std::uint32_t* overflow) {
  const auto& [s, pass] = current;
  const SegmentContext& context = segments_[s];
  const Sample& sample = context.segment.sample;
  const Page page = pass.sample ? Page{0, sample.rows, sample.panels.get(), sample.records.get()}
                                : whole_segment(context.segment);
  if (pass.stores_bounds) store_sample_bounds(s, pass, page);
  const bool seeds = pass.stores_bounds ||
                     (s == 0 && pass.sample && pass.first == 0 && pass.last <= max_seed_rows);
  const candidates::NextPass next_pass{segments_[next].descriptors,
                                       pass.ends_sample ? s : candidates::no_segment};
  const SurvivorFilter filter = filter_for(s, pass.sample ? sample.groups.get() : nullptr);
  if (seeds) {
    const candidates::SampleBounds bounds{pass.stores_bounds ? sample_bounds_.get() : nullptr,
                                          pass.last};
    return lists_.seed_thresholds(filter, exact_, bounds, next_pass);
  }
  multiply(s, page, {pass.first, pass.last}, pass.sample ? nullptr : context.live_groups.get());
  lists_.merge_survivors(filter, exact_, next_pass, overflow);
}

void BatchSearch::rescore(Scoring scoring) {
  std::vector<candidates::Vectors> vectors;
  std::vector<const float*> host_vectors;
  vectors.reserve(segments_.size());
  host_vectors.reserve(segments_.size());
  for (const SegmentContext& each : segments_) {
    vectors.push_back({each.columns, each.descriptors, each.segment.vectors.get()});
    host_vectors.push_back(each.segment.data.vectors);
  }
  lists_.rescore(scoring, {vectors, host_vectors, request_.dimensions}, vectors_,
                 static_cast<Summing>(request_.summing), sink_.rescored);
}

void BatchSearch::score_candidates() {
  if (!approximate_) {
    rescore(Scoring::exact);
    return lists_.prune();
  }
  rescore(Scoring::bounded);
  lists_.prune();
  lists_.prune_to_k();
  rescore(request_.exactness == Exactness::rescored ? Scoring::rescored : Scoring::raw);
}

bool BatchSearch::emit() {
  const bool all =
      lists_.emit(exact_, [&] { return overflow_ == nullptr || *overflow_ == 0; }, sink_);
  if (overflow_ != nullptr && *overflow_ != 0) {
    overflow_ = nullptr;
    lists_.clear();
    return false;
  }
  count_visible();
  if (!all) emit_lists();
  return true;
}

void BatchSearch::emit_lists() {
  std::vector<Hit> hits;
  for (std::uint32_t q = 0; q < request_.query_count; ++q) {
    hits.clear();
    for (const Candidate& candidate : lists_.download(q)) {
      if (candidate.upper != candidate.upper) continue;  // a score of NaN cannot be a result
      hits.push_back({candidate.lower, candidate.row, candidate.segment, candidate.passage,
                      candidate.similarity});
    }
    if (!hits.empty())
      sink_.emit(sink_.context, q, hits.data(), static_cast<std::uint32_t>(hits.size()));
  }
}

}  // namespace asof::cuda
