// The scan with what it measures of its rows: many threads search the same rows at once, so that
// blocks are measured, read and left while others do the same, and every result is the plain scan's
// to the bit. Meant for the thread sanitizer as test_threads is.
#include "index/vector/search.hpp"

#include <algorithm>
#include <limits>
#include <random>
#include <thread>
#include <vector>

#include "check.hpp"
#include "core/threads.hpp"
#include "index/vector/memory_rows.hpp"

using namespace asof;

namespace {

constexpr std::size_t dimensions = 64, rows = 40 * block_rows + 17;

/// Rows of which `odd(row)` changes a few.
template <typename Odd>
vector::MemoryRows rows_with(Odd odd, Storage storage = {}) {
  std::mt19937 random(7);
  std::normal_distribution<float> normal;
  std::vector<float> vectors(rows * dimensions);
  std::vector<std::uint32_t> passages(rows);
  vector::MemoryTimes times;
  for (std::size_t row = 0; row < rows; ++row) {
    for (std::size_t c = 0; c < dimensions; ++c)
      vectors[row * dimensions + c] = normal(random) / static_cast<float>(1 + c);
    odd(row, &vectors[row * dimensions]);
    passages[row] = static_cast<std::uint32_t>(row / 2);
    times.published.push_back(static_cast<double>(random() % 1000) * 86'400'000);
  }
  return {{rows, 0, dimensions}, vectors, std::move(passages), std::move(times), {false, storage}};
}

vector::Request request_of(const FlatRows& given, const std::vector<float>& queries, bool pool) {
  vector::Request request;
  request.segments.push_back({given, {}, {}});
  request.queries.resize(queries.size() / dimensions);
  for (std::size_t q = 0; q < request.queries.size(); ++q) {
    temporal::Form& form = request.queries[q].form;
    if (q % 2 == 0) continue;
    form.kind = temporal::Kind::spline;
    form.combine = temporal::Combine::product;
    form.clock = temporal::Clock::published;
    form.spline.lines[0] = {{1e10, 5e10}, 0.6, 1};
    form.spline.line_count = 1;
    form.spline.outside = 0.5;
  }
  request.vectors = queries;
  request.dimensions = dimensions;
  request.k = 10;
  request.pool = pool;
  return request;
}

void same(const vector::Result& plain, const vector::Result& pruned) {
  CHECK(plain.offsets == pruned.offsets);
  CHECK(plain.row == pruned.row);
  CHECK(plain.score == pruned.score);
  CHECK(plain.similarity == pruned.similarity);
}

std::vector<float> queries_of(std::size_t count) {
  std::mt19937 random(11);
  std::normal_distribution<float> normal;
  std::vector<float> queries(count * dimensions);
  for (std::size_t i = 0; i < queries.size(); ++i)
    queries[i] = normal(random) / static_cast<float>(1 + i % dimensions);
  return queries;
}

template <typename Odd>
void many_at_once(Odd odd) {
  set_thread_count(4);
  const std::vector<float> queries = queries_of(40);
  for (bool pool : {false, true}) {
    const vector::MemoryRows kept = rows_with(odd);
    FlatRows bare = kept.rows();
    bare.block_lengths = nullptr;
    const vector::Result plain = vector::search(request_of(bare, queries, pool), Cancel());
    std::vector<std::thread> callers;
    for (int caller = 0; caller < 4; ++caller) {
      callers.emplace_back([&] {
        for (int round = 0; round < 4; ++round)
          same(plain, vector::search(request_of(kept.rows(), queries, pool), Cancel()));
      });
    }
    for (std::thread& caller : callers) caller.join();
  }
}

/// The same with panels: many callers whose threads bound, wait and score at once, and one that is
/// cancelled between tiles.
template <typename Odd>
void many_by_panels(Odd odd) {
  set_thread_count(4);
  for (const Storage storage :
       {Storage(quantized::Storage::int8), Storage(quantized::Storage::bf16)}) {
    const vector::MemoryRows bare = rows_with(odd), kept = rows_with(odd, storage);
    for (std::size_t count : {1, 3, 40}) {
      const std::vector<float> queries = queries_of(count);
      for (bool pool : {false, true}) {
        FlatRows plain_rows = bare.rows();
        plain_rows.block_lengths = nullptr;
        const vector::Result plain =
            vector::search(request_of(plain_rows, queries, pool), Cancel());
        std::vector<std::thread> callers;
        for (int caller = 0; caller < 3; ++caller) {
          callers.emplace_back([&] {
            same(plain, vector::search(request_of(kept.rows(), queries, pool), Cancel()));
          });
        }
        const Cancel cancel;
        callers.emplace_back([&] {
          try {
            same(plain, vector::search(request_of(kept.rows(), queries, pool), cancel));
          } catch (const Error& error) {
            CHECK(error.code() == std::string("ERR_ABORTED"));
          }
        });
        cancel.request();
        for (std::thread& caller : callers) caller.join();
      }
    }
  }
}

/// The same for words that few rows have: threads look up how long the rows of blocks are while
/// others do, and pass over what has no chance.
template <typename Odd>
void many_by_words(Odd odd) {
  set_thread_count(4);
  std::mt19937 random(3);
  std::vector<float> words(rows), most((rows + block_rows - 1) / block_rows);
  std::vector<RowId> likely;
  for (std::size_t row = 0; row < rows; ++row) {
    if (row / 40 % 11 == 0) words[row] = static_cast<float>(1 + random() % 16);
    if (words[row] == 16) likely.push_back({0, static_cast<std::uint32_t>(row)});
    most[row / block_rows] = std::max(most[row / block_rows], words[row]);
  }
  const vector::MemoryRows bare = rows_with(odd);
  FlatRows plain_rows = bare.rows();
  plain_rows.block_lengths = nullptr;
  for (std::size_t count : {1, 3}) {
    const std::vector<float> queries = queries_of(count);
    for (bool pool : {false, true}) {
      const auto asked = [&](const FlatRows& given) {
        vector::Request request = request_of(given, queries, pool);
        for (vector::Query& query : request.queries) {
          query.semantic_weight = 0.05;
          query.lexical_weight = 0.1;
          query.lexical = {words};
          query.lexical_block_max = {most};
          query.seeds = likely;
        }
        return request;
      };
      const vector::Result plain = vector::search(asked(plain_rows), Cancel());
      const vector::MemoryRows kept = rows_with(odd, Storage(quantized::Storage::int8));
      std::vector<std::thread> callers;
      for (int caller = 0; caller < 4; ++caller)
        callers.emplace_back([&] { same(plain, vector::search(asked(kept.rows()), Cancel())); });
      for (std::thread& caller : callers) caller.join();
    }
  }
}

}  // namespace

int main() {
  many_at_once([](std::size_t, float*) {});
  many_at_once([](std::size_t row, float* vector) {
    if (row % 997 == 5) vector[row % dimensions] = std::numeric_limits<float>::quiet_NaN();
    if (row % 1009 == 6) vector[row % dimensions] = std::numeric_limits<float>::infinity();
    if (row % 5 == 0) std::fill_n(vector, dimensions, 0.0f);
  });
  many_by_panels([](std::size_t, float*) {});
  many_by_panels([](std::size_t row, float* vector) {
    if (row % 997 == 5) vector[row % dimensions] = std::numeric_limits<float>::quiet_NaN();
    if (row % 3 == 0) std::fill_n(vector, dimensions, row % 2 == 0 ? 0.25f : 0.0f);
  });
  many_by_words([](std::size_t, float*) {});
  many_by_words([](std::size_t row, float* vector) {
    if (row % 997 == 5) vector[row % dimensions] = std::numeric_limits<float>::quiet_NaN();
  });
  return 0;
}
