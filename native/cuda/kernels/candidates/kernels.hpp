// Inputs and launches of the kernels over candidate lists. A kernel is defined in one source only,
// since compiling it takes long.
#pragma once

#include "cuda/kernels/candidates/lists.hpp"
#include "cuda/kernels/products/canonical.hpp"
#include "device/interface.hpp"

namespace asof::cuda::candidates {

/// The vectors of a segment's rows, and its columns.
struct Vectors {
  Columns columns;
  const QueryDescriptor* descriptors;
  const float* rows;  // null: on the host, which gathers those of candidates
};

/// Inputs of exact scores; without segments nothing is scored.
struct ExactScores {
  const Vectors* segments;
  const float* queries;  // d each
  std::uint32_t d;
  Summing summing;
};

/// The next pass: descriptors of its segment, and the segment whose candidates are removed at the
/// end of its sample (else no_segment).
struct NextPass {
  const QueryDescriptor* descriptors;
  std::uint32_t dropped_segment;
};

/// A launch has `blocks` blocks, each of which takes a list after the other.
struct PruneWork {
  Lists lists;
  const std::uint32_t* limits;  // k of each query
  std::uint32_t queries;
  unsigned long long* table;  // slots_of(room) per block: rows of one passage count once; or null
};

struct MergeWork {
  SurvivorFilter filter;
  products::SurvivorCollector survivors;
  ExactScores exact;  // for the k best, so that the next threshold is a score, not a bound
  const std::uint32_t* limits;  // k of each query
  NextPass next;
  std::uint32_t queries;
  unsigned long long* table;  // as in PruneWork
  std::uint32_t* overflow;    // host memory; set if survivors or candidates exceeded a list
};

/// A sample is partitioned into at most sample_classes classes, a multiple of k, and the best row
/// of each is a candidate: few of the k best share a class.
inline constexpr std::uint32_t sample_classes = 1024, classes_per_k = 16;

/// A sample, and lower bounds of its products.
struct SampleBounds {
  const float* lower;  // `rows` per query; null: the rows' f32 vectors are multiplied
  std::uint32_t rows;  // the sample's first rows; at most sample_classes without bounds
};

struct SeedWork {
  SurvivorFilter filter;
  ExactScores exact;
  SampleBounds sample;
  const std::uint32_t* limits;  // k of each query
  NextPass next;
  std::uint32_t queries;
  unsigned long long* table;  // as in PruneWork
};

/// A query's results among all: first, number, and the number of candidates scored for them.
struct EmittedRange {
  std::uint32_t first, count, scored, unused;
};

struct EmitWork {
  Lists lists;
  const std::uint32_t* limits;
  std::uint32_t queries, room;
  std::uint32_t* total;  // of rows, initially 0; above `room` if some are missing
  EmittedRange* ranges;  // one per query
  Hit* rows;
  unsigned long long* table;
};

/// Candidates that are scored, and by what.
///   exact      certified search: those of which bounds are known, by their vectors
///   bounded    approximate search: those that panels cannot represent, rounded as the others are
///   rescored   end of an approximate search: all, by their vectors
///   raw        end of an approximate search: all, by their panels' similarities
enum class Scoring : std::uint8_t { exact, bounded, rescored, raw };

constexpr bool needs_vector(const Candidate& candidate, Scoring scoring) {
  if (scoring == Scoring::raw) return false;
  return scoring == Scoring::rescored ? candidate.kind != ScoreKind::exact
                                      : candidate.kind == ScoreKind::bounded;
}

struct RescoreWork {
  Lists lists;
  Scoring scoring;
  Summing summing;
  const Vectors* segments;
  const float* queries;  // d each
  std::uint32_t d;
  // Vectors gathered by the host: candidate i of query q has vector index[q * index_room + i].
  const float* gathered;
  const std::uint32_t* index;
  std::uint32_t index_room;
};

inline constexpr unsigned rescore_threads = 256;

/// Appends the candidates of a chunk's survivors.
cudaError_t launch_append(const SurvivorFilter& filter,
                          const products::SurvivorCollector& survivors, std::uint32_t queries,
                          cudaStream_t stream);
/// Minimum similarities of a segment's rows from each query's threshold, before its scan.
cudaError_t launch_read_thresholds(const Lists& lists, const QueryDescriptor* descriptors,
                                   std::uint32_t queries, cudaStream_t stream);
cudaError_t launch_prune(const PruneWork& work, unsigned blocks, cudaStream_t stream);
cudaError_t launch_merge(const MergeWork& work, unsigned blocks, cudaStream_t stream);
/// Lists are initially empty.
cudaError_t launch_seed_threshold(const SeedWork& work, unsigned blocks, cudaStream_t stream);
/// Prunes lists of exact scores once more and writes the remaining candidates contiguously.
cudaError_t launch_emit(const EmitWork& work, unsigned blocks, cudaStream_t stream);
/// Sets similarities and scores of candidates. Blocks (x, q) score the list of query q.
cudaError_t launch_rescore(const RescoreWork& work, dim3 blocks, cudaStream_t stream);

}  // namespace asof::cuda::candidates
