// Rescorer: the end of a scan. Candidates that can still be results are scored by their f32
// vectors, best bounds first, which raises the threshold to the k-th best score; then all that
// reach it. Rows of all slots are read in file order, so that each comes from memory once.
#pragma once

#include <span>
#include <vector>

#include "core/cancel.hpp"
#include "index/vector/quantized_scan/candidate_buffer.hpp"
#include "index/vector/results.hpp"
#include "kernels/inner_product/contract.hpp"

namespace asof::vector {

class Rescorer {
 public:
  Rescorer(const BoundInputs& inputs, const inner_product::Kernels& kernels, GroupResults& results)
      : plan_(inputs.plan),
        thresholds_(inputs.thresholds),
        seeds_(inputs.seeds),
        kernels_(kernels),
        results_(results) {}

  /// Scores and removes a list's candidates: those that can be results go to the results and to the
  /// list's hits. Returns the number of scored rows.
  std::size_t resolve(std::size_t s, CandidateList& list) const;

  struct Outcome {
    double kth_score = -infinity;  // of all candidates
    double rescored = 0;
  };
  /// Scores the workers' candidates and hands over the results; one outcome a slot.
  std::vector<Outcome> finish(std::span<CandidateBuffer* const> buffers,
                              const Cancel& cancel) const;

 private:
  struct ExactRow;
  struct Task;

  std::vector<Task> collect(std::span<CandidateBuffer* const> buffers) const;
  void run(std::span<Task> tasks, std::size_t width, const Cancel* cancel) const;
  void choose_first(Task& task) const;
  void choose_rest(Task& task) const;
  void choose(Task& task, double min_upper, double min_rest) const;
  double first_upper(Task& task) const;
  void update_kth_score(Task& task) const;
  void score_chosen(std::span<Task> tasks, std::size_t width, const Cancel* cancel) const;
  void score(std::span<ExactRow* const> rows) const;
  double score(const QuerySlot& slot, const ExactRow& row) const;
  void push_results(Task& task) const;

  const ScanPlan& plan_;
  const ThresholdTracker& thresholds_;
  const ThresholdSeeds& seeds_;
  const inner_product::Kernels& kernels_;
  GroupResults& results_;
};

}  // namespace asof::vector
