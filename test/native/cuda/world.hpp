// Worlds of rows in memory, queries of every kind, and one search of them on the host and on a
// device, compared bit for bit: what the tests of searches and their fuzzer share.
#pragma once

#include "index/vector/search.hpp"

#include <algorithm>
#include <limits>
#include <memory>
#include <random>
#include <vector>

#include "../check.hpp"
#include "device/library.hpp"
#include "index/vector/memory_rows.hpp"
#include "index/vector/on_device.hpp"
#include "library.hpp"

namespace asof::cuda::test {

inline constexpr double day = 86'400'000, nan = std::numeric_limits<double>::quiet_NaN();

struct World {
  std::size_t dimensions;
  std::vector<std::unique_ptr<vector::MemoryRows>> segments;
  std::vector<std::vector<float>> words;  // one a segment
  std::vector<std::vector<std::uint8_t>> visible;
  bool plain = false;  // all rows are finite, and no two alike
};

/// What is asked of a world.
struct Asking {
  std::size_t queries = 3, k = 5;
  std::size_t memory = 0;     // of the device, in bytes; 0: all
  bool shown_partly = false;  // bitmaps of passages
  bool sums = true;  // some queries weigh recencies; of few rows those are the host's, and whoever
                     // is scanned with them
  bool inexact = false;  // approximate searches are compared too: of few rows the host may know
                         // better than panels do
  bool one_way = false;  // all rows, not pooled, certified alone
};

/// `alike`: few distinct rows, so that scores tie.
inline World world_of(std::size_t dimensions, const std::vector<std::size_t>& sizes,
                      Storage storage, bool alike, bool wide, std::uint64_t seed, bool odd = true) {
  std::mt19937_64 random(seed);
  std::normal_distribution<float> normal;
  World world{dimensions, {}, {}, {}, !odd && !alike};
  std::vector<float> few(3 * dimensions);
  for (float& value : few) value = normal(random);
  for (const std::size_t rows : sizes) {
    std::vector<float> vectors(rows * dimensions);
    std::vector<std::uint32_t> passages(rows);
    vector::MemoryTimes times;
    times.content_offset.push_back(0);
    const std::size_t multi_sentence = rows / 10, count = rows == 0 ? 0 : rows / 2 + 1;
    for (std::size_t row = 0; row < rows; ++row) {
      for (std::size_t c = 0; c < dimensions; ++c)
        vectors[row * dimensions + c] = alike ? few[row * row % 3 * dimensions + c]
                                              : normal(random) / static_cast<float>(1 + c);
      if (odd && row % 97 == 13 && row < 600)
        vectors[row * dimensions + row % dimensions] = std::numeric_limits<float>::infinity();
      if (odd && row % 101 == 17)
        vectors[row * dimensions + row % dimensions] = std::numeric_limits<float>::quiet_NaN();
      if (row % 31 == 5) std::fill_n(&vectors[row * dimensions], dimensions, 0.0f);
      if (row % 31 == 6)
        std::fill_n(&vectors[row * dimensions], dimensions, 0x1p-140f);  // denormal
      passages[row] = static_cast<std::uint32_t>(row < count ? row : random() % count);
      times.published.push_back(row % 7 == 3 ? nan : static_cast<double>(random() % 2000) * day);
      const double start = static_cast<double>(random() % 2000) * day;
      times.valid_start.push_back(row % 3 == 0 ? start : nan);
      times.valid_end.push_back(
          row % 3 == 0 ? (row % 2 == 0 ? std::numeric_limits<double>::infinity() : start + 90 * day)
                       : nan);
      for (std::size_t i = random() % 4; i > 0; --i) {
        const double begin = static_cast<double>(random() % 2000) * day;
        times.content_start.push_back(begin);
        times.content_end.push_back(
            random() % 3 == 0 ? begin : begin + static_cast<double>(random() % 400) * day);
      }
      times.content_offset.push_back(static_cast<std::uint32_t>(times.content_start.size()));
    }
    world.words.emplace_back(rows);
    for (float& word : world.words.back())
      word = random() % 4 == 0 ? static_cast<float>(random() % 100) / 10 : 0.0f;
    world.visible.emplace_back((count + 7) / 8);
    for (std::uint8_t& byte : world.visible.back()) byte = static_cast<std::uint8_t>(random());
    world.segments.push_back(std::make_unique<vector::MemoryRows>(
        vector::RowCounts{count, multi_sentence, dimensions}, vectors, std::move(passages),
        std::move(times), vector::RowPacking{wide, storage}));
  }
  return world;
}

inline vector::Query query_of(std::size_t number, const World& world, bool sums) {
  vector::Query query;
  query.semantic_weight = number % 4 == 3 ? 0.25 : 1;
  if (number % 3 == 2) {
    query.lexical_weight = 0.1;
    for (const auto& words : world.words) query.lexical.emplace_back(words);
  }
  const auto relation = static_cast<temporal::Relation>(number % 3);
  const auto clock = static_cast<temporal::Clock>(number / 2 % 3);
  if (number % 5 == 1) query.mask.published_until = 1200 * day;
  if (number % 4 == 2) {
    query.mask.has_window = true;
    query.mask.clock = clock;
    query.mask.relation = relation;
    query.mask.window = {500 * day,
                         relation == temporal::Relation::contains ? 501 * day : 900 * day};
  }
  if (number % 2 == 1) {
    query.form.kind = number % 6 == 5 ? temporal::Kind::linear : temporal::Kind::spline;
    query.form.combine = temporal::Combine::product;
    query.form.clock = clock;
    query.form.validity_first = number % 3 == 0;
    query.form.spline.lines[0] = {{400 * day, 800 * day}, 0.6, 1};
    query.form.spline.lines[1] = {{-infinity, 600 * day}, 0.3, 0.9, 100 * day};
    query.form.spline.line_count = 1 + number % 2;
    query.form.spline.outside = number % 3 == 0 ? 0 : 0.5;
    query.form.decay = {900 * day + 1, 100 * day, 0, 0.1, 0.5};
  } else if (number % 8 == 6) {
    query.form.kind = temporal::Kind::exponential;
    query.form.combine = temporal::Combine::sum;
    query.form.clock = clock;
    query.form.decay = {900 * day, 50 * day, 30 * day, 0, 0.5};
    query.form.weight = 0.4;
  } else if (sums && number % 4 == 0) {
    query.form.kind = temporal::Kind::recency;
    query.form.combine = temporal::Combine::sum;
    query.form.clock = temporal::Clock::published;
    query.form.recency.at = 1500 * day;
    query.form.weight = 0.7;
    query.mask = {};
  }
  return query;
}

inline void same(const vector::Result& host, const vector::Result& device) {
  CHECK(host.offsets == device.offsets);
  CHECK(host.segment == device.segment);
  CHECK(host.row == device.row);
  CHECK(host.passage == device.passage);
  CHECK(host.score == device.score);
  CHECK(host.similarity == device.similarity);
  CHECK(host.mention == device.mention);
  CHECK(host.rows_scanned == device.rows_scanned);
  CHECK(host.rows_masked == device.rows_masked);
}

/// Whether a search is made that way. Without panels all degrees of exactness are one: they are
/// asked for once.
inline bool taken(const Asking& asking, bool panels, Scope scope, bool pool, Exactness exactness) {
  const bool plain = scope == Scope::all && !pool, certified = exactness == Exactness::certified;
  if (asking.one_way) return plain && certified;
  return panels || plain || certified;
}

/// The same search on the host and on the device: all scopes, pooled or not, all three degrees of
/// exactness.
inline void compare_all(vector::Request& request, const DeviceHandle& handle, const World& world,
                        const Asking& asking) {
  const bool panels = std::any_of(request.segments.begin(), request.segments.end(),
                                  [](const auto& each) { return each.rows.panels.has_value(); });
  for (const Scope scope : {Scope::all, Scope::passages, Scope::sentences}) {
    for (const bool pool : {false, true}) {
      for (const Exactness exactness :
           {Exactness::certified, Exactness::rescored, Exactness::raw}) {
        if (!taken(asking, panels, scope, pool, exactness)) continue;
        request.scope = scope;
        request.pool = pool;
        request.exactness = exactness;
        request.device = nullptr;
        const vector::Result host = vector::search(request, Cancel());
        request.device = &handle;
        const vector::Result device = vector::search(request, Cancel());
        // Of bf16 a device adds products in an order of its own: scores of panels alone may differ
        // there.
        const bool halves = exactness == Exactness::raw &&
                            std::count(device.storage.begin(), device.storage.end(), 1) > 0;
        const bool inexact = asking.inexact && !halves && host.exact == device.exact &&
                             host.storage == device.storage;
        const bool comparable = exactness == Exactness::certified || inexact;
        if (comparable) same(host, device);
        // Of no more rows the vectors are read than were asked for: of each segment, since those
        // that are as good as the last (rows that a form gives nothing, in random worlds) stay as
        // long as their segments' order may decide between them.
        const double asked = 4 * static_cast<double>(request.k * request.segments.size());
        for (std::size_t q = 0; q < device.rescored.size() && exactness == Exactness::rescored &&
                                panels && world.plain && !asking.sums;
             ++q) {
          CHECK(device.rescored[q] <= asked);
        }
        const auto coarse = [](std::uint8_t storage) { return storage != 0; };
        if (panels && request.k > 0 && !asking.sums)
          CHECK(std::any_of(device.storage.begin(), device.storage.end(), coarse));
      }
    }
  }
}

inline void compare(const World& world, const Asking& asking) {
  std::mt19937_64 random(5);
  std::normal_distribution<float> normal;
  std::vector<float> vectors(asking.queries * world.dimensions);
  for (std::size_t i = 0; i < vectors.size(); ++i)
    vectors[i] = normal(random) / static_cast<float>(1 + i % world.dimensions);
  {
    Library library(asking.memory);
    const DeviceHandle handle{library.table, library.device};
    vector::Request request;
    for (std::size_t s = 0; s < world.segments.size(); ++s) {
      const FlatRows& rows = world.segments[s]->rows();
      request.segments.push_back({rows, {}, {}, {}, library.load(vector::segment_data(rows))});
      if (asking.shown_partly) request.segments.back().visible = world.visible[s];
    }
    request.vectors = vectors;
    request.dimensions = world.dimensions;
    request.k = asking.k;
    for (std::size_t q = 0; q < asking.queries; ++q)
      request.queries.push_back(query_of(q, world, asking.sums && !asking.shown_partly));
    compare_all(request, handle, world, asking);
  }
  nothing_is_left();
}

}  // namespace asof::cuda::test
