// Exception handler of unreadable pages. It runs as part of the thread that reads, which holds no
// lock of this file then.
#include "core/page_guard.hpp"

#include <cstdint>
#include <list>
#include <mutex>

#include "core/windows/system.hpp"

namespace asof {

struct GuardSlot {
  std::uintptr_t begin, end;
  std::atomic<bool> faulted{false};
};

namespace {

struct Ranges {
  std::mutex mutex;
  std::list<GuardSlot> list;
};

Ranges& ranges() {
  static Ranges* instance = new Ranges;  // never destroyed: threads may read until the process ends
  return *instance;
}

/// Puts reserved memory in place of a view, and then zeros where it is read.
bool put_zeros(GuardSlot& slot, std::uintptr_t address) {
  constexpr std::uintptr_t piece = 1 << 16;
  void* const begin = reinterpret_cast<void*>(slot.begin);
  if (!slot.faulted.exchange(true, std::memory_order_acq_rel)) {
    ::UnmapViewOfFile(begin);
    if (::VirtualAlloc(begin, slot.end - slot.begin, MEM_RESERVE, PAGE_READONLY) != begin)
      return false;
  }
  const std::uintptr_t from = address & ~(piece - 1);
  const std::uintptr_t bytes = slot.end - from < piece ? slot.end - from : piece;
  return ::VirtualAlloc(reinterpret_cast<void*>(from), bytes, MEM_COMMIT, PAGE_READONLY) != nullptr;
}

LONG CALLBACK on_exception(EXCEPTION_POINTERS* pointers) {
  const EXCEPTION_RECORD& record = *pointers->ExceptionRecord;
  // The second is what readers of reserved memory, or of a view that is being replaced, see.
  const bool unreadable = record.ExceptionCode == EXCEPTION_IN_PAGE_ERROR ||
                          record.ExceptionCode == EXCEPTION_ACCESS_VIOLATION;
  constexpr ULONG_PTR reading = 0;
  if (!unreadable || record.NumberParameters < 2 || record.ExceptionInformation[0] != reading)
    return EXCEPTION_CONTINUE_SEARCH;
  const std::uintptr_t address = record.ExceptionInformation[1];
  const std::lock_guard lock(ranges().mutex);
  for (GuardSlot& slot : ranges().list) {
    if (address < slot.begin || address >= slot.end) continue;
    return put_zeros(slot, address) ? EXCEPTION_CONTINUE_EXECUTION : EXCEPTION_CONTINUE_SEARCH;
  }
  return EXCEPTION_CONTINUE_SEARCH;
}

}  // namespace

GuardedRange::GuardedRange(const void* data, std::size_t bytes) {
  if (bytes == 0) return;
  static const void* const installed = ::AddVectoredExceptionHandler(1, on_exception);
  (void)installed;
  const auto begin = reinterpret_cast<std::uintptr_t>(data);
  const std::lock_guard lock(ranges().mutex);
  slot_ = &ranges().list.emplace_back();
  slot_->begin = begin;
  slot_->end = begin + bytes;
}

GuardedRange::~GuardedRange() {
  if (slot_ == nullptr) return;
  const std::lock_guard lock(ranges().mutex);
  ranges().list.remove_if([this](const GuardSlot& each) { return &each == slot_; });
}

bool GuardedRange::faulted() const noexcept {
  return slot_ != nullptr && slot_->faulted.load(std::memory_order_acquire);
}

}  // namespace asof
