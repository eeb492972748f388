// File lock by flock(2). The file outlives the lock: removing it would let two holders lock two
// files of one name.
#include "core/file_lock.hpp"

#include <fcntl.h>
#include <sys/file.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <string>

#include "core/file_error.hpp"

namespace asof {
namespace {

std::string content_of(int descriptor) {
  char text[32];
  const ssize_t length = ::pread(descriptor, text, sizeof text, 0);
  return {text, length > 0 ? static_cast<std::size_t>(length) : 0};
}

std::string holder(int descriptor) {
  const long process = std::strtol(content_of(descriptor).c_str(), nullptr, 10);
  if (process <= 0) return "another writer";
  return process == static_cast<long>(::getpid()) ? "a writer in this process"
                                                  : "process " + std::to_string(process);
}

}  // namespace

FileLock::FileLock(const std::filesystem::path& path) : FileLock() {
  // Not through a link, whose file the text would replace.
  const int descriptor =
      ::open(path.c_str(), O_RDWR | O_CREAT | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC, 0666);
  if (descriptor < 0) throw file_error("open", path, errno);
  handle_ = descriptor;
  int result;
  do result = ::flock(descriptor, LOCK_EX | LOCK_NB);
  while (result != 0 && errno == EINTR);
  if (result != 0) {
    const int failure = errno;
    if (failure != EWOULDBLOCK) throw file_error("lock", path, failure);
    throw locked_by(holder(descriptor), path);
  }
  const std::string process = std::to_string(::getpid()) + "\n";
  // The text is for the message above only; the lock holds without it. It is mostly there already,
  // and a change of the file would have to be journaled.
  if (content_of(descriptor) != process && ::ftruncate(descriptor, 0) == 0)
    (void)!::pwrite(descriptor, process.data(), process.size(), 0);
}

void FileLock::release() noexcept {
  if (!locked()) return;
  ::close(static_cast<int>(handle_));
  handle_ = -1;
}

}  // namespace asof
