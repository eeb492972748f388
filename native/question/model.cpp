#include "question/model.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>
#include <map>
#include <mutex>
#include <string>
#include <type_traits>

#include "core/checksum.hpp"
#include "core/mapped_file.hpp"
#include "core/path_text.hpp"
#include "kernels/inner_product/contract.hpp"

namespace asof::question {
namespace {

constexpr char magic[8] = {'A', 'S', 'O', 'F', 'Q', 'R', 'D', 0};
constexpr std::uint32_t known_version = 1;
constexpr std::size_t checked_from = 16, most_width = 4096;
static_assert(std::endian::native == std::endian::little, "numbers are copied as they are");

struct Preamble {
  char magic[8];
  std::uint32_t version, checksum;
  std::uint64_t length;
  std::uint32_t buckets, gram_width, piece_width, features, width, layers, queries, outputs;
};
static_assert(sizeof(Preamble) == 56);

[[noreturn]] void refuse(const char* code, const std::filesystem::path& path,
                         const std::string& expected, const std::string& received) {
  throw Error(code, "Expected " + text_of(path) + " to be " + expected + ", received " + received +
                        ". Reinstall asof, or make the model again as models/README.md says.");
}

/// Takes numbers off the front of the file; throws where it ends too early.
class Cursor {
 public:
  Cursor(std::span<const std::byte> bytes, const std::filesystem::path& path)
      : bytes_(bytes), path_(path) {}

  template <typename Number>
  std::vector<Number> take(std::size_t count) {
    if (count > bytes_.size() / sizeof(Number))
      refuse("ERR_CORPUS_CORRUPT", path_, "as long as its sizes say", "one that ends before");
    std::vector<Number> numbers(count);
    std::memcpy(numbers.data(), bytes_.data(), count * sizeof(Number));
    if constexpr (std::is_same_v<Number, float>) {
      if (!std::all_of(numbers.begin(), numbers.end(),
                       [](float each) { return std::isfinite(each); }))
        refuse("ERR_CORPUS_CORRUPT", path_, "a model of finite numbers", "one with others");
    }
    bytes_ = bytes_.subspan(count * sizeof(Number));
    return numbers;
  }

  /// Places rows of W, a scale each, behind those that `linear` has.
  void take_rows(std::size_t count, Linear& linear) {
    const std::vector<float> scales = take<float>(count);
    const std::vector<std::int8_t> rows = take<std::int8_t>(count * linear.to);
    const std::size_t width = linear.from + count;
    std::vector<float> columns(linear.to * width);
    for (std::size_t j = 0; j < linear.to; ++j) {
      std::copy_n(linear.columns.begin() + static_cast<std::ptrdiff_t>(j * linear.from),
                  linear.from, columns.begin() + static_cast<std::ptrdiff_t>(j * width));
      for (std::size_t i = 0; i < count; ++i)
        columns[j * width + linear.from + i] =
            scales[i] * static_cast<float>(rows[i * linear.to + j]);
    }
    linear.columns = std::move(columns);
    linear.from = width;
  }

  Linear linear(std::size_t from, std::size_t to) {
    Linear result{0, to, {}, {}};
    take_rows(from, result);
    result.bias = take<float>(to);
    return result;
  }

  Normalization normalization(std::size_t width) {
    return {take<float>(width), take<float>(width)};
  }

  bool at_end() const { return bytes_.empty(); }

 private:
  std::span<const std::byte> bytes_;
  const std::filesystem::path& path_;
};

}  // namespace

void Linear::apply(std::span<const float> x, std::span<float> out) const {
  const std::size_t count = x.size() / from;
  inner_product::kernels().block({x.data(), count, from}, {columns.data(), to, from}, from,
                                 out.data(), to);
  for (std::size_t i = 0; i < count * to; ++i) out[i] += bias[i % to];
}

void Normalization::apply(std::span<const float> x, float* out) const {
  double sum = 0, squares = 0;
  for (const float each : x) sum += static_cast<double>(each);
  const double mean = sum / static_cast<double>(x.size());
  for (const float each : x) squares += (each - mean) * (each - mean);
  const double scale = 1 / std::sqrt(squares / static_cast<double>(x.size()) + 1e-5);
  for (std::size_t i = 0; i < x.size(); ++i)
    out[i] = static_cast<float>((x[i] - mean) * scale) * gain[i] + bias[i];
}

Model::Model(const std::filesystem::path& path) {
  const MappedFile file(path);
  const std::span<const std::byte> bytes = file.bytes();
  auto damaged = [&](const std::string& expected, const std::string& received) {
    refuse("ERR_CORPUS_CORRUPT", path, expected, received);
  };
  if (bytes.size() < sizeof magic || std::memcmp(bytes.data(), magic, sizeof magic) != 0)
    refuse("ERR_CORPUS_FOREIGN", path, "a question reader's model",
           "a file that does not begin as one");
  Preamble preamble;
  if (bytes.size() < sizeof preamble) damaged("56 bytes or more", std::to_string(bytes.size()));
  std::memcpy(&preamble, bytes.data(), sizeof preamble);
  if (preamble.version != known_version)
    refuse(preamble.version > known_version ? "ERR_CORPUS_NEWER" : "ERR_CORPUS_CORRUPT", path,
           "a model of version " + std::to_string(known_version),
           "version " + std::to_string(preamble.version));
  if (preamble.length != bytes.size())
    damaged(std::to_string(preamble.length) + " bytes long", std::to_string(bytes.size()));
  if (crc32c(bytes.data() + checked_from, bytes.size() - checked_from) != preamble.checksum)
    damaged("what its checksum says", "other bytes");
  for (const std::uint32_t each :
       {preamble.gram_width, preamble.piece_width, preamble.features, preamble.width,
        preamble.layers, preamble.queries, preamble.outputs}) {
    if (each == 0 || each > most_width)
      damaged("a model of sizes from 1 to " + std::to_string(most_width), std::to_string(each));
  }
  buckets = preamble.buckets;
  if (!std::has_single_bit(buckets)) damaged("one of a power of two of buckets", "another number");
  gram_width = preamble.gram_width;
  piece_width = preamble.piece_width;
  features = preamble.features;
  width = preamble.width;
  queries = preamble.queries;

  Cursor cursor(bytes.subspan(sizeof preamble), path);
  const auto classes = cursor.take<std::uint32_t>(preamble.outputs);
  const auto dilations = cursor.take<std::uint32_t>(preamble.layers);
  gram_scales = cursor.take<float>(buckets);
  gram_rows = cursor.take<std::int8_t>(buckets * gram_width);
  inputs.to = width;
  for (const std::size_t from : {gram_width, piece_width, features}) cursor.take_rows(from, inputs);
  inputs.bias = cursor.take<float>(width);
  for (const std::uint32_t dilation : dilations) {
    if (dilation == 0) damaged("a model of dilations from 1", "one of 0");
    Layer layer;
    layer.dilation = dilation;
    layer.norm = cursor.normalization(width);
    layer.convolve.to = width;
    cursor.take_rows(width, layer.convolve);
    cursor.take_rows(width, layer.convolve);
    layer.convolve.bias = cursor.take<float>(width);
    cursor.take_rows(width, layer.convolve);
    layer.project = cursor.linear(width, width);
    layers.push_back(std::move(layer));
  }
  norm = cursor.normalization(width);
  tags = cursor.linear(width, 5);
  mention = cursor.linear(width, 1);
  attention = cursor.linear(width, queries);
  for (const std::uint32_t each : classes) outputs.push_back(cursor.linear(queries * width, each));
  if (!cursor.at_end()) damaged("as long as its sizes say", "one with more behind");
  file.throw_if_faulted();
}

std::shared_ptr<const Model> Model::open(const std::filesystem::path& path) {
  static std::mutex mutex;
  static auto* shared = new std::map<std::filesystem::path, std::weak_ptr<const Model>>;
  std::lock_guard lock(mutex);
  std::weak_ptr<const Model>& slot = (*shared)[path];
  if (std::shared_ptr<const Model> model = slot.lock()) return model;
  auto model = std::make_shared<const Model>(path);
  slot = model;
  return model;
}

}  // namespace asof::question
