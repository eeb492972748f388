// Read-only memory mapping by MapViewOfFile.
#include "core/mapped_file.hpp"

#include "core/file_error.hpp"
#include "core/windows/system.hpp"

namespace asof {

MappedFile::MappedFile(const std::filesystem::path& path, bool temporary)
    : path_(path), temporary_(temporary) {
  // The flag opens folders, which are refused below by what they are.
  const HANDLE file = ::CreateFileW(system_path(path).c_str(), GENERIC_READ, share_all, nullptr,
                                    OPEN_EXISTING, FILE_FLAG_BACKUP_SEMANTICS, nullptr);
  if (file == INVALID_HANDLE_VALUE) throw file_error("open", path, last_error());
  BY_HANDLE_FILE_INFORMATION info{};
  if (::GetFileType(file) != FILE_TYPE_DISK || !::GetFileInformationByHandle(file, &info) ||
      (info.dwFileAttributes & FILE_ATTRIBUTE_DIRECTORY) != 0) {
    ::CloseHandle(file);
    throw not_regular();
  }
  size_ = static_cast<std::size_t>(std::uint64_t{info.nFileSizeHigh} << 32 | info.nFileSizeLow);
  if (size_ == 0) {
    ::CloseHandle(file);
    return;
  }
  const HANDLE mapping = ::CreateFileMappingW(file, nullptr, PAGE_READONLY, 0, 0, nullptr);
  if (mapping != nullptr) data_ = ::MapViewOfFile(mapping, FILE_MAP_READ, 0, 0, size_);
  const int failure = last_error();
  if (mapping != nullptr) ::CloseHandle(mapping);  // the view keeps both open
  ::CloseHandle(file);
  if (data_ == nullptr) throw file_error("map", path, failure);
  try {
    guard_.emplace(data_, size_);
  } catch (...) {
    ::UnmapViewOfFile(data_);
    throw;
  }
}

MappedFile::~MappedFile() {
  const bool replaced = faulted();
  guard_.reset();
  if (replaced)
    ::VirtualFree(data_, 0, MEM_RELEASE);
  else if (data_ != nullptr)
    ::UnmapViewOfFile(data_);
  if (!temporary_) return;
  ::DeleteFileW(system_path(path_).c_str());
  ::RemoveDirectoryW(system_path(path_.parent_path()).c_str());
}

}  // namespace asof
