// Random quantised scans at every level against the reference: shapes, scales, odd values,
// thresholds and bitmaps from a seed. Whether the reference is right is the oracle's business
// (test/kernels); here all levels must agree, and none may touch memory that is not its own.
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
#include "kernels/packing/contract.hpp"
#include "kernels/quantized/queries.hpp"

using namespace asof;
using namespace asof::quantized;

namespace {

using fuzz::Drawing;

struct Case {
  Storage storage = Storage::bf16;
  std::size_t d = 1, n = 0, nq = 0;
  std::vector<float> rows, queries, thresholds, beside, weights;  // the last two may be empty
  std::vector<std::uint64_t> considered;
  bool all = true, odd = false;
};

constexpr float infinity = std::numeric_limits<float>::infinity();

std::vector<float> vectors(Drawing& random, std::size_t count, std::size_t d, bool odd) {
  std::vector<float> made(count * d);
  for (std::size_t i = 0; i < count; ++i) {
    float* vector = made.data() + i * d;
    const float scale =
        odd && random.chance(4) ? std::ldexp(1.0f, static_cast<int>(random.below(200)) - 140) : 1;
    for (std::size_t c = 0; c < d; ++c) vector[c] = random.normal() * scale;
    if (odd && random.chance(8)) std::fill_n(vector, d, 0.0f);
    if (odd && random.chance(8) && i > 0) std::copy_n(made.data(), d, vector);
    const float values[] = {std::nanf(""), infinity, -infinity, 3e38f, 1e-45f, -0.0f};
    if (odd && random.chance(8)) vector[random.below(d)] = values[random.below(6)];
  }
  return made;
}

Case make(const fuzz::Draws& draws) {
  Drawing random(draws);
  Case made;
  made.storage = random.chance(2) ? Storage::bf16 : Storage::int8;
  const std::size_t edges[] = {1,  2,  15,  16,  17,  31,  32,  33,  47,  48,  49,   63,
                               64, 65, 127, 128, 129, 255, 256, 257, 384, 768, 1024, 4096};
  made.d =
      random.chance(2) ? edges[random.below(random.chance(10) ? 24 : 21)] : 1 + random.below(300);
  made.n = random.chance(2) ? edges[random.below(20)] : random.below(400);
  made.nq = random.chance(2) ? edges[random.below(12)] : random.below(random.chance(5) ? 310 : 20);
  made.odd = random.chance(2);
  made.rows = vectors(random, made.n, made.d, made.odd);
  made.queries = vectors(random, made.nq, made.d, made.odd);
  for (std::size_t i = 0; i < made.nq; ++i) {
    const float odd[] = {-infinity, infinity, std::nanf(""), 0, -0.0f, 3.4e38f, -1e-40f};
    float typical = random.normal() * std::sqrt(static_cast<float>(made.d)) * 0.5f;
    made.thresholds.push_back(random.chance(6) ? odd[random.below(7)] : typical);
  }
  if (random.chance(2)) {
    for (std::size_t r = 0; r < made.n; ++r)
      made.beside.push_back(
          random.chance(2) ? 0 : random.normal() * (made.odd && random.chance(9) ? 1e9f : 3));
    for (std::size_t i = 0; i < made.nq; ++i)
      made.weights.push_back(random.chance(5) ? 0 : std::fabs(random.normal()));
  }
  made.all = random.chance(2);
  made.considered.resize((made.n + 63) / 64);
  for (auto& word : made.considered)
    word = random.next() & random.next() & (random.chance(2) ? random.next() : 0);
  return made;
}

/// As long as it must be and no longer, so that the sanitizer sees what lies beyond.
struct Packed {
  explicit Packed(const Case& given)
      : bytes(new std::uint8_t[panels(given.n) * panel_bytes(given.storage, given.d)]),
        records(new PanelRecord[panels(given.n)]) {
    pack_rows(given.storage, {given.rows.data(), given.n, given.d}, given.d, bytes.get(),
              records.get());
  }
  Packed(const Case& given, Isa level)
      : bytes(new std::uint8_t[panels(given.n) * panel_bytes(Storage::int8, given.d)]),
        records(new PanelRecord[panels(given.n)]) {
    packing::kernels(level).pack({given.rows.data(), given.n, given.d}, given.d, bytes.get(),
                                 records.get());
  }
  std::unique_ptr<std::uint8_t[]> bytes;
  std::unique_ptr<PanelRecord[]> records;
};

/// Panels that a level makes in passing hold the bytes that files do, and records that bound what
/// those lack.
void check_packing(const Case& given, const Packed& packed, Isa level) {
  const Packed passing(given, level);
  CHECK(std::memcmp(passing.bytes.get(), packed.bytes.get(),
                    panels(given.n) * panel_bytes(Storage::int8, given.d)) == 0);
  for (std::size_t r = 0; r < given.n; ++r) {
    const PanelRecord &made = passing.records[r / panel_rows],
                      &known = packed.records[r / panel_rows];
    const std::size_t place = r % panel_rows;
    CHECK(std::isinf(made.error[place]) == std::isinf(known.error[place]));
    if (std::isinf(known.error[place])) continue;
    CHECK(made.scale[place] == known.scale[place]);
    const float enough = 1 + static_cast<float>(given.d + 512) * 0x1p-24f,
                tiny = std::sqrt(static_cast<float>(given.d)) * 0x1p-62f;
    CHECK(made.error[place] * (1 + 0x1p-22f) >= known.error[place] &&
          made.error[place] <= known.error[place] * enough + tiny);
    CHECK(made.length[place] * (1 + 0x1p-22f) >= known.length[place]);
    CHECK(made.length[place] <= (known.length[place] + 2 * known.error[place]) * enough + tiny);
    CHECK(made.error[place] <= made.most_error && made.length[place] <= made.most_length);
  }
}

void take(void* context, const PanelSurvivor* candidates, std::size_t count) {
  auto& found = *static_cast<std::vector<PanelSurvivor>*>(context);
  found.insert(found.end(), candidates, candidates + count);
}

bool same_bits(float a, float b) {
  return std::memcmp(&a, &b, sizeof(float)) == 0 || (a == 0 && b == 0);
}

/// The survivors by the contract's rule, from a level's own products.
void check_survivors(const Case& given, const Packed& packed, const Queries& queries,
                     const std::vector<float>& products, std::vector<PanelSurvivor> found) {
  auto before = [](const PanelSurvivor& a, const PanelSurvivor& b) {
    return a.query != b.query ? a.query < b.query : a.row < b.row;
  };
  std::sort(found.begin(), found.end(), before);
  std::size_t at = 0;
  for (std::size_t i = 0; i < given.nq; ++i) {
    for (std::size_t r = 0; r < given.n; ++r) {
      if (!given.all && (given.considered[r / 64] >> (r % 64) & 1) == 0) continue;
      const PanelRecord& record = packed.records[r / panel_rows];
      const float product = products[i * given.n + r];
      const float most =
          product + (queries.alpha[i] * record.error[r % panel_rows] +
                     queries.beta[i] * record.length[r % panel_rows] + queries.omega[i]);
      float reached = most;
      if (!given.beside.empty()) {
        const float more = given.weights[i] * given.beside[r];
        reached = (most + more) + (std::fabs(most) + std::fabs(more)) * 0x1p-22f;
      }
      if (reached < given.thresholds[i]) continue;
      CHECK(at < found.size() && found[at].query == i && found[at].row == r);
      CHECK(same_bits(found[at].product, product) && same_bits(found[at].upper, most));
      at += 1;
    }
  }
  CHECK(at == found.size());
}

void run(const fuzz::Draws& draws) {
  const Case given = make(draws);
  const Packed packed(given);
  const QueryBlock block(given.storage, given.queries.data(), given.nq, given.d, given.d);
  const Rows rows = {given.storage, given.n, given.d, packed.bytes.get(), packed.records.get()};
  std::vector<float> expected;
  for (Isa level : isa_levels()) {
    const Kernels& at = kernels(level);
    std::vector<float> products(given.nq * given.n, -1);
    at.products(rows, block.view(), {0, panels(given.n)}, products.data(), given.n);
    if (level == Isa::reference) expected = products;
    const bool exact =
        given.storage == Storage::int8 ||
        (level < Isa::x86_64_v4_bf16 && !given.odd);  // odd: products may be denormal
    for (std::size_t i = 0; i < products.size(); ++i) {
      const PanelRecord& record = packed.records[i % given.n / panel_rows];
      const float reach = block.view().beta[i / given.n] * record.length[i % given.n % panel_rows] +
                          block.view().omega[0];
      CHECK(same_bits(products[i], expected[i]) ||
            (!exact && std::fabs(products[i] - expected[i]) <= 2 * reach));
    }
    std::vector<PanelSurvivor> found;
    const std::size_t middle = panels(given.n) / 2;
    for (auto [first, last] :
         {std::pair<std::size_t, std::size_t>{0, middle}, {middle, panels(given.n)}}) {
      at.survivors(rows, block.view(),
                   {first, last, given.thresholds.data(),
                    given.all ? nullptr : given.considered.data(), take, &found,
                    given.beside.empty() ? nullptr : given.beside.data(), given.weights.data()});
    }
    check_survivors(given, packed, block.view(), products, std::move(found));
    if (given.storage == Storage::int8) check_packing(given, packed, level);
  }
}

}  // namespace

int main(int count, char** arguments) {
  const fuzz::DrawnFuzzer fuzzer{"fuzz_quantized", "all levels agree", run};
  return fuzz::Driver(fuzzer).run(count, arguments);
}
