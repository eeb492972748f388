// Candidate lists of a batch in device memory, one per query, and the kernels over all of them.
#pragma once

#include <functional>

#include "cuda/device/staging_buffer.hpp"
#include "cuda/kernels/candidates/kernels.hpp"

namespace asof::cuda {

using candidates::Candidate;
using candidates::Scoring;
using candidates::SurvivorFilter;

/// f32 vectors of the segments, on the device where they are resident there, else on the host.
struct SegmentVectors {
  const std::vector<candidates::Vectors>& device;
  const std::vector<const float*>& host;
  std::uint32_t dimensions;
};

class CandidateLists {
 public:
  /// The initial state is part of the staging buffer.
  CandidateLists(Device& device, const SearchRequest& request, StagingBuffer& staging);

  /// Queries of a batch, >= 1: their lists and transfers take a fixed share of the free memory.
  static std::uint32_t max_batch_queries(Device& device, const SearchRequest& request);
  /// Bytes and slices of the staging buffer; bytes are per query.
  static constexpr std::size_t staging_bytes = 3 * sizeof(std::uint32_t) + sizeof(double) +
                                               sizeof(float) +
                                               products::count_stride * sizeof(std::uint32_t);
  static constexpr std::size_t staging_slices = 7;

  const candidates::Lists& lists() const { return lists_; }
  /// Candidates that a list holds.
  std::uint32_t capacity() const { return lists_.room; }
  /// Survivors of a query that a chunk may have.
  std::uint32_t survivor_capacity() const { return survivor_capacity_; }
  /// Factor by which a chunk may grow: of rows in random order, those that then reach the threshold
  /// fill a quarter of a list.
  std::uint32_t growth() const { return growth_; }

  /// Derives the minimum similarity of rows of a segment from each query's threshold.
  void read_thresholds(const candidates::QueryDescriptor* descriptors);
  void clear_survivors();
  /// Empties the lists of survivors and of candidates; thresholds stay.
  void clear();
  /// The destination of survivors of a pass whose first query is `first_query`.
  products::SurvivorCollector survivors(std::uint32_t first_query) const;
  /// Appends the survivors of a chunk to the candidate lists.
  void append_candidates(const SurvivorFilter& filter);
  /// append_candidates, exact scores of the best, prune and read_thresholds in one launch, without
  /// the host. Sets *overflow (host memory) to 1 if a list was full.
  void merge_survivors(const SurvivorFilter& filter, const candidates::ExactScores& exact,
                       const candidates::NextPass& next, std::uint32_t* overflow);
  /// The same for a sample, as the first pass of a search.
  void seed_thresholds(const SurvivorFilter& filter, const candidates::ExactScores& exact,
                       const candidates::SampleBounds& bounds, const candidates::NextPass& next);
  /// Downloads the counts. False if a list overflowed: the previous counts are restored then.
  bool sync_counts();
  std::uint32_t longest_list() const;
  /// Prunes every list by the k-th best lower bound.
  void prune();
  /// Scores candidates by f32 vectors. Adds the number of vectors read to rescored[query].
  void rescore(Scoring scoring, const SegmentVectors& vectors, const float* queries,
               Summing summing, std::uint64_t* rescored);
  /// Prunes by the host's total order (score, passage, row) within each segment, which separates
  /// rows of equal scores.
  void prune_ties();
  /// Prunes the lists of an approximate search as the host does: the k best of each, and of rows
  /// tied with the last the first k of each segment.
  void prune_to_k();
  std::vector<Candidate> download(std::uint32_t query);
  /// Rescores a certified search whose vectors are on the device, prunes once more and emits the
  /// results of all queries in one copy. Nothing is emitted if `valid()`, called after the device
  /// has finished, is false. Returns false, with counts and scores updated, if the results exceed
  /// the copy.
  bool emit(const candidates::ExactScores& exact, const std::function<bool()>& valid,
            const ResultSink& sink);

 private:
  struct GatheredVectors;
  GatheredVectors gather(Scoring scoring, const SegmentVectors& vectors, std::uint64_t* rescored);
  void upload_counts();
  void upload_list(std::uint32_t query, const std::vector<Candidate>& list);
  unsigned prune_blocks() const { return pool_ ? table_blocks_ : queries_; }

  Device& device_;
  const std::uint32_t queries_;
  const bool pool_;
  std::vector<std::uint32_t> k_, counts_;
  Buffer<Candidate> list_;
  const std::uint32_t* device_k_;
  std::uint32_t* survivor_count_;
  Buffer<products::Survivor> survivors_;
  std::uint32_t survivor_capacity_ = 0;
  Buffer<unsigned long long> table_;
  std::uint32_t table_blocks_ = 0, growth_ = 4, result_capacity_ = 0;
  candidates::Lists lists_{};
};

}  // namespace asof::cuda
