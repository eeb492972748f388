// The scan of segments that have panels (index/panels.hpp). A tile's rows are multiplied in few bits, those whose certified bound, with
// the row's own words and time, may still reach the threshold wait, and at the end the best of them by their bounds are scored by their f32
// vectors, as the plain scan scores them, until none that waits can win: results have the bits of the plain scan. It reads no f32
// vector of any other row. `rescored` and `raw` leave the certainty out, and say so.
#pragma once

#include <array>
#include <memory>
#include <optional>

#include "index/flat/finds.hpp"
#include "index/flat/leaders.hpp"
#include "index/flat/select.hpp"
#include "kernels/inner_product/contract.hpp"
#include "kernels/quantized/queries.hpp"

namespace asof::flat {

class Coarse {
 public:
  /// A row that may win: it scores no more than `most`.
  struct Pending {
    double most;
    std::uint32_t segment, row;
  };

  /// What a thread works with; lists are one a slot, which is a query that is scanned by its panels.
  struct Lane {
    struct Known {
      double threshold = -infinity;
      float met = -std::numeric_limits<float>::infinity(), unmet = met;  // the similarities it takes, where a block meets the form's lines or not
    };
    struct RecencySpan {
      double least = infinity, most = -infinity;
      bool none = false;  // some row has none
    };
    std::vector<float> thresholds;
    std::vector<Known> known;
    std::vector<BlockBits> reach;
    std::vector<std::vector<Pending>> pending;
    std::vector<double> rescored;
    std::vector<std::array<double, schema::block_rows>> recencies;  // of the tile, one a distinct recency
    std::vector<RecencySpan> recency_spans;                         // theirs
  };

  /// What the scan knows of a tile: `bits` and `visible` are one a mask, `collectors` one a query.
  struct Tile {
    std::size_t segment, begin, count;
    const std::vector<std::size_t>& mask_of;
    const std::vector<BlockBits>& bits;
    const std::vector<std::size_t>& visible;
    std::vector<Collector>& collectors;
  };

  Coarse(const Request& request, const inner_product::Kernels& kernels, const spline::Kernels& splines)
      : request_(request), kernels_(kernels), splines_(splines) {}

  /// Whether a query may be scanned so, where its segments have panels; `rows` is how many are in scope.
  bool suits(std::size_t query, std::size_t rows) const;

  /// Takes those of the queries [first, first + takes.size()) that `takes` says; of those that sum, `standards` must be known. Lists are one a query.
  void open(std::size_t first, const std::vector<bool>& takes, const std::vector<std::size_t>& keep, const std::vector<standardize::Map>& standards,
            std::atomic<double>* best, Finds& finds, std::size_t waiting_most);

  bool takes(std::size_t q, std::size_t segment) const { return !slots_.empty() && takes_[q] && request_.segments[segment].rows.panels.has_value(); }

  void scan(Lane& lane, const Tile& tile);

  /// Scores what waits in the lanes and hands it to the finds.
  void finish(std::vector<Lane*> lanes, const Cancel& cancel);

  /// Rows whose f32 vectors were read for the query.
  double rescored(std::size_t q) const { return rescored_[q]; }

 private:
  struct Slot {
    std::size_t q;
    Window met;        // the hull of a spline's windows
    double most = 1;   // c, at best
    std::size_t recency = 0;
    double length = 0;  // of the vector
  };
  struct Call;

  const Query& query(std::size_t q) const { return request_.queries[first_ + q]; }
  const float* vector(std::size_t q) const { return request_.vectors.data() + (first_ + q) * request_.dimensions; }
  Scored scored(std::size_t q, std::size_t segment) const { return {query(q), request_.segments[segment], segment, splines_, (*standards_)[q]}; }
  Slot slot_of(std::size_t q);
  void start_from_likely(std::size_t s);
  void prepare(Lane& lane) const;
  BlockBits look_at(Lane& lane, const Tile& tile) const;
  BlockBits reachable(Lane& lane, const Tile& tile, std::size_t s, double threshold, bool met) const;
  void read_recencies(Lane& lane, const Tile& tile) const;
  double most_recency(const Lane& lane, const Slot& slot) const;
  float least_similarity(const Slot& slot, double threshold, bool met, double more) const;
  void read_plainly(Lane& lane, const Tile& tile);
  void multiply(Lane& lane, const Tile& tile, const BlockBits& seen);
  void take(Call& call, const quantized::Candidate& candidate);
  void take_approximately(Call& call, const Scored& scored, const quantized::Candidate& candidate, std::size_t s, std::size_t i);
  void wait(Call& call, std::size_t s, const Pending& pending);
  void raise_threshold(Call& call, std::size_t s);
  void resolve(std::size_t s, std::vector<Pending>& pending, double& rescored, Leaders* leaders, std::atomic<double>& best);
  double score(const Scored& scored, const Lane& lane, const Slot& slot, double similarity, std::size_t row, std::size_t i, double c) const;

  const Request& request_;
  const inner_product::Kernels& kernels_;
  const spline::Kernels& splines_;
  const quantized::Kernels& quantized_ = quantized::kernels();
  std::size_t first_ = 0, waiting_most_ = 0;
  std::vector<bool> takes_;
  std::vector<Slot> slots_;
  std::vector<Form> recencies_;  // distinct, of slots that sum
  std::vector<std::size_t> keep_;
  std::array<std::optional<quantized::QueryBlock>, 2> blocks_;  // by storage, of the slots
  const std::vector<standardize::Map>* standards_ = nullptr;
  std::atomic<double>* best_ = nullptr;
  Finds* finds_ = nullptr;
  std::unique_ptr<Leaders[]> leaders_;  // one a slot
  std::vector<double> rescored_;
};

}  // namespace asof::flat
