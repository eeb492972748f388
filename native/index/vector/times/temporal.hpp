// Temporal values of rows: MRAG's spline (section 4, appendix G), TempRALM's recency (equations 2
// to 4) and decays.
#pragma once

#include <cstdint>

#include "index/vector/request.hpp"
#include "kernels/decay/contract.hpp"
#include "kernels/spline/contract.hpp"
#include "kernels/standardize/contract.hpp"
#include "temporal/row_times.hpp"

namespace asof::vector {

/// The form's value of the row.
///   a spline   the best of its lines in continuous time (a unit of 0) over the row's times;
///              `outside` where it has none
///   a recency  1 / max(days from the end of the row's latest time to `at`, floor_days); NaN where
///              the row has no such time. In double, where the kernel gives floats: seconds between
///              publications of years ago would round away, and the standardisation magnifies them
///   a decay    that of the row's nearest time; `outside` where it has none
temporal::RowTime row_time(const temporal::Form& form, const FlatRows& rows, std::size_t row);

/// Prefetches the times that the form reads of row `next`; of lists, the offset of `row`, too.
void prefetch_times(const temporal::Form& form, const FlatRows& rows, std::size_t row,
                    std::size_t next);

/// Rows [begin, begin + count).
struct RowSpan {
  std::size_t begin, count;
};

struct TimeKernels {
  const spline::Kernels& splines;
  const decay::Kernels& decays;
};

/// Upper bounds of the splines or decays of the rows by kernel, but for the rounding of `outside`
/// of a spline to float; false if a row's time is incomplete or reversed.
bool max_values_of(const temporal::Form& form, const FlatRows& rows, RowSpan span,
                   const TimeKernels& kernels, float* out);

/// Whether those of a spline are exact.
bool one_line_each(const temporal::Form& form);

/// The recencies or decays of the rows [begin, begin + count), for a form that adds them.
void addends_of(const temporal::Form& form, const FlatRows& rows, std::size_t begin,
                std::size_t count, double* values);

/// Cached recencies or decays of one block.
class BlockRecencies {
 public:
  BlockRecencies(const FlatRows& rows, std::size_t begin, std::size_t count)
      : rows_(rows), begin_(begin), count_(count) {}
  const double* of(std::size_t number, const temporal::Form& form) {
    if (number != number_) addends_of(form, rows_, begin_, count_, values_);
    number_ = number;
    return values_;
  }

 private:
  const FlatRows& rows_;
  std::size_t begin_, count_, number_ = ~std::size_t{0};
  double values_[block_rows];
};

/// The recency of rows whose latest time ends at `latest`.
inline double recency_since(const temporal::Form& form, double latest) {
  const double age = (form.at - latest) / spline::day_ms;
  return 1 / (form.floor_days < age ? age : form.floor_days);
}

/// The moments of the recencies of rows counted by instant; exact where all are equal, as those of
/// a block.
standardize::Moments moments_of(std::span<const ClockCounts::Group::Instant> instants,
                                const temporal::Form& form);

/// The moments of a block of doubles; exact where all are equal, so that their deviation is zero.
standardize::Moments moments_of(const double* values, std::size_t count);

}  // namespace asof::vector
