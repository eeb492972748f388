// Search of one batch of queries over the resident segments of a request.
#pragma once

#include <optional>

#include "cuda/search/candidate_lists.hpp"
#include "cuda/search/page_stream.hpp"
#include "cuda/search/pass_plan.hpp"
#include "cuda/search/queries.hpp"
#include "cuda/search/segment_context.hpp"

namespace asof::cuda {

/// A scan runs in one of two modes. The pipelined scan launches pass after pass and checks for an
/// overflow of the candidate lists one pass late, while the next pass runs. The synchronous scan
/// checks after every chunk of rows and prunes the lists or retries. It is the fallback when the
/// pipelined scan overflows, and the only mode where the host takes part: paged segments, vectors
/// gathered from host memory, approximate searches.
class BatchSearch {
 public:
  BatchSearch(Device& device, const SearchRequest& request, const ResultSink& sink);
  void run();

 private:
  struct SegmentPass {
    std::uint32_t segment;
    ScanPass pass;
  };
  struct RowRange {
    std::uint32_t first, last;
  };

  void throw_if_stopped() const;
  const PackedQueries& packed(quantized::Storage storage);
  const PlainQueries& plain();
  void count_visible() const;
  /// Whether the f32 vectors of all segments are in device memory.
  bool has_vectors() const;

  /// The passes over all segments; none if the pipelined scan does not apply.
  std::optional<std::vector<SegmentPass>> plan() const;
  /// Rows of a segment's sample whose score bounds are stored: enough to separate the k best from
  /// the rest, as far as memory allows.
  std::uint32_t bound_rows(const DeviceSegment& segment, std::uint32_t max_k) const;
  /// False after an overflow: the lists are empty then, and their thresholds remain valid lower
  /// bounds, because candidates were missing and none was extra. Overflow of the last pass is
  /// checked by emit().
  bool scan_pipelined();
  void run_pass(const SegmentPass& current, std::uint32_t next, std::uint32_t* overflow);
  void store_sample_bounds(std::uint32_t segment, const ScanPass& pass, const Page& page);

  void scan(std::uint32_t segment);
  /// Scans rows in chunks that grow while their survivors fit the lists and shrink when they do
  /// not; a chunk of as many rows as a list has free slots always fits.
  void scan_rows(std::uint32_t segment, const Page& page, RowRange range);
  /// Row groups whose survivors fit the lists in any case.
  std::uint32_t guaranteed_groups() const;
  /// Shortens the lists where score bounds alone do not separate enough rows.
  void prune_by_scores();

  /// Products of rows of a page and all queries. `live_groups`: as in products::Pass.
  void multiply(std::uint32_t segment, const Page& page, RowRange range,
                const unsigned long long* live_groups);
  template <typename Start>
  void each_query_pass(const DeviceSegment& segment, const Page& page, RowRange range,
                       const unsigned long long* live_groups, Start start);
  candidates::SurvivorFilter filter_for(std::uint32_t segment, const std::uint32_t* sampled) const;

  void rescore(Scoring scoring);
  /// Gives the remaining candidates their final scores.
  void score_candidates();
  /// Emits the results of a certified search; false if the last pass of the pipelined scan
  /// overflowed: the lists are empty then.
  bool emit();
  void emit_lists();

  /// Synchronizes the stream before the buffers are destroyed, also if the constructor throws.
  struct StreamGuard {
    cudaStream_t stream;
    ~StreamGuard() { cudaStreamSynchronize(stream); }
  };

  Device& device_;
  const StreamGuard stream_guard_{device_.stream};
  const SearchRequest& request_;
  const ResultSink& sink_;
  StagingBuffer staging_;
  CandidateLists lists_;
  const float* vectors_;
  candidates::ExactScores exact_;
  Buffer<float> sample_bounds_;
  Event pass_done_[2];
  // Overflow flag of the last pass of a pipelined scan; null after a synchronous scan.
  std::uint32_t* overflow_ = nullptr;
  std::optional<PackedQueries> packed_[2];
  std::optional<PlainQueries> plain_;
  std::vector<SegmentContext> segments_;
  bool approximate_ = false;
  std::uint32_t chunk_groups_ = 0;  // size of the last chunk that fit, continued on the next page
};

/// All rows of a segment that is resident as a whole.
Page whole_segment(const DeviceSegment& segment);

}  // namespace asof::cuda
