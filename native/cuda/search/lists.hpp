// The lists of a search on its device: their memory, their state between chunks, and what is done
// to all of them at once.
#pragma once

#include <functional>

#include "cuda/device/letter.hpp"
#include "cuda/kernels/candidates/begin.hpp"
#include "cuda/kernels/candidates/rescore.hpp"
#include "cuda/kernels/candidates/settle.hpp"

namespace asof::cuda {

using candidates::Candidate;
using candidates::Scoring;

class CandidateLists {
 public:
  /// What lists begin with goes with the letter.
  CandidateLists(Device& device, const SearchRequest& asked, Letter& letter);

  /// So many queries' lists, and what they send and get, take no more than a part of the memory
  /// that is left, at least one's.
  static std::uint32_t queries_at_once(Device& device, const SearchRequest& asked);
  /// Bytes of a letter that a query needs for its list.
  static constexpr std::size_t letter_bytes = 3 * sizeof(std::uint32_t) + sizeof(double) +
                                              sizeof(float) +
                                              products::count_stride * sizeof(std::uint32_t);
  static constexpr std::size_t letter_things = 7;

  const candidates::Lists& lists() const { return lists_; }
  std::uint32_t room() const { return lists_.room; }
  std::uint32_t queries() const { return queries_; }
  /// How many times the rows so far the next chunk may have: of rows in no order those that pass
  /// the threshold then are a quarter of the room.
  std::uint32_t growth() const { return growth_; }

  /// What each query's threshold asks of similarities in a segment.
  void read_thresholds(const candidates::Asked* asked);
  /// Empties the lists of survivors, and those of candidates too: thresholds stay.
  void clear_survivors();
  void clear();
  /// For a pass of the queries from `first_query` on; and joins what was collected of a chunk to
  /// the lists.
  products::Collecting survivors(std::uint32_t first_query) const;
  void join(const candidates::Joining& joining);
  /// Survivors of a query that find places.
  std::uint32_t survivors_room() const { return survivors_room_; }
  /// Join, keep_best and read_thresholds at once, for chunks without the host: survivors are empty
  /// afterwards, thresholds are read for the segment of `next`. Candidates of the segment `dropped`
  /// leave the lists. The best are scored by their vectors. `missing`, the host's, becomes 1 where
  /// something had no place.
  void settle(const candidates::Joining& joining, const candidates::ExactScores& exact,
              const candidates::Asked* next, std::uint32_t dropped, std::uint32_t* missing);
  /// The same for the first `rows` of a sample, before anything else: of bounds of their products,
  /// or, where `least` is null, by their vectors.
  void begin(const candidates::Joining& joining, const candidates::ExactScores& exact,
             const float* least, std::uint32_t rows, const candidates::Asked* next,
             std::uint32_t dropped);
  /// The counts since the last call, and whether none says that some are missing. Where one does,
  /// those of the last call are put back.
  bool settled();
  /// The most that any list holds.
  std::uint32_t fullest() const;
  void keep_best();
  /// Scores candidates; `vectors` is one a segment, with the host's where the device has none. Adds
  /// how many vectors each query's wanted.
  void rescore(Scoring scoring, const std::vector<candidates::Vectors>& vectors,
               const std::vector<const float*>& host_vectors, const float* queries,
               std::uint32_t dimensions, Summing summing, std::uint64_t* rescored);
  /// Cuts lists by the total order of the host (score, passage, row), each segment for itself: what
  /// bounds cannot, where scores are equal.
  void cut_equals();
  /// Of an approximate search: the best k of each, and of those that are as good as the last the
  /// first k of each segment, as the host cuts them.
  void cut_to_keep();
  std::vector<Candidate> download(std::uint32_t query);
  /// Scores what a certified search left by vectors that are all on the device, cuts once more and
  /// gives all queries' finds in one copy; false where they are too many for that: the counts are
  /// those of lists then, which have their scores. `whole()` is asked when the device is done: what
  /// is not is not given.
  bool give(const candidates::ExactScores& exact, const std::function<bool()>& whole,
            const ResultSink& found);

 private:
  struct Gathered;
  Gathered gather(Scoring scoring, const std::vector<candidates::Vectors>& vectors,
                  const std::vector<const float*>& host_vectors, std::uint32_t dimensions,
                  std::uint64_t* rescored);
  void put_counts();
  void put(std::uint32_t query, const std::vector<Candidate>& kept);

  Device& device_;
  const std::uint32_t queries_;
  const bool pool_;
  std::vector<std::uint32_t> keep_, counts_;
  Buffer<Candidate> list_;
  const std::uint32_t* keep_there_;
  std::uint32_t* survivor_count_;
  Buffer<products::Survivor> survivors_;
  std::uint32_t survivors_room_ = 0;
  Buffer<unsigned long long> table_;
  std::uint32_t table_blocks_ = 0, growth_ = 4, given_room_ = 0;
  candidates::Lists lists_;
};

}  // namespace asof::cuda
