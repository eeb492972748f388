// Immutable plan of a quantized scan: the slots of a group's queries, their packed vectors and the
// term that all slots share.
#pragma once

#include <memory>
#include <vector>

#include "index/vector/quantized_scan/packed_queries.hpp"
#include "index/vector/selection.hpp"
#include "index/vector/selectivity.hpp"
#include "index/vector/times/normalization.hpp"

namespace asof::vector {

/// A query of the group that is scanned by panels. Its slot is its index in the packed block.
struct QuerySlot {
  std::size_t q = 0;  // in the group
  const Query* query = nullptr;
  const float* vector = nullptr;
  const standardize::Map* normalization = nullptr;  // of additive forms
  WindowSelectivity window;
  std::size_t keep = 0;     // results to keep: k, or several k in rescored scans
  double norm = 0;          // length of the vector, rounded up
  double max_factor = 1;    // upper bound of the temporal factor
  std::size_t recency = 0;  // index in ScanPlan::recency_forms
  bool plain = false;       // score = semantic weight * similarity
  const TopRecencies* top_recencies = nullptr;

  bool adds_recency() const { return query->form.combine == temporal::Combine::sum; }
};

/// A group of queries, lists one a query: [first, first + active.size()) of the request.
struct QueryGroup {
  std::size_t first = 0;
  const std::vector<bool>& active;  // scanned by panels
  const std::vector<WindowSelectivity>& windows;
  const std::vector<std::size_t>& keep;
  const Normalization& normalization;  // final for active additive queries
  std::size_t rows = 0;                // in scope
  std::size_t max_candidates = 0;      // of a slot and thread, before its list is rescored
};

/// A term that the kernel evaluates per row because all slots have it in common.
enum class SharedTerm : std::uint8_t { none, lexical, recency, factor };

class ScanPlan {
 public:
  ScanPlan(const Request& request, const QueryGroup& group);
  /// The plan of some of the slots, for a repeated scan.
  ScanPlan(const ScanPlan& all, const std::vector<std::size_t>& slots);

  const Request& request() const { return *request_; }
  const std::vector<QuerySlot>& slots() const { return slots_; }
  std::size_t size() const { return slots_.size(); }
  const QuerySlot& slot(std::size_t s) const { return slots_[s]; }
  const PackedQueries& packed() const { return *packed_; }

  RowScorer scorer(const QuerySlot& slot, std::size_t segment) const {
    return {*slot.query, request_->segments[segment], segment, *slot.normalization};
  }

  bool certified() const { return request_->exactness == Exactness::certified; }
  /// Distinct forms that slots add, but for their weights.
  const std::vector<temporal::Form>& recency_forms() const { return recency_forms_; }
  SharedTerm shared_term() const { return shared_term_; }
  /// With SharedTerm::factor: the kernel's factor of each row is the row's factor, or exceeds it by
  /// at most 3 millionths if it is not below 2^-8.
  bool exact_factors() const { return exact_factors_; }
  bool plain() const { return plain_; }              // all slots are
  bool lexical() const { return lexical_; }          // some slot has a lexical part
  bool one_product() const { return one_product_; }  // all slots compare one product of a row
  bool one_mask() const { return one_mask_; }        // all slots have the same
  bool packs_on_the_fly() const { return packs_on_the_fly_; }  // no segment has panels
  bool sparse_rows() const { return sparse_rows_; }            // visible rows may be gathered
  std::size_t rows() const { return rows_; }
  std::size_t max_candidates() const { return max_candidates_; }

 private:
  void add_slot(const QueryGroup& group, std::size_t q);
  void sort_by_window();
  void classify();
  void pack();
  bool shares_vector() const;
  bool shares_lexical() const;
  bool shares_recency() const;
  bool shares_factor() const;

  const Request* request_;
  std::size_t rows_, max_candidates_;
  std::vector<QuerySlot> slots_;
  std::vector<temporal::Form> recency_forms_;
  SharedTerm shared_term_ = SharedTerm::none;
  bool exact_factors_ = false, plain_ = false, lexical_ = false, one_product_ = false,
       one_mask_ = true, packs_on_the_fly_ = false, sparse_rows_ = false;
  std::shared_ptr<const PackedQueries> packed_;
};

/// The part of an additive score that does not come from similarity: `constant + factor * recency`,
/// with `mean` as the recency of rows without one.
struct RecencySum {
  double constant, factor, mean;
  RecencySum(const temporal::Form& form, const standardize::Map& map);
};

}  // namespace asof::vector
