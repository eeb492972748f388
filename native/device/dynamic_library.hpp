// Libraries that are opened at run time.
#pragma once

#include <filesystem>
#include <string>

namespace asof {

/// Of the library that has this function: the addon.
std::filesystem::path own_path();

/// "asof_cuda.so", as the system names libraries.
extern const char* const cuda_library_name;

/// Opens a library for good; null if it does not load, with the system's words.
void* open_library(const std::filesystem::path& path, std::string& failure);

/// A function of it by its name; null if it has none.
void* function_of(void* library, const char* name);

}  // namespace asof
