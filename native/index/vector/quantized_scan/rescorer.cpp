// Choice of candidates by their bounds, and their f32 scores.
#include "index/vector/quantized_scan/rescorer.hpp"

#include <algorithm>
#include <utility>

#include "core/threads.hpp"
#include "index/vector/kth_largest.hpp"

namespace asof::vector {

/// A row that is scored by its f32 vector.
struct Rescorer::ExactRow {
  std::uint32_t slot, segment, row;
  float similarity;
  double score;
};

/// The candidates of a slot, and those chosen to be scored.
struct Rescorer::Task {
  static constexpr std::size_t none = ~std::size_t{0};
  std::size_t s = 0;
  CandidateList list;
  std::vector<ExactRow> exact;
  std::size_t fresh = 0;            // exact[fresh] and on are chosen, and not yet scored
  std::size_t scored_count = none;  // exact rows that kth_score includes
  double kth_score = -infinity;
  // Work space.
  std::vector<BoundedHit> hits;
  std::vector<std::int32_t> keys;
};

/// Raises the task's k-th best score by its exact rows and hits, rounded down.
void Rescorer::update_kth_score(Task& task) const {
  if (std::exchange(task.scored_count, task.exact.size()) == task.exact.size()) return;
  const std::size_t k = plan_.slot(task.s).keep;
  double score;
  if (seeds_.distinct(task.s)) {
    task.keys.clear();
    for (const BoundedHit& each : task.list.hits) task.keys.push_back(order_key_below(each.score));
    for (const ExactRow& each : task.exact) task.keys.push_back(order_key_below(each.score));
    score = kth_largest_or_none(task.keys, k);
  } else {
    task.hits = task.list.hits;
    for (const ExactRow& each : task.exact) {
      if (each.score > -infinity)
        task.hits.push_back({hit_key(plan_.request(), each.segment, each.row), each.score});
    }
    score = vector::kth_score(task.hits, k);
  }
  task.kth_score = std::max(task.kth_score, score);
}

/// The least upper bound of rows that are scored first: the probable score of the best k rows;
/// with passages and hits, the upper bound that somewhat more than k rows reach. It need not be
/// exact: all rows that reach the resulting k-th score are scored next.
double Rescorer::first_upper(Task& task) const {
  const std::size_t k = plan_.slot(task.s).keep;
  const bool repeats = plan_.request().pool || !task.list.hits.empty();
  const std::vector<Candidate>& rows = task.list.rows;
  task.keys.resize(rows.size());
  for (std::size_t i = 0; i < rows.size(); ++i)
    task.keys[i] = order_key(repeats ? rows[i].upper : rows[i].estimate());
  return kth_largest_or_none(task.keys, repeats ? k + k / 2 : k);
}

/// Chooses the rows with an upper bound of at least `min_upper`; the list keeps others of at
/// least `min_rest`. Without branches, which would be unpredictable.
void Rescorer::choose(Task& task, double min_upper, double min_rest) const {
  std::vector<Candidate>& rows = task.list.rows;
  std::size_t chosen = 0, count = 0, next = task.exact.size();
  for (const Candidate& each : rows) chosen += static_cast<double>(each.upper) >= min_upper;
  task.exact.resize(next + chosen + 1);  // the last is a scratch entry
  for (const Candidate each : rows) {
    const bool take = static_cast<double>(each.upper) >= min_upper;
    task.exact[next] = {static_cast<std::uint32_t>(task.s), each.segment, each.row, 0, 0};
    next += take;
    rows[count] = each;
    count += !take && static_cast<double>(each.upper) >= min_rest;
  }
  task.exact.resize(next);
  rows.resize(count);
}

void Rescorer::choose_first(Task& task) const {
  task.fresh = task.exact.size();
  if (!plan_.certified()) {
    if (plan_.request().exactness == Exactness::rescored) choose(task, -infinity, infinity);
    return;
  }
  task.kth_score = thresholds_.kth_bound(task.s);
  const double useful = std::max(task.kth_score, thresholds_.estimate(task.s));
  choose(task, std::max(first_upper(task), useful), useful);
}

void Rescorer::choose_rest(Task& task) const {
  task.fresh = task.exact.size();
  if (!plan_.certified()) return;
  update_kth_score(task);
  choose(task, task.kth_score, infinity);
}

double Rescorer::score(const QuerySlot& slot, const ExactRow& row) const {
  const RowScorer scorer = plan_.scorer(slot, row.segment);
  return scorer.score(scorer.relevance(row.similarity, row.row), row.row);
}

void Rescorer::score(std::span<ExactRow* const> rows) const {
  constexpr std::size_t batch_size = 8,
                        line = 16;  // pairs multiplied while the next are prefetched
  const std::size_t d = plan_.request().dimensions;
  auto rows_of = [&](const ExactRow& each) -> const FlatRows& {
    return plan_.request().segments[each.segment].rows;
  };
  for (std::size_t first = 0; first < rows.size(); first += batch_size) {
    const std::size_t count = std::min(batch_size, rows.size() - first);
    const float* queries[batch_size];
    const float* vectors[batch_size];
    float similarities[batch_size];
    for (std::size_t i = 0; i < count; ++i) {
      const ExactRow& each = *rows[first + i];
      queries[i] = plan_.slot(each.slot).vector;
      vectors[i] = rows_of(each).vectors_at(each.row);
      if (first + batch_size + i >= rows.size()) continue;
      const ExactRow& next = *rows[first + batch_size + i];
      const float* vector = rows_of(next).vectors.address(std::size_t{next.row} * d);
      for (std::size_t c = 0; c < d; c += line) __builtin_prefetch(vector + c, 0, 2);
      const ExactRow& later = *rows[std::min(first + 2 * batch_size + i, rows.size() - 1)];
      const temporal::Form& form = plan_.slot(next.slot).query->form;
      if (form.combine != temporal::Combine::none && later.segment == next.segment)
        prefetch_times(form, rows_of(next), later.row, next.row);
    }
    kernels_.pairs(queries, vectors, count, d, similarities);
    for (std::size_t i = 0; i < count; ++i) {
      ExactRow& each = *rows[first + i];
      each.similarity = similarities[i];
      each.score = score(plan_.slot(each.slot), each);
    }
  }
}

/// Scores the chosen rows of all tasks in approximate file order.
void Rescorer::score_chosen(std::span<Task> tasks, std::size_t width, const Cancel* cancel) const {
  constexpr std::size_t buckets = 4096, piece = 512;
  std::vector<std::size_t> first;  // row of each segment in all rows
  std::size_t rows = 0, chosen = 0;
  for (const VisibleRows& segment : plan_.request().segments) {
    first.push_back(rows);
    rows += segment.rows.rows;
  }
  for (const Task& task : tasks) chosen += task.exact.size() - task.fresh;
  const std::size_t bucket_rows = rows / buckets + 1;
  auto bucket_of = [&](const ExactRow& each) {
    return (first[each.segment] + each.row) / bucket_rows;
  };
  std::vector<std::uint32_t> begins(buckets + 1);
  std::vector<ExactRow*> order(chosen);
  for (Task& task : tasks) {
    for (std::size_t i = task.fresh; i < task.exact.size(); ++i)
      begins[bucket_of(task.exact[i]) + 1] += 1;
  }
  for (std::size_t bucket = 0; bucket < buckets; ++bucket) begins[bucket + 1] += begins[bucket];
  for (Task& task : tasks) {
    for (std::size_t i = task.fresh; i < task.exact.size(); ++i)
      order[begins[bucket_of(task.exact[i])]++] = &task.exact[i];
  }
  parallel_for((chosen + piece - 1) / piece, width, [&](std::size_t p, std::size_t) {
    if (cancel != nullptr) cancel->throw_if_requested();
    score(std::span(order).subspan(p * piece, std::min(piece, chosen - p * piece)));
  });
}

void Rescorer::push_results(Task& task) const {
  if (plan_.request().exactness == Exactness::raw) {
    for (const Candidate& each : task.list.rows) {
      ExactRow& row = task.exact.emplace_back(
          ExactRow{static_cast<std::uint32_t>(task.s), each.segment, each.row, each.lower, 0});
      row.score = score(plan_.slot(task.s), row);
    }
  }
  double min_score;
  if (plan_.certified()) {
    update_kth_score(task);
    min_score = task.kth_score;
  } else {
    task.keys.clear();  // distinct rows, or passages where results pool
    for (const ExactRow& each : task.exact) task.keys.push_back(order_key_below(each.score));
    min_score = kth_largest_or_none(task.keys, plan_.request().k);
  }
  const auto& segments = plan_.request().segments;
  std::vector<std::vector<Entry>> entries(segments.size());
  for (auto& each : entries) each.reserve(plan_.request().k + plan_.request().k / 8);
  for (const ExactRow& each : task.exact) {
    if (!(each.score >= min_score)) continue;  // nor NaN
    entries[each.segment].push_back(
        {each.score, each.similarity, each.row, segments[each.segment].rows.row_passage[each.row]});
  }
  for (std::size_t segment = 0; segment < entries.size(); ++segment)
    results_.push(segment, plan_.slot(task.s).q, entries[segment]);
}

void Rescorer::run(std::span<Task> tasks, std::size_t width, const Cancel* cancel) const {
  parallel_for(tasks.size(), width, [&](std::size_t i, std::size_t) { choose_first(tasks[i]); });
  score_chosen(tasks, width, cancel);
  parallel_for(tasks.size(), width, [&](std::size_t i, std::size_t) { choose_rest(tasks[i]); });
  score_chosen(tasks, width, cancel);
  parallel_for(tasks.size(), width, [&](std::size_t i, std::size_t) { push_results(tasks[i]); });
}

std::size_t Rescorer::resolve(std::size_t s, CandidateList& list) const {
  Task task;
  task.s = s;
  task.list.rows = std::move(list.rows);
  task.list.hits = std::move(list.hits);
  run({&task, 1}, 1, nullptr);
  thresholds_.raise_kth(s, task.kth_score);
  list.rows.clear();
  list.hits = std::move(task.list.hits);
  for (const ExactRow& each : task.exact) {
    if (each.score >= task.kth_score)
      list.hits.push_back({hit_key(plan_.request(), each.segment, each.row), each.score});
  }
  kth_score(list.hits, plan_.slot(s).keep);  // keeps the best k
  return task.exact.size();
}

std::vector<Rescorer::Task> Rescorer::collect(std::span<CandidateBuffer* const> buffers) const {
  std::vector<Task> tasks(plan_.size());
  for (std::size_t s = 0; s < tasks.size(); ++s) {
    Task& task = tasks[s];
    task.s = s;
    for (CandidateBuffer* buffer : buffers) {
      if (buffer->is_open()) buffer->move_to(s, task.list);
    }
    if (plan_.certified()) continue;
    thresholds_.raise_kth(s, keep_best(plan_.request(), task.list.rows, plan_.slot(s).keep));
    task.kth_score = thresholds_.kth_bound(s);
  }
  return tasks;
}

std::vector<Rescorer::Outcome> Rescorer::finish(std::span<CandidateBuffer* const> buffers,
                                                const Cancel& cancel) const {
  std::vector<Task> tasks = collect(buffers);
  run(tasks, 0, &cancel);
  std::vector<Outcome> outcomes;
  for (const Task& task : tasks) {
    const bool reads_vectors = plan_.request().exactness != Exactness::raw;
    outcomes.push_back(
        {task.kth_score, reads_vectors ? static_cast<double>(task.exact.size()) : 0});
  }
  return outcomes;
}

}  // namespace asof::vector
