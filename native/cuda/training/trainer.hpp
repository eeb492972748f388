// Training state of a time encoder on a device (rows, dates, examples, parameters and their
// moments), and one training step: forward, loss, backward, AdamW. Batch order, learning rates and
// checkpoints are the host's (native/training/run.hpp).
//
// Parity. Sums of rows, inner products and AdamW have the bits of the host's level; sines,
// exponentials and sums in double are the device's own. A gradient therefore differs from the
// host's by the rounding of those alone: |difference| <= 2^-18 of the greatest component
// (test/native/cuda/training.cpp).
#pragma once

#include "core/matrix.hpp"
#include "cuda/device/device.hpp"
#include "cuda/kernels/products/canonical.hpp"
#include "kernels/training/contract.hpp"

namespace asof::cuda {

struct Trainer {
  Trainer(Device& device, const TrainerData& data);

  /// Parameters and moments, layout.total numbers each; null arrays are skipped.
  void write(const float* parameters, const float* first, const float* second);
  void read(float* parameters, float* first, float* second);
  /// The mean loss of the batch. Parameters are unchanged if it is not finite.
  double step(const TrainStep& how, float* gradient);

  Device& device;

 private:
  struct Pass;  // a batch on the device

  std::uint32_t begin(std::size_t k) const { return static_cast<std::uint32_t>(network_.begin(k)); }
  std::uint32_t size_of(std::size_t k) const;
  bool has_part(std::size_t k) const { return size_of(k) > 0; }
  const float* at(std::size_t parameter) const { return parameters_.get() + parameter; }

  void forward(Pass& pass);
  void make_part(Pass& pass, std::size_t k);
  double loss(Pass& pass);
  void back(Pass& pass);
  void back_film(Pass& pass);
  void back_part(Pass& pass, std::size_t k);
  void combine(const asof::training::Coefficients& coefficients, const Matrix& terms,
               std::uint32_t n, float* out);
  void combine_transposed(Pass& pass, const Matrix& input, const Matrix& by, std::size_t parameter);
  void add_rows(Pass& pass, const Matrix& by, std::size_t parameter);
  void multiply(const Matrix& a, const Matrix& b, float* out);

  const TimeNetwork network_;
  const TimeLayout layout_;
  const std::size_t rows_, examples_;
  const double temperature_, margin_, hard_, time_;
  const Summing summing_;
  std::vector<std::uint32_t> question_, positive_, negative_;
  Buffer<float> vectors_, fixed_;
  Buffer<std::int32_t> year_;
  Buffer<std::uint8_t> month_, day_, mask_;
  Buffer<std::uint16_t> day_of_year_;
  Buffer<calendar::FeatureTables> tables_;
  Buffer<float> parameters_, first_, second_;
};

}  // namespace asof::cuda
