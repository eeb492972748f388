// Random scans of two planes at every level against the reference, to the bit, and against exact
// products: no row that reaches its threshold may be missed. Shapes, scales, odd values, centres,
// thresholds, bitmaps and ranges come from a seed.
#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "check.hpp"
#include "fuzz/drawn.hpp"
#include "fuzz/driver.hpp"
#include "kernels/inner_product/contract.hpp"
#include "kernels/int4/contract.hpp"

using namespace asof;
using namespace asof::int4;

namespace {

using fuzz::Drawing;

constexpr float infinity = std::numeric_limits<float>::infinity();

void take(void* context, const PanelSurvivor* candidates, std::size_t count) {
  auto& found = *static_cast<std::vector<PanelSurvivor>*>(context);
  found.insert(found.end(), candidates, candidates + count);
}

struct Case {
  std::size_t d = 1, n = 0, nq = 0, begin = 0;  // rows [16 * begin, n) are scanned
  std::vector<float> rows, queries, thresholds, centre;
  std::vector<float> bias, bias_weights;  // one a row and a query, or none
  std::vector<std::uint64_t> considered;
  bool all = true;

  Scan scan(std::size_t first, std::size_t last, std::vector<PanelSurvivor>& found) const {
    return {first, last, thresholds.data(), all ? nullptr : considered.data(), take, &found};
  }
  /// What the row's bias adds to its product.
  double more(std::size_t query, std::size_t row) const {
    return bias.empty() ? 0
                        : static_cast<double>(bias_weights[query]) * static_cast<double>(bias[row]);
  }
};

std::vector<float> vectors(Drawing& random, std::size_t count, std::size_t d, bool odd,
                           const std::vector<float>& common) {
  std::vector<float> made(count * d);
  for (std::size_t i = 0; i < count; ++i) {
    float* vector = made.data() + i * d;
    const float scale =
        odd && random.chance(4) ? std::ldexp(1.0f, static_cast<int>(random.below(200)) - 140) : 1;
    for (std::size_t c = 0; c < d; ++c)
      vector[c] = (common[c] + random.normal() * (random.chance(40) ? 9.0f : 1.0f)) * scale;
    if (odd && random.chance(8)) std::fill_n(vector, d, 0.0f);
    if (odd && random.chance(8) && i > 0) std::copy_n(made.data(), d, vector);
    const float values[] = {std::nanf(""), infinity, -infinity, 3e38f, 1e-45f, -0.0f};
    if (odd && random.chance(8)) vector[random.below(d)] = values[random.below(6)];
  }
  return made;
}

double exact(const float* a, const float* b, std::size_t d) {
  double sum = 0;
  for (std::size_t c = 0; c < d; ++c) sum += static_cast<double>(a[c]) * static_cast<double>(b[c]);
  return sum;
}

Case make(const fuzz::Draws& draws) {
  Drawing random(draws);
  Case made;
  const std::size_t edges[] = {1,  2,  3,   15,  16,  17,  31,  32,  33,  47,  48,  63,
                               64, 65, 127, 128, 129, 192, 255, 256, 257, 384, 768, 1024};
  made.d = random.chance(2) ? edges[random.below(24)] : 1 + random.below(300);
  made.n = random.chance(2) ? edges[random.below(20)] : random.below(random.chance(4) ? 2300 : 400);
  made.nq = random.chance(3) ? 1 : random.chance(2) ? edges[random.below(9)] : random.below(20);
  const bool odd = random.chance(2);
  std::vector<float> common(made.d);
  for (float& each : common) each = random.chance(3) ? 0 : random.normal();
  made.rows = vectors(random, made.n, made.d, odd, common);
  made.queries = vectors(random, made.nq, made.d, odd, common);
  // Queries that few rows are like: thresholds that few reach.
  for (std::size_t i = 0; i < made.nq && made.n > 0; ++i)
    if (random.chance(3))
      std::copy_n(&made.rows[random.below(made.n) * made.d], made.d, &made.queries[i * made.d]);
  made.begin = random.chance(2) ? 0 : random.below(panels(made.n) + 1);
  made.centre = random.chance(4)
                    ? std::vector<float>(made.d)
                    : centre_of(made.rows.data(), std::min<std::size_t>(made.n, 100), made.d);
  for (std::size_t i = 0; i < made.nq; ++i) {
    const float values[] = {-infinity, infinity, std::nanf(""), 0, -0.0f, 3.4e38f, -1e-40f};
    float typical = random.normal() * std::sqrt(static_cast<float>(made.d)) * 0.5f;
    if (made.n > 0 && random.chance(2))
      typical = static_cast<float>(
          exact(&made.queries[i * made.d], &made.rows[random.below(made.n) * made.d], made.d));
    made.thresholds.push_back(random.chance(6) ? values[random.below(7)] : typical);
  }
  made.all = random.chance(2);
  made.considered.resize((made.n + 63) / 64);
  for (auto& word : made.considered)
    word = random.next() & random.next() & (random.chance(2) ? random.next() : 0);
  if (random.chance(2)) return made;
  for (std::size_t r = 0; r < made.n; ++r)
    made.bias.push_back(random.chance(3) ? 0 : random.normal() * (random.chance(9) ? 1e9f : 3.0f));
  for (std::size_t i = 0; i < made.nq; ++i)
    made.bias_weights.push_back(random.chance(4) ? 0 : std::fabs(random.normal()));
  return made;
}

bool same_bits(float a, float b) {
  return std::memcmp(&a, &b, sizeof(float)) == 0;
}

/// Canonical products reach thresholds, those of the level and the exact ones: none is missing, and
/// bounds are not below them. A bias counts where it was given.
void check_none_missing(const Case& given, std::size_t n, const float* rows,
                        const std::vector<PanelSurvivor>& found, Isa level, bool biased) {
  const auto& canonical = inner_product::kernels(level);
  std::size_t at = 0;
  for (std::size_t i = 0; i < given.nq; ++i) {
    for (std::size_t r = 0; r < n; ++r) {
      if (!given.all && (given.considered[r / 64] >> (r % 64) & 1) == 0) continue;
      const bool survives = at < found.size() && found[at].query == i && found[at].row == r;
      const double value = exact(&given.queries[i * given.d], rows + r * given.d, given.d);
      float score = 0;
      canonical.block({&given.queries[i * given.d], 1, given.d}, {rows + r * given.d, 1, given.d},
                      given.d, &score, 1);
      const double threshold = static_cast<double>(given.thresholds[i]),
                   more = biased ? given.more(i, r) : 0;
      if (value + more >= threshold || static_cast<double>(score) + more >= threshold ||
          std::isnan(threshold))
        CHECK(survives);
      if (!survives) continue;
      const double most = static_cast<double>(found[at].upper);
      CHECK(std::isnan(value) || most >= value);
      CHECK(std::isnan(score) || found[at].upper >= score);
      CHECK(biased || !(found[at].upper < given.thresholds[i]));
      // The other side of the bound.
      if (std::isfinite(most) && !std::isnan(value))
        CHECK(2 * static_cast<double>(found[at].product) - most <= value + 1e-6 * std::fabs(most));
      at += 1;
    }
  }
  CHECK(at == found.size());
}

/// What survives by both planes alone, by the contract's rule.
void check_whole(const Case& given, const Rows& rows, const Queries& queries,
                 const std::vector<float>& products, std::vector<PanelSurvivor>& found) {
  std::sort(found.begin(), found.end(), [](const PanelSurvivor& a, const PanelSurvivor& b) {
    return a.query != b.query ? a.query < b.query : a.row < b.row;
  });
  std::size_t at = 0;
  for (std::size_t i = 0; i < given.nq; ++i) {
    for (std::size_t r = 0; r < rows.n; ++r) {
      if (!given.all && (given.considered[r / 64] >> (r % 64) & 1) == 0) continue;
      const PanelRecord& record = rows.records[r / panel_rows];
      const std::size_t place = r % panel_rows;
      const float fine = std::isinf(record.error[place]) ? infinity
                                                         : record.fine_error * record.scale[place],
                  product = products[i * rows.n + r];
      const float most = product + (queries.alpha[i] * fine +
                                    queries.beta[i] * (record.fine_length * record.length[place]) +
                                    queries.omega[i]);
      if (most < given.thresholds[i]) continue;
      CHECK(at < found.size() && found[at].query == i && found[at].row == r);
      CHECK(same_bits(found[at].product, product) && same_bits(found[at].upper, most));
      at += 1;
    }
  }
  CHECK(at == found.size());
}

void run(const fuzz::Draws& draws) {
  const Case given = make(draws);
  const std::size_t all = panels(given.n), skipped = given.begin * panel_rows;
  // As long as they must be and no longer, so that the sanitizer sees what lies beyond.
  std::unique_ptr<std::uint8_t[]> bytes(new std::uint8_t[all * panel_bytes(given.d)]);
  std::unique_ptr<PanelRecord[]> records(new PanelRecord[all]);
  for (std::size_t from = 0; from < given.n; from += block_rows) {  // in pieces of whole blocks
    const std::size_t panel = from / panel_rows;
    pack_rows({&given.rows[from * given.d], std::min(block_rows, given.n - from), given.d}, given.d,
              given.centre.data(), &bytes[panel * panel_bytes(given.d)], &records[panel]);
  }
  const QueryBlock block(given.queries.data(), given.nq, given.d, given.d);
  const Shifts shifts = block.shifts(given.queries.data(), given.d, given.centre);
  const Queries queries = block.view(shifts, 0, given.nq);
  const std::size_t n = given.n > skipped ? given.n - skipped : 0;
  const Rows rows = {n, given.d, bytes.get(), records.get() + given.begin, given.begin, all};
  std::vector<float> expected;
  std::vector<PanelSurvivor> expected_found;
  for (Isa level : isa_levels()) {
    const Kernels& at = kernels(level);
    std::vector<float> products(given.nq * n, -1);
    at.products(rows, queries, {0, panels(n)}, products.data(), n);
    std::vector<PanelSurvivor> found;
    const std::size_t middle = panels(n) / 3;
    for (auto [first, last] :
         {std::pair<std::size_t, std::size_t>{0, middle}, {middle, panels(n)}}) {
      Scan biased = given.scan(first, last, found);
      biased.row_bias = given.bias.empty() ? nullptr : given.bias.data();
      biased.bias_weights = given.bias_weights.data();
      at.survivors(rows, queries, biased);
    }
    std::sort(found.begin(), found.end(), [](const PanelSurvivor& a, const PanelSurvivor& b) {
      return a.query != b.query ? a.query < b.query : a.row < b.row;
    });
    if (level == Isa::reference) {
      expected = products;
      expected_found = found;
    }
    for (std::size_t i = 0; i < products.size(); ++i) CHECK(same_bits(products[i], expected[i]));
    CHECK(found.size() == expected_found.size());
    for (std::size_t i = 0; i < found.size(); ++i) {
      const PanelSurvivor &a = found[i], &b = expected_found[i];
      CHECK(a.query == b.query && a.row == b.row && same_bits(a.product, b.product) &&
            same_bits(a.upper, b.upper));
      CHECK(same_bits(a.product, products[a.query * n + a.row]));
    }
    const float* scanned = given.rows.data() + std::min(skipped, given.n) * given.d;
    check_none_missing(given, n, scanned, found, level, !given.bias.empty());
    found.clear();
    for (auto [first, last] :
         {std::pair<std::size_t, std::size_t>{0, middle}, {middle, panels(n)}}) {
      survivors_of_whole(at, quantized::kernels(level), rows, queries,
                         given.scan(first, last, found));
    }
    check_whole(given, rows, queries, products, found);
    check_none_missing(given, n, scanned, found, level, false);
  }
}

}  // namespace

int main(int count, char** arguments) {
  const fuzz::DrawnFuzzer fuzzer{"fuzz_int4", "all levels agree and none misses a row", run};
  return fuzz::Driver(fuzzer).run(count, arguments);
}
