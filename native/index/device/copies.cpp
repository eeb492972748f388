// See copies.hpp and residence.hpp.
#include "index/device/copies.hpp"

#include <atomic>
#include <cstdlib>
#include <thread>

#include "index/vector/on_device.hpp"

namespace asof {
namespace {

/// The devices that are open, for names that end: its lock is held for moments.
struct Opened {
  std::mutex mutex;
  std::vector<DeviceCopies*> devices;
};
Opened& all_opened() {
  static Opened* opened = new Opened;  // segments may end after everything static has
  return *opened;
}

/// ASOF_CUDA_MEMORY: bytes of a device that may be taken; what is free without it.
std::uint64_t memory_most() {
  const char* given = std::getenv("ASOF_CUDA_MEMORY");
  return given == nullptr ? 0 : std::strtoull(given, nullptr, 10);
}

}  // namespace

Residence::Residence() {
  static std::atomic<std::uint64_t> last = 0;
  number_ = ++last;
}

Residence::~Residence() {
  Opened& opened = all_opened();
  const std::lock_guard lock(opened.mutex);
  for (DeviceCopies* each : opened.devices) each->forget(number_);
}

DeviceCopies::DeviceCopies(const cuda::Interface& library, std::uint32_t ordinal) {
  device_count(library);
  cuda::Failure failure;
  if (!library.open(ordinal, memory_most(), &access_.device, &failure)) refuse_device(failure);
  access_.library = &library;
  std::thread([this] { free_ended(); }).detach();
}

std::shared_ptr<cuda::Resident> DeviceCopies::copy_of(const vector::FlatRows& rows,
                                                      const Cancel& cancel) {
  if (rows.rows == 0 || rows.residence.rows == 0) return nullptr;
  std::shared_ptr<Copy> copy;
  {
    const std::lock_guard lock(mutex_);
    std::shared_ptr<Copy>& kept = copies_[rows.residence];
    if (!kept) kept = std::make_shared<Copy>();
    copy = kept;
  }
  const std::lock_guard making(copy->making);
  cancel.throw_if_requested();
  if (!copy->resident) copy->resident = load(rows, cancel);
  return copy->resident;
}

std::shared_ptr<cuda::Resident> DeviceCopies::load(const vector::FlatRows& rows,
                                                   const Cancel& cancel) {
  cuda::SegmentData data = vector::segment_data(rows);
  data.stop = [](void* context) { return static_cast<const Cancel*>(context)->requested(); };
  data.context = const_cast<Cancel*>(&cancel);
  cuda::Failure failure;
  cuda::Resident* made = nullptr;
  while (!access_.library->load(access_.device, &data, &made, &failure)) {
    if (failure.cause != cuda::Cause::memory || !give_up_unused()) refuse_device(failure);
  }
  return std::shared_ptr<cuda::Resident>(made, access_.library->unload);
}

bool DeviceCopies::give_up_unused() {
  std::vector<std::shared_ptr<Copy>> unused;
  {
    const std::lock_guard lock(mutex_);
    for (auto each = copies_.begin(); each != copies_.end();) {
      // One that is being made, or whose pointer somebody has, is in use.
      const bool idle = each->second.use_count() == 1 && each->second->resident &&
                        each->second->resident.use_count() == 1;
      if (idle) unused.push_back(std::move(each->second));
      each = idle ? copies_.erase(each) : std::next(each);
    }
  }
  return !unused.empty();
}

void DeviceCopies::forget(std::uint64_t residence) {
  const std::lock_guard lock(mutex_);
  for (auto each = copies_.begin(); each != copies_.end();) {
    const bool ends = each->first.rows == residence || each->first.vectors == residence;
    if (ends) ended_.push_back(std::move(each->second));
    each = ends ? copies_.erase(each) : std::next(each);
  }
  if (!ended_.empty()) some_ended_.notify_one();
}

void DeviceCopies::free_later(std::shared_ptr<void> something) {
  const std::lock_guard lock(mutex_);
  ended_.push_back(std::move(something));
  some_ended_.notify_one();
}

void DeviceCopies::free_ended() {
  while (true) {
    std::vector<std::shared_ptr<void>> ended;
    std::unique_lock lock(mutex_);
    some_ended_.wait(lock, [&] { return !ended_.empty(); });
    ended.swap(ended_);
    lock.unlock();
  }
}

DeviceCopies& opened_device(std::uint32_t ordinal) {
  static std::mutex opening;  // held while a device starts
  static auto* devices =
      new std::map<std::pair<const cuda::Interface*, std::uint32_t>, DeviceCopies*>;
  const cuda::Interface& library = cuda_library();
  const std::lock_guard lock(opening);
  DeviceCopies*& device = (*devices)[{&library, ordinal}];
  if (device == nullptr) {
    device = new DeviceCopies(library, ordinal);
    Opened& opened = all_opened();
    const std::lock_guard listing(opened.mutex);
    opened.devices.push_back(device);
  }
  return *device;
}

}  // namespace asof
