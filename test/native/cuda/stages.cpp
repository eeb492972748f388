// The stages of a quick scan: after what they sample they have every row in scope once, in order,
// and nothing in them survives beyond its room where rows are in no order.
#include "cuda/search/stages.hpp"

#include <random>

#include "../check.hpp"

using namespace asof::cuda;

namespace {

void check(const StagesAsked& asked) {
  const auto stages = stages_of(asked);
  if (!stages) return;
  std::uint32_t sampled = 0, done = asked.first_row / 64 * 64;
  double known = static_cast<double>(asked.known_rows);
  bool ended = false;
  for (const Stage& stage : *stages) {
    CHECK(stage.first < stage.last && stage.first % 64 == 0);
    const double rows = stage.last - stage.first;
    if (stage.laid)
      CHECK(stage.sample && stage.first == 0 && asked.known_rows == 0 &&
            stage.last == asked.laid_rows && rows * asked.share >= asked.keep);
    else
      CHECK(known == 0 || known * asked.share < asked.keep
                ? rows <= asked.room
                : rows / known * asked.keep / asked.share < asked.room);
    if (stage.sample) {
      CHECK(!ended && stage.first == sampled && stage.last <= asked.sample_rows &&
            stage.last % 64 == 0);
      sampled = stage.last;
      ended = stage.ends_sample;
      known = std::max(known, static_cast<double>(sampled));
    } else {
      CHECK(stage.first == done && (ended || sampled == 0));
      done = stage.last;
      known = std::max<double>(known, stage.last - asked.first_row / 64 * 64);
    }
  }
  CHECK(stages->empty() ? asked.last_row <= asked.first_row : done == asked.last_row);
}

}  // namespace

int main() {
  std::mt19937_64 random(1);
  for (int i = 0; i < 20000; ++i) {
    StagesAsked asked{};
    asked.last_row =
        static_cast<std::uint32_t>(random() % (std::uint64_t{1} << (1 + random() % 31)));
    asked.first_row =
        random() % 3 == 0 ? static_cast<std::uint32_t>(random() % (asked.last_row + 2)) : 0;
    asked.sample_rows = random() % 3 == 0 ? 0 : 512u << random() % 9;
    if (asked.sample_rows > asked.last_row / 16) asked.sample_rows = 0;
    asked.laid_rows = random() % 2 == 0 ? 0 : asked.sample_rows >> random() % 3;
    asked.known_rows = random() % 2 == 0 ? 0 : random() % (1u << (1 + random() % 30));
    asked.keep = static_cast<std::uint32_t>(random() % 3 == 0 ? random() % 4097 : random() % 30);
    asked.queries = static_cast<std::uint32_t>(1 + random() % 1024);
    asked.room = random() % 4 == 0 ? 64 : 8192;
    asked.share = random() % 2 == 0 ? 1 : static_cast<double>(random() % 1000) / 1000;
    check(asked);
  }
  CHECK(stages_of({0, 10'000'000, 131072, 0, 0, 10, 256, 8192, 1.0})->size() <= 6);
  CHECK(stages_of({0, 10'000'000, 131072, 32768, 0, 10, 256, 8192, 1.0})->size() <= 3);
  CHECK(stages_of({0, 1'000'000, 16384, 0, 0, 10, 1, 8192, 1.0})->size() <= 3);
  CHECK(!stages_of({0, 1'000'000, 16384, 0, 0, 10, 1, 8192, 0.0}) &&
        !stages_of({0, 1'000'000, 16384, 0, 0, 4096, 1, 8192, 1.0}));
  return 0;
}
