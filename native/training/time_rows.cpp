// Forward pass by sums of rows (combine), backward pass by their transposes.
#include "training/time_rows.hpp"

#include <algorithm>
#include <cmath>

#include "kernels/inner_product/contract.hpp"
#include "kernels/normalize/contract.hpp"
#include "kernels/training/contract.hpp"

namespace asof::training {
namespace {

constexpr std::uint8_t bits[] = {calendar::has_year, calendar::has_month, calendar::has_day,
                                 calendar::has_day_of_year};

Matrix matrix(std::span<const float> values, std::size_t rows, std::size_t columns) {
  return {values.data(), rows, columns};
}

// out (n x d) += input (n x m) times terms (m x d).
void multiply(const Matrix& input, const Matrix& terms, float* out) {
  if (terms.rows > 0 && terms.stride > 0)
    kernels().combine({input.data, input.stride, 1}, terms, input.rows, out);
}

// gradient (m x d) += input (n x m), transposed, times by (n x d).
void multiply_transposed(const Matrix& input, const Matrix& by, float* gradient) {
  const std::size_t m = input.stride;
  if (m > 0 && by.stride > 0) kernels().combine({input.data, 1, m}, by, m, gradient);
}

// n x m: by (n x d) times rows (m x d), transposed.
std::vector<float> multiply_back(const Matrix& by, const Matrix& rows) {
  std::vector<float> out(by.rows * rows.rows);
  if (rows.rows > 0 && rows.stride > 0)
    inner_product::kernels().block(by, rows, rows.stride, out.data(), rows.rows);
  return out;
}

void add_rows(const Matrix& rows, float* sum) {
  for (std::size_t i = 0; i < rows.rows; ++i) {
    for (std::size_t c = 0; c < rows.stride; ++c) sum[c] += rows.data[i * rows.stride + c];
  }
}

std::vector<float> repeated(const float* row, std::size_t n, std::size_t d) {
  std::vector<float> rows(n * d);
  for (std::size_t i = 0; i < n; ++i) std::copy_n(row, d, rows.data() + i * d);
  return rows;
}

}  // namespace

TimeRows::TimeRows(const TimeNetwork& network, std::span<const float> parameters,
                   std::span<const float> vectors, std::span<const std::uint32_t> dates,
                   const calendar::Parts& all)
    : network_(network),
      layout_(layout_of(network)),
      parameters_(parameters),
      vectors_(vectors),
      n_(dates.size()),
      known_(n_),
      norms_(n_) {
  read_dates(dates, all);
  if (network_.learns_features()) make_parts();
  std::size_t width = network_.width, d = network_.dimensions;
  bool film = network_.kind == TimeNetwork::Kind::film;
  first_ = film ? repeated(at(layout_.first_bias), n_, width) : std::vector<float>(n_ * width);
  for (std::size_t k = 0; k < 4; ++k) {
    std::size_t size = parts_[k].size() / std::max<std::size_t>(n_, 1);
    multiply(matrix(parts_[k], n_, size),
             {at(layout_.first) + network_.begin(k) * width, size, width}, first_.data());
  }
  if (film) {
    modulate();
    return;
  }
  fused_.resize(n_ * network_.fused());
  for (std::size_t i = 0; i < n_; ++i) {
    float* row = fused_.data() + i * network_.fused();
    std::copy_n(vectors_.data() + i * d, d, row);
    if (known_[i] == 0) continue;
    std::copy_n(first_.data() + i * width, width, row + d);
    normalize::kernels().rows(row, 1, d + width, d + width, &norms_[i]);
  }
}

// The known components of each date, and its fixed features.
void TimeRows::read_dates(std::span<const std::uint32_t> dates, const calendar::Parts& all) {
  bool absolute = network_.kind == TimeNetwork::Kind::absolute,
       direct = network_.kind == TimeNetwork::Kind::direct;
  std::size_t waves = network_.learns_features() ? network_.waves : 0,
              features = network_.features();
  normalised_.resize(n_);
  sines_.resize(n_ * waves);
  cosines_.resize(n_ * waves);
  month_.resize(2 * n_);
  of_year_.resize(2 * n_);
  day_.resize(n_);
  if (absolute) parts_[0].resize(n_ * features);
  if (direct)
    for (auto& part : parts_) part.resize(2 * n_);
  std::vector<double> row(features);
  const calendar::FeatureTables& tables = calendar::feature_tables();
  for (std::size_t i = 0; i < n_; ++i) {
    std::size_t date = dates[i];
    std::uint8_t known = known_[i] = known_parts(all, date);
    if (absolute) {
      if ((known & calendar::has_year) == 0) known_[i] = 0;
      absolute_features(all, date, row);
      std::transform(row.begin(), row.end(),
                     parts_[0].begin() + static_cast<std::ptrdiff_t>(i * features),
                     [](double value) { return static_cast<float>(value); });
    }
    const double values[] = {
        static_cast<double>(all.year[date]), static_cast<double>(all.month[date]),
        static_cast<double>(all.day[date]), static_cast<double>(all.day_of_year[date])};
    for (std::size_t k = 0; direct && k < 4; ++k) {
      if ((known & bits[k]) == 0) continue;
      time_part(network_, parameters_.data(), k, values[k], std::span(row).first(2));
      std::copy_n(row.begin(), 2, parts_[k].begin() + static_cast<std::ptrdiff_t>(2 * i));
    }
    if ((known & calendar::has_year) != 0) {
      double normalised = (values[0] - network_.mean_year) / network_.deviation_year;
      normalised_[i] = static_cast<float>(normalised);
      for (std::size_t wave = 0; wave < waves; ++wave) {
        double angle = at(layout_.frequency)[wave] * normalised + at(layout_.phase)[wave];
        sines_[i * waves + wave] = static_cast<float>(std::sin(angle));
        cosines_[i * waves + wave] = static_cast<float>(std::cos(angle));
      }
    }
    if ((known & calendar::has_month) != 0)
      std::copy_n(tables.month + 2 * all.month[date], 2, month_.data() + 2 * i);
    if ((known & calendar::has_day) != 0) day_[i] = all.day[date];
    if ((known & calendar::has_day_of_year) != 0)
      std::copy_n(tables.day_of_year + 2 * all.day_of_year[date], 2, of_year_.data() + 2 * i);
  }
}

// The four parts of e.
void TimeRows::make_parts() {
  for (std::size_t k = 0; k < 4; ++k) parts_[k].resize(n_ * size_of(k));
  for (std::size_t i = 0; i < n_; ++i) {
    if ((known_[i] & calendar::has_year) != 0)
      std::copy_n(at(layout_.year_bias), size_of(0), parts_[0].data() + i * size_of(0));
    if (day_[i] > 0)
      std::copy_n(at(layout_.day) + (day_[i] - 1) * size_of(2), size_of(2),
                  parts_[2].data() + i * size_of(2));
  }
  // Rows without the component have zeros for coefficients.
  multiply(matrix(sines_, n_, network_.waves), {at(layout_.year), network_.waves, size_of(0)},
           parts_[0].data());
  multiply(matrix(month_, n_, 2), {at(layout_.month), 2, size_of(1)}, parts_[1].data());
  multiply(matrix(of_year_, n_, 2), {at(layout_.day_of_year), 2, size_of(3)}, parts_[3].data());
}

void TimeRows::modulate() {
  std::size_t d = network_.dimensions, width = network_.width;
  for (float& value : first_) value = value < 0 ? 0 : value;
  gamma_ = repeated(at(layout_.gamma_bias), n_, d);
  multiply(matrix(first_, n_, width), {at(layout_.gamma), width, d}, gamma_.data());
  fused_ = repeated(at(layout_.beta_bias), n_, d);
  multiply(matrix(first_, n_, width), {at(layout_.beta), width, d}, fused_.data());
  float alpha = *at(layout_.alpha);
  for (std::size_t i = 0; i < n_ * d; ++i) fused_[i] += (1 + alpha * gamma_[i]) * vectors_[i];
  normalize::kernels().rows(fused_.data(), n_, d, d, norms_.data());
  for (std::size_t i = 0; i < n_; ++i) {
    if (known_[i] == 0) std::copy_n(vectors_.data() + i * d, d, fused_.data() + i * d);
  }
}

void TimeRows::back(std::span<const float> by_fused, std::span<float> gradient) const {
  std::size_t d = network_.dimensions, width = network_.width, across = network_.fused();
  std::vector<float> by(n_ * across);
  kernels().unit_gradient({fused_.data(), by_fused.data(), norms_.data()}, n_, across, by.data());
  for (std::size_t i = 0; i < n_; ++i) {
    if (known_[i] == 0) std::fill_n(by.data() + i * across, across, 0.0f);
  }
  if (network_.kind != TimeNetwork::Kind::film) {
    std::vector<float> added(n_ * width);
    for (std::size_t i = 0; i < n_; ++i)
      std::copy_n(by.data() + i * across + d, width, added.data() + i * width);
    return back_parts(added, gradient);
  }
  float alpha = *at(layout_.alpha);
  double by_alpha = 0;
  std::vector<float> by_gamma(n_ * d);
  for (std::size_t i = 0; i < n_ * d; ++i) {
    float moved = vectors_[i] * by[i];
    by_gamma[i] = alpha * moved;
    by_alpha += static_cast<double>(gamma_[i]) * moved;
  }
  gradient[layout_.alpha] += static_cast<float>(by_alpha);
  const Matrix hidden = matrix(first_, n_, width), beta_rows = matrix(by, n_, d),
               gamma_rows = matrix(by_gamma, n_, d);
  multiply_transposed(hidden, beta_rows, gradient.data() + layout_.beta);
  add_rows(beta_rows, gradient.data() + layout_.beta_bias);
  multiply_transposed(hidden, gamma_rows, gradient.data() + layout_.gamma);
  add_rows(gamma_rows, gradient.data() + layout_.gamma_bias);
  std::vector<float> by_first = multiply_back(beta_rows, {at(layout_.beta), width, d});
  std::vector<float> through_gamma = multiply_back(gamma_rows, {at(layout_.gamma), width, d});
  for (std::size_t i = 0; i < n_ * width; ++i)
    by_first[i] = first_[i] > 0 ? by_first[i] + through_gamma[i] : 0;
  add_rows(matrix(by_first, n_, width), gradient.data() + layout_.first_bias);
  back_parts(by_first, gradient);
}

void TimeRows::back_parts(std::span<const float> by_first, std::span<float> gradient) const {
  std::size_t width = network_.width, waves = network_.waves;
  for (std::size_t k = 0; k < 4; ++k) {
    if (parts_[k].empty()) continue;
    std::size_t size = parts_[k].size() / n_,
                projection = layout_.first + network_.begin(k) * width;
    const Matrix first_rows = matrix(by_first, n_, width);
    multiply_transposed(matrix(parts_[k], n_, size), first_rows, gradient.data() + projection);
    if (!network_.learns_features()) continue;
    std::vector<float> by = multiply_back(first_rows, {at(projection), size, width});
    const Matrix by_rows = matrix(by, n_, size);
    for (std::size_t i = 0; i < n_; ++i) {
      if ((known_[i] & bits[k]) == 0) std::fill_n(by.data() + i * size, size, 0.0f);
    }
    if (k == 1)
      multiply_transposed(matrix(month_, n_, 2), by_rows, gradient.data() + layout_.month);
    if (k == 3)
      multiply_transposed(matrix(of_year_, n_, 2), by_rows, gradient.data() + layout_.day_of_year);
    for (std::size_t i = 0; k == 2 && i < n_; ++i) {
      if (day_[i] > 0)
        add_rows({by.data() + i * size, 1, size},
                 gradient.data() + layout_.day + (day_[i] - 1) * size);
    }
    if (k > 0) continue;
    multiply_transposed(matrix(sines_, n_, waves), by_rows, gradient.data() + layout_.year);
    add_rows(by_rows, gradient.data() + layout_.year_bias);
    std::vector<float> by_angle = multiply_back(by_rows, {at(layout_.year), waves, size});
    for (std::size_t i = 0; i < n_ * waves; ++i) {
      by_angle[i] *= cosines_[i];
      gradient[layout_.frequency + i % waves] += by_angle[i] * normalised_[i / waves];
    }
    add_rows(matrix(by_angle, n_, waves), gradient.data() + layout_.phase);
  }
}

}  // namespace asof::training
