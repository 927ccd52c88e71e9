// Closed forms of thin beams and cables, made without any discretisation.

#ifndef PLIANT_TESTS_MODELS_FINITE_ELEMENTS_ELASTICA_H_
#define PLIANT_TESTS_MODELS_FINITE_ELEMENTS_ELASTICA_H_

#include <array>
#include <cmath>

namespace pliant::finite_elements {

// A cantilever of length 1 under a dead load at its tip, across it, inextensible [Bisshopp & Drucker
// 1945]: with k² = (1 + sin θ)/2 and sin φ = 1/(k √2), √α = K(k) − F(k, φ), α = P L²/(E I).
struct Elastica {
  double deflection, x, angle;  // of the tip

  static double LoadOf(double angle) {
    const double k = std::sqrt(0.5 * (1.0 + std::sin(angle)));
    const double phi = std::asin(1.0 / (k * std::sqrt(2.0)));
    const double root = std::comp_ellint_1(k) - std::ellint_1(k, phi);
    return root * root;
  }
  explicit Elastica(double alpha) {
    double low = 1e-9, high = 0.5 * M_PI - 1e-9;
    for (int i = 0; i < 200; ++i) {
      const double middle = 0.5 * (low + high);
      (LoadOf(middle) < alpha ? low : high) = middle;
    }
    angle = 0.5 * (low + high);
    const double k = std::sqrt(0.5 * (1.0 + std::sin(angle)));
    const double phi = std::asin(1.0 / (k * std::sqrt(2.0)));
    deflection = 1.0 - 2.0 / std::sqrt(alpha) * (std::comp_ellint_2(k) - std::ellint_2(k, phi));
    x = std::sqrt(2.0 * std::sin(angle) / alpha);
  }
};

// The same as printed: α, δ/L, x/L, θ.
constexpr std::array<std::array<double, 4>, 10> kElasticaTable = {{
    {0.25, 0.082746, 0.995882, 0.124292},
    {0.5, 0.162144, 0.984081, 0.244534},
    {1.0, 0.301721, 0.943567, 0.461352},
    {2.0, 0.493457, 0.839358, 0.781750},
    {3.0, 0.603253, 0.745580, 0.986017},
    {4.0, 0.669964, 0.671059, 1.121239},
    {5.0, 0.713792, 0.612372, 1.215368},
    {6.0, 0.744571, 0.565411, 1.283697},
    {8.0, 0.784982, 0.495172, 1.374432},
    {10.0, 0.810609, 0.445004, 1.430286},
}};

// An extensible cable between level supports [Irvine 1981, Sec. 2.2]: span l, unstretched length L,
// weight w per unstretched length.
struct Catenary {
  double span, length, weight, stretching;
  double horizontal;  // H [N]

  Catenary(double l, double L, double w, double EA)
      : span(l), length(L), weight(w), stretching(EA) {
    double low = 1e-9, high = 1e3;
    for (int i = 0; i < 200; ++i) {
      horizontal = 0.5 * (low + high);
      (X(length) < span ? low : high) = horizontal;
    }
  }
  double Vertical(double s) const { return weight * (0.5 * length - s); }
  double X(double s) const {
    return horizontal * s / stretching +
           horizontal / weight *
               (std::asinh(Vertical(0.0) / horizontal) - std::asinh(Vertical(s) / horizontal));
  }
  double Y(double s) const {  // below the supports
    return weight * s / stretching * 0.5 * (length - s) +
           (std::hypot(horizontal, Vertical(0.0)) - std::hypot(horizontal, Vertical(s))) / weight;
  }
  double EndTension() const { return std::hypot(horizontal, Vertical(0.0)); }
};

}  // namespace pliant::finite_elements

#endif  // PLIANT_TESTS_MODELS_FINITE_ELEMENTS_ELASTICA_H_
