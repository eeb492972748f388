// Integrity check of an LMDB file before LMDB maps it: LMDB trusts its pages, and a damaged page
// number, node or size would crash the process.
#pragma once

#include <filesystem>

#include "core/cancel.hpp"

// The file is an array of pages. The first two are meta pages, the newer of which is in force.
// Every page begins with 24 bytes: its own number at 0, flags at 18, bytes of the node offset list
// at 20 and the start of its nodes at 22 (both counted from 24); an overflow page has its page
// count at 20. A database record is 48 bytes: flags at 4, depth at 6, entries at 32, root page at
// 40.

namespace asof {

/// Throws ERR_CORPUS_CORRUPT where a page in use is not what its place says. `leaves`: reads all
/// pages; else only those above the leaves, a few in a thousand of the file, and of a leaf no more
/// than where it lies. The meta pages must have been looked at. The file may grow and change
/// meanwhile: what a commit overwrites is read again.
void check_lmdb_pages(const std::filesystem::path& path, bool leaves, const Cancel& cancel);

/// Makes `bytes` bytes of a file that LMDB will map and write to (its table of readers) be on the
/// disk: where a full disk has no place for a page of it, writing to the mapping would end the
/// process. What the file holds stays, and a file that may not be written is left to LMDB. Throws
/// ERR_STORAGE where there is no place.
void allocate_file(const std::filesystem::path& path, std::size_t bytes);

}  // namespace asof
