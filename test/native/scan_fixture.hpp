// A small corpus with panels, and a batch of queries planned over it, for tests of the parts of the
// quantized scan.
#pragma once

#include <algorithm>
#include <atomic>
#include <memory>
#include <random>
#include <vector>

#include "check.hpp"
#include "index/vector/memory_rows.hpp"
#include "index/vector/quantized_scan/scan_batch.hpp"
#include "index/vector/quantized_scan/worker.hpp"
#include "index/vector/selectivity.hpp"
#include "index/vector/work_queue.hpp"

namespace asof::test {

using namespace asof::vector;

constexpr std::size_t dimensions = 64, corpus_rows = 32 * block_rows;
constexpr double day = 86'400'000;

inline std::vector<float> random_vectors(std::size_t count, unsigned seed) {
  std::mt19937 random(seed);
  std::normal_distribution<float> normal;
  std::vector<float> values(count * dimensions);
  for (float& value : values) value = normal(random);
  return values;
}

/// Rows published on `days` consecutive days in order, two rows a passage.
inline MemoryRows corpus(std::size_t rows = corpus_rows, std::size_t days = 1000,
                         Storage storage = quantized::Storage::int8) {
  std::vector<std::uint32_t> passages(rows);
  MemoryTimes times;
  for (std::size_t row = 0; row < rows; ++row) {
    passages[row] = static_cast<std::uint32_t>(row / 2);
    times.published.push_back(static_cast<double>(row * days / rows) * day);
  }
  return {{rows, 0, dimensions},
          random_vectors(rows, 5),
          std::move(passages),
          std::move(times),
          {false, storage}};
}

inline temporal::Form spline_form() {
  temporal::Form form;
  form.kind = temporal::Kind::spline;
  form.combine = temporal::Combine::product;
  form.clock = temporal::Clock::published;
  form.spline.lines[0] = {{100 * day, 600 * day}, 0.6, 1};
  form.spline.line_count = 1;
  form.spline.outside = 0.5;
  return form;
}

inline temporal::Form recency_form(double weight) {
  temporal::Form form;
  form.kind = temporal::Kind::recency;
  form.combine = temporal::Combine::sum;
  form.clock = temporal::Clock::published;
  form.recency.at = 1000 * day;
  form.weight = weight;
  return form;
}

/// A decay that multiplies, or with a weight is added.
inline temporal::Form decay_form(double weight = 0) {
  temporal::Form form;
  form.kind = temporal::Kind::exponential;
  form.combine = weight == 0 ? temporal::Combine::product : temporal::Combine::sum;
  form.clock = temporal::Clock::published;
  form.decay = {700 * day, 200 * day, 10 * day, 0.1, 0.5};
  form.weight = weight;
  return form;
}

/// A request over one corpus, planned as one batch.
class Batch {
 public:
  Batch(const MemoryRows& corpus, std::vector<Query> queries, std::size_t k, bool pool = false,
        Exactness exactness = Exactness::certified)
      : vectors_(random_vectors(queries.size(), 11)) {
    request.segments.push_back({corpus.rows(), {}, {}});
    request.segments[0].rows.moments = corpus.moments();
    request.queries = std::move(queries);
    request.vectors = vectors_;
    request.dimensions = dimensions;
    request.k = k;
    request.pool = pool;
    request.exactness = exactness;
    tasks_ = split(request);
    normalize();
    const std::size_t count = request.queries.size();
    active_.assign(count, true);
    keep_.assign(count, exactness == Exactness::rescored ? 4 * k : k);
    windows_.assign(count, {false, true, static_cast<double>(corpus.rows().rows)});
    kth_ = std::make_unique<std::atomic<double>[]>(count);
    for (std::size_t q = 0; q < count; ++q) kth_[q] = -infinity;
    results.open(1, keep_, pool);
  }

  ScanPlan plan() const {
    return ScanPlan(request, {0, active_, windows_, keep_, *normalization_, corpus_size(), 1024});
  }
  /// The batch's parts, seeded.
  std::unique_ptr<ScanBatch> open() {
    return std::make_unique<ScanBatch>(
        plan(), ScanResources{inner_product::kernels(), times_, results, kth_.get()});
  }

  std::size_t corpus_size() const { return request.segments[0].rows.rows; }
  const FlatRows& rows() const { return request.segments[0].rows; }
  void deactivate(std::size_t q) { active_[q] = false; }
  std::atomic<double>& kth(std::size_t q) { return kth_[q]; }
  const Normalization& normalization() const { return *normalization_; }

  float similarity(std::size_t q, std::size_t row) const {
    float product = 0;
    inner_product::kernels().block({vectors_.data() + q * dimensions, 1, dimensions},
                                   {rows().vectors_at(row), 1, dimensions}, dimensions, &product,
                                   1);
    return product;
  }
  double score(std::size_t q, std::size_t row) const {
    const Query& query = request.queries[q];
    const RowScorer scorer(query, request.segments[0], 0, normalization_->maps()[q]);
    return scorer.score(scorer.relevance(similarity(q, row), row), row);
  }
  /// All rows' scores, best first.
  std::vector<double> scores(std::size_t q) const {
    std::vector<double> all;
    for (std::size_t row = 0; row < corpus_size(); ++row) all.push_back(score(q, row));
    std::sort(all.rbegin(), all.rend());
    return all;
  }

  Request request;
  GroupResults results;

 private:
  void normalize() {
    normalization_ = std::make_unique<Normalization>(request, tasks_);
    normalization_->clear(rows_in_scope(request));
    for (const Query& query : request.queries) normalization_->add(query, 0);
    const std::vector<temporal::Mask> masks(1);
    auto pass = [&] {
      for (std::size_t t = 0; t < tasks_.size(); ++t) {
        for (std::size_t begin = tasks_[t].begin; begin < tasks_[t].end; begin += tile_rows) {
          const std::size_t count = std::min(tile_rows, tasks_[t].end - begin);
          std::vector<BlockBits> bits{visible_passages(request.segments[0], begin, count)};
          normalization_->count_recencies(t, begin, count, bits);
        }
      }
    };
    const auto& queries = request.queries;
    if (std::none_of(queries.begin(), queries.end(),
                     [](const Query& each) { return each.form.combine == temporal::Combine::sum; }))
      return;
    normalization_->count(masks, pass);
    for (std::size_t q = 0; q < queries.size(); ++q) {
      if (normalization_->has_moments(queries[q]))
        normalization_->normalize_by_moments(q, queries[q], vectors_.data() + q * dimensions,
                                             Cancel());
    }
  }

  std::vector<float> vectors_;
  std::vector<ScanTask> tasks_;
  std::unique_ptr<Normalization> normalization_;
  std::vector<bool> active_;
  const TimeKernels times_{spline::kernels(), decay::kernels()};
  std::vector<std::size_t> keep_;
  std::vector<WindowSelectivity> windows_;
  std::unique_ptr<std::atomic<double>[]> kth_;
};

/// A tile of all rows of a block, for one mask that hides nothing.
struct WholeTile {
  std::vector<std::size_t> mask_of;
  std::vector<BlockBits> bits;
  std::vector<std::size_t> visible;
  std::vector<Collector> collectors;
  Tile tile;

  WholeTile(const Batch& batch, std::size_t begin)
      : mask_of(batch.request.queries.size(), 0),
        bits{visible_passages(batch.request.segments[0], begin, count_of(batch, begin))},
        visible{count_of(batch, begin)},
        collectors(batch.request.queries.size()),
        tile{0, begin, visible[0], mask_of, bits, visible, collectors} {}
  WholeTile(const WholeTile&) = delete;

 private:
  static std::size_t count_of(const Batch& batch, std::size_t begin) {
    return std::min(block_rows, batch.corpus_size() - begin);
  }
};

inline std::vector<Query> queries(std::size_t count, const temporal::Form& form = {}) {
  std::vector<Query> all(count);
  for (Query& query : all) query.form = form;
  return all;
}

}  // namespace asof::test
