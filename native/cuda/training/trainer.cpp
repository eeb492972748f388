// See trainer.hpp.
#include "cuda/training/trainer.hpp"

#include <algorithm>
#include <cmath>

#include "cuda/kernels/training/loss.hpp"
#include "cuda/kernels/training/rows.hpp"

namespace asof::cuda {
namespace {

constexpr std::uint8_t bits[] = {calendar::has_year, calendar::has_month, calendar::has_day,
                                 calendar::has_day_of_year};
constexpr std::uint32_t no_negative = 0xffffffff;

template <typename... Parameters, typename... Arguments>
void start(const Device& device, std::size_t count, std::uint32_t tiles,
           void (*kernel)(Parameters...), Arguments&&... arguments) {
  if (count == 0) return;
  const Launch how{
      dim3(static_cast<unsigned>((count + training::threads - 1) / training::threads), tiles),
      dim3(training::threads), 0, device.stream};
  check(launch(how, kernel, std::forward<Arguments>(arguments)...), "to train");
}

void expect(bool good, const char* expected) {
  if (!good) throw DeviceError(Cause::argument, std::string("Expected ") + expected + ".");
}

}  // namespace

struct Trainer::Pass {
  Pass(Device& device, const Trainer& trainer, const TrainStep& how);

  std::uint32_t n = 0, rows = 0, tiles = 0, across = 0;  // examples, rows, tiles of rows
  Buffer<std::uint32_t> row, negative;
  Buffer<std::uint8_t> known, day;
  Buffer<float> normalised, month, of_year, sines, cosines;
  Buffer<float> parts[4], first, gamma, fused, by_fused, by, by_gamma, by_first, through, by_part,
      by_angle, products, pulls, gradients, gradient;
  Buffer<double> norms, losses;

  training::BatchDates dates() const {
    return {known.get(),   day.get(),   normalised.get(), month.get(),
            of_year.get(), sines.get(), cosines.get()};
  }
  training::Batch batch() const {
    return {n,           across,         row.get(),      negative.get(),
            fused.get(), by_fused.get(), products.get(), pulls.get()};
  }
  training::BatchVectors batch_vectors(const Trainer& trainer) const {
    return {trainer.vectors_.get(), row.get(), known.get(), rows,
            static_cast<std::uint32_t>(trainer.network_.dimensions)};
  }
  training::BatchRows batch_rows() const { return {row.get(), rows}; }
  /// A matrix of one line per row of the batch.
  Matrix matrix(const Buffer<float>& values, std::size_t columns) const {
    return {values.get(), rows, columns};
  }
  training::TileGradients tile_gradients(std::size_t parameter) const {
    return {gradients.get() + parameter, gradient.size()};
  }
};

Trainer::Pass::Pass(Device& device, const Trainer& trainer, const TrainStep& how) : n(how.count) {
  std::vector<std::uint32_t> rows_of, places;
  for (std::uint32_t i = 0; i < n; ++i) rows_of.push_back(trainer.question_[how.batch[i]]);
  for (std::uint32_t i = 0; i < n; ++i) rows_of.push_back(trainer.positive_[how.batch[i]]);
  for (std::uint32_t i = 0; i < n; ++i) {
    const std::uint32_t wrong = trainer.negative_[how.batch[i]];
    places.push_back(wrong == no_negative ? 0 : static_cast<std::uint32_t>(rows_of.size()));
    if (wrong != no_negative) rows_of.push_back(wrong);
  }
  const TimeNetwork& network = trainer.network_;
  const std::size_t count = rows_of.size(), d = network.dimensions, width = network.width,
                    waves = network.learns_features() ? network.waves : 0;
  const bool film = network.kind == TimeNetwork::Kind::film;
  rows = static_cast<std::uint32_t>(count);
  tiles = (rows + training::tile_rows - 1) / training::tile_rows;
  across = static_cast<std::uint32_t>(network.fused());
  auto floats = [&](std::size_t values) { return Buffer<float>(device.memory, values, "a batch"); };
  row = device.upload_copy(rows_of.data(), count, "a batch");
  negative = device.upload_copy(places.data(), n, "a batch");
  known = Buffer<std::uint8_t>(device.memory, count, "a batch");
  day = Buffer<std::uint8_t>(device.memory, count, "a batch");
  normalised = floats(count), month = floats(2 * count), of_year = floats(2 * count),
  sines = floats(count * waves), cosines = floats(count * waves);
  std::size_t widest = 0;
  for (std::size_t k = 0; k < 4; ++k) {
    parts[k] = floats(count * trainer.size_of(k));
    widest = std::max<std::size_t>(widest, trainer.size_of(k));
  }
  first = floats(count * width), by_first = floats(count * width),
  through = floats(film ? count * width : 0);
  gamma = floats(film ? count * d : 0), by_gamma = floats(film ? count * d : 0);
  fused = floats(count * across), by = floats(count * across);
  by_fused = device.filled_buffer<float>(count * across, 0, "a batch");
  by_part = floats(network.learns_features() ? count * widest : 0),
  by_angle = floats(count * waves);
  products = floats(std::size_t(n) * n);
  pulls = device.filled_buffer<float>(std::size_t(n) * n, 0, "a batch");
  gradients = device.filled_buffer<float>(tiles * trainer.layout_.total, 0, "gradients");
  gradient = floats(trainer.layout_.total);
  norms = Buffer<double>(device.memory, count, "a batch");
  losses = Buffer<double>(device.memory, 4 * std::size_t(n), "a batch");
}

Trainer::Trainer(Device& target_device, const TrainerData& data)
    : device(target_device),
      network_(data.network),
      layout_(data.layout),
      rows_(data.rows),
      examples_(data.examples),
      temperature_(data.temperature),
      margin_(data.margin),
      hard_(data.hard),
      time_(data.time),
      summing_(static_cast<Summing>(data.summing)) {
  const std::size_t d = network_.dimensions,
                    across = network_.learns_features() ? 0 : network_.features();
  expect(d > 0 && rows_ < no_negative && examples_ < no_negative,
         "a network of some dimensions and fewer than 2^32 - 1 rows and examples");
  expect(cuda::known(summing_), "a way of summing that the library knows");
  expect(across == 0 || data.fixed != nullptr, "fixed features for a network that learns none");
  for (std::size_t i = 0; i < examples_; ++i) {
    expect(data.question[i] < rows_ && data.positive[i] < rows_ &&
               (data.negative[i] == no_negative || data.negative[i] < rows_),
           "examples of the rows given");
  }
  question_.assign(data.question, data.question + examples_);
  positive_.assign(data.positive, data.positive + examples_);
  negative_.assign(data.negative, data.negative + examples_);
  vectors_ = device.upload_copy(data.vectors, rows_ * d, "rows");
  fixed_ = device.upload_copy(data.fixed, rows_ * across, "rows");
  year_ = device.upload_copy(static_cast<const std::int32_t*>(data.dates.year), rows_, "dates");
  month_ = device.upload_copy(static_cast<const std::uint8_t*>(data.dates.month), rows_, "dates");
  day_ = device.upload_copy(static_cast<const std::uint8_t*>(data.dates.day), rows_, "dates");
  day_of_year_ =
      device.upload_copy(static_cast<const std::uint16_t*>(data.dates.day_of_year), rows_, "dates");
  mask_ = device.upload_copy(static_cast<const std::uint8_t*>(data.dates.mask), rows_, "dates");
  tables_ = device.upload_copy(data.tables, 1, "tables");
  parameters_ = device.filled_buffer<float>(layout_.total, 0, "parameters");
  first_ = device.filled_buffer<float>(layout_.total, 0, "parameters");
  second_ = device.filled_buffer<float>(layout_.total, 0, "parameters");
  device.finish();
}

std::uint32_t Trainer::size_of(std::size_t k) const {
  if (network_.kind == TimeNetwork::Kind::absolute)
    return k == 0 ? static_cast<std::uint32_t>(network_.features()) : 0;
  return begin(k + 1) - begin(k);
}

void Trainer::write(const float* parameters, const float* first, const float* second) {
  const std::size_t bytes = layout_.total * sizeof(float);
  if (parameters != nullptr) device.upload(parameters_.get(), parameters, bytes);
  if (first != nullptr) device.upload(first_.get(), first, bytes);
  if (second != nullptr) device.upload(second_.get(), second, bytes);
  device.finish();
}

void Trainer::read(float* parameters, float* first, float* second) {
  auto take = [&](const Buffer<float>& from, float* to) {
    if (to == nullptr) return;
    check(cudaMemcpyAsync(to, from.get(), layout_.total * sizeof(float), cudaMemcpyDeviceToHost,
                          device.stream),
          "to send results");
  };
  take(parameters_, parameters);
  take(first_, first);
  take(second_, second);
  device.finish();
}

void Trainer::combine(const asof::training::Coefficients& coefficients, const Matrix& terms,
                      std::uint32_t n, float* out) {
  if (terms.rows > 0)
    start(device, n * terms.stride, 1, training::combine, summing_, coefficients, terms, n, out);
}

void Trainer::combine_transposed(Pass& pass, const Matrix& input, const Matrix& by,
                                 std::size_t parameter) {
  start(device, input.stride * by.stride, pass.tiles, training::combine_transposed, summing_, input,
        by, pass.tile_gradients(parameter));
}

void Trainer::add_rows(Pass& pass, const Matrix& by, std::size_t parameter) {
  start(device, by.stride, pass.tiles, training::add_rows, by, pass.tile_gradients(parameter));
}

void Trainer::multiply(const Matrix& a, const Matrix& b, float* out) {
  if (a.rows > 0 && b.rows > 0)
    start(device, a.rows * b.rows * width_of(summing_), 1, training::multiply, summing_, a, b, out);
}

/// Part k of e, computed or fixed.
void Trainer::make_part(Pass& pass, std::size_t k) {
  const std::uint32_t size = size_of(k);
  const std::size_t count = std::size_t(pass.rows) * size, waves = network_.waves;
  float* part = pass.parts[k].get();
  if (!network_.learns_features()) {
    const training::FixedColumns fixed{
        fixed_.get(), static_cast<std::uint32_t>(network_.features()), begin(k), size};
    return start(device, count, 1, training::copy_fixed, fixed, pass.batch_rows(), part);
  }
  const training::PartStart initial{size, k == 0 ? at(layout_.year_bias) : nullptr,
                                    k == 2 ? at(layout_.day) : nullptr};
  start(device, count, 1, training::start_part, pass.dates(), pass.rows, initial, part);
  if (size == 0) return;
  // Rows without the component have zeros for coefficients.
  if (k == 0)
    combine({pass.sines.get(), waves, 1}, {at(layout_.year), waves, size}, pass.rows, part);
  if (k == 1) combine({pass.month.get(), 2, 1}, {at(layout_.month), 2, size}, pass.rows, part);
  if (k == 3)
    combine({pass.of_year.get(), 2, 1}, {at(layout_.day_of_year), 2, size}, pass.rows, part);
}

void Trainer::forward(Pass& pass) {
  const std::uint32_t n = pass.rows, d = static_cast<std::uint32_t>(network_.dimensions),
                      width = static_cast<std::uint32_t>(network_.width);
  const std::uint32_t waves =
      network_.learns_features() ? static_cast<std::uint32_t>(network_.waves) : 0;
  const bool film = network_.kind == TimeNetwork::Kind::film;
  const training::DateColumns dates{year_.get(),        month_.get(), day_.get(),
                                    day_of_year_.get(), mask_.get(),  tables_.get()};
  const training::YearScale scale{network_.mean_year, network_.deviation_year};
  start(device, n, 1, training::read_dates, dates, pass.batch_rows(), scale,
        network_.kind == TimeNetwork::Kind::absolute, pass.dates());
  start(device, std::size_t(n) * waves, 1, training::read_waves, dates, pass.batch_rows(), scale,
        training::Waves{waves, at(layout_.frequency), at(layout_.phase)}, pass.dates());
  start(device, std::size_t(n) * width, 1, training::spread,
        film ? at(layout_.first_bias) : nullptr, n, width, pass.first.get());
  for (std::size_t k = 0; k < 4; ++k) {
    if (!has_part(k)) continue;
    make_part(pass, k);
    if (width > 0)
      combine({pass.parts[k].get(), size_of(k), 1},
              {at(layout_.first) + std::size_t(begin(k)) * width, size_of(k), width}, n,
              pass.first.get());
  }
  if (!film) {
    return start(device, std::size_t(n) * warp_lanes, 1, training::concatenate,
                 pass.batch_vectors(*this), width, pass.first.get(), pass.fused.get(),
                 pass.norms.get());
  }
  start(device, std::size_t(n) * width, 1, training::keep_positive, pass.first.get(),
        std::size_t(n) * width);
  start(device, std::size_t(n) * d, 1, training::spread, at(layout_.gamma_bias), n, d,
        pass.gamma.get());
  combine({pass.first.get(), width, 1}, {at(layout_.gamma), width, d}, n, pass.gamma.get());
  start(device, std::size_t(n) * d, 1, training::spread, at(layout_.beta_bias), n, d,
        pass.fused.get());
  combine({pass.first.get(), width, 1}, {at(layout_.beta), width, d}, n, pass.fused.get());
  start(device, std::size_t(n) * warp_lanes, 1, training::modulate, pass.batch_vectors(*this),
        training::Modulation{at(layout_.alpha), pass.gamma.get()}, pass.fused.get(),
        pass.norms.get());
}

/// The sum of the examples' losses, in the host's order; fills by_fused.
double Trainer::loss(Pass& pass) {
  const std::uint32_t n = pass.n, across = pass.across;
  const training::Batch batch = pass.batch();
  const double scale = 1 / temperature_;
  const Matrix questions{pass.fused.get(), n, across};
  const Matrix passages{questions.data + std::size_t(n) * across, n, across};
  multiply(questions, passages, pass.products.get());
  start(device, std::size_t(n) * warp_lanes, 1, training::contrast, batch, n, 1u, scale,
        pass.losses.get());
  start(device, std::size_t(n) * warp_lanes, 1, training::contrast, batch, 1u, n, scale,
        pass.losses.get() + n);
  start(device, std::size_t(n) * warp_lanes, 1, training::margins, summing_, batch,
        training::MarginLoss{margin_, hard_, time_}, pass.losses.get() + 2 * std::size_t(n));
  combine({pass.pulls.get(), n, 1}, passages, n, pass.by_fused.get());
  combine({pass.pulls.get(), 1, n}, questions, n, pass.by_fused.get() + std::size_t(n) * across);
  const std::vector<double> losses = device.download_copy(pass.losses.get(), 4 * std::size_t(n));
  double contrast = 0, margins = 0;
  for (std::size_t i = 0; i < 2 * std::size_t(n); ++i) contrast += losses[i];
  for (std::size_t i = 0; i < n; ++i)
    margins = margins + losses[2 * std::size_t(n) + i] + losses[3 * std::size_t(n) + i];
  return contrast + margins;
}

void Trainer::back_part(Pass& pass, std::size_t k) {
  const std::uint32_t n = pass.rows, size = size_of(k),
                      waves = static_cast<std::uint32_t>(network_.waves);
  const std::size_t width = network_.width, projection = layout_.first + begin(k) * width;
  const Matrix by_first = pass.matrix(pass.by_first, width), by = pass.matrix(pass.by_part, size);
  combine_transposed(pass, pass.matrix(pass.parts[k], size), by_first, projection);
  if (!network_.learns_features()) return;
  multiply(by_first, {at(projection), size, width}, pass.by_part.get());
  start(device, std::size_t(n) * size, 1, training::clear_unknown, pass.known.get(), bits[k], n,
        size, pass.by_part.get());
  if (k == 1) return combine_transposed(pass, pass.matrix(pass.month, 2), by, layout_.month);
  if (k == 3)
    return combine_transposed(pass, pass.matrix(pass.of_year, 2), by, layout_.day_of_year);
  if (k == 2)
    return start(device, size, pass.tiles, training::back_days, pass.day.get(), by,
                 pass.tile_gradients(layout_.day));
  combine_transposed(pass, pass.matrix(pass.sines, waves), by, layout_.year);
  add_rows(pass, by, layout_.year_bias);
  multiply(by, {at(layout_.year), waves, size}, pass.by_angle.get());
  start(device, waves, pass.tiles, training::back_waves, pass.dates(), n, waves,
        pass.by_angle.get(), pass.tile_gradients(layout_.frequency));
  add_rows(pass, pass.matrix(pass.by_angle, waves), layout_.phase);
}

void Trainer::back_film(Pass& pass) {
  const std::size_t d = network_.dimensions, width = network_.width, count = pass.rows * width;
  start(device, 1, pass.tiles, training::back_modulation, pass.batch_vectors(*this),
        training::Modulation{at(layout_.alpha), pass.gamma.get()}, pass.by.get(),
        pass.by_gamma.get(), pass.tile_gradients(layout_.alpha));
  const Matrix hidden = pass.matrix(pass.first, width), by_beta = pass.matrix(pass.by, d),
               by_gamma = pass.matrix(pass.by_gamma, d);
  combine_transposed(pass, hidden, by_beta, layout_.beta);
  add_rows(pass, by_beta, layout_.beta_bias);
  combine_transposed(pass, hidden, by_gamma, layout_.gamma);
  add_rows(pass, by_gamma, layout_.gamma_bias);
  multiply(by_beta, {at(layout_.beta), width, d}, pass.by_first.get());
  multiply(by_gamma, {at(layout_.gamma), width, d}, pass.through.get());
  start(device, count, 1, training::back_first, pass.first.get(), pass.through.get(), count,
        pass.by_first.get());
  add_rows(pass, pass.matrix(pass.by_first, width), layout_.first_bias);
}

void Trainer::back(Pass& pass) {
  const std::uint32_t n = pass.rows, d = static_cast<std::uint32_t>(network_.dimensions),
                      width = static_cast<std::uint32_t>(network_.width);
  const asof::training::UnitRows fused{pass.fused.get(), pass.by_fused.get(), pass.norms.get()};
  start(device, std::size_t(n) * warp_lanes, 1, training::unit_gradient, fused, pass.known.get(), n,
        pass.across, pass.by.get());
  if (network_.kind == TimeNetwork::Kind::film)
    back_film(pass);
  else
    start(device, std::size_t(n) * width, 1, training::copy_tails, pass.by.get(), n, d, width,
          pass.by_first.get());
  for (std::size_t k = 0; k < 4; ++k) {
    if (has_part(k)) back_part(pass, k);
  }
  start(device, layout_.total, 1, training::add_tiles, pass.gradients.get(), pass.tiles,
        layout_.total, pass.gradient.get());
}

double Trainer::step(const TrainStep& how, float* gradient) {
  if (gradient != nullptr) std::fill_n(gradient, layout_.total, 0.0f);
  for (std::uint32_t i = 0; i < how.count; ++i)
    expect(how.batch[i] < examples_, "a batch of the examples given");
  double total = 0;
  if (how.count > 0) {
    Pass pass(device, *this, how);
    forward(pass);
    total = loss(pass) / static_cast<double>(how.count);
    if (!std::isfinite(total)) return total;
    back(pass);
    if (gradient != nullptr) {
      check(cudaMemcpyAsync(gradient, pass.gradient.get(), layout_.total * sizeof(float),
                            cudaMemcpyDeviceToHost, device.stream),
            "to send results");
    }
    if (how.update != 0) {
      const asof::training::AdamStep adam{how.rate,        how.beta1,   how.beta2, how.correction1,
                                          how.correction2, how.epsilon, how.decay};
      const asof::training::AdamState state{parameters_.get(), first_.get(), second_.get()};
      start(device, layout_.total, 1, training::adamw, adam, pass.gradient.get(), layout_.total,
            state);
    }
    device.finish();
  }
  return total;
}

}  // namespace asof::cuda
