// Errors of failed system calls on files.
#pragma once

#include <filesystem>
#include <string>

#include "core/error.hpp"

namespace asof {

/// The error for a failed system call on a file: ERR_NOT_FOUND if it or its folder is missing,
/// else ERR_STORAGE. The number is errno, or GetLastError() on Windows.
Error file_error(const std::string& what, const std::filesystem::path& path, int error_number);

}  // namespace asof
