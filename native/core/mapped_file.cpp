// What mapped files of all systems share.
#include "core/mapped_file.hpp"

#include "core/path_text.hpp"

namespace asof {

Error MappedFile::not_regular() const {
  return Error("ERR_CORPUS_FOREIGN", "Expected a regular file at " + text_of(path_) +
                                         ", found a folder or device. Check the path.");
}

void MappedFile::throw_if_faulted() const {
  if (!faulted()) return;
  throw Error("ERR_CORPUS_CORRUPT",
              "Expected to read all of " + text_of(path_) +
                  ", the system could not read a part of it: it was truncated while it was open, "
                  "or its disk fails. " +
                  "Close what has it open, check the disk, and restore the file from a backup.");
}

}  // namespace asof
