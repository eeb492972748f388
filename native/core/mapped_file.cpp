// Read-only memory mapping by mmap(2), and errors of failed system calls.
#include "core/mapped_file.hpp"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>

namespace asof {

Error file_error(const std::string& what, const std::filesystem::path& path, int error_number) {
  const bool missing = error_number == ENOENT || error_number == ENOTDIR;
  std::string remedy;
  if (error_number == ENOSPC || error_number == EDQUOT)
    remedy = " Free some space and repeat the call.";
  else if (error_number == EACCES || error_number == EPERM || error_number == EROFS)
    remedy = " Check who may read and write there.";
  else if (error_number == EMFILE || error_number == ENFILE)
    remedy = " Close some files or raise the limit (ulimit -n).";
  else if (missing)
    remedy = " Check the path.";
  return Error(missing ? "ERR_NOT_FOUND" : "ERR_STORAGE",
               "Expected to " + what + " " + path.string() +
                   ", the system answered: " + std::strerror(error_number) + "." + remedy);
}

MappedFile::MappedFile(const std::filesystem::path& path) : path_(path) {
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
    throw Error("ERR_CORPUS_FOREIGN", "Expected a regular file at " + path.string() +
                                          ", found a folder or device. Check the path.");
  }
  size_ = static_cast<std::size_t>(status.st_size);
  if (size_ > 0) {
    void* mapped = ::mmap(nullptr, size_, PROT_READ, MAP_SHARED, descriptor, 0);
    const int failure = errno;
    ::close(descriptor);  // the mapping keeps the file open
    if (mapped == MAP_FAILED) throw file_error("map", path, failure);
    data_ = mapped;
    guard_.emplace(data_, size_);
  } else {
    ::close(descriptor);
  }
}

void MappedFile::throw_if_faulted() const {
  if (!faulted()) return;
  throw Error("ERR_CORPUS_CORRUPT",
              "Expected to read all of " + path_.string() +
                  ", the system could not read a part of it: it was truncated while it was open, "
                  "or its disk fails. " +
                  "Close what has it open, check the disk, and restore the file from a backup.");
}

MappedFile::~MappedFile() {
  guard_.reset();
  if (data_ != nullptr) ::munmap(data_, size_);
}

}  // namespace asof
