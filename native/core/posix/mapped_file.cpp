// Read-only memory mapping by mmap(2).
#include "core/mapped_file.hpp"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>

#include "core/file_error.hpp"

namespace asof {

MappedFile::MappedFile(const std::filesystem::path& path, bool temporary)
    : path_(path), temporary_(temporary) {
  // A pipe does not hang who opens it.
  const int descriptor = ::open(path.c_str(), O_RDONLY | O_NONBLOCK | O_CLOEXEC);
  if (descriptor < 0) throw file_error("open", path, errno);
  struct stat status{};
  if (::fstat(descriptor, &status) != 0) {
    const int failure = errno;
    ::close(descriptor);
    throw file_error("examine", path, failure);
  }
  if (!S_ISREG(status.st_mode)) {
    ::close(descriptor);
    throw not_regular();
  }
  size_ = static_cast<std::size_t>(status.st_size);
  if (size_ > 0) {
    void* mapped = ::mmap(nullptr, size_, PROT_READ, MAP_SHARED, descriptor, 0);
    const int failure = errno;
    ::close(descriptor);  // the mapping keeps the file open
    if (mapped == MAP_FAILED) throw file_error("map", path, failure);
    data_ = mapped;
    try {
      guard_.emplace(data_, size_);
    } catch (...) {
      ::munmap(data_, size_);
      throw;
    }
  } else {
    ::close(descriptor);
  }
}

MappedFile::~MappedFile() {
  guard_.reset();
  if (data_ != nullptr) ::munmap(data_, size_);
}

}  // namespace asof
