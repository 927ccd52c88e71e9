// The coefficients of generalised-α (time_step.h) by its spectral radius ρ at infinity [Chung & Hulbert 1993, Eqs. 17, 20, 25].

#ifndef PLIANT_SOLVERS_FINITE_ELEMENTS_GENERALISED_ALPHA_H_
#define PLIANT_SOLVERS_FINITE_ELEMENTS_GENERALISED_ALPHA_H_

namespace pliant::finite_elements {

struct GeneralisedAlpha {
  explicit GeneralisedAlpha(double rho)
      : alpha_m((2.0 * rho - 1.0) / (rho + 1.0)),
        alpha_f(rho / (rho + 1.0)),
        beta(0.25 * (1.0 - alpha_m + alpha_f) * (1.0 - alpha_m + alpha_f)),
        gamma(0.5 - alpha_m + alpha_f) {}
  double alpha_m, alpha_f, beta, gamma;
};

}  // namespace pliant::finite_elements

#endif  // PLIANT_SOLVERS_FINITE_ELEMENTS_GENERALISED_ALPHA_H_
