// See copies.hpp.
#include "index/device/copies.hpp"

#include "index/flat/on_device.hpp"

namespace asof {

DeviceCopies::DeviceCopies(std::uint32_t ordinal, std::uint64_t memory_most) {
  const cuda::Interface& library = cuda_library();
  cuda::Failure failure;
  if (!library.facts(ordinal, &facts_, &failure)) refuse_device(failure);
  if (!library.open(ordinal, memory_most, &access_.device, &failure)) refuse_device(failure);
  access_.library = &library;
}

DeviceCopies::~DeviceCopies() {
  copies_.clear();
  access_.library->close(access_.device);
}

std::shared_ptr<cuda::Resident> DeviceCopies::copy_of(const std::shared_ptr<const void>& owner, const flat::FlatRows& rows) {
  const std::lock_guard lock(mutex_);
  std::erase_if(copies_, [](const auto& each) { return each.second.owner.expired(); });
  Copy& copy = copies_[owner.get()];
  if (copy.resident) return copy.resident;
  const cuda::SegmentData data = flat::segment_data(rows);
  cuda::Failure failure;
  cuda::Resident* made = nullptr;
  if (!access_.library->load(access_.device, &data, &made, &failure)) {
    copies_.erase(owner.get());
    refuse_device(failure);
  }
  copy.owner = owner;
  copy.resident = std::shared_ptr<cuda::Resident>(made, access_.library->unload);
  return copy.resident;
}

}  // namespace asof
