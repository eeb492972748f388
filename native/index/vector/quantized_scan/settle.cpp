// The end of a scan by panels: of the rows that waited, those that can still win are scored by
// their f32 vectors, the ones with the best bounds first, which raises the threshold to where it
// belongs. All queries' rows are read in the order of the file, so that neighbours and rows that
// several queries want come from memory once. See coarse.hpp.
#include <algorithm>
#include <cmath>
#include <utility>

#include "core/threads.hpp"
#include "index/vector/kth_largest.hpp"
#include "index/vector/quantized_scan/coarse.hpp"

namespace asof::vector {

/// The rows of a slot that wait, and those that wait no longer.
struct Coarse::Settling {
  static constexpr std::size_t npos = ~std::size_t{0};
  std::size_t s;
  std::vector<Pending> rows;
  std::vector<Leader> leaders;  // what is known without these rows
  std::vector<Exact> exact;
  std::size_t fresh = 0;     // from here on they are yet to be scored
  std::size_t known = npos;  // exact ones that `best` knows of
  Reach reaching;
  std::vector<std::int32_t> keys;
  double best = -infinity;  // what k rows reach
};

/// What k rows reach by their scores and what else is known, or next to nothing less.
double Coarse::exact_score(Settling& settling) const {
  const std::size_t k = keep_[slots_[settling.s].q];
  if (!repeats(slots_[settling.s])) {
    settling.keys.clear();
    for (const Leader& each : settling.leaders)
      settling.keys.push_back(order_key_below(each.score));
    for (const Exact& each : settling.exact) settling.keys.push_back(order_key_below(each.score));
    return reached(settling.keys, k);
  }
  std::vector<Leader>& leaders = settling.reaching.leaders;
  leaders = settling.leaders;
  for (const Exact& each : settling.exact) {
    if (each.score > -infinity)
      leaders.push_back({name_of(request_, each.segment, each.row), each.score});
  }
  return reached(leaders, k);
}

/// Sets `best` to it.
void Coarse::settle_best(Settling& settling) const {
  if (std::exchange(settling.known, settling.exact.size()) == settling.exact.size()) return;
  settling.best = std::max(settling.best, exact_score(settling));
}

/// What rows reach at best that are to be scored first: what the best k likely score. (It is no
/// bound: whatever reaches the k-th score of these rows is scored next.) Of passages, and where
/// leaders are known, what somewhat more than k reach.
double Coarse::first_most(Settling& settling) const {
  const std::size_t k = keep_[slots_[settling.s].q];
  const bool other = request_.pool || !settling.leaders.empty();
  settling.keys.resize(settling.rows.size());
  for (std::size_t i = 0; i < settling.keys.size(); ++i)
    settling.keys[i] = order_key(other ? settling.rows[i].most : settling.rows[i].likely());
  return reached(settling.keys, other ? k + k / 2 : k);
}

/// Takes the rows that score `most` at best, or more, to be scored; of the others those wait on
/// that reach `useful`. Without a branch: half of them go.
void Coarse::take_reaching(Settling& settling, double most, double useful) const {
  std::vector<Pending>& rows = settling.rows;
  std::size_t chosen = 0, left = 0, first = settling.exact.size();
  for (const Pending& each : rows) chosen += static_cast<double>(each.most) >= most;
  settling.exact.resize(first + chosen + 1);  // one that is written for nothing
  for (const Pending each : rows) {
    const bool taken = static_cast<double>(each.most) >= most;
    settling.exact[first] = {static_cast<std::uint32_t>(settling.s), each.segment, each.row, 0, 0};
    first += taken;
    rows[left] = each;
    left += !taken && static_cast<double>(each.most) >= useful;
  }
  settling.exact.resize(first);
  rows.resize(left);
}

/// Takes rows to be scored; `again`: for the second time.
void Coarse::choose(Settling& settling, bool again) const {
  settling.fresh = settling.exact.size();
  if (request_.exactness != Exactness::certified) {
    if (!again && request_.exactness == Exactness::rescored)
      take_reaching(settling, -infinity, infinity);
  } else if (again) {
    settle_best(settling);
    take_reaching(settling, settling.best, infinity);
  } else {
    settling.best = best_[slots_[settling.s].q].load(std::memory_order_relaxed);
    const double useful =
        std::max(settling.best, guesses_[settling.s].load(std::memory_order_relaxed));
    take_reaching(settling, std::max(first_most(settling), useful), useful);
  }
}

void Coarse::score_rows(std::span<Exact* const> rows) const {
  constexpr std::size_t together = 8,
                        line =
                            16;  // pairs that are multiplied while memory looks for the next ones
  const std::size_t d = request_.dimensions;
  auto vector_of = [&](const Exact& each) {
    return request_.segments[each.segment].rows.vectors.data() + std::size_t{each.row} * d;
  };
  for (std::size_t first = 0; first < rows.size(); first += together) {
    const std::size_t count = std::min(together, rows.size() - first);
    const float* queries[together];
    const float* vectors[together];
    float similarities[together];
    for (std::size_t i = 0; i < count; ++i) {
      const Exact& each = *rows[first + i];
      queries[i] = vector(slots_[each.slot].q);
      vectors[i] = vector_of(each);
      if (first + together + i >= rows.size()) continue;
      const Exact& next = *rows[first + together + i];
      for (std::size_t c = 0; c < d; c += line) __builtin_prefetch(vector_of(next) + c, 0, 2);
      const Exact& later = *rows[std::min(first + 2 * together + i, rows.size() - 1)];
      const Form& form = query(slots_[next.slot].q).form;
      if (form.combine != Combine::none && later.segment == next.segment)
        prefetch_times(form, request_.segments[next.segment].rows, later.row, next.row);
    }
    kernels_.pairs(queries, vectors, count, d, similarities);
    for (std::size_t i = 0; i < count; ++i) {
      Exact& each = *rows[first + i];
      each.similarity = similarities[i];
      const Scored against = scored(slots_[each.slot].q, each.segment);
      const double relevance = against.relevance(each.similarity, each.row);
      const Form& form = against.query.form;
      const bool sums = form.combine == Combine::sum;
      each.score = sums ? against.summed(relevance, recency_of(form, against.rows, each.row).value)
                        : against.score(relevance, each.row);
    }
  }
}

/// Scores the fresh rows of all, in the order of the file, give or take a few places.
void Coarse::score_chosen(std::span<Settling> all, std::size_t width, const Cancel* cancel) {
  constexpr std::size_t places = 4096, piece = 512;
  std::vector<std::size_t> first;  // row of each segment, among all
  std::size_t rows = 0, chosen = 0;
  for (const SearchSegment& segment : request_.segments) {
    first.push_back(rows);
    rows += segment.rows.rows;
  }
  for (const Settling& settling : all) chosen += settling.exact.size() - settling.fresh;
  const std::size_t wide = rows / places + 1;
  auto place_of = [&](const Exact& each) { return (first[each.segment] + each.row) / wide; };
  std::vector<std::uint32_t> begins(places + 1);
  std::vector<Exact*> order(chosen);
  for (Settling& settling : all) {
    for (std::size_t i = settling.fresh; i < settling.exact.size(); ++i)
      begins[place_of(settling.exact[i]) + 1] += 1;
  }
  for (std::size_t place = 0; place < places; ++place) begins[place + 1] += begins[place];
  for (Settling& settling : all) {
    for (std::size_t i = settling.fresh; i < settling.exact.size(); ++i)
      order[begins[place_of(settling.exact[i])]++] = &settling.exact[i];
  }
  parallel_for((chosen + piece - 1) / piece, width, [&](std::size_t p, std::size_t) {
    if (cancel != nullptr) cancel->throw_if_requested();
    score_rows(std::span(order).subspan(p * piece, std::min(piece, chosen - p * piece)));
  });
}

/// Hands over what may be among the best.
void Coarse::conclude(Settling& settling) {
  const std::size_t q = slots_[settling.s].q;
  if (request_.exactness == Exactness::raw) {
    for (const Pending& each : settling.rows) {
      const Scored against = scored(q, each.segment);
      const double relevance = against.relevance(each.least, each.row);
      const Form& form = against.query.form;
      const double value =
          form.combine == Combine::sum
              ? against.summed(relevance, recency_of(form, against.rows, each.row).value)
              : against.score(relevance, each.row);
      settling.exact.push_back(
          {static_cast<std::uint32_t>(settling.s), each.segment, each.row, each.least, value});
    }
  }
  double least = -infinity;
  if (request_.exactness == Exactness::certified) {
    settle_best(settling);
    least = settling.best;
  } else {
    settling.keys.clear();  // of different rows, or passages where they pool
    for (const Exact& each : settling.exact) settling.keys.push_back(order_key_below(each.score));
    least = reached(settling.keys, request_.k);
  }
  std::vector<std::vector<Entry>> entries(request_.segments.size());
  for (auto& each : entries) each.reserve(request_.k + request_.k / 8);
  for (const Exact& each : settling.exact) {
    if (!(each.score >= least)) continue;  // not a number included
    entries[each.segment].push_back({each.score, each.similarity, each.row,
                                     request_.segments[each.segment].rows.row_passage[each.row]});
  }
  for (std::size_t segment = 0; segment < entries.size(); ++segment)
    results_->push(segment, q, entries[segment]);
}

void Coarse::settle(std::span<Settling> all, std::size_t width, const Cancel* cancel) {
  for (const bool again : {false, true}) {
    parallel_for(all.size(), width, [&](std::size_t i, std::size_t) { choose(all[i], again); });
    score_chosen(all, width, cancel);
  }
  parallel_for(all.size(), width, [&](std::size_t i, std::size_t) { conclude(all[i]); });
}

/// Scores the lane's rows of the slot at once; none waits afterwards.
void Coarse::resolve(Lane& lane, std::size_t s) {
  Waiting& waiting = lane.waiting[s];
  Settling one{
      s,        std::move(waiting.rows), std::move(waiting.leaders), {}, 0, Settling::npos, {}, {},
      -infinity};
  settle({&one, 1}, 1, nullptr);
  lane.rescored[s] += static_cast<double>(one.exact.size());
  raise(best_[slots_[s].q], one.best);
  waiting.rows.clear();
  waiting.leaders = std::move(one.leaders);
  for (const Exact& each : one.exact) {
    if (each.score >= one.best)
      waiting.leaders.push_back({name_of(request_, each.segment, each.row), each.score});
  }
  reached(waiting.leaders, keep_[slots_[s].q]);  // no more of them than count
}

void Coarse::finish(const std::vector<Lane*>& lanes, const Cancel& cancel) {
  if (slots_.empty()) return;
  std::vector<Settling> all(slots_.size());
  for (std::size_t s = 0; s < slots_.size(); ++s) {
    const std::size_t q = slots_[s].q;
    all[s].s = s;
    for (Lane* lane : lanes) {
      if (lane->waiting.empty()) continue;
      Waiting& waiting = lane->waiting[s];
      if (all[s].rows.empty())
        all[s].rows = std::move(waiting.rows);
      else
        all[s].rows.insert(all[s].rows.end(), waiting.rows.begin(), waiting.rows.end());
      all[s].leaders.insert(all[s].leaders.end(), waiting.leaders.begin(), waiting.leaders.end());
      std::vector<Pending>().swap(waiting.rows);
      rescored_[q] += lane->rescored[s];
    }
    if (request_.exactness == Exactness::certified) continue;
    raise(best_[q], keep_best(request_, all[s].rows, keep_[q]));
    all[s].best = best_[q].load(std::memory_order_relaxed);
  }
  settle(all, 0, &cancel);
  for (const Settling& each : all) {
    if (request_.exactness != Exactness::raw)
      rescored_[slots_[each.s].q] += static_cast<double>(each.exact.size());
    wrong_[each.s].store(each.best < guesses_[each.s].load(std::memory_order_relaxed),
                         std::memory_order_relaxed);
  }
}

}  // namespace asof::vector
