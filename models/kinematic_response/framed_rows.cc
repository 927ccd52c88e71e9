#include "models/kinematic_response/framed_rows.h"

#include <Eigen/Geometry>
#include <cassert>
#include <cmath>
#include <utility>

namespace pliant {
namespace {

double InverseOrZero(double length) { return length > 0.0 ? 1.0 / length : 0.0; }

}  // namespace

FramedRows::FramedRows(const GridSize& finest) {
  const size_t stride = static_cast<size_t>(std::max(finest.nu, FramedRun::kLength)) + 2;
  storage_.resize(9 * stride);
  scratch_.resize(finest.nu);
  double* next = storage_.data() + 1;
  for (Row* row : {&below_, &here_, &above_}) {
    for (double*& coordinate : row->at) {
      coordinate = next;
      next += stride;
    }
  }
}

void FramedRows::SetWorldFrame() {
  for (int c = 0; c < 3; ++c) {
    run_.tangent_u[c].fill(c == 0 ? 1.0 : 0.0);
    run_.tangent_v[c].fill(c == 1 ? 1.0 : 0.0);
    run_.normal[c].fill(c == 2 ? 1.0 : 0.0);
    std::fill_n(here_.at[c], FramedRun::kLength, 0.0);
    run_.base[c] = here_.at[c];
  }
}

void FramedRows::Start(Prolongation prolongation, const GridSize& coarse,
                       const GridVectors& surface, const GridSize& grid) {
  assert(grid.nu == 2 * coarse.nu - 1 && surface.rows() == coarse.size());
  prolongation_ = prolongation;
  coarse_ = coarse;
  grid_ = grid;
  surface_ = &surface;
  FillRow(0, &above_);
}

void FramedRows::FillRow(int v, Row* row) {
  for (int c = 0; c < 3; ++c) {
    double* b = row->at[c];
    ProlongateRow(prolongation_, coarse_, surface_->col(c).data(), v, scratch_.data(), b);
    b[-1] = b[0];
    b[grid_.nu] = b[grid_.nu - 1];
  }
}

void FramedRows::NextRow(int v) {
  std::swap(below_, here_);
  std::swap(here_, above_);
  if (v + 1 < grid_.nv) FillRow(v + 1, &above_);
}

void FramedRows::FrameRun(int u, int v) {
  run_.begin = grid_.Index(u, v);
  run_.count = std::min(FramedRun::kLength, grid_.nu - u);
  const Row& first = v > 0 ? below_ : here_;
  const Row& last = v + 1 < grid_.nv ? above_ : here_;
  std::array<const double*, 3> b, low, high;
  for (int c = 0; c < 3; ++c) {
    b[c] = run_.base[c] = here_.at[c] + u;
    low[c] = first.at[c] + u;
    high[c] = last.at[c] + u;
  }
  const double curve = grid_.curve() ? 1.0 : 0.0;
  FramedRun& run = run_;
  for (int i = 0; i < run.count; ++i) {
    double tx = b[0][i + 1] - b[0][i - 1];
    double ty = b[1][i + 1] - b[1][i - 1];
    double tz = b[2][i + 1] - b[2][i - 1];
    const double along = InverseOrZero(std::sqrt(tx * tx + ty * ty + tz * tz));
    tx *= along;
    ty *= along;
    tz *= along;

    const double vx = high[0][i] - low[0][i];
    const double vy = high[1][i] - low[1][i];
    const double vz = high[2][i] - low[2][i] - curve;
    double nx = ty * vz - tz * vy;
    double ny = tz * vx - tx * vz;
    double nz = tx * vy - ty * vx;
    const double across = InverseOrZero(std::sqrt(nx * nx + ny * ny + nz * nz));
    nx *= across;
    ny *= across;
    nz *= across;

    run.tangent_u[0][i] = tx;
    run.tangent_u[1][i] = ty;
    run.tangent_u[2][i] = tz;
    run.tangent_v[0][i] = ny * tz - nz * ty;
    run.tangent_v[1][i] = nz * tx - nx * tz;
    run.tangent_v[2][i] = nx * ty - ny * tx;
    run.normal[0][i] = nx;
    run.normal[1][i] = ny;
    run.normal[2][i] = nz;
  }
}

Eigen::Vector3d SurfaceNormal(const GridSize& grid, const GridVectors& surface, int u, int v) {
  auto at = [&](int a, int b) -> Eigen::Vector3d {
    return surface.row(grid.Index(a, b)).transpose();
  };
  const Eigen::Vector3d along = at(std::min(u + 1, grid.nu - 1), v) - at(std::max(u - 1, 0), v);
  const Eigen::Vector3d across =
      grid.curve()
          ? Eigen::Vector3d(-Eigen::Vector3d::UnitZ())
          : Eigen::Vector3d(at(u, std::min(v + 1, grid.nv - 1)) - at(u, std::max(v - 1, 0)));
  const Eigen::Vector3d normal = along.cross(across);
  return normal * InverseOrZero(normal.norm());
}

}  // namespace pliant
