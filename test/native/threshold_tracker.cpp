// Thresholds of a scan: the certain bound, the estimate, and whether it proved too high.
#include "index/vector/quantized_scan/threshold_tracker.hpp"

#include <thread>

#include "check.hpp"

using namespace asof;
using namespace asof::vector;

int main() {
  std::atomic<double> shared[3] = {-infinity, 1.0, -infinity};
  ThresholdTracker thresholds({&shared[1], &shared[0], &shared[2]});
  CHECK(thresholds.size() == 3);
  CHECK(thresholds.threshold(0) == 1 && thresholds.threshold(1) == -infinity);

  thresholds.raise_kth(0, 0.5);  // never falls
  CHECK(thresholds.threshold(0) == 1);
  thresholds.raise_kth(0, 2);
  CHECK(shared[1] == 2);
  raise(shared[1], 3);  // by another scan of the group
  CHECK(thresholds.threshold(0) == 3 && thresholds.kth_bound(0) == 3);

  thresholds.raise_estimate(1, 4);
  CHECK(thresholds.threshold(1) == 4 && thresholds.kth_bound(1) == -infinity);
  CHECK(shared[0] == -infinity);

  CHECK(thresholds.missed().empty());
  thresholds.verify(0, 3);
  thresholds.verify(1, 3.5);  // fewer than k rows reached the estimate
  thresholds.verify(2, -infinity);
  CHECK(thresholds.missed() == std::vector<std::size_t>{1});
  thresholds.verify(1, 4);
  CHECK(thresholds.missed().empty());

  std::vector<std::thread> threads;
  for (int t = 0; t < 4; ++t) {
    threads.emplace_back([&, t] {
      for (int i = 0; i < 1000; ++i) thresholds.raise_kth(2, 4 * i + t);
    });
  }
  for (std::thread& thread : threads) thread.join();
  CHECK(thresholds.threshold(2) == 4 * 999 + 3);
  return 0;
}
