// What file locks of all systems share.
#include "core/file_lock.hpp"

#include "core/path_text.hpp"

namespace asof {

Error FileLock::locked_by(const std::string& who, const std::filesystem::path& path) {
  return Error("ERR_CORPUS_LOCKED",
               "Expected to be the only writer of " + text_of(path.parent_path()) +
                   ", found it locked by " + who +
                   ". Close it there, or open the corpus with readOnly: true.");
}

}  // namespace asof
