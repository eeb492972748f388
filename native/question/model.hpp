// Weights of the question reader (models/README.md: "The question reader"): a table of hashed
// letter n-grams, layers of convolutions over tokens, and linear outputs.
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <span>
#include <vector>

// Layout, little-endian:
//    0  8 bytes "ASOFQRD" 0
//    8  u32 version (1)
//   12  u32 CRC32C of the bytes from 16 to the end
//   16  u64 length of the file
//   24  u32 buckets, gram width, piece width, features, width, layers, queries, outputs
//   56  u32 numbers of the outputs' classes [outputs], u32 dilations [layers]
//       then the matrices in the order of Model, each f32 scales [rows] and int8 [rows][columns],
//       and the vectors between them, f32

namespace asof::question {

/// y = x W + b for rows x.
struct Linear {
  std::size_t from = 0, to = 0;
  std::vector<float> columns;  // of W, one after another: [to][from]
  std::vector<float> bias;     // [to]
  /// `x` has rows of `from`, `out` of `to` numbers.
  void apply(std::span<const float> x, std::span<float> out) const;
};

struct Normalization {
  std::vector<float> gain, bias;
  void apply(std::span<const float> x, float* out) const;
};

/// x + project(relu(convolve(normalize(x)))), a window of three tokens that are `dilation` apart.
struct Layer {
  std::size_t dilation = 1;
  Normalization norm;
  Linear convolve;  // from the left, the same and the right token, next to one another
  Linear project;
};

struct Model {
  /// Opens a file; calls with the same path share it while one is held. Errors as of
  /// StaticModel::open.
  static std::shared_ptr<const Model> open(const std::filesystem::path& path);
  explicit Model(const std::filesystem::path& path);

  std::size_t buckets, gram_width, piece_width, features, width, queries;
  std::vector<float> gram_scales;      // [buckets]
  std::vector<std::int8_t> gram_rows;  // [buckets][gram_width]
  Linear inputs;  // from the means of n-grams and of wordpieces and the features, to `width`
  std::vector<Layer> layers;
  Normalization norm;
  Linear tags, mention, attention;  // of a token: 5, 1 and `queries` numbers
  std::vector<Linear> outputs;      // of a question, from queries * width
};

}  // namespace asof::question
