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

/// Throws ERR_CORPUS_CORRUPT if a page in use is inconsistent with its place in a tree. `leaves`:
/// reads all pages; else only branch pages, a few in a thousand of the file, and the locations of
/// leaves. The file may grow and change meanwhile: pages that a commit overwrites are read again.
void check_lmdb_pages(const std::filesystem::path& path, bool leaves, const Cancel& cancel);

/// Allocates disk space for the first `bytes` bytes of a file that LMDB maps and writes to (its
/// reader table): on a full disk a write to the mapping would end the process. Contents are kept; a
/// read-only file is left to LMDB. Throws ERR_STORAGE if the disk is full.
void allocate_file(const std::filesystem::path& path, std::size_t bytes);

}  // namespace asof
