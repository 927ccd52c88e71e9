#include "models/linear_deformation/kinematics.h"

#include <cassert>

namespace pliant {
namespace {

using Eigen::Map;
using Eigen::VectorXd;

template <int D, int K>
struct Sizes {
  static constexpr int kWorld = D;
  using Coordinates = Eigen::Matrix<double, D, K, K == 1 ? Eigen::ColMajor : Eigen::RowMajor>;
  using Terms = Eigen::Matrix<double, K, 1>;
  using Square = Eigen::Matrix<double, K, K>;

  static Map<const Terms> Point(const LinearBody& body, int n) {
    return Map<const Terms>(body.terms().data() + n * K);
  }
};

// Calls f with the Sizes<d, k> of the body.
template <typename F>
void WithSizes(const LinearBody& body, F f) {
  switch (100 * body.world_dimension() + body.columns()) {
    case 201:
      return f(Sizes<2, 1>());
    case 202:
      return f(Sizes<2, 2>());
    case 203:
      return f(Sizes<2, 3>());
    case 206:
      return f(Sizes<2, 6>());
    case 301:
      return f(Sizes<3, 1>());
    case 302:
      return f(Sizes<3, 2>());
    case 303:
      return f(Sizes<3, 3>());
    case 304:
      return f(Sizes<3, 4>());
    case 306:
      return f(Sizes<3, 6>());
    default:
      assert(body.world_dimension() == 3 && body.columns() == 10);
      return f(Sizes<3, 10>());
  }
}

}  // namespace

void MapToPoints(const LinearBody& body, const Eigen::Ref<const VectorXd>& coordinates,
                 Eigen::Ref<Eigen::Matrix3Xd> points) {
  WithSizes(body, [&](auto sizes) {
    using S = decltype(sizes);
    const typename S::Coordinates R = Map<const typename S::Coordinates>(coordinates.data());
    for (int n = 0; n < body.points(); ++n) {
      points.col(n).template head<S::kWorld>().noalias() = R * S::Point(body, n);
    }
  });
}

void AddGeneralizedForces(const LinearBody& body, const Eigen::Ref<const Eigen::Matrix3Xd>& forces,
                          Eigen::Ref<VectorXd> generalized) {
  WithSizes(body, [&](auto sizes) {
    using S = decltype(sizes);
    typename S::Coordinates sum = S::Coordinates::Zero();
    for (int n = 0; n < body.points(); ++n) {
      sum.noalias() += forces.col(n).template head<S::kWorld>() * S::Point(body, n).transpose();
    }
    Map<typename S::Coordinates>(generalized.data()) += sum;
  });
}

void Accelerations(const LinearBody& body, const Eigen::Ref<const VectorXd>& generalized,
                   Eigen::Ref<VectorXd> accelerations) {
  WithSizes(body, [&](auto sizes) {
    using S = decltype(sizes);
    const Map<const typename S::Square> W(body.inverse_mass().data());
    Map<typename S::Coordinates>(accelerations.data()).noalias() =
        Map<const typename S::Coordinates>(generalized.data()) * W;
  });
}

}  // namespace pliant
