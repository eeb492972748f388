// The scan of segments that have panels (index/panels.hpp), or whose panels are made as it goes
// (made.cpp). It filters by few bits and confirms by f32: a tile's rows are multiplied in few bits;
// a row waits where its certified bound, with its own words and time, may still reach the
// threshold; at the end those that wait are scored by their f32 vectors, best bounds first, until
// none left can win. So results have the bits of the plain scan, and no f32 vector of any other row
// is read. `rescored` and `raw` leave the certainty out, and say so.
//
// By step: queries.cpp packs the queries; likely.cpp and guess.cpp set a threshold to begin with;
// coarse.cpp asks a tile, with words.cpp, timed.cpp, recency.cpp and beside.cpp where those count
// in the kernel's own filter; scores.cpp takes the survivors; settle.cpp ends the scan. gather.cpp
// is the way of narrow windows.
#pragma once

#include <array>
#include <memory>
#include <optional>
#include <span>

#include "index/vector/quantized_scan/candidates.hpp"
#include "index/vector/results.hpp"
#include "index/vector/selection.hpp"
#include "index/vector/times/normalization.hpp"
#include "index/vector/window_scan.hpp"
#include "kernels/inner_product/contract.hpp"
#include "kernels/int4/contract.hpp"
#include "kernels/packing/contract.hpp"
#include "kernels/quantized/queries.hpp"

namespace asof::vector {

class Coarse {
 public:
  /// What k rows reach, by their names where some may come twice; to work with.
  struct Reach {
    std::vector<Leader> leaders;
    std::vector<std::int32_t> keys;  // of scores (kth_largest.hpp)
  };

  /// What a thread works with; lists are one a slot, which is a query that is scanned by its
  /// panels.
  struct Lane {
    struct Known {
      double threshold = -infinity, most = 0;
      float least = -std::numeric_limits<float>::infinity();  // the similarity it takes where no
                                                              // row's c is above `most`
    };
    /// Tiles side by side that wait to be multiplied together: kernels want long ranges of panels.
    struct Stretch {
      std::size_t segment = 0, begin = 0, count = 0;
      std::size_t room = 0;         // the rows that it may grow to
      std::vector<BlockBits> bits;  // one a tile: the rows that all slots look at
      std::vector<Collector>* collectors = nullptr;
    };
    /// Panels of rows that have none, as the lane last made them.
    struct Made {
      std::size_t segment = 0, begin = 0, count = 0;  // rows; `begin` is the first of a panel
      LargeVector<std::uint8_t> bytes;
      std::vector<quantized::PanelRecord> records;
    };
    /// Rows here and there that the slots of a mask see, until they are enough to be scored
    /// together.
    struct Gathered {
      std::size_t segment = 0;
      std::vector<std::uint32_t> rows;
      std::vector<std::size_t> slots;
      std::vector<float> queries;  // their vectors
      std::vector<Collector>* collectors = nullptr;
    };
    struct RecencySpan {
      double least = infinity, most = -infinity;
      bool none = false;  // some row has none
    };
    std::vector<float> thresholds;
    std::vector<Known> known;
    std::vector<BlockBits> reach;
    std::vector<Waiting> waiting;
    Reach reaching;
    std::vector<double> rescored;
    std::vector<std::array<double, schema::block_rows>>
        recencies;                              // of the tile, one a distinct recency
    std::vector<RecencySpan> recency_spans;     // theirs
    std::vector<double> factors;                // one a slot: no row of the call has a better c
    std::vector<float> row_factors;             // of a stretch: no c of a row is above it
    std::vector<quantized::PanelRecord> timed;  // its records, times those
    std::vector<float> products;                // of all slots with the rows of a unit
    std::vector<float> peaks;                   // of a sample: `groups_` a slot
    std::vector<float>
        beside;  // of a stretch: its rows' recencies, from the first row of its first panel on
    Made made;
    Stretch stretch;
    std::vector<Gathered> gathered;   // one a mask
    LargeVector<float> side_by_side;  // the vectors of one
  };

  Coarse(const Request& request, const inner_product::Kernels& kernels,
         const spline::Kernels& splines)
      : request_(request), kernels_(kernels), splines_(splines) {}

  /// Whether it is faster for so many queries: instructions of AVX2 and before multiply floats as
  /// fast as narrow numbers, and of several queries each wants all of a row.
  static bool pays(const std::vector<bool>& queries);

  /// Whether rows of segments without panels are read faster by panels that are made on the way,
  /// for a batch of these queries, which come from [first, first + queries.size()): of integers
  /// that the processor multiplies several times as fast as floats, and that tell rows apart.
  static bool makes(const Request& request, std::size_t first, const std::vector<bool>& queries,
                    const inner_product::Kernels& kernels);

  /// Whether a query may be scanned so, where its segments have panels; `rows` is how many are in
  /// scope.
  bool suits(std::size_t query, std::size_t rows) const;

  /// Takes those of the queries [first, first + takes.size()) that `takes` says; of those that sum,
  /// `standards` must be known. Lists are one a query.
  void open(std::size_t first, const std::vector<bool>& takes,
            const std::vector<WindowSelectivity>& selectivities,
            const std::vector<std::size_t>& keep, const Normalization& normalization,
            std::atomic<double>* best, GroupResults& results, std::size_t waiting_most,
            std::size_t rows);

  /// Whether some slots would gain from a sample of the tiles, every sample_step-th, scanned before
  /// the others: what its best rows score is guessed to be less than what a winner does.
  static constexpr std::size_t sample_step = 16;
  bool samples() const { return sampling_; }
  /// After the sample, which these lanes scanned: sets the guesses.
  void stop_sampling(const std::vector<Lane*>& lanes);

  /// Whether all slots do, and their scores are what panels give: then the sample is units of rows,
  /// from a pass of its own over all tiles in which nothing waits.
  bool samples_units() const { return unit_step_ > 0; }
  /// After that pass, by these lanes: sets the guesses.
  void stop_sampling_units(const std::vector<Lane*>& lanes);

  /// After `finish`: whether a guess was wrong, so that winners may be missing. Then the slots are
  /// those of such queries alone, which know no guess, and have to be scanned again.
  bool missed();

  /// Of a segment without panels where none has any: makes() was asked.
  bool reads(std::size_t segment) const {
    return (makes_ && !slots_.empty()) || request_.segments[segment].rows.panels.has_value();
  }
  bool takes(std::size_t q, std::size_t segment) const {
    return !slots_.empty() && takes_[q] && reads(segment);
  }

  /// Scans the tile, now or with those beside it; `flush` scans what the lane has left for later.
  void scan(Lane& lane, const Tile& tile);
  void flush(Lane& lane) {
    flush_stretch(lane);
    score_gathered(lane);
  }

  /// Scores what waits in the lanes and hands it to the finds.
  void finish(const std::vector<Lane*>& lanes, const Cancel& cancel);

  /// Rows whose f32 vectors were read for the query.
  double rescored(std::size_t q) const { return rescored_[q]; }

 private:
  struct Slot {
    std::size_t q;
    double most = 1;  // c, at best
    std::size_t recency = 0;
    double length = 0;   // of the vector
    bool plain = false;  // its score is its similarity times its weight
    bool guesses = false;
    std::vector<Leader> likely;
    const Leading* leading = nullptr;
    double others = infinity;  // rows of greater recencies were scored before the scan
    bool done = false;         // no other row can win

    bool leads(double recency) const { return recency > others; }
    double capped(double recency) const { return leads(recency) ? others : recency; }
  };
  /// A row that is scored by its f32 vector, and what it scores.
  struct Exact {
    std::uint32_t slot, segment, row;
    float similarity;
    double score;
  };
  /// Recencies by tick, of a segment whose rows have one time each in few ticks; then that of rows
  /// without a time, and what none exceeds.
  struct Ticks {
    std::int32_t first = 0;
    std::vector<float> recencies;
  };
  struct Settling;
  struct Call;
  static constexpr std::size_t unit_panels = 2, unit_rows = unit_panels * quantized::panel_rows;

  const Query& query(std::size_t q) const { return request_.queries[first_ + q]; }
  const float* vector(std::size_t q) const {
    return request_.vectors.data() + (first_ + q) * request_.dimensions;
  }
  Scored scored(std::size_t q, std::size_t segment) const {
    return {query(q), request_.segments[segment], segment, normalization_->maps()[q]};
  }
  Slot slot_of(std::size_t q);
  void open_slots();
  void pack_queries();
  void open_planes(const SearchSegment& segment, std::span<const float> vectors);
  void open_guesses();
  void open_units();
  void sample(const Call& call, const quantized::Rows& given, const quantized::Queries& queries,
              const std::uint64_t* seen);
  std::size_t rank_within(double share) const;
  double threshold_of(std::size_t s) const;
  std::vector<Place> likeliest(const Slot& slot) const;
  void start_from_likely(Slot& slot);
  void start_from_leading();
  void start_from_leading(std::size_t first, std::size_t count);
  void score_leading(std::size_t first, std::size_t count, std::span<const Leading::Row> rows);
  double least_recency(const Slot& slot) const;
  void leave_unreachable(Lane& lane, std::size_t segment, std::size_t begin,
                         std::size_t count) const;
  void prepare(Lane& lane) const;
  quantized::Rows panels_of(Lane& lane, std::size_t segment, std::size_t begin,
                            std::size_t count) const;
  std::size_t most_stretch() const;
  BlockBits look_at(Lane& lane, const Tile& tile) const;
  BlockBits reachable(Lane& lane, const Tile& tile, std::size_t s, double threshold) const;
  float longest_row(const Tile& tile) const;
  float least_words(const Slot& slot, const Tile& tile, double threshold, double factor) const;
  BlockBits worded(const Tile& tile) const;
  void read_recencies(Lane& lane, const Tile& tile) const;
  double most_recency(const Lane& lane, const Slot& slot) const;
  double most_recency(const FlatRows& rows, std::size_t begin, std::size_t count,
                      const Slot& slot) const;
  float least_similarity(const Slot& slot, double threshold, double most, double more) const;
  float least_without_more(Lane& lane, std::size_t s, double threshold) const;
  bool stretches(const Tile& tile) const;
  bool may_gather() const;
  bool gather(Lane& lane, const Tile& tile);
  void score_gathered(Lane& lane);
  void score_gathered(Lane& lane, Lane::Gathered& own);
  bool share_words() const;
  bool share_recency() const;
  void open_beside();
  float least_beside(std::size_t s, double threshold) const;
  void open_ticks(const FlatRows& rows, Ticks& ticks) const;
  void read_beside(std::size_t segment, std::size_t begin, std::size_t count, float* out) const;
  void look_beside(Lane& lane, std::size_t segment, std::size_t begin, std::size_t count) const;
  double most_recency_beside(const FlatRows& rows, std::size_t begin, std::size_t count) const;
  const float* beside_of(const Call& call) const;
  void sample_beside(std::size_t segment, std::size_t row, std::size_t s, float* products,
                     float* recencies) const;
  bool time_decides() const;
  bool have_one_spline() const;
  bool time_records(Call& call, std::size_t begin, std::size_t count);
  void flush_stretch(Lane& lane);
  void scan_now(Lane& lane, const Tile& tile);
  std::size_t rows_wanted(const Lane& lane, const Tile& tile) const;
  void read_plainly(Lane& lane, const Tile& tile);
  void multiply(Call& call, std::size_t begin, std::size_t count, const std::uint64_t* seen);
  void multiply_planes(const Call& call, const int4::Rows& rows, std::size_t first,
                       std::size_t count, const quantized::Scan& scan) const;
  void take(Call& call, const quantized::Candidate& candidate);
  void take_plain(Call& call, std::span<const quantized::Candidate> candidates);
  void take_approximately(Call& call, const Scored& scored, const quantized::Candidate& candidate,
                          std::size_t s, std::size_t row);
  void wait(Call& call, std::size_t s, const Pending& pending);
  void cut(Lane& lane, std::size_t s);
  void raise_threshold(Call& call, std::size_t s);
  bool repeats(const Slot& slot) const { return request_.pool || !slot.likely.empty(); }
  void guess_from(Reach& reach, std::size_t s, std::span<const Pending> rows) const;
  double certain_score(Reach& reach, std::size_t s, std::span<const Pending> rows,
                       std::span<const Leader> leaders) const;
  double exact_score(Settling& settling) const;
  void resolve(Lane& lane, std::size_t s);
  void settle(std::span<Settling> all, std::size_t width, const Cancel* cancel);
  void choose(Settling& settling, bool again) const;
  double first_most(Settling& settling) const;
  void take_reaching(Settling& settling, double most, double useful) const;
  void settle_best(Settling& settling) const;
  void score_chosen(std::span<Settling> all, std::size_t width, const Cancel* cancel);
  void score_rows(std::span<Exact* const> rows) const;
  void conclude(Settling& settling);
  double time_of(const Call& call, const Scored& scored, std::size_t s, std::size_t row) const;

  const Request& request_;
  const inner_product::Kernels& kernels_;
  const spline::Kernels& splines_;
  const quantized::Kernels& quantized_ = quantized::kernels();
  const int4::Kernels& nibbles_ = int4::kernels();
  const packing::Kernels& packing_ = packing::kernels();
  std::size_t first_ = 0, waiting_most_ = 0;
  std::vector<bool> takes_;
  std::vector<WindowSelectivity> selectivities_;  // one a query
  std::vector<Slot> slots_;
  std::vector<Form> recencies_;  // distinct, of slots that sum
  bool makes_ = false;           // panels: no segment has any
  bool words_ = false;           // some slot weighs words
  bool shared_words_ = false;    // all slots the same ones alike, and few enough: the kernel adds
                                 // them to the products of rows
  bool shared_recency_ = false;  // all slots sum with the same recency: it lies beside products
  std::vector<float> beside_weights_;  // one a slot, of words or recencies that they share
  double most_beside_ = 0;             // rows of greater recencies were scored before
  double none_beside_ = 0;             // what rows without one have
  std::vector<Ticks> ticks_beside_;    // one a segment; empty where they are worked out row by row
  bool plain_ = false;                 // all slots are
  bool one_mask_ = false;              // all slots have the same
  bool gathers_ = false;               // tiles of few visible rows: no slot sums or weighs words
  bool all_done_ = false;              // slots
  bool one_spline_ =
      false;  // several slots have the same, nothing else, and no c below 0 or above 2
  bool exact_spline_ = false;  // what the kernel makes of its line is each row's c
  double longest_ = 0;         // row, where rows lead; infinite where some segment has no panels
  std::vector<std::size_t> keep_;
  std::array<std::optional<quantized::QueryBlock>, 2> blocks_;  // by storage, of the slots
  std::vector<float>
      no_error_;  // of inexact scans: alphas, then betas, in place of the blocks' own
  std::optional<int4::QueryBlock> nibble_block_;  // of the slots, where a segment is int4
  std::vector<int4::Shifts> shifts_;              // one a segment, of its centre
  const Normalization* normalization_ = nullptr;
  std::atomic<double>* best_ = nullptr;
  GroupResults* results_ = nullptr;
  std::size_t rows_ = 0;
  bool sampling_ = false;
  std::size_t sample_rank_ = 0;  // the best rows of the sample that a guess leaves above it
  std::size_t unit_step_ = 0;    // of units, every so manyth is sampled, while that lasts
  std::size_t expected_ = 0;     // rows that wait for a slot, more or less
  std::size_t groups_ = 0;       // peaks a slot; 0 where no units were sampled
  std::unique_ptr<std::atomic<double>[]> guesses_;  // one a slot
  std::unique_ptr<std::atomic<bool>[]> wrong_;      // one a slot
  std::vector<double> rescored_;
};

}  // namespace asof::vector
