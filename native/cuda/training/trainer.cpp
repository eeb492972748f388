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

Trainer::Trainer(Device& given, const TrainerData& data)
    : device(given),
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

void Trainer::combine(const float* coefficients, std::size_t row_step, std::size_t term_step,
                      std::uint32_t n, std::uint32_t m, const float* rows, std::uint32_t d,
                      float* out) {
  if (m > 0)
    start(device, std::size_t(n) * d, 1, training::combine, summing_, coefficients, row_step,
          term_step, n, m, rows, d, out);
}

void Trainer::combine_transposed(Pass& pass, const float* input, std::uint32_t m, const float* by,
                                 std::uint32_t d, std::size_t matrix) {
  start(device, std::size_t(m) * d, pass.tiles, training::combine_transposed, summing_, input,
        pass.rows, m, by, d, pass.gradients.get() + matrix, layout_.total);
}

void Trainer::add_rows(Pass& pass, const float* by, std::uint32_t d, std::size_t matrix) {
  start(device, d, pass.tiles, training::add_rows, by, pass.rows, d, pass.gradients.get() + matrix,
        layout_.total);
}

void Trainer::multiply(const float* a, std::uint32_t n, const float* b, std::uint32_t m,
                       std::uint32_t d, float* out) {
  if (n > 0 && m > 0)
    start(device, std::size_t(n) * m * width_of(summing_), 1, training::multiply, summing_, a, n, b,
          m, d, out);
}

/// The four parts of e, or what is fixed of them.
void Trainer::make_part(Pass& pass, std::size_t k) {
  const std::uint32_t size = size_of(k), waves = static_cast<std::uint32_t>(network_.waves);
  const std::size_t count = std::size_t(pass.rows) * size;
  float* part = pass.parts[k].get();
  if (!network_.learns_features()) {
    const std::uint32_t across = static_cast<std::uint32_t>(network_.features());
    return start(device, count, 1, training::take_fixed, fixed_.get(), across, begin(k),
                 pass.row.get(), pass.rows, size, part);
  }
  start(device, count, 1, training::start_part, pass.dates(), pass.rows, size,
        k == 0 ? at(layout_.year_bias) : nullptr, k == 2 ? at(layout_.day) : nullptr, part);
  if (size == 0) return;
  // Rows without the component have zeros for coefficients.
  if (k == 0) combine(pass.sines.get(), waves, 1, pass.rows, waves, at(layout_.year), size, part);
  if (k == 1) combine(pass.month.get(), 2, 1, pass.rows, 2, at(layout_.month), size, part);
  if (k == 3) combine(pass.of_year.get(), 2, 1, pass.rows, 2, at(layout_.day_of_year), size, part);
}

void Trainer::forward(Pass& pass) {
  const std::uint32_t n = pass.rows, d = static_cast<std::uint32_t>(network_.dimensions),
                      width = static_cast<std::uint32_t>(network_.width);
  const std::uint32_t waves =
      network_.learns_features() ? static_cast<std::uint32_t>(network_.waves) : 0;
  const bool film = network_.kind == TimeNetwork::Kind::film;
  const training::DateColumns dates{year_.get(),        month_.get(), day_.get(),
                                    day_of_year_.get(), mask_.get(),  tables_.get()};
  start(device, n, 1, training::read_dates, dates, pass.row.get(), n, network_.mean_year,
        network_.deviation_year, network_.kind == TimeNetwork::Kind::absolute, pass.dates());
  start(device, std::size_t(n) * waves, 1, training::read_waves, dates, pass.row.get(), n, waves,
        network_.mean_year, network_.deviation_year, at(layout_.frequency), at(layout_.phase),
        pass.dates());
  start(device, std::size_t(n) * width, 1, training::spread,
        film ? at(layout_.first_bias) : nullptr, n, width, pass.first.get());
  for (std::size_t k = 0; k < 4; ++k) {
    if (!has_part(k)) continue;
    make_part(pass, k);
    if (width > 0)
      combine(pass.parts[k].get(), size_of(k), 1, n, size_of(k),
              at(layout_.first) + std::size_t(begin(k)) * width, width, pass.first.get());
  }
  if (!film) {
    return start(device, std::size_t(n) * warp_lanes, 1, training::concatenate, vectors_.get(),
                 pass.row.get(), pass.known.get(), n, d, width, pass.first.get(), pass.fused.get(),
                 pass.norms.get());
  }
  start(device, std::size_t(n) * width, 1, training::keep_positive, pass.first.get(),
        std::size_t(n) * width);
  start(device, std::size_t(n) * d, 1, training::spread, at(layout_.gamma_bias), n, d,
        pass.gamma.get());
  combine(pass.first.get(), width, 1, n, width, at(layout_.gamma), d, pass.gamma.get());
  start(device, std::size_t(n) * d, 1, training::spread, at(layout_.beta_bias), n, d,
        pass.fused.get());
  combine(pass.first.get(), width, 1, n, width, at(layout_.beta), d, pass.fused.get());
  start(device, std::size_t(n) * warp_lanes, 1, training::modulate, vectors_.get(), pass.row.get(),
        pass.known.get(), n, d, at(layout_.alpha), pass.gamma.get(), pass.fused.get(),
        pass.norms.get());
}

/// The sum of the examples' losses, in the host's order; fills by_fused.
double Trainer::loss(Pass& pass) {
  const std::uint32_t n = pass.n, across = pass.across;
  const training::Batch batch = pass.batch();
  const double scale = 1 / temperature_;
  const float* passages = pass.fused.get() + std::size_t(n) * across;
  multiply(pass.fused.get(), n, passages, n, across, pass.products.get());
  start(device, std::size_t(n) * warp_lanes, 1, training::contrast, batch, n, 1u, scale,
        pass.losses.get());
  start(device, std::size_t(n) * warp_lanes, 1, training::contrast, batch, 1u, n, scale,
        pass.losses.get() + n);
  start(device, std::size_t(n) * warp_lanes, 1, training::margins, summing_, batch, margin_, hard_,
        time_, pass.losses.get() + 2 * std::size_t(n));
  combine(pass.pulls.get(), n, 1, n, n, passages, across, pass.by_fused.get());
  combine(pass.pulls.get(), 1, n, n, n, pass.fused.get(), across,
          pass.by_fused.get() + std::size_t(n) * across);
  const std::vector<double> losses = device.download_copy(pass.losses.get(), 4 * std::size_t(n));
  double contrast = 0, margins = 0;
  for (std::size_t i = 0; i < 2 * std::size_t(n); ++i) contrast += losses[i];
  for (std::size_t i = 0; i < n; ++i)
    margins = margins + losses[2 * std::size_t(n) + i] + losses[3 * std::size_t(n) + i];
  return contrast + margins;
}

void Trainer::back_part(Pass& pass, std::size_t k, const float* by_first) {
  const std::uint32_t n = pass.rows, size = size_of(k),
                      width = static_cast<std::uint32_t>(network_.width),
                      waves = static_cast<std::uint32_t>(network_.waves);
  const std::size_t matrix = layout_.first + std::size_t(begin(k)) * width;
  combine_transposed(pass, pass.parts[k].get(), size, by_first, width, matrix);
  if (!network_.learns_features()) return;
  float* by = pass.by_part.get();
  multiply(by_first, n, at(matrix), size, width, by);
  start(device, std::size_t(n) * size, 1, training::forget_unknown, pass.known.get(), bits[k], n,
        size, by);
  if (k == 1) return combine_transposed(pass, pass.month.get(), 2, by, size, layout_.month);
  if (k == 3) return combine_transposed(pass, pass.of_year.get(), 2, by, size, layout_.day_of_year);
  if (k == 2)
    return start(device, size, pass.tiles, training::back_days, pass.day.get(), by, n, size,
                 pass.gradients.get() + layout_.day, layout_.total);
  combine_transposed(pass, pass.sines.get(), waves, by, size, layout_.year);
  add_rows(pass, by, size, layout_.year_bias);
  multiply(by, n, at(layout_.year), waves, size, pass.by_angle.get());
  start(device, waves, pass.tiles, training::back_waves, pass.dates(), n, waves,
        pass.by_angle.get(), pass.gradients.get() + layout_.frequency, layout_.total);
  add_rows(pass, pass.by_angle.get(), waves, layout_.phase);
}

void Trainer::back_film(Pass& pass) {
  const std::uint32_t n = pass.rows, d = static_cast<std::uint32_t>(network_.dimensions),
                      width = static_cast<std::uint32_t>(network_.width);
  start(device, 1, pass.tiles, training::back_modulation, vectors_.get(), pass.row.get(), n, d,
        at(layout_.alpha), pass.gamma.get(), pass.by.get(), pass.by_gamma.get(),
        pass.gradients.get() + layout_.alpha, layout_.total);
  combine_transposed(pass, pass.first.get(), width, pass.by.get(), d, layout_.beta);
  add_rows(pass, pass.by.get(), d, layout_.beta_bias);
  combine_transposed(pass, pass.first.get(), width, pass.by_gamma.get(), d, layout_.gamma);
  add_rows(pass, pass.by_gamma.get(), d, layout_.gamma_bias);
  multiply(pass.by.get(), n, at(layout_.beta), width, d, pass.by_first.get());
  multiply(pass.by_gamma.get(), n, at(layout_.gamma), width, d, pass.through.get());
  start(device, std::size_t(n) * width, 1, training::back_first, pass.first.get(),
        pass.through.get(), std::size_t(n) * width, pass.by_first.get());
  add_rows(pass, pass.by_first.get(), width, layout_.first_bias);
}

void Trainer::back(Pass& pass) {
  const std::uint32_t n = pass.rows, d = static_cast<std::uint32_t>(network_.dimensions),
                      width = static_cast<std::uint32_t>(network_.width);
  start(device, std::size_t(n) * warp_lanes, 1, training::unit_gradient, pass.fused.get(),
        pass.by_fused.get(), pass.norms.get(), pass.known.get(), n, pass.across, pass.by.get());
  if (network_.kind == TimeNetwork::Kind::film)
    back_film(pass);
  else
    start(device, std::size_t(n) * width, 1, training::take_tail, pass.by.get(), n, d, width,
          pass.by_first.get());
  for (std::size_t k = 0; k < 4; ++k) {
    if (has_part(k)) back_part(pass, k, pass.by_first.get());
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
      const training::Adam adam{how.rate,        how.beta1,   how.beta2, how.correction1,
                                how.correction2, how.epsilon, how.decay};
      start(device, layout_.total, 1, training::adamw, adam, pass.gradient.get(), layout_.total,
            parameters_.get(), first_.get(), second_.get());
    }
    device.finish();
  }
  return total;
}

}  // namespace asof::cuda
