// The pool: every task exactly once, lanes that never overlap, exceptions, nesting, callers from
// many threads at once. Meant to be run under the thread sanitizer (node
// scripts/test-sanitize.cjs), and quick without it.
#include "core/threads.hpp"

#include <atomic>
#include <memory>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

#include "check.hpp"
#include "core/cancel.hpp"

using namespace asof;

static void every_task_once_and_lanes_apart() {
  for (std::size_t width : {0, 1, 2, 3, 8, 33}) {
    for (std::size_t tasks : {0, 1, 2, 7, 64, 1000}) {
      std::size_t lanes = width == 0 ? thread_count() : width;
      std::vector<int> runs(
          tasks);  // not atomic: the pool's own order must make the writes visible
      std::vector<std::size_t> scratch(lanes);
      std::unique_ptr<std::atomic<int>[]> inside(new std::atomic<int>[lanes]());
      parallel_for(tasks, width, [&](std::size_t task, std::size_t lane) {
        CHECK(task < tasks && lane < lanes);
        CHECK(inside[lane].fetch_add(1) == 0);
        runs[task] += 1;
        scratch[lane] += task;
        inside[lane].fetch_sub(1);
      });
      std::size_t sum = 0;
      for (std::size_t part : scratch) sum += part;
      CHECK(sum == (tasks == 0 ? 0 : tasks * (tasks - 1) / 2));
      for (int count : runs) CHECK(count == 1);
    }
  }
}

static void the_first_exception_comes_back_after_all_have_stopped() {
  for (int round = 0; round < 200; ++round) {
    std::atomic<int> running{0};
    bool caught = false;
    try {
      parallel_for(100, 4, [&](std::size_t task, std::size_t) {
        running.fetch_add(1);
        if (task % 10 == 3) {
          running.fetch_sub(1);
          throw std::runtime_error("task " + std::to_string(task));
        }
        running.fetch_sub(1);
      });
    } catch (const std::runtime_error& error) {
      caught = true;
      CHECK(std::string(error.what()).rfind("task ", 0) == 0);
    }
    CHECK(caught);
    CHECK(running.load() == 0);
  }
}

static void nested_calls_end() {
  std::atomic<int> count{0};
  parallel_for(8, 4, [&](std::size_t, std::size_t) {
    parallel_for(8, 4, [&](std::size_t, std::size_t) {
      parallel_for(4, 2, [&](std::size_t, std::size_t) { count.fetch_add(1); });
    });
  });
  CHECK(count.load() == 8 * 8 * 4);
}

static void many_callers_share_the_pool() {
  std::vector<std::thread> callers;
  std::atomic<long> total{0};
  for (int caller = 0; caller < 8; ++caller) {
    callers.emplace_back([&, caller] {
      for (int round = 0; round < 50; ++round) {
        std::vector<long> own(100);
        parallel_for(own.size(), static_cast<std::size_t>(caller % 4),
                     [&](std::size_t task, std::size_t) { own[task] = static_cast<long>(task); });
        for (long each : own) total.fetch_add(each);
        if (caller == 0) set_thread_count(static_cast<std::size_t>(round % 5));
      }
    });
  }
  for (std::thread& each : callers) each.join();
  set_thread_count(0);
  CHECK(total.load() == 8L * 50 * 4950);
}

static void cancelling_from_another_thread_stops_the_work() {
  Cancel cancel;
  std::atomic<bool> started{false};
  std::thread other([&] {
    while (!started.load()) std::this_thread::yield();
    cancel.request();
  });
  bool aborted = false;
  try {
    parallel_for(std::size_t(1) << 40, 2, [&](std::size_t, std::size_t) {
      started.store(true);
      cancel.throw_if_requested();
    });
  } catch (const Error& error) {
    aborted = std::string(error.code()) == "ERR_ABORTED";
  }
  other.join();
  CHECK(aborted);
}

int main() {
  every_task_once_and_lanes_apart();
  the_first_exception_comes_back_after_all_have_stopped();
  nested_calls_end();
  many_callers_share_the_pool();
  cancelling_from_another_thread_stops_the_work();
  std::puts("threads: all good");
}
