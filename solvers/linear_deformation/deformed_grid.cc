#include "solvers/linear_deformation/deformed_grid.h"

#include <array>
#include <vector>

namespace pliant::linear_deformation {
namespace {

constexpr int kLines = 3;   // across each axis
constexpr int kBends = 16;  // pieces of a line that may be curved

// Nodes of a grid of `nodes` along each of `axes` axes, the first fastest, joined along those lines
// on which all other indices are multiples of `stride`.
std::vector<std::array<int, 2>> GridLines(int axes, int nodes, int stride) {
  int count = 1;
  for (int a = 0; a < axes; ++a) count *= nodes;
  std::vector<std::array<int, 2>> lines;
  for (int i = 0; i < count; ++i) {
    for (int along = 0, step = 1; along < axes; ++along, step *= nodes) {
      bool on_line = i / step % nodes + 1 < nodes;
      for (int a = 0, rest = i; a < axes; ++a, rest /= nodes) {
        on_line = on_line && (a == along || rest % nodes % stride == 0);
      }
      if (on_line) lines.push_back({i, i + step});
    }
  }
  return lines;
}

}  // namespace

void AddDeformedGrid(const LinearBody& body, const Eigen::Ref<const Eigen::VectorXd>& R,
                     MethodPieces* pieces) {
  const int axes = body.material_dimension();
  if (axes == 0) return;
  const Eigen::Map<const RowMajorMatrix> matrix(R.data(), body.world_dimension(), body.columns());
  if (body.basis().family() == BasisFamily::kBernstein) {
    Eigen::Matrix3Xd control = Eigen::Matrix3Xd::Zero(3, body.columns());
    control.topRows(body.world_dimension()) = matrix;
    pieces->Add(control, GridLines(axes, body.order() + 1, 1));
    return;
  }
  const int stride = body.is_affine() ? 1 : kBends / (kLines - 1);
  const int nodes = (kLines - 1) * stride + 1;
  int count = 1;
  for (int a = 0; a < axes; ++a) count *= nodes;
  Eigen::Matrix3Xd points = Eigen::Matrix3Xd::Zero(3, count);
  const DeformationBasis& basis = body.basis();
  Eigen::VectorXd u(axes);
  for (int i = 0; i < count; ++i) {
    for (int a = 0, rest = i; a < axes; ++a, rest /= nodes) {
      const double share = static_cast<double>(rest % nodes) / (nodes - 1);
      u[a] = basis.lower()[a] + share * (basis.upper()[a] - basis.lower()[a]);
    }
    points.col(i).head(body.world_dimension()) = matrix * basis.At(u);
  }
  pieces->Add(points, GridLines(axes, nodes, stride));
}

}  // namespace pliant::linear_deformation
