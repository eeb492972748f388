// See candidate_lists.hpp.
#include "cuda/search/candidate_lists.hpp"

#include <algorithm>
#include <map>
#include <set>
#include <tuple>

#include "cuda/search/multiply.hpp"

namespace asof::cuda {
namespace {

using candidates::needs_vector;
using candidates::rescore_threads;

// A list holds several times k candidates of every segment.
constexpr std::uint32_t min_capacity = 8192, capacity_per_k = 16;
constexpr std::uint32_t max_table_blocks = 264, max_search_queries = 4096;
constexpr std::size_t lists_share = 3, max_staging_bytes = std::size_t(64) << 20;
// The survivors of the smallest chunk must fit.
constexpr std::size_t min_survivors = 64, survivors_share = 16, survivors_per_slot = 4;

std::uint32_t max_k(const SearchRequest& request) {
  return *std::max_element(request.k, request.k + request.query_count);
}

std::uint32_t list_capacity(const SearchRequest& request) {
  return std::max(min_capacity,
                  std::max(capacity_per_k, 2 * request.segment_count) * max_k(request));
}

/// Capacity for results: k, and the few that an order by bounds cannot separate.
std::uint32_t result_capacity(std::uint32_t max_k) {
  return max_k + max_k / 4 + 8;
}

}  // namespace

std::uint32_t CandidateLists::max_batch_queries(Device& device, const SearchRequest& request) {
  const std::size_t room = list_capacity(request),
                    each = room * (sizeof(Candidate) + sizeof(products::Survivor));
  const std::size_t upload_bytes = request.dimensions * sizeof(float) +
                                   request.segment_count * sizeof(candidates::QueryDescriptor) +
                                   staging_bytes;
  const std::size_t download_bytes =
      result_capacity(max_k(request)) * sizeof(Hit) + sizeof(candidates::EmittedRange);
  const std::size_t fit =
      std::max<std::size_t>(std::min(device.memory.available() / lists_share / each,
                                     max_staging_bytes / std::max(upload_bytes, download_bytes)),
                            1);
  // A multiple of the queries of a pass, if one fits.
  return static_cast<std::uint32_t>(std::min<std::size_t>(
      fit < max_pass_queries ? fit : fit / max_pass_queries * max_pass_queries,
      max_search_queries));
}

CandidateLists::CandidateLists(Device& device, const SearchRequest& request, StagingBuffer& staging)
    : device_(device),
      queries_(request.query_count),
      pool_(request.pool != 0),
      k_(request.k, request.k + queries_),
      counts_(queries_ + 1),
      device_k_(staging.append(k_.data(), queries_)) {
  const std::uint32_t room = list_capacity(request);
  list_ = Buffer<Candidate>(device.memory, std::size_t(queries_) * room, "candidates");
  const auto thresholds = staging.allocate<double>(queries_);
  const auto lower = staging.allocate<float>(queries_);
  for (std::uint32_t q = 0; q < queries_; ++q) {
    constexpr double infinity = std::numeric_limits<double>::infinity();
    thresholds.host[q] = k_[q] == 0 ? infinity : -infinity;  // no row reaches it, or all
    lower.host[q] = static_cast<float>(thresholds.host[q]);
    result_capacity_ += result_capacity(k_[q]);
  }
  growth_ = std::clamp(room / (4 * std::max(1u, max_k(request))), 4u, 64u);
  if (pool_) {
    table_blocks_ = std::min(queries_, max_table_blocks);
    table_ = Buffer<unsigned long long>(
        device.memory, std::size_t(table_blocks_) * candidates::slots_of(room), "candidates");
  }
  const std::size_t fits =
      device.memory.available() / survivors_share / sizeof(products::Survivor) / queries_;
  survivor_capacity_ = static_cast<std::uint32_t>(
      std::clamp<std::size_t>(fits, min_survivors, std::size_t(survivors_per_slot) * room));
  survivors_ = Buffer<products::Survivor>(device.memory, std::size_t(queries_) * survivor_capacity_,
                                          "survivors");
  survivor_count_ =
      staging.append_zeros<std::uint32_t>(std::size_t(queries_) * products::count_stride);
  std::uint32_t* counts = staging.append_zeros<std::uint32_t>(queries_ + 1);
  lists_ = {list_.get(),
            counts,
            thresholds.device,
            lower.device,
            staging.append_zeros<std::uint32_t>(queries_),
            room};
}

void CandidateLists::read_thresholds(const candidates::QueryDescriptor* descriptors) {
  check(candidates::launch_read_thresholds(lists_, descriptors, queries_, device_.stream),
        "to read thresholds");
}

void CandidateLists::clear_survivors() {
  check(cudaMemsetAsync(survivor_count_, 0,
                        std::size_t(queries_) * products::count_stride * sizeof(std::uint32_t),
                        device_.stream),
        "to clear memory");
}

void CandidateLists::clear() {
  clear_survivors();
  check(cudaMemsetAsync(lists_.scored, 0, queries_ * sizeof(std::uint32_t), device_.stream),
        "to clear memory");
  check(cudaMemsetAsync(lists_.count, 0, (queries_ + 1) * sizeof(std::uint32_t), device_.stream),
        "to clear memory");
}

products::SurvivorCollector CandidateLists::survivors(std::uint32_t first_query) const {
  return {survivors_.get(), survivor_count_, survivor_capacity_, first_query};
}

void CandidateLists::append_candidates(const candidates::SurvivorFilter& filter) {
  check(candidates::launch_append(filter, survivors(0), queries_, device_.stream),
        "to join survivors");
}

void CandidateLists::merge_survivors(const SurvivorFilter& filter,
                                     const candidates::ExactScores& exact,
                                     const candidates::NextPass& next, std::uint32_t* overflow) {
  const candidates::MergeWork work{filter, survivors(0), exact,        device_k_,
                                   next,   queries_,     table_.get(), overflow};
  check(candidates::launch_merge(work, prune_blocks(), device_.stream), "to merge survivors");
}

void CandidateLists::seed_thresholds(const SurvivorFilter& filter,
                                     const candidates::ExactScores& exact,
                                     const candidates::SampleBounds& bounds,
                                     const candidates::NextPass& next) {
  const candidates::SeedWork work{filter, exact, bounds, device_k_, next, queries_, table_.get()};
  check(candidates::launch_seed_threshold(work, prune_blocks(), device_.stream),
        "to score a sample");
}

void CandidateLists::upload_counts() {
  device_.upload(lists_.count, counts_.data(), counts_.size() * sizeof(std::uint32_t));
}

bool CandidateLists::sync_counts() {
  std::vector<std::uint32_t> counts = device_.download_copy(lists_.count, queries_ + 1);
  const bool whole =
      counts.back() == 0 && std::all_of(counts.begin(), counts.end(),
                                        [&](std::uint32_t count) { return count <= lists_.room; });
  if (whole)
    counts_ = std::move(counts);
  else
    upload_counts();
  return whole;
}

std::uint32_t CandidateLists::longest_list() const {
  return *std::max_element(counts_.begin(), counts_.end());
}

void CandidateLists::prune() {
  check(candidates::launch_prune({lists_, device_k_, queries_, table_.get()}, prune_blocks(),
                                 device_.stream),
        "to prune candidates");
  sync_counts();
}

std::vector<Candidate> CandidateLists::download(std::uint32_t query) {
  return device_.download_copy(list_.get() + std::size_t(query) * lists_.room, counts_[query]);
}

bool CandidateLists::emit(const candidates::ExactScores& exact, const std::function<bool()>& valid,
                          const ResultSink& sink) {
  const candidates::RescoreWork rescoring{lists_,         Scoring::exact, exact.summing,
                                          exact.segments, exact.queries,  exact.d,
                                          nullptr,        nullptr,        0};
  check(candidates::launch_rescore(rescoring, dim3(4, queries_), device_.stream),
        "to score candidates");
  // Layout: the total, a range per query, the hits.
  const std::size_t head = sizeof(candidates::EmittedRange) * (queries_ + 1),
                    bytes = head + sizeof(Hit) * result_capacity_;
  const Buffer<std::uint8_t> results(device_.memory, bytes, "results");
  check(cudaMemsetAsync(results.get(), 0, bytes, device_.stream), "to clear memory");
  const candidates::EmitWork work{lists_,
                                  device_k_,
                                  queries_,
                                  result_capacity_,
                                  reinterpret_cast<std::uint32_t*>(results.get()),
                                  reinterpret_cast<candidates::EmittedRange*>(results.get()) + 1,
                                  reinterpret_cast<Hit*>(results.get() + head),
                                  table_.get()};
  check(candidates::launch_emit(work, prune_blocks(), device_.stream), "to emit results");
  auto* downloaded = static_cast<std::uint8_t*>(device_.incoming.reserve(bytes));
  check(cudaMemcpyAsync(downloaded, results.get(), bytes, cudaMemcpyDeviceToHost, device_.stream),
        "to send results");
  device_.finish();
  if (!valid()) return false;
  const auto* ranges = reinterpret_cast<const candidates::EmittedRange*>(downloaded) + 1;
  for (std::uint32_t q = 0; q < queries_; ++q) {
    counts_[q] = ranges[q].count;
    if (sink.rescored != nullptr) sink.rescored[q] += ranges[q].scored;
  }
  if (*reinterpret_cast<const std::uint32_t*>(downloaded) > result_capacity_) return false;
  const auto* hits = reinterpret_cast<const Hit*>(downloaded + head);
  for (std::uint32_t q = 0; q < queries_; ++q) {
    if (ranges[q].count > 0) sink.emit(sink.context, q, hits + ranges[q].first, ranges[q].count);
  }
  return true;
}

/// Host-resident vectors of candidates that need them, each row once.
struct CandidateLists::GatheredVectors {
  std::vector<float> rows;
  std::vector<std::uint32_t> index;
};

CandidateLists::GatheredVectors CandidateLists::gather(Scoring scoring,
                                                       const SegmentVectors& vectors,
                                                       std::uint64_t* rescored) {
  GatheredVectors gathered;
  const bool gathers =
      std::any_of(vectors.device.begin(), vectors.device.end(),
                  [](const candidates::Vectors& each) { return each.rows == nullptr; });
  if (scoring == Scoring::raw || (!gathers && rescored == nullptr)) return gathered;
  const std::uint32_t longest = longest_list(), dimensions = vectors.dimensions;
  std::map<std::pair<std::uint32_t, std::uint32_t>, std::uint32_t> numbers;
  if (gathers) gathered.index.resize(std::size_t(queries_) * longest);
  for (std::uint32_t q = 0; q < queries_; ++q) {
    const std::vector<Candidate> list = download(q);
    for (std::uint32_t i = 0; i < list.size(); ++i) {
      if (!needs_vector(list[i], scoring)) continue;
      if (rescored != nullptr) ++rescored[q];
      if (vectors.device[list[i].segment].rows != nullptr) continue;
      const auto [number, added] = numbers.try_emplace({list[i].segment, list[i].row},
                                                       static_cast<std::uint32_t>(numbers.size()));
      const float* row = vectors.host[list[i].segment] + std::size_t(list[i].row) * dimensions;
      if (added) gathered.rows.insert(gathered.rows.end(), row, row + dimensions);
      gathered.index[std::size_t(q) * longest + i] = number->second;
    }
  }
  return gathered;
}

void CandidateLists::rescore(Scoring scoring, const SegmentVectors& vectors, const float* queries,
                             Summing summing, std::uint64_t* rescored) {
  const std::uint32_t longest = longest_list();
  if (longest == 0) return;
  const auto segments =
      device_.upload_copy(vectors.device.data(), vectors.device.size(), "segments");
  const GatheredVectors gathered = gather(scoring, vectors, rescored);
  const auto rows =
      device_.upload_copy(gathered.rows.data(), gathered.rows.size(), "the vectors of candidates");
  const auto index = device_.upload_copy(gathered.index.data(), gathered.index.size(),
                                         "the vectors of candidates");
  const candidates::RescoreWork work{lists_,         scoring,     summing,
                                     segments.get(), queries,     vectors.dimensions,
                                     rows.get(),     index.get(), longest};
  const std::uint32_t groups = rescore_threads / width_of(summing), max_grid_queries = 65535;
  if (queries_ > max_grid_queries)
    throw DeviceError(Cause::argument, "Expected at most 65535 queries, received more.");
  const dim3 blocks(std::min<std::uint32_t>((longest + groups - 1) / groups, 64), queries_);
  check(candidates::launch_rescore(work, blocks, device_.stream), "to score candidates");
  device_.finish();
}

void CandidateLists::upload_list(std::uint32_t query, const std::vector<Candidate>& list) {
  counts_[query] = static_cast<std::uint32_t>(list.size());
  device_.upload(list_.get() + std::size_t(query) * lists_.room, list.data(),
                 list.size() * sizeof(Candidate));
}

void CandidateLists::prune_ties() {
  const auto before = [](const Candidate& a, const Candidate& b) {
    return std::tuple(a.segment, -a.lower, a.passage, a.row) <
           std::tuple(b.segment, -b.lower, b.passage, b.row);
  };
  for (std::uint32_t q = 0; q < queries_; ++q) {
    std::vector<Candidate> list = download(q), retained;
    std::sort(list.begin(), list.end(), before);
    std::uint32_t retained_of_segment = 0;
    std::set<std::uint32_t> passages;
    for (std::size_t i = 0; i < list.size(); ++i) {
      if (i > 0 && list[i].segment != list[i - 1].segment) {
        retained_of_segment = 0;
        passages.clear();
      }
      if (retained_of_segment == k_[q] || (pool_ && !passages.insert(list[i].passage).second))
        continue;
      retained.push_back(list[i]);
      ++retained_of_segment;
    }
    upload_list(q, retained);
  }
  upload_counts();
  device_.finish();
}

void CandidateLists::prune_to_k() {
  for (std::uint32_t q = 0; q < queries_; ++q) {
    std::vector<Candidate> list = download(q);
    std::erase_if(list, [](const Candidate& each) { return each.upper != each.upper; });
    if (pool_) {
      const auto place = [](const Candidate& each) {
        return std::tuple(each.segment, each.passage, -each.lower, each.row);
      };
      std::sort(list.begin(), list.end(),
                [&](const Candidate& a, const Candidate& b) { return place(a) < place(b); });
      const auto same = [](const Candidate& a, const Candidate& b) {
        return a.segment == b.segment && a.passage == b.passage;
      };
      list.erase(std::unique(list.begin(), list.end(), same), list.end());
    }
    if (list.size() > k_[q] && k_[q] > 0) {
      const auto place = [](const Candidate& each) {
        return std::tuple(-each.lower, each.segment, each.passage, each.row);
      };
      std::sort(list.begin(), list.end(),
                [&](const Candidate& a, const Candidate& b) { return place(a) < place(b); });
      const double last = list[k_[q] - 1].lower;
      std::map<std::uint16_t, std::uint32_t> retained;
      std::erase_if(list, [&](const Candidate& each) {
        return each.lower < last || (++retained[each.segment] > k_[q] && each.lower == last);
      });
    }
    upload_list(q, list);
  }
  upload_counts();
  device_.finish();
}

}  // namespace asof::cuda
