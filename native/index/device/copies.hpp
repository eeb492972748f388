// A device that was opened, and the segments that are copied to it. A copy is made at a segment's
// first search there and lives as long as the segment does: when either of its names ends
// (residence.hpp) it is freed, by a thread of its own, since a device may be busy and whoever
// closes a segment may not wait. A search that is running keeps what it reads.
#pragma once

#include <condition_variable>
#include <map>
#include <memory>
#include <mutex>
#include <vector>

#include "core/cancel.hpp"
#include "index/device/library.hpp"
#include "index/device/residence.hpp"
#include "index/vector/request.hpp"

namespace asof {

class DeviceCopies {
 public:
  /// Throws ERR_DEVICE_UNAVAILABLE with the reason. Lives until the process ends: a device's
  /// context is not worth closing before.
  DeviceCopies(const cuda::Interface& library, std::uint32_t ordinal);
  DeviceCopies(const DeviceCopies&) = delete;

  const vector::DeviceAccess& access() const { return access_; }

  /// The copy of a segment's rows, made where there is none; null where they have no name, or there
  /// are none. The caller keeps the rows' memory meanwhile. Where the device is full, copies that
  /// no search uses are given up for it. Gives the pointer back off the JS thread.
  std::shared_ptr<cuda::Resident> copy_of(const vector::FlatRows& rows, const Cancel& cancel);

  /// Lets go what was copied under a name that ended.
  void forget(std::uint64_t residence);
  /// Drops something of the device's own from a thread that may wait for it.
  void free_later(std::shared_ptr<void> something);

 private:
  struct Copy {
    std::mutex making;
    std::shared_ptr<cuda::Resident> resident;
  };
  std::shared_ptr<cuda::Resident> load(const vector::FlatRows& rows, const Cancel& cancel);
  bool give_up_unused();
  void free_ended();

  vector::DeviceAccess access_;
  std::mutex mutex_;  // held for no call of the library
  std::map<ResidenceKey, std::shared_ptr<Copy>> copies_;
  std::vector<std::shared_ptr<void>> ended_;
  std::condition_variable some_ended_;
};

/// The device of that number, opened when first asked for. Throws ERR_DEVICE_UNAVAILABLE with the
/// reason.
DeviceCopies& opened_device(std::uint32_t ordinal);

}  // namespace asof
