// Windows, upper bounds and posting look-ups of block-max MaxScore.
#include "index/lexical/window_search.hpp"

#include <algorithm>
#include <bit>
#include <limits>

namespace asof::lexical {

RowFilter::RowFilter(const VisibleRows& segment, const temporal::Mask& mask)
    : segment_(segment),
      mask_(compile_mask(mask, segment.rows)),
      open_(segment.visible.empty() && !mask_.has_published && !mask_.has_window) {}

bool RowFilter::allows(std::uint32_t row) {
  if (open_) return true;
  std::size_t block = row / block_rows;
  if (block != block_) {
    std::size_t begin = block * block_rows,
                count = std::min(block_rows, segment_.rows.rows - begin);
    bits_ = visible_passages(segment_, begin, count);
    apply_mask(mask_, segment_.rows, begin, count, bits_);
    block_ = block;
  }
  return bits_[row % block_rows / 64] >> (row % 64) & 1;
}

std::uint32_t RowFilter::next_possible(std::uint32_t row, std::uint32_t end) const {
  constexpr std::uint32_t block_rows = asof::block_rows;
  while (row < end && !segment_.may_show(row / block_rows))
    row = (row / block_rows + 1) * block_rows;
  return std::min(row, end);
}

std::uint32_t RowFilter::end_of_possible(std::uint32_t row, std::uint32_t end) const {
  constexpr std::uint32_t block_rows = asof::block_rows;
  while (row < end && segment_.may_show(row / block_rows))
    row = (row / block_rows + 1) * block_rows;
  return std::min(row, end);
}

namespace {

struct Term {
  Cursor cursor;
  double weight = 0;
  double bound = 0;                                                   // of the window
  std::uint32_t bounded = std::numeric_limits<std::uint32_t>::max();  // the block of block_bound
  double block_bound = 0;
};

class RunSearch {
 public:
  RunSearch(const SegmentQuery& query, const Run& run, Collector& collector, WindowScratch& scratch)
      : segment_(query.segment),
        lengths_(query.segment.reader->row_length()),
        norms_(query.norms),
        filter_(query.segment.rows, query.mask),
        run_(run),
        exhaustive_(query.exhaustive),
        collector_(collector),
        scratch_(scratch),
        terms_(query.terms.size()),
        order_(query.terms.size()) {
    const std::span<const WeightedTerm> terms = query.terms;
    for (std::size_t i = 0; i < terms.size(); ++i) {
      terms_[i].cursor = Cursor(*segment_.reader, terms[i].number);
      terms_[i].weight = terms[i].weight;
    }
  }

  void run(const Cancel& cancel) {
    for (std::uint32_t begin = run_.begin; begin < run_.end;) {
      cancel.throw_if_requested();
      // No term has a row before the first possible one.
      std::uint32_t possible = run_.end;
      for (Term& term : terms_) {
        term.cursor.shallow_advance(begin);
        if (!term.cursor.done())
          possible = std::min(possible, std::max(begin, term.cursor.first_possible_row()));
      }
      if (possible >= run_.end) return;
      begin = possible;
      if (filter_.hides_blocks()) {
        begin = filter_.next_possible(possible, run_.end);
        if (begin != possible) continue;  // the terms advance first
      }
      std::uint32_t end = static_cast<std::uint32_t>(
          std::min<std::uint64_t>(run_.end, std::uint64_t{begin} + WindowScratch::rows));
      if (filter_.hides_blocks()) end = filter_.end_of_possible(begin, end);
      window(begin, end);
      begin = end;
    }
  }

 private:
  double bound_of_block(Term& term, std::uint32_t block) {
    if (term.bounded != block) {
      term.block_bound = segment_.reader->bound(block, term.weight, norms_);
      term.bounded = block;
    }
    return term.block_bound;
  }

  double bound_of_window(Term& term, std::uint32_t end) {
    if (term.cursor.done()) return 0;
    double best = 0;
    std::uint32_t from = term.cursor.first_possible_row();
    for (std::uint32_t block = term.cursor.block(); block < term.cursor.end_block() && from < end;
         ++block) {
      best = std::max(best, bound_of_block(term, block));
      from = segment_.reader->last_row(block) + 1;
    }
    return best;
  }

  void window(std::uint32_t begin, std::uint32_t end) {
    double floor = exhaustive_ ? 0 : collector_.floor();
    order_.clear();
    double total = 0;
    for (std::uint32_t i = 0; i < terms_.size(); ++i) {
      if (terms_[i].cursor.done() || terms_[i].cursor.first_possible_row() >= end) continue;
      terms_[i].bound = exhaustive_ ? 0 : bound_of_window(terms_[i], end);
      total += terms_[i].bound;
      order_.push_back(i);
    }
    if (total < floor) return;  // the sum of bounds is exact, see bm25.hpp
    std::sort(order_.begin(), order_.end(),
              [&](std::uint32_t a, std::uint32_t b) { return terms_[a].bound < terms_[b].bound; });
    // The first `optional` terms together cannot lift a row to the floor.
    std::size_t optional = 0;
    double optional_bound = 0;
    while (optional < order_.size() && optional_bound + terms_[order_[optional]].bound < floor)
      optional_bound += terms_[order_[optional++]].bound;
    std::span<const std::uint32_t> lookups(order_.data(), optional);
    if (order_.size() - optional == 1)
      single(terms_[order_[optional]], begin, end, lookups, optional_bound);
    else
      several({order_.data() + optional, order_.size() - optional}, begin, end, lookups,
              optional_bound);
  }

  /// With one essential term, its blocks are skipped one by one.
  void single(Term& term, std::uint32_t begin, std::uint32_t end,
              std::span<const std::uint32_t> lookups, double optional_bound) {
    for (Cursor& cursor = term.cursor; !cursor.done() && cursor.first_possible_row() < end;
         cursor.next_block()) {
      if (!exhaustive_ &&
          bound_of_block(term, cursor.block()) + optional_bound < collector_.floor()) {
        if (cursor.last_row() >= end) return;
        continue;
      }
      auto rows = cursor.rows(), frequencies = cursor.frequencies();
      std::size_t i = static_cast<std::size_t>(std::lower_bound(rows.begin(), rows.end(), begin) -
                                               rows.begin());
      for (; i < rows.size() && rows[i] < end; ++i) {
        consider(rows[i], contribution(term.weight, frequencies[i], norms_(lengths_[rows[i]])),
                 lookups, optional_bound);
      }
      if (rows.back() >= end) return;
    }
  }

  void several(std::span<const std::uint32_t> essential, std::uint32_t begin, std::uint32_t end,
               std::span<const std::uint32_t> lookups, double optional_bound) {
    for (std::uint32_t each : essential) accumulate(terms_[each], begin, end);
    for (std::size_t word = 0; word < scratch_.touched.size(); ++word) {
      std::uint64_t left = scratch_.touched[word];
      scratch_.touched[word] = 0;
      for (; left != 0; left &= left - 1) {
        std::uint32_t at = static_cast<std::uint32_t>(
            word * 64 + static_cast<std::size_t>(std::countr_zero(left)));
        double score = scratch_.scores[at];
        scratch_.scores[at] = 0;
        consider(begin + at, score, lookups, optional_bound);
      }
    }
  }

  void accumulate(Term& term, std::uint32_t begin, std::uint32_t end) {
    for (Cursor& cursor = term.cursor; !cursor.done() && cursor.first_possible_row() < end;
         cursor.next_block()) {
      auto rows = cursor.rows(), frequencies = cursor.frequencies();
      std::size_t i = static_cast<std::size_t>(std::lower_bound(rows.begin(), rows.end(), begin) -
                                               rows.begin());
      for (; i < rows.size() && rows[i] < end; ++i) {
        std::uint32_t at = rows[i] - begin;
        scratch_.scores[at] += contribution(term.weight, frequencies[i], norms_(lengths_[rows[i]]));
        scratch_.touched[at / 64] |= std::uint64_t{1} << (at % 64);
      }
      if (rows.back() >= end) return;
    }
  }

  void consider(std::uint32_t row, double score, std::span<const std::uint32_t> lookups,
                double optional_bound) {
    if (score + optional_bound < collector_.floor() || !filter_.allows(row)) return;
    for (std::size_t i = lookups.size(); i-- > 0;) {
      Term& term = terms_[lookups[i]];
      optional_bound -= term.bound;
      std::uint32_t frequency = term.cursor.frequency_at(row);
      if (frequency > 0) score += contribution(term.weight, frequency, norms_(lengths_[row]));
      if (score + optional_bound < collector_.floor()) return;
    }
    if (score < collector_.floor()) return;
    collector_.offer({score, run_.segment, segment_.rows.rows.row_passage[row], row});
  }

  const SearchSegment& segment_;
  std::span<const std::uint32_t> lengths_;
  const InverseNorms& norms_;
  RowFilter filter_;
  const Run& run_;
  bool exhaustive_;
  Collector& collector_;
  WindowScratch& scratch_;
  std::vector<Term> terms_;
  std::vector<std::uint32_t> order_;
};

}  // namespace

void search_run(const SegmentQuery& query, const Run& run, Collector& collector,
                WindowScratch& scratch, const Cancel& cancel) {
  if (query.terms.empty() || run.begin >= run.end) return;
  RunSearch(query, run, collector, scratch).run(cancel);
}

}  // namespace asof::lexical
