// The passes of a quick scan: after what they sample they have every row in scope once, in order,
// and nothing in them survives beyond its room where rows are in no order.
#include "cuda/search/pass_plan.hpp"

#include <random>

#include "../check.hpp"

using namespace asof::cuda;

namespace {

void check(const PassPlanInput& input) {
  const auto passes = plan_passes(input);
  if (!passes) return;
  std::uint32_t sampled = 0, done = input.first_row / 64 * 64;
  double known = static_cast<double>(input.known_rows);
  bool ended = false;
  for (const ScanPass& pass : *passes) {
    CHECK(pass.first < pass.last && pass.first % 64 == 0);
    const double rows = pass.last - pass.first;
    if (pass.stores_bounds)
      CHECK(pass.sample && pass.first == 0 && input.known_rows == 0 &&
            pass.last == input.bound_rows && rows * input.share >= input.max_k);
    else
      CHECK(known == 0 || known * input.share < input.max_k
                ? rows <= input.room
                : rows / known * input.max_k / input.share < input.room);
    if (pass.sample) {
      CHECK(!ended && pass.first == sampled && pass.last <= input.sample_rows &&
            pass.last % 64 == 0);
      sampled = pass.last;
      ended = pass.ends_sample;
      known = std::max(known, static_cast<double>(sampled));
    } else {
      CHECK(pass.first == done && (ended || sampled == 0));
      done = pass.last;
      known = std::max<double>(known, pass.last - input.first_row / 64 * 64);
    }
  }
  CHECK(passes->empty() ? input.last_row <= input.first_row : done == input.last_row);
}

}  // namespace

int main() {
  std::mt19937_64 random(1);
  for (int i = 0; i < 20000; ++i) {
    PassPlanInput input{};
    input.last_row =
        static_cast<std::uint32_t>(random() % (std::uint64_t{1} << (1 + random() % 31)));
    input.first_row =
        random() % 3 == 0 ? static_cast<std::uint32_t>(random() % (input.last_row + 2)) : 0;
    input.sample_rows = random() % 3 == 0 ? 0 : 512u << random() % 9;
    if (input.sample_rows > input.last_row / 16) input.sample_rows = 0;
    input.bound_rows = random() % 2 == 0 ? 0 : input.sample_rows >> random() % 3;
    input.known_rows = random() % 2 == 0 ? 0 : random() % (1u << (1 + random() % 30));
    input.max_k = static_cast<std::uint32_t>(random() % 3 == 0 ? random() % 4097 : random() % 30);
    input.queries = static_cast<std::uint32_t>(1 + random() % 1024);
    input.room = random() % 4 == 0 ? 64 : 8192;
    input.share = random() % 2 == 0 ? 1 : static_cast<double>(random() % 1000) / 1000;
    check(input);
  }
  CHECK(plan_passes({0, 10'000'000, 131072, 0, 0, 10, 256, 8192, 1.0})->size() <= 6);
  CHECK(plan_passes({0, 10'000'000, 131072, 32768, 0, 10, 256, 8192, 1.0})->size() <= 3);
  CHECK(plan_passes({0, 1'000'000, 16384, 0, 0, 10, 1, 8192, 1.0})->size() <= 3);
  CHECK(!plan_passes({0, 1'000'000, 16384, 0, 0, 10, 1, 8192, 0.0}) &&
        !plan_passes({0, 1'000'000, 16384, 0, 0, 4096, 1, 8192, 1.0}));
  return 0;
}
