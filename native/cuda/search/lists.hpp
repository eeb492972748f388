// The lists of a search on its device: their memory, their state between chunks, and what is done to all of them at once.
#pragma once

#include <functional>

#include "cuda/device/device.hpp"
#include "cuda/kernels/candidates/rescore.hpp"

namespace asof::cuda {

using candidates::Candidate;
using candidates::Scoring;

class CandidateLists {
 public:
  CandidateLists(Device& device, const SearchData& asked);

  /// So many queries' lists take no more than a part of the memory that is left, at least one's.
  static std::uint32_t queries_at_once(Device& device, const SearchData& asked);

  const candidates::Lists& lists() const { return lists_; }
  std::uint32_t room() const { return lists_.room; }
  std::uint32_t queries() const { return queries_; }
  /// How many times the rows so far the next chunk may have: of rows in no order those that pass the threshold then are a quarter of the room.
  std::uint32_t growth() const { return growth_; }

  /// What each query's threshold asks of similarities in a segment.
  void read_thresholds(const candidates::Asked* asked);
  /// For a pass of the queries from `first_query` on: an empty list of survivors; and joins what was collected there to the lists.
  products::Collecting survivors(std::uint32_t first_query);
  void join(const candidates::Joining& joining, const products::Collecting& survivors);
  /// Survivors that a pass may always have.
  std::uint32_t survivors_room() const { return static_cast<std::uint32_t>(survivors_.size()); }
  /// The counts since the last call, and whether none says that some are missing. Where one does, those of the last call are put back.
  bool settled();
  /// The most that any list holds.
  std::uint32_t fullest() const;
  void keep_best();
  /// Scores candidates; `vectors` is one a segment, with the host's where the device has none. Adds how many vectors each query's wanted.
  void rescore(Scoring scoring, const std::vector<candidates::Vectors>& vectors, const std::vector<const float*>& host_vectors, const float* queries,
               std::uint32_t dimensions, Summing summing, std::uint64_t* rescored);
  /// Cuts lists by the total order of the host (score, passage, row), each segment for itself: what bounds cannot, where scores are equal.
  void cut_equals();
  /// Of an approximate search: the best k of each, and of those that are as good as the last the first k of each segment, as the host cuts them.
  void cut_to_keep();
  std::vector<Candidate> download(std::uint32_t query);

 private:
  struct Gathered;
  Gathered gather(Scoring scoring, const std::vector<candidates::Vectors>& vectors, const std::vector<const float*>& host_vectors, std::uint32_t dimensions,
                  std::uint64_t* rescored);
  void put_counts();
  void put(std::uint32_t query, const std::vector<Candidate>& kept);

  Device& device_;
  const std::uint32_t queries_;
  const bool pool_;
  std::vector<std::uint32_t> keep_, counts_;
  Buffer<Candidate> list_;
  Buffer<std::uint32_t> count_, keep_there_, survivor_count_;
  Buffer<products::Survivor> survivors_;
  Buffer<double> threshold_;
  Buffer<float> least_;
  Buffer<unsigned long long> table_;
  std::uint32_t table_blocks_ = 0, growth_ = 4;
  candidates::Lists lists_;
};

}  // namespace asof::cuda
