// Persistent thread pool: a list of jobs, the oldest of which idle threads join.
#include "core/threads.hpp"

#include <algorithm>
#include <atomic>
#include <condition_variable>
#include <cstdlib>
#include <deque>
#include <exception>
#include <mutex>
#include <thread>

#ifdef __linux__
#include <sched.h>
#endif

namespace asof {
namespace {

struct Job {
  const std::function<void(std::size_t, std::size_t)>* body = nullptr;
  std::size_t tasks = 0;
  std::size_t width = 0;             // lanes that may join, the caller's included
  std::atomic<std::size_t> next{0};  // the next task to take
  std::size_t joined = 0;            // lanes given out; guarded by the pool's mutex
  std::size_t running = 0;           // lanes still inside; guarded by the pool's mutex
  std::exception_ptr failure;        // the first; guarded by the pool's mutex
  bool wants_hands() const {
    return joined < width && next.load(std::memory_order_relaxed) < tasks;
  }
};

class Pool {
 public:
  void run(Job& job) {
    {
      std::lock_guard lock(mutex_);
      grow(job.width - 1);
      job.joined = job.running = 1;
      if (job.width > 1) jobs_.push_back(&job);
    }
    if (job.width > 1) wake_.notify_all();
    work(job, 0);
    std::unique_lock lock(mutex_);
    if (job.width > 1) jobs_.erase(std::find(jobs_.begin(), jobs_.end(), &job));
    job.running -= 1;
    done_.wait(lock, [&] { return job.running == 0; });
    if (job.failure) std::rethrow_exception(job.failure);
  }

 private:
  /// As far as the system has threads and memory: the caller does what others do not.
  void grow(std::size_t threads) {
    try {
      for (; started_ < threads; ++started_) std::thread([this] { serve(); }).detach();
    } catch (const std::exception&) {
    }
  }

  void serve() {
    std::unique_lock lock(mutex_);
    for (;;) {
      Job* job = nullptr;
      wake_.wait(lock, [&] {
        auto next =
            std::find_if(jobs_.begin(), jobs_.end(), [](Job* each) { return each->wants_hands(); });
        job = next == jobs_.end() ? nullptr : *next;
        return job != nullptr;
      });
      std::size_t lane = job->joined++;
      job->running += 1;
      lock.unlock();
      work(*job, lane);
      lock.lock();
      job->running -= 1;
      done_.notify_all();
    }
  }

  void work(Job& job, std::size_t lane) {
    for (;;) {
      std::size_t task = job.next.fetch_add(1, std::memory_order_relaxed);
      if (task >= job.tasks) return;
      try {
        (*job.body)(task, lane);
      } catch (...) {
        std::lock_guard lock(mutex_);
        if (!job.failure) job.failure = std::current_exception();
        job.next.store(job.tasks, std::memory_order_relaxed);
        return;
      }
    }
  }

  std::mutex mutex_;
  std::condition_variable wake_, done_;
  std::deque<Job*> jobs_;
  std::size_t started_ = 0;
};

Pool& pool() {
  static Pool* instance = new Pool;  // never destroyed, see the header
  return *instance;
}

/// Cores that the process may run on. Cached: counting them reads a file, which takes longer than a
/// small search.
std::size_t available_cores() {
#ifdef __linux__
  cpu_set_t allowed;
  if (sched_getaffinity(0, sizeof allowed, &allowed) == 0) return std::max(1, CPU_COUNT(&allowed));
#endif
  return std::max(1u, std::thread::hardware_concurrency());
}

std::size_t default_threads() {
  if (const char* setting = std::getenv("ASOF_THREADS")) {
    long count = std::strtol(setting, nullptr, 10);
    if (count >= 1 && count <= 1024) return static_cast<std::size_t>(count);
  }
  static const std::size_t counted = available_cores();
  return counted;
}

std::atomic<std::size_t> chosen_threads{0};

}  // namespace

std::size_t thread_count() {
  std::size_t chosen = chosen_threads.load(std::memory_order_relaxed);
  return chosen > 0 ? chosen : default_threads();
}

void set_thread_count(std::size_t count) {
  chosen_threads.store(count, std::memory_order_relaxed);
}

void parallel_for(std::size_t tasks, std::size_t width,
                  const std::function<void(std::size_t, std::size_t)>& body) {
  if (tasks == 0) return;
  std::size_t lanes = std::min(width == 0 ? thread_count() : width, tasks);
  if (lanes == 1) {
    for (std::size_t task = 0; task < tasks; ++task) body(task, 0);
    return;
  }
  Job job;
  job.body = &body;
  job.tasks = tasks;
  job.width = lanes;
  pool().run(job);
}

}  // namespace asof
