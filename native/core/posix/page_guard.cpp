// SIGBUS handler and the tables that it reads. The handler is async-signal-safe: no lock, no
// allocation.
#include "core/page_guard.hpp"

#include <sys/mman.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <csignal>
#include <cstdint>
#include <mutex>

#include "core/once.hpp"

namespace asof {

struct GuardSlot {
  std::atomic<std::uintptr_t> begin{0}, end{0};  // 0: unused
  std::atomic<bool> faulted{false};
};

namespace {

struct Chunk {
  std::array<GuardSlot, 512> slots;
  std::atomic<Chunk*> next{nullptr};
};

Chunk first_chunk;  // the others are never freed: the handler may be reading them
std::mutex tables;
struct sigaction before;
std::uintptr_t page_bytes;

/// Replaces the mapping [begin, end) with zeros.
bool put_zeros(std::uintptr_t begin, std::uintptr_t end) {
  void* where = reinterpret_cast<void*>(begin);
  return ::mmap(where, end - begin, PROT_READ,
                MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED | MAP_NORESERVE, -1, 0) == where;
}

bool covered_by_range(std::uintptr_t address) {
  for (Chunk* chunk = &first_chunk; chunk != nullptr;
       chunk = chunk->next.load(std::memory_order_acquire)) {
    for (GuardSlot& slot : chunk->slots) {
      const std::uintptr_t begin = slot.begin.load(std::memory_order_acquire),
                           end = slot.end.load(std::memory_order_relaxed);
      if (begin == 0 || address < begin || address >= end) continue;
      slot.faulted.store(true, std::memory_order_release);
      return put_zeros(address & ~(page_bytes - 1), (end + page_bytes - 1) & ~(page_bytes - 1));
    }
  }
  return false;
}

void on_bus_error(int number, siginfo_t* info, void* context) {
  const int saved = errno;
  const auto address = reinterpret_cast<std::uintptr_t>(info->si_addr);
  const bool covered = info->si_code > 0 && covered_by_range(address);
  errno = saved;
  if (covered) return;
  if ((before.sa_flags & SA_SIGINFO) != 0 && before.sa_sigaction != nullptr)
    return before.sa_sigaction(number, info, context);
  if (before.sa_handler != SIG_DFL && before.sa_handler != SIG_IGN)
    return before.sa_handler(number);
  ::sigaction(number, &before, nullptr);
  if (info->si_code <= 0) ::raise(number);  // sent by a program; a fault recurs by itself
}

void install_once() {
  static Once installed;
  installed.run([] {
    page_bytes = static_cast<std::uintptr_t>(::sysconf(_SC_PAGESIZE));
    struct sigaction action{};
    action.sa_sigaction = on_bus_error;
    action.sa_flags = SA_SIGINFO | SA_ONSTACK;
    sigemptyset(&action.sa_mask);
    ::sigaction(SIGBUS, &action, &before);
  });
}

}  // namespace

GuardedRange::GuardedRange(const void* data, std::size_t bytes) {
  if (bytes == 0) return;
  install_once();
  std::lock_guard lock(tables);
  for (Chunk* chunk = &first_chunk; slot_ == nullptr; chunk = chunk->next.load()) {
    for (GuardSlot& each : chunk->slots) {
      if (each.begin.load(std::memory_order_relaxed) != 0) continue;
      slot_ = &each;
      break;
    }
    if (slot_ == nullptr && chunk->next.load() == nullptr)
      chunk->next.store(new Chunk, std::memory_order_release);
  }
  const auto begin = reinterpret_cast<std::uintptr_t>(data);
  slot_->faulted.store(false, std::memory_order_relaxed);
  slot_->end.store(begin + bytes, std::memory_order_relaxed);
  slot_->begin.store(begin, std::memory_order_release);
}

GuardedRange::~GuardedRange() {
  if (slot_ != nullptr) slot_->begin.store(0, std::memory_order_release);
}

bool GuardedRange::faulted() const noexcept {
  return slot_ != nullptr && slot_->faulted.load(std::memory_order_acquire);
}

}  // namespace asof
