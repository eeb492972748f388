// Tree walk over the pages of an LMDB file.
#include "core/lmdb_file.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstdint>
#include <cstring>
#include <exception>
#include <string>
#include <utility>
#include <vector>

#include "core/mapped_file.hpp"

namespace asof {
namespace {

constexpr std::size_t header_bytes = 24, database_bytes = 48;
constexpr std::uint64_t no_page = ~std::uint64_t{0};
constexpr unsigned branch = 1, leaf = 2, overflow = 4;          // of a page
constexpr unsigned big_data = 1, sub_data = 2, duplicates = 4;  // of a node
constexpr unsigned sorted_duplicates = 4;  // of a database: its leaves have other layouts
constexpr unsigned deepest = 32;           // LMDB's own limit
constexpr int attempts = 20;

template <typename T>
T at(const std::byte* bytes, std::size_t offset) {
  T value;
  std::memcpy(&value, bytes + offset, sizeof value);
  return value;
}

class File {
 public:
  explicit File(const std::filesystem::path& path)
      : path_(path), descriptor_(::open(path.c_str(), O_RDONLY | O_CLOEXEC)) {
    if (descriptor_ < 0) throw file_error("open", path, errno);
  }
  ~File() { ::close(descriptor_); }
  File(const File&) = delete;
  File& operator=(const File&) = delete;

  std::uint64_t bytes() const {
    struct stat status{};
    if (::fstat(descriptor_, &status) != 0) throw file_error("examine", path_, errno);
    return static_cast<std::uint64_t>(status.st_size);
  }
  /// Whether all of `length` bytes could be read.
  bool read(std::byte* out, std::size_t length, std::uint64_t offset) const {
    while (length > 0) {
      const ssize_t got = ::pread(descriptor_, out, length, static_cast<off_t>(offset));
      if (got < 0 && errno == EINTR) continue;
      if (got < 0) throw file_error("read", path_, errno);
      if (got == 0) return false;
      out += got, offset += static_cast<std::uint64_t>(got),
          length -= static_cast<std::size_t>(got);
    }
    return true;
  }
  const std::filesystem::path& path() const { return path_; }

 private:
  std::filesystem::path path_;
  int descriptor_;
};

struct Meta {
  std::uint64_t page_bytes, last_page, transaction;
  std::array<std::byte, 2 * database_bytes> databases;
};

Meta newest_meta(const File& file) {
  std::array<std::byte, 160> first{}, second{};
  if (!file.read(first.data(), first.size(), 0))
    throw Error("ERR_CORPUS_CORRUPT", "Expected two meta pages in " + file.path().string() +
                                          ", found less. Restore the corpus from a backup.");
  const std::uint64_t page_bytes = at<std::uint32_t>(first.data(), 48);
  const bool whole = page_bytes >= 512 && page_bytes <= 65536 &&
                     (page_bytes & (page_bytes - 1)) == 0 &&
                     file.read(second.data(), second.size(), page_bytes);
  if (!whole)
    throw Error("ERR_CORPUS_CORRUPT",
                "Expected two meta pages in " + file.path().string() +
                    ", found one. Restore the corpus from a backup, or index it again.");
  const auto& meta =
      at<std::uint64_t>(second.data(), 152) > at<std::uint64_t>(first.data(), 152) ? second : first;
  Meta result{
      page_bytes, at<std::uint64_t>(meta.data(), 144), at<std::uint64_t>(meta.data(), 152), {}};
  std::memcpy(result.databases.data(), meta.data() + 48, result.databases.size());
  return result;
}

struct Broken : std::exception {
  Broken(std::uint64_t page, const char* text) : page(page), text(text) {}
  const char* what() const noexcept override { return text; }

  std::uint64_t page;
  const char* text;
};

/// One walk over the trees of a meta page.
class Walk {
 public:
  Walk(const File& file, const Meta& meta, bool leaves, const Cancel& cancel)
      : file_(file),
        leaves_(leaves),
        cancel_(cancel),
        page_bytes_(meta.page_bytes),
        pages_(std::min(meta.last_page + 1, file.bytes() / meta.page_bytes)),
        seen_(pages_),
        levels_(deepest + 1, std::vector<std::byte>(page_bytes_)) {}

  /// Follows nested databases: the main one contains asof's.
  void database(const std::byte* bytes, bool is_free_list, unsigned level) {
    const auto flags = at<std::uint16_t>(bytes, 4), depth = at<std::uint16_t>(bytes, 6);
    const auto entries = at<std::uint64_t>(bytes, 32), root = at<std::uint64_t>(bytes, 40);
    if (root == no_page) {
      if (entries != 0) throw Broken{root, "an empty tree that counts entries"};
      return;
    }
    if (depth == 0 || level + depth > deepest) throw Broken{root, "a tree of no possible depth"};
    Tree tree{depth, (flags & sorted_duplicates) != 0 && !is_free_list, is_free_list, 0};
    page(root, 1, level, tree);
    if (leaves_ && !tree.sorted_duplicates && tree.entries != entries)
      throw Broken{root, "a tree that counts other entries than it has"};
  }

  /// After all trees: no page in use may be listed as free, since the next commit would write over
  /// it.
  void free_pages() const {
    for (const std::uint64_t free : free_) {
      if (free < pages_ && seen_[free]) throw Broken{free, "a page in use that is listed as free"};
    }
  }

 private:
  struct Tree {
    unsigned depth;
    bool sorted_duplicates, free_list;
    std::uint64_t entries;
  };

  void take(std::uint64_t page) {
    if (page < 2 || page >= pages_) throw Broken{page, "a page beyond the end of the file"};
    if (seen_[page]) throw Broken{page, "a page that is in use twice"};
    seen_[page] = true;
  }

  void page(std::uint64_t number, unsigned height, unsigned level, Tree& tree) {
    take(number);
    const bool is_leaf = height == tree.depth;
    if (is_leaf && (!leaves_ || tree.sorted_duplicates) && height > 1) return;
    if (++read_ % 1024 == 0) cancel_.throw_if_requested();
    std::byte* bytes = levels_[level].data();
    if (!file_.read(bytes, page_bytes_, number * page_bytes_))
      throw Broken{number, "a page beyond the end of the file"};
    const unsigned flags = at<std::uint16_t>(bytes, 18) & (branch | leaf | overflow);
    if (at<std::uint64_t>(bytes, 0) != number)
      throw Broken{number, "a page with the number of another"};
    if (tree.sorted_duplicates && is_leaf) return;
    if (flags != (is_leaf ? leaf : branch)) throw Broken{number, "a page of another kind"};
    const std::size_t list = at<std::uint16_t>(bytes, 20), nodes = at<std::uint16_t>(bytes, 22),
                      room = page_bytes_ - header_bytes;
    if (list % 2 != 0 || list == 0 || list > nodes || nodes > room)
      throw Broken{number, "a page whose parts overlap"};
    for (std::size_t i = 0; i < list; i += 2) {
      const std::size_t offset = at<std::uint16_t>(bytes, header_bytes + i);
      if (offset < nodes || offset + 8 > room) throw Broken{number, "a node outside of its page"};
      const std::byte* node = bytes + header_bytes + offset;
      const std::size_t key = at<std::uint16_t>(node, 6);
      if (offset + 8 + key > room) throw Broken{number, "a key outside of its page"};
      if (is_leaf)
        value({number, node, key, room - offset - 8 - key}, level, tree);
      else
        page(at<std::uint32_t>(node, 0) | std::uint64_t{at<std::uint16_t>(node, 4)} << 32,
             height + 1, level + 1, tree);
    }
  }

  /// A node of a leaf page: page number, bytes, length of the key, bytes of the page after the key.
  struct LeafNode {
    std::uint64_t page;
    const std::byte* bytes;
    std::size_t key, room;
  };

  void value(const LeafNode& leaf_node, unsigned level, Tree& tree) {
    const auto [number, node, key, room] = leaf_node;
    const std::uint64_t size = at<std::uint32_t>(node, 0);
    const unsigned flags = at<std::uint16_t>(node, 4);
    const std::byte* data = node + 8 + key;
    ++tree.entries;
    if ((flags & duplicates) != 0 || flags > (big_data | sub_data))
      throw Broken{number, "a node of no known kind"};
    if ((flags & big_data) != 0) {
      if (room < 8) throw Broken{number, "a value outside of its page"};
      const std::vector<std::byte> large =
          overflow_pages(at<std::uint64_t>(data, 0), size, tree.free_list);
      if (tree.free_list) list_free(number, large.data(), large.size());
      return;
    }
    if (size > room) throw Broken{number, "a value outside of its page"};
    if (tree.free_list) list_free(number, data, size);
    if ((flags & sub_data) == 0) return;
    if (size != database_bytes) throw Broken{number, "a database of another size"};
    std::array<std::byte, database_bytes> database_copy{};
    std::memcpy(database_copy.data(), data, database_bytes);
    database(database_copy.data(), false, level + 1);
  }

  /// Checks the pages of a large value; with `contents`, returns its bytes.
  std::vector<std::byte> overflow_pages(std::uint64_t first, std::uint64_t size, bool contents) {
    std::array<std::byte, header_bytes> header{};
    take(first);
    if (!file_.read(header.data(), header.size(), first * page_bytes_))
      throw Broken{first, "a page beyond the end of the file"};
    const std::uint64_t count = at<std::uint32_t>(header.data(), 20);
    if (at<std::uint64_t>(header.data(), 0) != first)
      throw Broken{first, "a page with the number of another"};
    if ((at<std::uint16_t>(header.data(), 18) & overflow) == 0)
      throw Broken{first, "a page of another kind"};
    if (count == 0 || count > pages_ - first || size > count * page_bytes_ - header_bytes)
      throw Broken{first, "a large value that is longer than its pages"};
    for (std::uint64_t page = first + 1; page < first + count; ++page) take(page);
    std::vector<std::byte> bytes(contents ? size : 0);
    if (contents && !file_.read(bytes.data(), size, first * page_bytes_ + header_bytes))
      throw Broken{first, "a page beyond the end of the file"};
    return bytes;
  }

  /// A list of free pages: how many words follow, then page numbers; a negative word is the length
  /// of the run that begins at the next, zero is nothing.
  void list_free(std::uint64_t number, const std::byte* data, std::uint64_t size) {
    const std::uint64_t words = size / 8, count = words > 0 ? at<std::uint64_t>(data, 0) : 0;
    if (size % 8 != 0 || words == 0 || count >= words)
      throw Broken{number, "a list of free pages that is longer than its place"};
    for (std::uint64_t i = 1; i <= count; ++i) {
      const auto word = at<std::int64_t>(data, 8 * i);
      if (word == 0) continue;
      std::uint64_t first = static_cast<std::uint64_t>(word), length = 1;
      if (word < 0) {
        if (++i > count) break;
        length = std::uint64_t{0} - static_cast<std::uint64_t>(word),
        first = at<std::uint64_t>(data, 8 * i);
      }
      if (first < 2 || length > (std::uint64_t{1} << 48) || first > (std::uint64_t{1} << 48))
        throw Broken{number, "a free page beyond the end of the file"};
      for (std::uint64_t page = first; page < first + length && page < pages_; ++page)
        free_.push_back(page);
    }
  }

  const File& file_;
  const bool leaves_;
  const Cancel& cancel_;
  const std::size_t page_bytes_;
  const std::uint64_t pages_;  // in the file and possibly in use
  std::vector<bool> seen_;
  std::vector<std::vector<std::byte>> levels_;  // a page per level of the walk
  std::vector<std::uint64_t> free_;
  std::uint64_t read_ = 0;
};

/// Without the C library's emulation, which writes to every page and races with processes that have
/// the file mapped.
int allocated(int descriptor, std::size_t bytes) {
#ifdef __linux__
  return ::fallocate(descriptor, 0, 0, static_cast<off_t>(bytes)) == 0 ? 0 : errno;
#else
  (void)descriptor, (void)bytes;
  return EOPNOTSUPP;
#endif
}

}  // namespace

void allocate_file(const std::filesystem::path& path, std::size_t bytes) {
  const int descriptor = ::open(path.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0664);
  if (descriptor < 0 && (errno == EACCES || errno == EPERM || errno == EROFS || errno == ENOENT))
    return;
  if (descriptor < 0) throw file_error("open", path, errno);
  int failure;
  do failure = allocated(descriptor, bytes);
  while (failure == EINTR);
  ::close(descriptor);
  const bool unsupported = failure == EOPNOTSUPP || failure == ENOSYS || failure == EINVAL;
  if (failure != 0 && !unsupported) throw file_error("make room for", path, failure);
}

void check_lmdb_pages(const std::filesystem::path& path, bool leaves, const Cancel& cancel) {
  const File file(path);
  std::uint64_t suspected = no_page;  // transaction of the last walk that failed
  for (int attempt = 1;; ++attempt) {
    const Meta meta = newest_meta(file);
    try {
      Walk walk(file, meta, leaves, cancel);
      walk.database(meta.databases.data(), true, 0);
      walk.database(meta.databases.data() + database_bytes, false, 0);
      if (leaves) walk.free_pages();
      return;
    } catch (const Broken& broken) {
      // The pages of a meta page are not overwritten before the second commit after it; without
      // one the file is damaged. Two walks, since a commit may be writing the meta page itself.
      if (newest_meta(file).transaction == meta.transaction &&
          std::exchange(suspected, meta.transaction) == meta.transaction) {
        throw Error("ERR_CORPUS_CORRUPT",
                    "Expected the pages of " + path.string() + " to be whole, found " +
                        broken.what() + " (page " +
                        std::to_string(static_cast<std::int64_t>(broken.page)) + " of " +
                        std::to_string(file.bytes() / meta.page_bytes) +
                        "). Restore the corpus from a backup, or index it again.");
      }
      if (attempt == attempts)
        return;  // commits outpace the walk: the process that writes them reads the file itself
    }
  }
}

}  // namespace asof
