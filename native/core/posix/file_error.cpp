// See file_error.hpp.
#include "core/file_error.hpp"

#include <cerrno>
#include <cstring>

#include "core/path_text.hpp"

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
  else if (error_number == ENOMEM)
    remedy = " Free some memory and repeat the call.";
  else
    remedy = " Check the disk and repeat the call.";
  const char* code = error_number == ENOMEM ? "ERR_OUT_OF_MEMORY" : "ERR_STORAGE";
  return Error(missing ? "ERR_NOT_FOUND" : code,
               "Expected to " + what + " " + text_of(path) +
                   ", the system answered: " + std::strerror(error_number) + "." + remedy);
}

}  // namespace asof
