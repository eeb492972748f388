// Drives the fused scan: tasks of rows over threads, tiles of rows within a task, chunks of queries within a tile, so that rows
// come from memory once whatever the batch. See search.hpp.
#include "index/flat/search.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <memory>
#include <mutex>

#include "core/threads.hpp"
#include "index/flat/select.hpp"
#include "index/flat/staging.hpp"
#include "kernels/inner_product/contract.hpp"

namespace asof::flat {
namespace {

constexpr std::size_t tile_rows = schema::block_rows;  // a mask's bitmap and a block summary cover the same rows
constexpr std::size_t task_rows = 8 * tile_rows;       // fixed, so that moments are merged in the same order on any machine
constexpr std::size_t chunk_queries = 64;              // their similarities of a tile take 64 KiB
constexpr std::size_t group_queries = 512;

struct Task {
  std::size_t segment, begin, end;
  std::size_t offset;  // of its first row among all rows in scope
};

std::size_t index_of(auto& list, const auto& value) {
  auto found = std::find(list.begin(), list.end(), value);
  if (found != list.end()) return static_cast<std::size_t>(found - list.begin());
  list.push_back(value);
  return list.size() - 1;
}

/// Recencies that share their moments: the same rows seen from the same time.
struct RecencyKey {
  std::size_t mask;
  Clock clock;
  double at, floor_days;
  bool operator==(const RecencyKey&) const = default;
};

/// What one thread works with.
struct Lane {
  std::size_t segment = 0;
  std::vector<Collector> collectors;  // one a query of the group, of the lane's segment
  std::vector<float> similarities = std::vector<float>(chunk_queries * tile_rows);
  std::vector<BlockBits> bits;        // one a mask: the tile's visible rows
  std::vector<std::size_t> visible;   // their number
  std::vector<std::uint64_t> hidden;  // one a mask: rows hidden so far
  Staging::Lane staging;
};

class Scan {
 public:
  Scan(const Request& request, const Cancel& cancel) : request_(request), cancel_(cancel) {
    for (std::size_t s = 0; s < request.segments.size(); ++s) {
      const FlatRows& rows = request.segments[s].rows;
      std::size_t begin = request.scope == Scope::sentences ? rows.whole : 0;
      std::size_t end = request.scope == Scope::passages ? rows.passages : rows.rows;
      while (begin < end) {
        std::size_t next = std::min(end, begin / task_rows * task_rows + task_rows);
        tasks_.push_back({s, begin, next, rows_});
        rows_ += next - begin;
        begin = next;
      }
    }
  }

  Result run() {
    Result result;
    result.offsets.push_back(0);
    for (std::size_t first = 0; first < request_.queries.size(); first += size_) {
      open_group(first);
      pass(&Scan::scan_tile);
      if (!summing_.empty()) {
        standardise();
        pass(&Scan::rescan_tile);
      }
      for (std::size_t q = 0; q < size_; ++q) report(q, result);
    }
    return result;
  }

 private:
  using TileWork = void (Scan::*)(Lane&, std::size_t task, std::size_t begin, std::size_t count);

  const Query& query(std::size_t q) const { return request_.queries[first_ + q]; }

  /// The next queries: as many as their similarities may be kept in memory for, where they must be.
  void open_group(std::size_t first) {
    first_ = first;
    size_ = 0;
    masks_.clear();
    mask_of_.clear();
    summing_.clear();
    recencies_.clear();
    slot_of_.clear();
    recency_of_.clear();
    while (first + size_ < request_.queries.size() && size_ < group_queries) {
      const Query& next = request_.queries[first + size_];
      bool sums = next.form.combine == Combine::sum;
      std::size_t kept_bytes = rows_ * (sizeof(float) * (summing_.size() + 1) + sizeof(double) * (recencies_.size() + 1));
      if (sums && !summing_.empty() && kept_bytes > kept_bytes_most) break;
      mask_of_.push_back(index_of(masks_, next.mask));
      slot_of_.push_back(summing_.size());
      recency_of_.push_back(0);
      if (sums) {
        recency_of_.back() = index_of(recencies_, RecencyKey{mask_of_.back(), next.form.clock, next.form.at, next.form.floor_days});
        summing_.push_back(size_);
      }
      size_ += 1;
    }
    compiled_.clear();
    for (const SearchSegment& segment : request_.segments) {
      for (const Mask& mask : masks_) compiled_.push_back(compile_mask(mask, segment.rows));
    }
    kept_ = std::make_unique_for_overwrite<float[]>(summing_.size() * rows_);
    kept_recencies_ = std::make_unique_for_overwrite<double[]>(recencies_.size() * rows_);
    relevance_moments_.assign(summing_.size() * tasks_.size(), {});
    recency_moments_.assign(recencies_.size() * tasks_.size(), {});
    standards_.assign(size_, {});
    relevance_.assign(size_, {});
    recency_.assign(size_, {});
    found_.assign(request_.segments.size() * size_, {});
    best_ = std::make_unique<std::atomic<double>[]>(size_);
    for (std::size_t q = 0; q < size_; ++q) best_[q].store(-infinity, std::memory_order_relaxed);
    hidden_.assign(masks_.size(), 0);
    staging_.open(first, summing_.empty() ? size_ : 0, best_.get());
  }

  /// Runs `work` on every tile of every task.
  void pass(TileWork work) {
    std::vector<Lane> lanes(thread_count());
    parallel_for(tasks_.size(), lanes.size(), [&](std::size_t t, std::size_t l) {
      Lane& lane = lanes[l];
      const Task& task = tasks_[t];
      if (lane.bits.empty()) {
        lane.bits.resize(masks_.size());
        lane.visible.resize(masks_.size());
        lane.hidden.resize(masks_.size());
        for (std::size_t q = 0; q < size_; ++q) lane.collectors.emplace_back(request_.k, request_.pool);
      }
      if (lane.segment != task.segment) flush(lane);
      lane.segment = task.segment;
      for (std::size_t begin = task.begin; begin < task.end;) {
        cancel_.throw_if_requested();
        std::size_t next = std::min(task.end, begin / tile_rows * tile_rows + tile_rows);
        (this->*work)(lane, t, begin, next - begin);
        begin = next;
      }
    });
    hidden_.assign(masks_.size(), 0);
    for (Lane& lane : lanes) {
      flush(lane);
      for (std::size_t m = 0; m < lane.hidden.size(); ++m) hidden_[m] += lane.hidden[m];
    }
  }

  /// Hands the lane's finds to the whole, segment by segment, so that ties between segments are left to the caller.
  void flush(Lane& lane) {
    for (std::size_t q = 0; q < lane.collectors.size(); ++q) {
      if (lane.collectors[q].empty()) continue;
      std::vector<Entry> entries = lane.collectors[q].take();
      std::lock_guard lock(mutex_);
      std::vector<Entry>& all = found_[lane.segment * size_ + q];
      all.insert(all.end(), entries.begin(), entries.end());
    }
  }

  /// Fills the lane's bitmaps; false where no query sees a row of the tile.
  bool mask_tile(Lane& lane, const Task& task, std::size_t begin, std::size_t count) {
    const SearchSegment& segment = request_.segments[task.segment];
    const BlockBits shown = visible_passages(segment, begin, count);
    const bool some = std::any_of(shown.begin(), shown.end(), [](std::uint64_t word) { return word != 0; });
    bool any = false;
    for (std::size_t m = 0; m < masks_.size(); ++m) {
      lane.bits[m] = shown;
      if (some) apply_mask(compiled_[task.segment * masks_.size() + m], segment.rows, begin, count, lane.bits[m]);
      lane.visible[m] = 0;
      for (std::uint64_t word : lane.bits[m]) lane.visible[m] += static_cast<std::size_t>(std::popcount(word));
      lane.hidden[m] += count - lane.visible[m];
      any = any || lane.visible[m] > 0;
    }
    return any;
  }

  void scan_tile(Lane& lane, std::size_t t, std::size_t begin, std::size_t count) {
    const Task& task = tasks_[t];
    if (!mask_tile(lane, task, begin, count)) return;
    const SearchSegment& segment = request_.segments[task.segment];
    if (staging_.scan(lane.staging, {task.segment, begin, count, mask_of_, lane.bits, lane.visible, lane.collectors})) return;
    for (std::size_t chunk = 0; chunk < size_; chunk += chunk_queries) {
      std::size_t width = std::min(chunk_queries, size_ - chunk);
      multiply(lane, segment.rows, chunk, width, begin, count);
      for (std::size_t q = chunk; q < chunk + width; ++q) {
        if (lane.visible[mask_of_[q]] == 0) continue;
        float* similarities = &lane.similarities[(q - chunk) * tile_rows];
        if (!query(q).has_vector) std::fill_n(similarities, count, 0.0f);
        Scored scored(query(q), segment, task.segment, splines_, standards_[q]);
        if (query(q).form.combine == Combine::sum) keep(scored, q, t, similarities, begin, count, lane.bits[mask_of_[q]]);
        else select_rows(scored, similarities, begin, lane.bits[mask_of_[q]], lane.collectors[q], best_[q]);
      }
    }
    add_recencies(lane, t, begin, count);
  }

  /// The similarities of the tile's rows that any of the queries sees; where those are few, of their runs alone. (The kernel gives
  /// a pair the same bits in any company.)
  void multiply(Lane& lane, const FlatRows& rows, std::size_t chunk, std::size_t width, std::size_t begin, std::size_t count) {
    BlockBits seen{};
    for (std::size_t q = chunk; q < chunk + width; ++q) {
      if (!query(q).has_vector) continue;
      for (std::size_t word = 0; word < block_words; ++word) seen[word] |= lane.bits[mask_of_[q]][word];
    }
    const std::size_t d = request_.dimensions;
    auto run = [&](std::size_t first, std::size_t length) {
      const float* vectors = rows.vectors.data() + (begin + first) * d;
      const float* queries = request_.vectors.data() + (first_ + chunk) * d;
      inner_product_.block(queries, width, d, vectors, length, d, d, lane.similarities.data() + first, tile_rows);
    };
    std::size_t some = 0;
    for (std::uint64_t word : seen) some += static_cast<std::size_t>(std::popcount(word));
    if (some == 0) return;
    if (2 * some > count) return run(0, count);
    auto is_seen = [&](std::size_t i) { return (seen[i / 64] >> (i % 64) & 1) != 0; };
    for (std::size_t i = 0, first = 0; i < count; ++i) {
      if (!is_seen(i)) first = i + 1;
      else if (i + 1 == count || !is_seen(i + 1)) run(first, i + 1 - first);
    }
  }

  /// Keeps the tile's similarities for the second pass and adds its relevances to the moments.
  void keep(const Scored& scored, std::size_t q, std::size_t t, const float* similarities, std::size_t begin, std::size_t count,
            const BlockBits& bits) {
    const Task& task = tasks_[t];
    std::copy_n(similarities, count, &kept_[slot_of_[q] * rows_ + task.offset + (begin - task.begin)]);
    float values[tile_rows];
    std::size_t length = 0;
    for_each(bits, [&](std::size_t i) { values[length++] = static_cast<float>(scored.relevance(similarities[i], begin + i)); });
    add(relevance_moments_[slot_of_[q] * tasks_.size() + t], standardize_.moments(values, length));
  }

  static void add(standardize::Moments& moments, const standardize::Moments& more) { moments = standardize::merged(moments, more); }

  /// Keeps the recencies of the tile's rows and adds those of visible rows to the moments.
  void add_recencies(const Lane& lane, std::size_t t, std::size_t begin, std::size_t count) {
    const Task& task = tasks_[t];
    for (std::size_t r = 0; r < recencies_.size(); ++r) {
      Form form;
      form.clock = recencies_[r].clock;
      form.at = recencies_[r].at;
      form.floor_days = recencies_[r].floor_days;
      double* kept = &kept_recencies_[r * rows_ + task.offset + (begin - task.begin)];
      recencies_of(form, request_.segments[task.segment].rows, begin, count, kept);
      double values[tile_rows];
      std::size_t length = 0;
      for_each(lane.bits[recencies_[r].mask], [&](std::size_t i) {
        if (!std::isnan(kept[i])) values[length++] = kept[i];
      });
      add(recency_moments_[r * tasks_.size() + t], moments_of(values, length));
    }
  }

  void standardise() {
    for (std::size_t slot = 0; slot < summing_.size(); ++slot) {
      std::size_t q = summing_[slot];
      for (std::size_t t = 0; t < tasks_.size(); ++t) {
        add(relevance_[q], relevance_moments_[slot * tasks_.size() + t]);
        add(recency_[q], recency_moments_[recency_of_[q] * tasks_.size() + t]);
      }
      standards_[q] = standardize::map_of(recency_[q], relevance_[q]);
    }
  }

  void rescan_tile(Lane& lane, std::size_t t, std::size_t begin, std::size_t count) {
    const Task& task = tasks_[t];
    if (!mask_tile(lane, task, begin, count)) return;
    for (std::size_t q : summing_) {
      if (lane.visible[mask_of_[q]] == 0) continue;
      Scored scored(query(q), request_.segments[task.segment], task.segment, splines_, standards_[q]);
      const std::size_t place = task.offset + (begin - task.begin);
      select_summed(scored, &kept_[slot_of_[q] * rows_ + place], &kept_recencies_[recency_of_[q] * rows_ + place], begin, lane.bits[mask_of_[q]],
                    lane.collectors[q], best_[q]);
    }
  }

  template <typename Visit>
  static void for_each(const BlockBits& bits, Visit visit) {
    for (std::size_t word = 0; word < block_words; ++word) {
      for (std::uint64_t left = bits[word]; left != 0; left &= left - 1) visit(word * 64 + static_cast<std::size_t>(std::countr_zero(left)));
    }
  }

  void report(std::size_t q, Result& result) {
    struct Find {
      Entry entry;
      std::size_t segment;
    };
    std::vector<Find> finds;
    for (std::size_t s = 0; s < request_.segments.size(); ++s) {
      Collector collector(request_.k, request_.pool);
      collector.append(found_[s * size_ + q]);
      for (const Entry& entry : collector.take()) finds.push_back({entry, s});
    }
    // Stable, so that within a score segments ascend, and passages within a segment.
    std::stable_sort(finds.begin(), finds.end(), [](const Find& a, const Find& b) { return a.entry.score > b.entry.score; });
    if (finds.size() > request_.k) {
      double last = finds[request_.k - 1].entry.score;
      auto rest = finds.begin() + static_cast<std::ptrdiff_t>(request_.k);
      auto below = std::find_if(rest, finds.end(), [&](const Find& each) { return each.entry.score < last; });
      finds.erase(below, finds.end());
    }
    for (const Find& find : finds) report_row(q, find.segment, find.entry, result);
    result.offsets.push_back(static_cast<std::uint32_t>(result.row.size()));
    result.rows_scanned.push_back(static_cast<double>(rows_));
    result.rows_masked.push_back(static_cast<double>(hidden_[mask_of_[q]]));
    const bool sums = query(q).form.combine == Combine::sum;
    auto moment = [&](double value) { return sums ? value : std::numeric_limits<double>::quiet_NaN(); };
    result.relevance_mean.push_back(moment(relevance_[q].mean));
    result.relevance_deviation.push_back(moment(standardize::deviation(relevance_[q])));
    result.recency_mean.push_back(moment(recency_[q].mean));
    result.recency_deviation.push_back(moment(standardize::deviation(recency_[q])));
  }

  void report_row(std::size_t q, std::size_t s, const Entry& entry, Result& result) {
    const SearchSegment& segment = request_.segments[s];
    Scored scored(query(q), segment, s, splines_, standards_[q]);
    result.segment.push_back(static_cast<std::uint32_t>(s));
    result.row.push_back(entry.row);
    result.passage.push_back(entry.passage);
    result.score.push_back(entry.score);
    result.similarity.push_back(entry.similarity);
    result.lexical.push_back(scored.lexical == nullptr ? 0 : scored.lexical[entry.row]);
    RowTime time{std::numeric_limits<double>::quiet_NaN(), -1};
    if (query(q).form.combine != Combine::none) time = scored.time(entry.row);
    bool reads_content = query(q).form.combine != Combine::none && query(q).form.clock == Clock::content;
    if (!reads_content) time.mention = masking_mention(compiled_[s * masks_.size() + mask_of_[q]], segment.rows, entry.row);
    result.temporal.push_back(time.value);
    result.mention.push_back(time.mention);
  }

  const Request& request_;
  const Cancel& cancel_;
  // Asked for once, so that a search keeps its level.
  const inner_product::Kernels& inner_product_ = inner_product::kernels();
  const spline::Kernels& splines_ = spline::kernels();
  const standardize::Kernels& standardize_ = standardize::kernels();
  Staging staging_{request_, inner_product_, splines_};
  std::vector<Task> tasks_;
  std::size_t rows_ = 0;  // in scope, of all segments

  // The group of queries in hand: [first_, first_ + size_). Lists are one a query unless they say otherwise.
  std::size_t first_ = 0, size_ = 0;
  std::vector<Mask> masks_;            // distinct
  std::vector<std::size_t> mask_of_;
  std::vector<SegmentMask> compiled_;  // segments * masks
  std::vector<std::size_t> summing_;   // queries with a recency; a query's place here is its slot
  std::vector<std::size_t> slot_of_, recency_of_;
  std::vector<RecencyKey> recencies_;  // distinct
  std::unique_ptr<float[]> kept_;             // slots * rows_: similarities for the second pass; unset where no query sees the row
  std::unique_ptr<double[]> kept_recencies_;  // recencies * rows_
  std::vector<standardize::Moments> relevance_moments_, recency_moments_;  // slots * tasks, recencies * tasks
  std::vector<standardize::Moments> relevance_, recency_;
  std::vector<standardize::Map> standards_;
  std::vector<std::uint64_t> hidden_;  // one a mask
  std::unique_ptr<std::atomic<double>[]> best_;
  std::mutex mutex_;
  std::vector<std::vector<Entry>> found_;  // segments * queries
};

}  // namespace

Result search(const Request& request, const Cancel& cancel) {
  cancel.throw_if_requested();
  return Scan(request, cancel).run();
}

}  // namespace asof::flat
