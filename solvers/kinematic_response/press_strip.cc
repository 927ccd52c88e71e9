#include "solvers/kinematic_response/press_strip.h"

#include <algorithm>
#include <array>
#include <cstring>
#include <limits>
#include <numeric>

namespace pliant::kinematic_response {
namespace {

// Eight numbers that are worked on at once.
constexpr int kLanes = 8;
using Lanes = double __attribute__((vector_size(kLanes * sizeof(double))));

struct Columns {
  double *x, *y, *z;
};
struct ConstColumns {
  const double *x, *y, *z;
};
Columns At(GridVectors* v, int begin) {
  return {v->col(0).data() + begin, v->col(1).data() + begin, v->col(2).data() + begin};
}
ConstColumns At(const GridVectors& v, int begin) {
  return {v.col(0).data() + begin, v.col(1).data() + begin, v.col(2).data() + begin};
}

// c along a unit vector (x, y, z) of the local frame of vertex i.
template <bool directed>
[[gnu::always_inline]] inline double Along(const StripValues& c, int i, double x, double y,
                                           double z) {
  if constexpr (!directed) return c[0][i];
  return x * x * c[0][i] + y * y * c[1][i] + z * z * c[2][i];
}

template <bool finest, bool directed>
[[gnu::always_inline]] inline void PressStripWith(const FramedStrip& given,
                                                  const StripControls& controls, double shortest,
                                                  ConstColumns rest, ConstColumns plastic,
                                                  ConstColumns displacement, ConstColumns relaxed,
                                                  Columns elastic) {
  const FramedStrip strip = given;  // pointers in registers
  const StripControls c = controls;
  const ConstColumns r = rest, p = plastic, d = displacement, S = relaxed;
  const Columns o = elastic;
#pragma GCC ivdep
  for (int i = 0; i < strip.count; ++i) {
    const FrameColumns f = strip.Columns(i);
    const double ox = o.x[i], oy = o.y[i], oz = o.z[i];
    const double x = r.x[i] + p.x[i] + ox, y = r.y[i] + p.y[i] + oy, z = r.z[i] + p.z[i] + oz;
    const double squared = d.x[i] * d.x[i] + d.y[i] * d.y[i] + d.z[i] * d.z[i];
    const double length = std::sqrt(squared), inverse = 1.0 / (length + 1e-150);  // finite for 0
    const double hx = d.x[i] * inverse, hy = d.y[i] * inverse, hz = d.z[i] * inverse;
    const double tx = f.t * x, wy = f.w * y, nz = f.n * z;
    const double moved = hx * (f.X(strip.base[0][i], tx, wy, nz) - S.x[i]) +
                         hy * (f.Y(strip.base[1][i], tx, wy, nz) - S.y[i]) +
                         hz * (f.Z(strip.base[2][i], tx, wy, nz) - S.z[i]);
    // h in the local frame.
    const double lx = f.AlongT(hx, hy, hz);
    const double ly = f.AlongW(hx, hy, hz);
    const double lz = f.AlongN(hx, hy, hz);
    const StripValues& rho = c.retention;
    double kept = (1.0 - rho[0][i]) * (lx * ox + ly * oy + lz * oz);
    if constexpr (directed) {
      kept =
          (1.0 - rho[0][i]) * lx * ox + (1.0 - rho[1][i]) * ly * oy + (1.0 - rho[2][i]) * lz * oz;
    }
    const double alpha = Along<directed>(c.absorption, i, lx, ly, lz);
    const double share = alpha * length - kept;
    const double left = length - moved;
    const double wanted = finest ? left : (left < share ? left : share);
    const double positive = wanted > 0.0 ? wanted : 0.0;
    const double taken = alpha < 0.0 ? share : positive;
    const double change = Along<directed>(c.damping, i, lx, ly, lz) * taken;
    const bool is_pressed = length > shortest;
    const double ax = ox + change * lx, ay = oy + change * ly, az = oz + change * lz;
    const double qx = rho[0][i] * ox, qy = rho[directed ? 1 : 0][i] * oy,
                 qz = rho[directed ? 2 : 0][i] * oz;
    o.x[i] = is_pressed ? ax : qx;
    o.y[i] = is_pressed ? ay : qy;
    o.z[i] = is_pressed ? az : qz;
  }
}

}  // namespace

PLIANT_WIDE_VECTORS
Eigen::AlignedBox3d BoxAround(const GridVectors& points, int begin, int count) {
  Eigen::AlignedBox3d box;
  double none = 0.0;  // x − x is no number where x is not
  for (int c = 0; c < 3; ++c) {
    const double* x = points.col(c).data() + begin;
    double low = x[0], high = x[0];
    int done = 0;
    if (count >= kLanes) {
      Lanes lows, nones = {};
      std::memcpy(&lows, x, sizeof(lows));
      Lanes highs = lows;
      for (int i = 0; i < count; i += kLanes) {
        Lanes value;  // the last ones perhaps again
        std::memcpy(&value, x + std::min(i, count - kLanes), sizeof(value));
        lows = value < lows ? value : lows;
        highs = value > highs ? value : highs;
        nones += value - value;
      }
      const auto fold = [&](const Lanes& low_half, const Lanes& high_half, const Lanes& none_half) {
        lows = low_half < lows ? low_half : lows;
        highs = high_half > highs ? high_half : highs;
        nones += none_half;
      };
      fold(__builtin_shufflevector(lows, lows, 4, 5, 6, 7, 0, 1, 2, 3),
           __builtin_shufflevector(highs, highs, 4, 5, 6, 7, 0, 1, 2, 3),
           __builtin_shufflevector(nones, nones, 4, 5, 6, 7, 0, 1, 2, 3));
      fold(__builtin_shufflevector(lows, lows, 2, 3, 0, 1, 6, 7, 4, 5),
           __builtin_shufflevector(highs, highs, 2, 3, 0, 1, 6, 7, 4, 5),
           __builtin_shufflevector(nones, nones, 2, 3, 0, 1, 6, 7, 4, 5));
      fold(__builtin_shufflevector(lows, lows, 1, 0, 3, 2, 5, 4, 7, 6),
           __builtin_shufflevector(highs, highs, 1, 0, 3, 2, 5, 4, 7, 6),
           __builtin_shufflevector(nones, nones, 1, 0, 3, 2, 5, 4, 7, 6));
      low = lows[0];
      high = highs[0];
      none += nones[0];
      done = count;
    }
    for (int i = done; i < count; ++i) {
      low = x[i] < low ? x[i] : low;
      high = x[i] > high ? x[i] : high;
      none += x[i] - x[i];
    }
    box.min()[c] = low;
    box.max()[c] = high;
  }
  if (none != 0.0) {
    box.min().setConstant(-std::numeric_limits<double>::infinity());
    box.max().setConstant(std::numeric_limits<double>::infinity());
  }
  return box;
}

PLIANT_WIDE_VECTORS
PressedVertices LookAtPressed(const FramedStrip& strip, double shortest,
                              const GridVectors& displacements, const StripVectors& before,
                              const GridVectors& after) {
  const ConstColumns s = At(after, strip.begin), d = At(displacements, strip.begin);
  const double *x = before[0].data(), *y = before[1].data(), *z = before[2].data();
  const double least = shortest * shortest;
  std::array<double, kLanes> longest = {}, largest = {}, count = {};
  const auto add = [&](int lane, int i) {
    const double dx = s.x[i] - x[i], dy = s.y[i] - y[i], dz = s.z[i] - z[i];
    const double length = d.x[i] * d.x[i] + d.y[i] * d.y[i] + d.z[i] * d.z[i];
    const bool pressed = length > least;
    const double moved = dx * dx + dy * dy + dz * dz, move = pressed ? moved : 0.0;
    count[lane] += pressed ? 1.0 : 0.0;
    longest[lane] = length > longest[lane] ? length : longest[lane];
    largest[lane] = move > largest[lane] ? move : largest[lane];
  };
  const int whole = strip.count / kLanes * kLanes;
  for (int i = 0; i < whole; i += kLanes) {
    for (int lane = 0; lane < kLanes; ++lane) add(lane, i + lane);
  }
  for (int i = whole; i < strip.count; ++i) add(0, i);
  PressedVertices all;
  all.count = static_cast<int>(std::accumulate(count.begin(), count.end(), 0.0));
  all.displacement = *std::max_element(longest.begin(), longest.end());
  all.move = *std::max_element(largest.begin(), largest.end());
  return all;
}

PLIANT_WIDE_VECTORS
double LargestSquaredMove(const FramedStrip& strip, const StripVectors& before,
                          const GridVectors& after) {
  const ConstColumns s = At(after, strip.begin);
  const double *x = before[0].data(), *y = before[1].data(), *z = before[2].data();
  std::array<double, kLanes> largest = {};
  const int whole = strip.count / kLanes * kLanes;
  const auto squared = [&](int i) {
    const double dx = s.x[i] - x[i], dy = s.y[i] - y[i], dz = s.z[i] - z[i];
    return dx * dx + dy * dy + dz * dz;
  };
  for (int i = 0; i < whole; i += kLanes) {
    for (int lane = 0; lane < kLanes; ++lane) {
      const double move = squared(i + lane);
      largest[lane] = move > largest[lane] ? move : largest[lane];
    }
  }
  for (int i = whole; i < strip.count; ++i) largest[0] = std::max(largest[0], squared(i));
  return *std::max_element(largest.begin(), largest.end());
}

PLIANT_WIDE_VECTORS
void PressStrip(const FramedStrip& strip, const StripControls& controls, bool finest,
                double shortest, const GridVectors& rest, const GridVectors& plastic,
                const GridVectors& displacements, const GridVectors& S, GridVectors* elastic) {
  const int begin = strip.begin;
  const ConstColumns r = At(rest, begin), p = At(plastic, begin), d = At(displacements, begin),
                     relaxed = At(S, begin);
  const Columns o = At(elastic, begin);
  if (controls.directed) {
    finest ? PressStripWith<true, true>(strip, controls, shortest, r, p, d, relaxed, o)
           : PressStripWith<false, true>(strip, controls, shortest, r, p, d, relaxed, o);
  } else {
    finest ? PressStripWith<true, false>(strip, controls, shortest, r, p, d, relaxed, o)
           : PressStripWith<false, false>(strip, controls, shortest, r, p, d, relaxed, o);
  }
}

void StiffenStrip(const FramedStrip& strip, const StripValues& stiffness, double shortest,
                  const GridVectors& rest, const GridVectors& plastic,
                  const GridVectors& displacements, GridVectors* elastic) {
  for (int i = 0; i < strip.count; ++i) {
    const int vertex = strip.begin + i;
    const double at_rest = rest.row(vertex).norm();
    if (displacements.row(vertex).norm() <= shortest || at_rest <= shortest) continue;
    const Eigen::RowVector3d whole = rest.row(vertex) + elastic->row(vertex) + plastic.row(vertex);
    const double length = whole.norm();
    if (length > 0.0) elastic->row(vertex) += stiffness[0][i] * (at_rest / length - 1.0) * whole;
  }
}

PLIANT_WIDE_VECTORS
void RecoverStrip(const FramedStrip& strip, const StripValues& retention, double vanishing,
                  GridVectors* elastic) {
  const Columns o = At(elastic, strip.begin);
  const double least = vanishing * vanishing;
  const StripValues rho = retention;
  const int count = strip.count;
#pragma GCC ivdep
  for (int i = 0; i < count; ++i) {
    const double x = rho[0][i] * o.x[i], y = rho[1][i] * o.y[i], z = rho[2][i] * o.z[i];
    const bool stays = x * x + y * y + z * z > least;
    o.x[i] = stays ? x : 0.0;
    o.y[i] = stays ? y : 0.0;
    o.z[i] = stays ? z : 0.0;
  }
}

namespace {

template <bool directed>
[[gnu::always_inline]] inline void YieldStripWith(int count, const StripValues& yield, Columns o,
                                                  Columns p) {
  const StripValues tau = yield;
#pragma GCC ivdep
  for (int i = 0; i < count; ++i) {
    const double size = std::sqrt(o.x[i] * o.x[i] + o.y[i] * o.y[i] + o.z[i] * o.z[i]);
    const double inverse = directed ? InverseLength(size * size) : 0.0;
    const double limit =
        Along<directed>(tau, i, o.x[i] * inverse, o.y[i] * inverse, o.z[i] * inverse);
    const double within = limit / size;
    const bool yields = size > limit;
    const double x = o.x[i] - within * o.x[i], y = o.y[i] - within * o.y[i],
                 z = o.z[i] - within * o.z[i];
    const double bx = yields ? x : 0.0, by = yields ? y : 0.0, bz = yields ? z : 0.0;
    p.x[i] += bx;
    p.y[i] += by;
    p.z[i] += bz;
    o.x[i] -= bx;
    o.y[i] -= by;
    o.z[i] -= bz;
  }
}

}  // namespace

PLIANT_WIDE_VECTORS
void YieldStrip(const FramedStrip& strip, const StripValues& yield, bool directed,
                GridVectors* elastic, GridVectors* plastic) {
  const Columns o = At(elastic, strip.begin), p = At(plastic, strip.begin);
  directed ? YieldStripWith<true>(strip.count, yield, o, p)
           : YieldStripWith<false>(strip.count, yield, o, p);
}

}  // namespace pliant::kinematic_response
