// Validation of a model file: magic, version, length, checksum, consistency, in this order.
#include "encoder/static_model.hpp"

#include <bit>
#include <cmath>
#include <cstring>
#include <map>
#include <mutex>
#include <stdexcept>
#include <string>

#include "core/checksum.hpp"
#include "core/path_text.hpp"

namespace asof {
namespace {

constexpr char magic[8] = {'A', 'S', 'O', 'F', 'E', 'N', 'C', 0};
constexpr std::uint32_t known_version = 1;

struct Preamble {
  char magic[8];
  std::uint32_t version, checksum;
  std::uint64_t length;
  std::uint32_t tokens, dimensions, header_length, vocabulary_length;
  float saturation;
  char zeros[20];
};
static_assert(sizeof(Preamble) == 64);
static_assert(std::endian::native == std::endian::little, "the file is read in place");

constexpr std::size_t checked_from = 16;  // the bytes before identify the file

constexpr std::uint64_t aligned(std::uint64_t at) {
  return (at + 63) / 64 * 64;
}

[[noreturn]] void refuse(const char* code, const std::filesystem::path& path,
                         const std::string& expected, const std::string& received) {
  throw Error(code, "Expected " + text_of(path) + " to be " + expected + ", received " + received +
                        ". Reinstall asof, or make the model again as models/README.md says.");
}

}  // namespace

StaticModel::StaticModel(const std::filesystem::path& path) : file_(path) {
  const std::span<const std::byte> bytes = file_.bytes();
  auto damaged = [&](const std::string& expected, const std::string& received) {
    refuse("ERR_CORPUS_CORRUPT", path, expected, received);
  };
  if (bytes.size() < sizeof magic || std::memcmp(bytes.data(), magic, sizeof magic) != 0) {
    refuse("ERR_CORPUS_FOREIGN", path, "a static encoder's model",
           "a file that does not begin as one");
  }
  if (bytes.size() < sizeof(Preamble)) damaged("64 bytes or more", std::to_string(bytes.size()));
  Preamble preamble;
  std::memcpy(&preamble, bytes.data(), sizeof preamble);
  if (preamble.version != known_version) {
    refuse(preamble.version > known_version ? "ERR_CORPUS_NEWER" : "ERR_CORPUS_CORRUPT", path,
           "a model of version " + std::to_string(known_version),
           "version " + std::to_string(preamble.version));
  }
  if (preamble.length != bytes.size())
    damaged(std::to_string(preamble.length) + " bytes long", std::to_string(bytes.size()));
  if (crc32c(bytes.data() + checked_from, bytes.size() - checked_from) != preamble.checksum)
    damaged("what its checksum says", "other bytes");

  // All factors are 32 bits wide, so that nothing here can overflow 64.
  const std::uint64_t vocabulary_at =
      aligned(sizeof preamble + std::uint64_t{preamble.header_length});
  const std::uint64_t scales_at = aligned(vocabulary_at + preamble.vocabulary_length);
  const std::uint64_t rows_at = aligned(scales_at + std::uint64_t{preamble.tokens} * sizeof(float));
  const std::uint64_t row_bytes = std::uint64_t{preamble.tokens} * preamble.dimensions;
  const bool fills = preamble.tokens > 0 && preamble.dimensions > 0 &&
                     preamble.dimensions <= 4096 && rows_at <= bytes.size();
  if (!fills || row_bytes != bytes.size() - rows_at) {
    damaged("a model whose sections fill it",
            std::to_string(preamble.tokens) + " tokens of " + std::to_string(preamble.dimensions) +
                " dimensions in " + std::to_string(bytes.size()) + " bytes");
  }
  if (!(preamble.saturation > 0 && preamble.saturation <= 1)) {
    damaged("a model of a saturation above 0 and at most 1", std::to_string(preamble.saturation));
  }
  const char* base = reinterpret_cast<const char*>(bytes.data());
  saturation_ = preamble.saturation;
  header_ = {base + sizeof preamble, preamble.header_length};
  dimensions_ = preamble.dimensions;
  scales_ = {reinterpret_cast<const float*>(base + scales_at), preamble.tokens};
  rows_ = reinterpret_cast<const std::int8_t*>(base + rows_at);
  try {
    vocabulary_ = std::make_unique<const Vocabulary>(
        std::string_view(base + vocabulary_at, preamble.vocabulary_length));
  } catch (const std::invalid_argument& error) {
    damaged("a model with a vocabulary", std::string("one of which ") + error.what());
  }
  if (vocabulary_->size() != preamble.tokens) {
    damaged("a model of " + std::to_string(preamble.tokens) + " tokens",
            std::to_string(vocabulary_->size()));
  }
  for (float scale : scales_) {
    if (!std::isfinite(scale)) damaged("a model of finite scales", "one that is not");
  }
}

double StaticModel::rarity(std::u16string_view word) const {
  const auto token = vocabulary_->id_of(word);
  if (!token) return 18;
  std::int32_t squares = 0;
  for (const std::int8_t each : std::span(row(*token), dimensions_)) squares += each * each;
  return scales_[*token] * std::sqrt(static_cast<double>(squares));
}

std::shared_ptr<const StaticModel> StaticModel::open(const std::filesystem::path& path) {
  static std::mutex mutex;
  static auto* shared = new std::map<std::filesystem::path, std::weak_ptr<const StaticModel>>;
  std::error_code failure;
  const std::filesystem::path key = std::filesystem::absolute(path, failure).lexically_normal();
  if (failure) refuse("ERR_NOT_FOUND", path, "a model file", failure.message());
  {
    std::lock_guard lock(mutex);
    if (std::shared_ptr<const StaticModel> model = (*shared)[key].lock()) return model;
  }
  auto model = std::make_shared<const StaticModel>(key);
  std::lock_guard lock(mutex);
  std::weak_ptr<const StaticModel>& slot = (*shared)[key];
  if (std::shared_ptr<const StaticModel> other = slot.lock()) return other;
  slot = model;
  return model;
}

}  // namespace asof
