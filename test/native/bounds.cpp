// Bounds of the quantized scan against exact scores: no row that reaches its slot's threshold is
// excluded, by a tile's bounds, a range's bounds, or kernel terms; and most other rows are.
#include <algorithm>
#include <atomic>
#include <memory>
#include <random>
#include <vector>

#include "check.hpp"
#include "index/vector/memory_rows.hpp"
#include "index/vector/quantized_scan/bound_set.hpp"
#include "index/vector/quantized_scan/scan_batch.hpp"
#include "index/vector/quantized_scan/worker.hpp"
#include "index/vector/selectivity.hpp"
#include "index/vector/work_queue.hpp"

using namespace asof;
using namespace asof::vector;

namespace {

constexpr std::size_t dimensions = 64, corpus_rows = 32 * block_rows;
constexpr double day = 86'400'000;

std::vector<float> random_vectors(std::size_t count, unsigned seed) {
  std::mt19937 random(seed);
  std::normal_distribution<float> normal;
  std::vector<float> values(count * dimensions);
  for (float& value : values) value = normal(random);
  return values;
}

/// Rows published on `days` consecutive days in order, two rows a passage.
MemoryRows corpus(std::size_t rows = corpus_rows, std::size_t days = 1000,
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

temporal::Form form_of(temporal::Kind kind, temporal::Combine combine, double weight = 0) {
  temporal::Form form;
  form.kind = kind;
  form.combine = combine;
  form.clock = temporal::Clock::published;
  form.weight = weight;
  form.spline.lines[0] = {{100 * day, 600 * day}, 0.6, 1};
  form.spline.line_count = 1;
  form.spline.outside = 0.5;
  form.recency.at = 1000 * day;
  form.decay = {700 * day, 200 * day, 10 * day, 0.1, 0.5};
  return form;
}

temporal::Form spline_form() {
  return form_of(temporal::Kind::spline, temporal::Combine::product);
}

temporal::Form recency_form(double weight) {
  return form_of(temporal::Kind::recency, temporal::Combine::sum, weight);
}

/// A decay that multiplies, or with a weight is added.
temporal::Form decay_form(double weight = 0) {
  return form_of(temporal::Kind::gaussian,
                 weight == 0 ? temporal::Combine::product : temporal::Combine::sum, weight);
}

/// A request over one corpus, planned as one batch.
class Batch {
 public:
  Batch(const MemoryRows& corpus, std::vector<Query> queries, std::size_t k, bool pool = false,
        Exactness exactness = Exactness::certified)
      : vectors_(random_vectors(queries.size(), 11)) {
    request.segments.push_back({corpus.rows(), {}, {}, {}});
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
    const double relevance = scorer.relevance(similarity(q, row), row);
    return scorer.score(relevance, row);
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

std::vector<Query> queries(std::size_t count, const temporal::Form& form = {}) {
  std::vector<Query> all(count);
  for (Query& query : all) query.form = form;
  return all;
}

constexpr std::size_t k = 20;

/// Thresholds of the first slots, that some k rows reach.
void set_thresholds(Batch& batch, const ScanBatch& parts, std::size_t slots) {
  for (std::size_t s = 0; s < std::min(slots, parts.plan.size()); ++s)
    parts.thresholds.raise_kth(s, batch.scores(parts.plan.slot(s).q)[k - 1]);
}

/// The share of (slot, row) pairs that the bounds leave, when similarities are compared with them.
double check_tiles(Batch& batch, const ScanBatch& parts) {
  RowBounds bounds;
  bounds.open(parts.plan);
  std::size_t left = 0;
  for (std::size_t begin = 0; begin < batch.corpus_size(); begin += block_rows) {
    const WholeTile whole(batch, begin);
    const BlockBits any = parts.bounds.bound_tile(whole.tile, bounds);
    for (std::size_t s = 0; s < parts.plan.size(); ++s) {
      const std::size_t q = parts.plan.slot(s).q;
      const SlotSeeds& seeds = parts.seeds.slot(s);
      for (std::size_t i = 0; i < whole.tile.count; ++i) {
        const bool listed = (bounds.rows[s][i / 64] >> (i % 64) & 1) != 0,
                   passes = listed && batch.similarity(q, begin + i) >= bounds.min_similarity[s];
        left += passes;
        CHECK(!listed || (any[i / 64] >> (i % 64) & 1) != 0);
        const temporal::Form& form = parts.plan.slot(s).query->form;
        if (seeds.complete || (form.combine == temporal::Combine::sum &&
                               seeds.scored(row_time(form, batch.rows(), begin + i).value)))
          continue;
        CHECK(passes || batch.score(q, begin + i) < parts.thresholds.threshold(s));
      }
    }
  }
  return static_cast<double>(left) / static_cast<double>(parts.plan.size() * batch.corpus_size());
}

/// The same of ranges that begin within a panel, with their kernel terms. Lexical scores that slots
/// do not share are bounded by tiles alone.
double check_ranges(Batch& batch, const ScanBatch& parts) {
  if (parts.plan.lexical() && parts.plan.shared_term() != SharedTerm::lexical) return 0;
  RowBounds bounds;
  bounds.open(parts.plan);
  PanelSource::Buffer buffer;
  std::size_t left = 0;
  const std::size_t length = 4 * block_rows;
  for (std::size_t begin = 24; begin + length <= batch.corpus_size(); begin += length) {
    const SegmentRange rows{0, begin, length};
    const BlockTimes times(batch.rows(), begin, length);
    const RangeScope scope{rows, times};
    parts.bounds.bound_range(scope, bounds);
    const PanelRange panels = parts.panels.panels(rows, buffer);
    const KernelTerms terms = parts.bounds.shared().kernel_terms(scope, panels, bounds);
    const std::size_t base = begin / quantized::panel_rows * quantized::panel_rows;
    for (std::size_t p = 0; terms.scaled_records != nullptr && p * quantized::panel_rows < length;
         ++p) {
      const quantized::PanelRecord& record = terms.scaled_records[p];
      for (std::size_t r = 0; r < quantized::panel_rows; ++r)
        CHECK(record.error[r] <= record.most_error && record.length[r] <= record.most_length);
    }
    for (std::size_t s = 0; s < parts.plan.size(); ++s) {
      const std::size_t q = parts.plan.slot(s).q;
      const temporal::Form& form = parts.plan.slot(s).query->form;
      for (std::size_t row = begin; row < begin + length; ++row) {
        float value = batch.similarity(q, row);
        if (bounds.min_similarity[s] != RowBounds::unreachable) {
          if (terms.row_factors != nullptr) value *= terms.row_factors[row - base];
          if (terms.row_bias != nullptr)
            value += terms.bias_weights[s] * terms.row_bias[row - base];
        }
        value += 1e-5f * std::abs(value);
        left += value >= bounds.min_similarity[s];
        if (form.combine == temporal::Combine::sum &&
            parts.seeds.slot(s).scored(row_time(form, batch.rows(), row).value))
          continue;
        CHECK(value >= bounds.min_similarity[s] || parts.seeds.slot(s).complete ||
              batch.score(q, row) < parts.thresholds.threshold(s));
      }
    }
  }
  return static_cast<double>(left) / static_cast<double>(parts.plan.size() * batch.corpus_size());
}

/// Rows that no kernel call of a range reads reach no threshold.
void check_range_rows(Batch& batch, const ScanBatch& parts) {
  if (parts.plan.lexical() && parts.plan.shared_term() != SharedTerm::lexical) return;
  for (std::size_t begin = 0; begin < batch.corpus_size(); begin += block_rows) {
    const WholeTile whole(batch, begin);
    const BlockBits rows = parts.bounds.shared().range_rows(whole.tile);
    for (std::size_t s = 0; s < parts.plan.size(); ++s) {
      for (std::size_t i = 0; i < whole.tile.count; ++i)
        CHECK((rows[i / 64] >> (i % 64) & 1) != 0 ||
              batch.score(parts.plan.slot(s).q, begin + i) < parts.thresholds.threshold(s));
    }
  }
}

struct Left {
  double tiles, ranges;
};

Left check(std::vector<Query> given, std::size_t slots = 99) {
  const MemoryRows rows = corpus();
  Batch batch(rows, std::move(given), k);
  const auto parts = batch.open();
  const double before = check_tiles(batch, *parts);
  CHECK(before > 0.9 || parts->plan.slot(0).top_recencies != nullptr);  // no threshold, no bounds
  set_thresholds(batch, *parts, slots);
  check_range_rows(batch, *parts);
  return {check_tiles(batch, *parts), check_ranges(batch, *parts)};
}

void plain_bounds() {
  const Left left = check(queries(3));
  CHECK(left.tiles < 0.01 && left.ranges < 0.01);
}

void temporal_bounds() {
  const Left own = check(queries(2, spline_form())), shared = check(queries(6, spline_form()));
  CHECK(own.tiles < 0.05 && own.ranges < 0.05);
  CHECK(shared.ranges < own.ranges + 0.01);
}

void recency_bounds() {
  const Left little = check(queries(2, recency_form(0.2)));
  CHECK(little.tiles < 0.2 && little.ranges < 0.05);
  check(queries(2, recency_form(5)));
  check(queries(2, decay_form()));
  check(queries(2, decay_form(0.3)));
  check(queries(2, decay_form(-0.3)));
  std::vector<Query> mixed = queries(4, recency_form(0.2));
  mixed[1].form.recency.at = 900 * day;
  mixed[2].form.weight = -1;
  check(mixed);
}

void lexical_bounds() {
  std::mt19937 random(3);
  std::vector<float> scores(corpus_rows), block_max(corpus_rows / block_rows);
  for (std::size_t row = 0; row < scores.size(); ++row) {
    if (random() % 20 == 0) scores[row] = static_cast<float>(random() % 32);
    float& most = block_max[row / block_rows];
    most = std::max(most, scores[row]);
  }
  for (const temporal::Form& form : {temporal::Form{}, spline_form()}) {
    std::vector<Query> given = queries(3, form);
    for (Query& query : given) {
      query.semantic_weight = 0.5;
      query.lexical_weight = 2;
      query.lexical = {scores};
      query.lexical_block_max = {block_max};
    }
    CHECK(check(given).tiles < 0.2);
    check(given, 1);
    given[2].lexical_weight = -1;  // no shared term, and no filter by the least score
    check(given);
    given[0].lexical.clear();
    check(given);
  }
}

}  // namespace

int main() {
  plain_bounds();
  temporal_bounds();
  recency_bounds();
  lexical_bounds();
  return 0;
}
