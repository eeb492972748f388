// The device's scan of panels, emulated, against the plain CPU form: the same survivors with the
// same bits for int8, and for bf16 every row that the exact product makes one. Shapes are awkward
// on purpose: parts of panels, of tiles and of passes; odd values; every order of fibers.
#include "cuda/search/multiply.hpp"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>
#include <random>
#include <set>
#include <tuple>
#include <vector>

#include "../check.hpp"
#include "cuda/kernels/products/wide_survivors.hpp"
#include "kernels/quantized/queries.hpp"

using namespace asof;
namespace products = asof::cuda::products;

namespace {

using Found = std::vector<std::tuple<std::uint32_t, std::uint32_t, float, float>>;  // query, row,
                                                                                    // product, most

struct Case {
  quantized::Storage storage;
  std::size_t n, d, nq;
  std::vector<float> rows, queries, thresholds;
  std::vector<std::uint64_t> live_groups;  // a bit for 64 rows
};

Case made(quantized::Storage storage, std::size_t n, std::size_t d, std::size_t nq,
          std::uint64_t seed) {
  std::mt19937_64 random(seed);
  std::normal_distribution<float> normal;
  Case each{storage,
            n,
            d,
            nq,
            std::vector<float>(n * d),
            std::vector<float>(nq * d),
            std::vector<float>(nq),
            std::vector<std::uint64_t>(n / 4096 + 1)};
  for (float& value : each.rows) value = normal(random);
  for (float& value : each.queries) value = normal(random);
  for (std::size_t r = 0; r < n; r += 37) std::fill_n(each.rows.data() + r * d, d, 0.0f);
  if (n > 5) each.rows[5 * d] = std::nanf("");
  if (n > 70) each.rows[70 * d + d - 1] = std::numeric_limits<float>::infinity();
  if (nq > 3) each.queries[3 * d] = std::numeric_limits<float>::infinity();
  for (std::size_t q = 0; q < nq; ++q)
    each.thresholds[q] = std::sqrt(static_cast<float>(d)) * (q % 5 == 4 ? -100.0f : 1.5f);
  if (nq > 7) each.thresholds[7] = std::nanf("");
  if (nq > 1) each.thresholds[1] = std::numeric_limits<float>::infinity();
  for (std::uint64_t& word : each.live_groups) word = random();
  return each;
}

bool worth_reading(const Case& each, std::size_t row) {
  return (each.live_groups[row / 4096] >> (row / 64 % 64) & 1) != 0;
}

Found on_the_cpu(const Case& each, bool masked) {
  std::vector<std::uint8_t> panels(quantized::panels(each.n) *
                                   quantized::panel_bytes(each.storage, each.d));
  std::vector<quantized::PanelRecord> records(quantized::panels(each.n));
  quantized::pack_rows(each.storage, {each.rows.data(), each.n, each.d}, each.d, panels.data(),
                       records.data());
  const quantized::QueryBlock block(each.storage, each.queries.data(), each.nq, each.d, each.d);
  Found found;
  auto take = [](void* to, const quantized::PanelSurvivor* candidates, std::size_t count) {
    for (std::size_t i = 0; i < count; ++i)
      static_cast<Found*>(to)->emplace_back(candidates[i].query, candidates[i].row,
                                            candidates[i].product, candidates[i].upper);
  };
  const quantized::Rows rows{each.storage, each.n, each.d, panels.data(), records.data()};
  quantized::reference::kernels.survivors(
      rows, block.view(),
      {0, quantized::panels(each.n), each.thresholds.data(), nullptr, take, &found});
  if (masked)
    std::erase_if(found, [&](const auto& pair) { return !worth_reading(each, std::get<1>(pair)); });
  std::sort(found.begin(), found.end());
  return found;
}

std::vector<std::uint8_t> arranged(std::vector<std::uint8_t> panels) {
  cuda::swizzle(panels.data(), panels.size(), nullptr);
  return panels;
}

/// What the kernel hands rows to, in places of their own: threads of a block hand over at once.
struct Sink {
  Found* places;
  unsigned* count;
  void operator()(std::uint32_t query, std::uint32_t row, float product, float most) const {
    const unsigned at = atomicAdd(count, 1u);
    if (at < places->size()) (*places)[at] = {query, row, product, most};
  }
};

/// Room for what a kernel hands over: as many as there are pairs of a query and a row.
class Taken {
 public:
  explicit Taken(std::size_t pairs) : places_(pairs) {}
  Sink sink() { return {&places_, &count_}; }
  Found sorted() {
    CHECK(count_ <= places_.size());
    places_.resize(std::min<std::size_t>(count_, places_.size()));
    std::sort(places_.begin(), places_.end());
    return std::move(places_);
  }

 private:
  Found places_;
  unsigned count_ = 0;
};

template <bool whole>
Found on_the_device(const Case& each, bool masked, unsigned query_warps, int tiles,
                    unsigned stages) {
  std::vector<std::uint8_t> panels(quantized::panels(each.n) *
                                   quantized::panel_bytes(each.storage, each.d));
  std::vector<quantized::PanelRecord> records(quantized::panels(each.n));
  quantized::pack_rows(each.storage, {each.rows.data(), each.n, each.d}, each.d, panels.data(),
                       records.data());
  panels = arranged(std::move(panels));
  cuda::Device device(0, 0);
  const cuda::PackedQueries packed(device, each.storage, each.queries.data(),
                                   static_cast<std::uint32_t>(each.nq),
                                   static_cast<std::uint32_t>(each.d));
  const std::uint32_t row_tiles =
      static_cast<std::uint32_t>(quantized::tiles(each.storage, each.d));
  const products::Pass pass{
      {panels.data(), records.data(), static_cast<std::uint32_t>(each.n), row_tiles, 0},
      packed.slice(0, static_cast<std::uint32_t>(each.nq), each.thresholds.data()),
      masked ? each.live_groups.data() : nullptr,
      0,
      static_cast<std::uint32_t>(quantized::panels(each.n)),
      query_warps,
      stages};
  const std::size_t shared = products::query_bytes(pass.queries.nq, row_tiles) +
                             stages * products::stage_bytes(query_warps);
  const cuda::Launch how{2, products::block_warps * 32, shared, nullptr};
  Taken taken(each.nq * each.n);
  const Sink sink = taken.sink();
  CHECK(each.nq <= query_warps * static_cast<unsigned>(tiles) * products::fragment_queries);
  if (tiles == 2)
    cuda::launch(how, products::survivors<whole, 2, Sink>, pass, sink);
  else if (tiles == 4)
    cuda::launch(how, products::survivors<whole, 4, Sink>, pass, sink);
  else
    cuda::launch(how, products::survivors<whole, 8, Sink>, pass, sink);
  return taken.sorted();
}

/// The same by warpgroups.
template <typename Shape>
Found by_warpgroups(const Case& each, bool masked, unsigned stages, unsigned blocks) {
  std::vector<std::uint8_t> panels(quantized::panels(each.n) *
                                   quantized::panel_bytes(each.storage, each.d));
  std::vector<quantized::PanelRecord> records(quantized::panels(each.n));
  quantized::pack_rows(each.storage, {each.rows.data(), each.n, each.d}, each.d, panels.data(),
                       records.data());
  panels = arranged(std::move(panels));
  cuda::Device device(0, 0);
  const std::uint32_t nq = static_cast<std::uint32_t>(each.nq),
                      tiles = static_cast<std::uint32_t>(quantized::tiles(each.storage, each.d));
  const cuda::PackedQueries packed(device, each.storage, each.queries.data(), nq,
                                   static_cast<std::uint32_t>(each.d));
  const products::Pass pass{
      {panels.data(), records.data(), static_cast<std::uint32_t>(each.n), tiles, 0},
      packed.slice(0, nq, each.thresholds.data()),
      masked ? each.live_groups.data() : nullptr,
      0,
      static_cast<std::uint32_t>(quantized::panels(each.n)),
      1,
      stages};
  Taken taken(each.nq * each.n);
  cuda::launch({blocks, products::wide_threads, Shape::shared_bytes(tiles, stages), nullptr},
               products::wide_survivors<Shape, Sink>, pass, taken.sink());
  return taken.sorted();
}

/// Products of floats are summed in an order of the device's own: each must be within its bound of
/// the exact one, and no row that reaches the threshold may be missing.
void check_bounds(const Case& each, bool masked, const Found& found) {
  auto exact = [&](std::size_t q, std::size_t r) {
    double sum = 0;
    for (std::size_t c = 0; c < each.d; ++c)
      sum += static_cast<double>(each.queries[q * each.d + c]) *
             static_cast<double>(each.rows[r * each.d + c]);
    return sum;
  };
  std::set<std::pair<std::size_t, std::size_t>> pairs;
  for (const auto& [q, r, product, most] : found) {
    pairs.emplace(q, r);
    const double wanted = exact(q, r);
    if (std::isfinite(wanted))
      CHECK(std::abs(wanted - static_cast<double>(product)) <=
            static_cast<double>(most) - static_cast<double>(product));
  }
  CHECK(pairs.size() == found.size());
  for (std::size_t q = 0; q < each.nq; ++q) {
    for (std::size_t r = 0; r < each.n; ++r) {
      const bool seen = !masked || worth_reading(each, r),
                 reaches = !(exact(q, r) < static_cast<double>(each.thresholds[q]));
      const bool there = pairs.contains({q, r});
      CHECK(seen ? there || !reaches : !there);
    }
  }
}

/// The scan of f32 vectors, with the bound of its own.
void check_floats(const Case& each, bool masked) {
  cuda::Device device(0, 0);
  const std::uint32_t n = static_cast<std::uint32_t>(each.n),
                      d = static_cast<std::uint32_t>(each.d),
                      nq = static_cast<std::uint32_t>(each.nq);
  const cuda::PlainQueries queries(device, each.queries.data(), nq, d);
  std::vector<float> lengths(n);
  cuda::launch({dim3((n + 7) / 8), products::float_threads, 0, nullptr}, products::measure,
               each.rows.data(), n, d, lengths.data());
  const products::FloatPass pass{{each.rows.data(), lengths.data(), n, d, 0},
                                 queries.slice(0, nq, each.thresholds.data()),
                                 masked ? each.live_groups.data() : nullptr,
                                 0,
                                 n};
  for (const bool wide : {false, true}) {
    const cuda::Launch how{dim3(2, wide ? (nq + 63) / 64 : (nq + 15) / 16), products::float_threads,
                           0, nullptr};
    Taken taken(each.nq * each.n);
    const Sink sink = taken.sink();
    if (wide)
      cuda::launch(how, products::floats<4, Sink>, pass, sink);
    else
      cuda::launch(how, products::floats<1, Sink>, pass, sink);
    Found found = taken.sorted();
    // Blocks read two groups of rows at once: what only one of them is live_groups may come too,
    // and is for the lists to leave.
    if (masked)
      std::erase_if(found,
                    [&](const auto& pair) { return !worth_reading(each, std::get<1>(pair)); });
    check_bounds(each, masked, found);
  }
}

}  // namespace

int main() {
  for (const auto& [n, d, nq] :
       {std::tuple{1, 1, 1}, {16, 64, 8}, {75, 33, 9}, {200, 130, 20}, {333, 384, 70}}) {
    for (const bool masked : {false, true}) {
      const Case whole = made(quantized::Storage::int8, n, d, nq, 7);
      const Found wanted = on_the_cpu(whole, masked);
      const Case halves = made(quantized::Storage::bf16, n, d, nq, 8);
      for (const auto& [warps, tiles, stages] : {std::tuple{1u, 2, 2u},
                                                 {2u, 2, 3u},
                                                 {8u, 2, 8u},
                                                 {2u, 4, 4u},
                                                 {1u, 8, 2u},
                                                 {4u, 8, 5u}}) {
        if (static_cast<unsigned>(nq) >
            warps * static_cast<unsigned>(tiles) * products::fragment_queries)
          continue;
        cuda::emulation::set_order(warps);
        CHECK(on_the_device<true>(whole, masked, warps, tiles, stages) == wanted);
        check_bounds(halves, masked, on_the_device<false>(halves, masked, warps, tiles, stages));
      }
      for (const unsigned order : {0u, 1u, 5u}) {
        cuda::emulation::set_order(order);
        if (nq <= 16) {
          CHECK((by_warpgroups<products::Wide<true, 16, 2>>(whole, masked, 2 + order, 2)) ==
                wanted);
          check_bounds(halves, masked,
                       by_warpgroups<products::Wide<false, 16, 2>>(halves, masked, 2 + order, 2));
        }
        // A group a stage, and two chains of queries.
        if (d > 320)
          CHECK((by_warpgroups<products::Wide<true, 256, 6>>(whole, masked, 2, 1 + order)) ==
                wanted);
        if (d == 130)
          check_bounds(halves, masked,
                       by_warpgroups<products::Wide<false, 256, 6>>(halves, masked, 2, 1 + order));
        CHECK((by_warpgroups<products::Wide<true, 128, 1>>(whole, masked, 3, 1 + order)) == wanted);
        check_bounds(halves, masked,
                     by_warpgroups<products::Wide<false, 128, 1>>(halves, masked, 3, 1 + order));
      }
      cuda::emulation::set_order(0);
      check_floats(made(quantized::Storage::bf16, n, d, nq, 9), masked);
    }
  }
}
