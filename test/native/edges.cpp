// No kernel at any level touches memory outside its arrays: every array ends where an unmapped page
// begins, or begins where one ends, at lengths around every vector width. Results are compared with
// the reference's loosely; the oracle in TypeScript is what proves them.
#include <sys/mman.h>
#include <unistd.h>

#include <cmath>
#include <cstdint>
#include <cstring>
#include <vector>

#include "check.hpp"
#include "kernels/calendar/contract.hpp"
#include "kernels/film/contract.hpp"
#include "kernels/inner_product/contract.hpp"
#include "kernels/normalize/contract.hpp"
#include "kernels/quantized/queries.hpp"
#include "kernels/spline/contract.hpp"
#include "kernels/standardize/contract.hpp"
#include "kernels/top_k/contract.hpp"
#include "kernels/training/contract.hpp"

using namespace asof;

static bool at_end = true;  // whether arrays touch the page after them, or the one before

// An array between two pages that must not be touched.
template <typename T>
class Fenced {
 public:
  explicit Fenced(std::size_t count, T value = T(1)) : count_(count) {
    std::size_t page = static_cast<std::size_t>(sysconf(_SC_PAGESIZE)),
                body = (count * sizeof(T) + page - 1) / page * page;
    bytes_ = body + 2 * page;
    base_ = static_cast<char*>(
        mmap(nullptr, bytes_, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0));
    CHECK(base_ != MAP_FAILED);
    data_ = reinterpret_cast<T*>(at_end ? base_ + page + body - count * sizeof(T) : base_ + page);
    for (std::size_t i = 0; i < count; ++i) data_[i] = value;
    CHECK(mprotect(base_, page, PROT_NONE) == 0 &&
          mprotect(base_ + page + body, page, PROT_NONE) == 0);
  }
  ~Fenced() { munmap(base_, bytes_); }
  Fenced(const Fenced&) = delete;
  Fenced& operator=(const Fenced&) = delete;
  operator T*() { return data_; }
  std::size_t size() const { return count_; }

 private:
  std::size_t count_, bytes_;
  char* base_;
  T* data_;
};

// Pairs that lie anywhere have the bits that they have in a block.
static void pairs(Isa level, float* queries, float* rows, std::size_t d, std::size_t nq,
                  std::size_t n) {
  for (std::size_t c = 0; c < nq * d; ++c) queries[c] = std::sin(static_cast<float>(c));
  for (std::size_t c = 0; c < n * d; ++c) rows[c] = std::cos(static_cast<float>(3 * c));
  std::vector<float> block(nq * n);
  inner_product::kernels(level).block({queries, nq, d}, {rows, n, d}, d, block.data(), n);
  Fenced<const float*> left(nq * n, nullptr), right(nq * n, nullptr);
  Fenced<float> out(nq * n, -1);
  for (std::size_t i = 0; i < nq * n; ++i)
    left[i] = queries + i % nq * d, right[i] = rows + i * 7 % n * d;
  inner_product::kernels(level).pairs(left, right, nq * n, d, out);
  for (std::size_t i = 0; i < nq * n; ++i)
    CHECK(std::memcmp(&out[i], &block[i % nq * n + i * 7 % n], sizeof(float)) == 0);
}

static void vectors(Isa level, std::size_t d, std::size_t n) {
  for (std::size_t nq : {1, 2, 3, 5}) {
    Fenced<float> queries(nq * d), rows(n * d), out(nq * n, -1);
    inner_product::kernels(level).block({queries, nq, d}, {rows, n, d}, d, out, n);
    for (std::size_t i = 0; i < out.size(); ++i) CHECK(out[i] == static_cast<float>(d));
    pairs(level, queries, rows, d, nq, n);
  }
  Fenced<float> rows(n * d), x(n * d), gamma(n * d, 0), beta(n * d, 0), y(n * d, -1);
  Fenced<double> norms(n);
  Fenced<std::uint8_t> timed(n), refused(n);
  CHECK(normalize::kernels(level).rows(rows, n, d, d, norms) == 0);
  CHECK(film::kernels(level).rows({x, gamma, beta, timed, n, d}, 1, y, refused) == 0);
  for (std::size_t i = 0; i < n * d; ++i) {
    CHECK(std::fabs(rows[i] * std::sqrt(static_cast<double>(d)) - 1) < 1e-6);
    CHECK(y[i] == rows[i]);
  }
}

static void training_step(Isa level, std::size_t d, std::size_t n) {
  const training::Kernels& kernels = training::kernels(level);
  for (std::size_t m : {1, 2, 5}) {
    Fenced<float> coefficients(n * m), rows(m * d), out(n * d);
    kernels.combine({coefficients, m, 1}, {rows, m, d}, n, out);
    kernels.combine({coefficients, 1, n}, {rows, m, d}, n, out);
    for (std::size_t i = 0; i < n * d; ++i) CHECK(out[i] == static_cast<float>(1 + 2 * m));
  }
  Fenced<float> u(n * d, 0), du(n * d), y(n * d, -1), gradient(n * d), first(n * d, 0),
      second(n * d, 0);
  Fenced<double> norms(n, 2);
  kernels.unit_gradient({u, du, norms}, n, d, y);
  for (std::size_t i = 0; i < n * d; ++i) CHECK(y[i] == 0.5f);
  kernels.adamw({0.5f, 0.5f, 0.5f, 2, 2, 0, 0}, gradient, n * d, {du, first, second});
  for (std::size_t i = 0; i < n * d; ++i)
    CHECK(first[i] == 0.5f && second[i] == 0.5f && du[i] == 0.5f);
}

template <typename Instant>
static void clocks(spline::Rows<Instant> spline_rows, std::size_t n) {
  Fenced<Instant> starts(n, Instant(2)), ends(n, Instant(4));
  Fenced<std::uint32_t> offsets(n + 1);
  for (std::size_t i = 0; i <= n; ++i) offsets[i] = static_cast<std::uint32_t>(i);
  Fenced<float> out(n, -1);
  spline::Line line = {0, 10, 1, 1, 0, 0};
  spline_rows({starts, ends, offsets, n}, {1, 0}, line, out);
  for (std::size_t i = 0; i < n; ++i) CHECK(out[i] == 1);
  spline_rows({starts, ends, nullptr, n}, {1, 0}, line, out);
  for (std::size_t i = 0; i < n; ++i) CHECK(out[i] == 1);
}

static void columns(Isa level, std::size_t n) {
  Fenced<float> scores(n), out(n, -1);
  Fenced<std::uint32_t> indices(n);
  CHECK(top_k::kernels(level).at_least(scores, n, 1, indices) == n);
  for (std::size_t i = 0; i < n; ++i) CHECK(indices[i] == i);

  standardize::Moments moments = standardize::kernels(level).moments(scores, n);
  CHECK(moments.count == static_cast<double>(n) && moments.mean == 1 && moments.squares == 0);
  standardize::kernels(level).apply(scores, n, standardize::map_of(moments, {2, 7, 2}), out);
  for (std::size_t i = 0; i < n; ++i) CHECK(out[i] == 7);

  clocks<double>(spline::kernels(level).milliseconds, n);
  clocks<std::int32_t>(spline::kernels(level).ticks32, n);
  clocks<std::int64_t>(spline::kernels(level).ticks64, n);

  Fenced<double> instants(n, 0);
  Fenced<std::uint8_t> granularity(n, 5), month(n), day(n), mask(n);
  Fenced<std::int32_t> year(n);
  Fenced<std::uint16_t> day_of_year(n);
  Fenced<float> features(4 * n);
  calendar::kernels(level).parts(instants, granularity, n, {year, month, day, day_of_year, mask});
  calendar::kernels(level).features(month, day_of_year, mask, n, features);
  for (std::size_t i = 0; i < n; ++i)
    CHECK(year[i] == 1970 && month[i] == 1 && day[i] == 1 && day_of_year[i] == 1 && mask[i] == 15);
}

static void quantized_scan(Isa level, std::size_t d, std::size_t n) {
  using namespace quantized;
  const std::size_t nq = 5;
  Fenced<float> rows(n * d), queries(nq * d), thresholds(nq, 0), out(nq * n, -1);
  Fenced<std::uint64_t> considered((n + 63) / 64, ~std::uint64_t{0});
  for (Storage storage : {Storage::bf16, Storage::int8}) {
    Fenced<std::uint8_t> bytes(panels(n) * panel_bytes(storage, d));
    Fenced<PanelRecord> records(panels(n), PanelRecord());
    pack_rows(storage, {rows, n, d}, d, bytes, records);
    for (std::size_t some : {std::size_t{1}, nq}) {
      const QueryBlock block(storage, queries, some, d, d);
      const Rows packed = {storage, n, d, bytes, records};
      kernels(level).products(packed, block.view(), {0, panels(n)}, out, n);
      for (std::size_t i = 0; i < some * n; ++i)
        CHECK(std::fabs(out[i] - static_cast<float>(d)) <= 1e-4f * static_cast<float>(d));
      std::size_t found = 0;
      auto take = [](void* context, const PanelSurvivor*, std::size_t count) {
        *static_cast<std::size_t*>(context) += count;
      };
      for (const std::uint64_t* bits : {static_cast<const std::uint64_t*>(nullptr),
                                        static_cast<const std::uint64_t*>(considered)}) {
        kernels(level).survivors(packed, block.view(),
                                 {0, panels(n), thresholds, bits, take, &found});
      }
      CHECK(found == 2 * some * n);
    }
  }
}

int main() {
  for (bool end : {true, false}) {
    at_end = end;
    for (Isa level : isa_levels()) {
      for (std::size_t length : {1, 2, 3, 4, 5, 7, 8, 9, 15, 16, 17, 31, 32, 33, 64, 65, 300}) {
        columns(level, length);
        vectors(level, length, 3);
        vectors(level, 5, length);
        quantized_scan(level, length, 3);
        quantized_scan(level, 5, length);
        training_step(level, length, 3);
        training_step(level, 5, length);
      }
    }
  }
  std::puts("edges: all good");
}
