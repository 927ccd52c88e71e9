#include "models/linear_deformation/kinematics.h"

#include <cstddef>
#include <type_traits>

namespace pliant::linear_deformation {
namespace {

using Eigen::Map;
using Eigen::VectorXd;

// K is known when compiled for the small bases, Eigen::Dynamic for the others.
template <int D, int K>
struct CoordinateSizes {
  static constexpr int kWorld = D, kColumns = K;
  using Coordinates = Eigen::Matrix<double, D, K, K == 1 ? Eigen::ColMajor : Eigen::RowMajor>;
  using Terms = Eigen::Matrix<double, K, 1>;
  using Square = Eigen::Matrix<double, K, K>;

  static Map<const Terms> Point(const LinearBody& body, int n) {
    return Map<const Terms>(body.terms().data() + static_cast<std::ptrdiff_t>(n) * body.columns(),
                            body.columns());
  }
  template <typename Number>
  static auto Columns(const LinearBody& body, Number* values) {
    using Matrix = std::conditional_t<std::is_const_v<Number>, const Coordinates, Coordinates>;
    return Map<Matrix>(values, D, body.columns());
  }
};

// Calls f with the CoordinateSizes<d, k> of the body.
template <typename F>
void WithCoordinateSizes(const LinearBody& body, F f) {
  switch (body.columns() < 100 ? 100 * body.world_dimension() + body.columns() : 0) {
    case 201:
      return f(CoordinateSizes<2, 1>());
    case 202:
      return f(CoordinateSizes<2, 2>());
    case 203:
      return f(CoordinateSizes<2, 3>());
    case 206:
      return f(CoordinateSizes<2, 6>());
    case 301:
      return f(CoordinateSizes<3, 1>());
    case 302:
      return f(CoordinateSizes<3, 2>());
    case 303:
      return f(CoordinateSizes<3, 3>());
    case 304:
      return f(CoordinateSizes<3, 4>());
    case 306:
      return f(CoordinateSizes<3, 6>());
    case 310:
      return f(CoordinateSizes<3, 10>());
    default:
      if (body.world_dimension() == 2) return f(CoordinateSizes<2, Eigen::Dynamic>());
      return f(CoordinateSizes<3, Eigen::Dynamic>());
  }
}

}  // namespace

void MapToPoints(const LinearBody& body, const Eigen::Ref<const VectorXd>& coordinates,
                 Eigen::Ref<Eigen::Matrix3Xd> points) {
  WithCoordinateSizes(body, [&](auto sizes) {
    using S = decltype(sizes);
    const auto R = S::Columns(body, coordinates.data());
    for (int n = 0; n < body.points(); ++n) {
      points.col(n).template head<S::kWorld>().noalias() = R.lazyProduct(S::Point(body, n));
    }
  });
}

void AddGeneralizedForces(const LinearBody& body, const Eigen::Ref<const Eigen::Matrix3Xd>& forces,
                          Eigen::Ref<VectorXd> generalized) {
  WithCoordinateSizes(body, [&](auto sizes) {
    using S = decltype(sizes);
    auto Q = S::Columns(body, generalized.data());
    auto add = [&](auto* sum) {
      for (int n = 0; n < body.points(); ++n) {
        sum->noalias() += forces.col(n).template head<S::kWorld>() * S::Point(body, n).transpose();
      }
    };
    if constexpr (S::kColumns == Eigen::Dynamic) {
      add(&Q);
    } else {
      typename S::Coordinates sum = S::Coordinates::Zero();
      add(&sum);
      Q += sum;
    }
  });
}

void Accelerations(const LinearBody& body, const Eigen::Ref<const VectorXd>& generalized,
                   Eigen::Ref<VectorXd> accelerations) {
  WithCoordinateSizes(body, [&](auto sizes) {
    using S = decltype(sizes);
    const Map<const typename S::Square> W(body.inverse_mass().data(), body.columns(),
                                          body.columns());
    S::Columns(body, accelerations.data()).noalias() =
        S::Columns(body, generalized.data()).lazyProduct(W);
  });
}

}  // namespace pliant::linear_deformation
