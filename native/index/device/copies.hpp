// A device that was opened, and the segments that are copied to it. A copy is made at a segment's first search there and lives as long as both the
// segment and the device: what keeps a segment's memory is held weakly, and copies whose owner is gone are dropped at the next search.
#pragma once

#include <map>
#include <memory>
#include <mutex>

#include "index/device/library.hpp"
#include "index/flat/request.hpp"

namespace asof {

class DeviceCopies {
 public:
  /// Throws ERR_DEVICE_UNAVAILABLE with the reason. memory_most: bytes of the device that may be taken, 0 for what is free.
  DeviceCopies(std::uint32_t ordinal, std::uint64_t memory_most);
  ~DeviceCopies();
  DeviceCopies(const DeviceCopies&) = delete;

  const flat::DeviceAccess& access() const { return access_; }
  const cuda::DeviceFacts& facts() const { return facts_; }

  /// The copy of a segment whose memory `owner` keeps. The pointer keeps the copy alive.
  std::shared_ptr<cuda::Resident> copy_of(const std::shared_ptr<const void>& owner, const flat::FlatRows& rows);

 private:
  struct Copy {
    std::weak_ptr<const void> owner;
    std::shared_ptr<cuda::Resident> resident;
  };

  flat::DeviceAccess access_;
  cuda::DeviceFacts facts_;
  std::mutex mutex_;
  std::map<const void*, Copy> copies_;
};

}  // namespace asof
