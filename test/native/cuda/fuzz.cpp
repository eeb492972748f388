// Random searches on a device against the host's, for some seconds from a seed: test_cuda_fuzz
// [seconds [seed]], two seconds if nothing is said. A failure prints the world's number first; that
// number as the seed, with 0 seconds, makes it again.
#include <chrono>
#include <string>

#include "world.hpp"

using namespace asof;
using namespace asof::cuda::test;

namespace {

void one(std::uint64_t seed) {
  std::mt19937_64 random(seed);
  const Storage storages[] = {quantized::Storage::int8, quantized::Storage::bf16, std::nullopt};
  const std::size_t d = random() % 8 == 0 ? 1 + random() % 1500 : 1 + random() % 150,
                    most = std::max<std::size_t>(20, 300'000 / d);
  std::vector<std::size_t> sizes;
  for (std::size_t count = 1 + random() % 3; count > 0; --count)
    sizes.push_back(random() % std::min<std::size_t>(most, 6000));
  Asking asking;
  asking.queries = random() % 6 == 0 ? 1 + random() % 40 : 1 + random() % 5;
  asking.k = random() % 10 == 0 ? random() % 300 : 1 + random() % 20;
  asking.shown_partly = random() % 3 == 0;
  asking.sums = random() % 3 == 0;
  const Storage storage = storages[random() % 3];
  const bool alike = random() % 3 == 0, wide = random() % 4 == 0, odd = random() % 2 == 0;
  std::size_t vectors = 0;
  for (const std::size_t rows : sizes) vectors += rows * d * sizeof(float);
  if (random() % 3 == 0)
    asking.memory = (std::size_t(3) << 20) * asking.queries + vectors / (2 + random() % 6) +
                    sizes.size() * 300'000;
  emulate_hopper(random() % 2 == 0);
  emulation_order(random() % 3 == 0 ? random() % 100 : 0);
  compare(world_of(d, sizes, storage, alike, wide, seed, odd && asking.k < 4), asking);
}

}  // namespace

int main(int count, char** arguments) {
  const double seconds = count > 1 ? std::stod(arguments[1]) : 2;
  std::uint64_t seed = count > 2 ? std::stoull(arguments[2]) : 1;
  const auto begin = std::chrono::steady_clock::now();
  std::size_t done = 0;
  do {
    std::printf("world %llu\n", static_cast<unsigned long long>(seed));
    std::fflush(stdout);
    one(seed++);
    ++done;
  } while (std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count() <
           seconds);
  std::printf("%zu worlds: the device finds what the host finds\n", done);
  return 0;
}
