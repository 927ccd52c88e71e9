#include "tests/solvers/kinematic_response/oracle.h"

#include <Eigen/Geometry>
#include <algorithm>
#include <cmath>

namespace pliant::kinematic_response::oracle {
namespace {

using Eigen::Matrix3d;
using Eigen::Vector3d;

int Side(const Field& field) { return static_cast<int>(std::lround(std::sqrt(field.size()))); }

// 2n − 1 samples from n along one axis.
std::vector<Vector3d> Refined(Prolongation prolongation, const std::vector<Vector3d>& c) {
  const int n = static_cast<int>(c.size());
  std::vector<Vector3d> fine;
  for (int m = 0; m < n; ++m) {
    fine.push_back(c[m]);
    if (m == n - 1) break;
    if (prolongation == Prolongation::kLinear || n == 2) {
      fine.push_back((c[m] + c[m + 1]) / 2);
    } else if (n == 3 && m == 0) {
      fine.push_back((3 * c[0] + 6 * c[1] - c[2]) / 8);
    } else if (n == 3) {
      fine.push_back((3 * c[2] + 6 * c[1] - c[0]) / 8);
    } else if (m == 0) {
      fine.push_back((5 * c[0] + 15 * c[1] - 5 * c[2] + c[3]) / 16);
    } else if (m == n - 2) {
      fine.push_back((5 * c[n - 1] + 15 * c[n - 2] - 5 * c[n - 3] + c[n - 4]) / 16);
    } else {
      fine.push_back((-c[m - 1] + 9 * c[m] + 9 * c[m + 1] - c[m + 2]) / 16);
    }
  }
  return fine;
}

Vector3d Kept(const VertexValues& retention, int i, const Vector3d& o) {
  Vector3d kept = o;
  for (int axis = 0; axis < 3; ++axis) kept[axis] *= retention.Along(i, Vector3d::Unit(axis));
  return kept;
}

Matrix3d FrameOrIdentity(int level, const Field& b, int u, int v) {
  return level == 0 ? Matrix3d(Matrix3d::Identity()) : Frame(b, u, v);
}

}  // namespace

Field Prolongated(Prolongation prolongation, const Field& coarse) {
  const int n = Side(coarse), N = 2 * n - 1;
  std::vector<std::vector<Vector3d>> rows;  // new columns first
  for (int v = 0; v < n; ++v) {
    rows.push_back(Refined(prolongation, {coarse.begin() + n * v, coarse.begin() + n * (v + 1)}));
  }
  Field fine(N * N);
  for (int u = 0; u < N; ++u) {  // then new rows
    std::vector<Vector3d> column;
    for (int v = 0; v < n; ++v) column.push_back(rows[v][u]);
    column = Refined(prolongation, column);
    for (int v = 0; v < N; ++v) fine[u + N * v] = column[v];
  }
  return fine;
}

Field Restricted(Restriction restriction, const Field& fine) {
  const int N = Side(fine), n = (N + 1) / 2;
  auto longer = [](const Vector3d& a, const Vector3d& b) {
    return b.squaredNorm() > kEqualSquaredLengths * a.squaredNorm() ? b : a;
  };
  Field coarse(n * n);
  for (int v = 0; v < n; ++v) {
    for (int u = 0; u < n; ++u) {
      const Vector3d centre = fine[2 * u + N * 2 * v];
      Vector3d longest = Vector3d::Zero(), others = Vector3d::Zero(), weighted = Vector3d::Zero();
      double count = 0, weights = 0;
      for (int y = std::max(2 * v - 1, 0); y <= std::min(2 * v + 1, N - 1); ++y) {
        for (int x = std::max(2 * u - 1, 0); x <= std::min(2 * u + 1, N - 1); ++x) {
          const Vector3d child = fine[x + N * y];
          const bool is_centre = x == 2 * u && y == 2 * v;
          const double weight = is_centre ? 4 : (x == 2 * u || y == 2 * v) ? 2 : 1;
          longest = longer(longest, child);
          weighted += weight * child;
          weights += weight;
          if (!is_centre && child.norm() > 0) {
            others += child;
            count += 1;
          }
        }
      }
      Vector3d& d = coarse[u + n * v];
      if (restriction == Restriction::kFullWeighting) {
        d = weighted / weights;
      } else if (restriction == Restriction::kMaximum || centre.norm() == 0) {
        d = longest;
      } else {
        d = count > 0 ? longer(centre, others / count) : centre;
      }
    }
  }
  return coarse;
}

Matrix3d Frame(const Field& surface, int u, int v) {
  const int n = Side(surface);
  auto at = [&](int x, int y) { return surface[x + n * y]; };
  const Vector3d du = at(std::min(u + 1, n - 1), v) - at(std::max(u - 1, 0), v);
  const Vector3d dv = at(u, std::min(v + 1, n - 1)) - at(u, std::max(v - 1, 0));
  Matrix3d frame;
  frame.col(0) = du.normalized();
  frame.col(2) = frame.col(0).cross(dv).normalized();
  frame.col(1) = frame.col(2).cross(frame.col(0));
  return frame;
}

Response::Response(const Field& target, Prolongation prolongation, Restriction restriction,
                   double shortest, Print print)
    : prolongation_(prolongation), restriction_(restriction), shortest_(shortest), print_(print) {
  // Targets by dropping every second vertex, finest first.
  s_ = {target};
  while (Side(s_.front()) > 2) {
    const Field& fine = s_.front();
    const int N = Side(fine), n = (N + 1) / 2;
    Field coarse;
    for (int v = 0; v < n; ++v) {
      for (int u = 0; u < n; ++u) coarse.push_back(fine[2 * u + N * 2 * v]);
    }
    s_.insert(s_.begin(), coarse);
  }
  for (size_t j = 0; j < s_.size(); ++j) {
    const int n = Side(s_[j]);
    const Field zero(n * n, Vector3d::Zero());
    const Field b = j == 0 ? zero : Prolongated(prolongation, s_[j - 1]);
    Field r = zero;
    for (int v = 0; v < n; ++v) {
      for (int u = 0; u < n; ++u) {
        const Matrix3d F = FrameOrIdentity(static_cast<int>(j), b, u, v);
        r[u + n * v] = F.transpose() * (s_[j][u + n * v] - b[u + n * v]);
      }
    }
    r_.push_back(r);
    o_.push_back(zero);
    p_.push_back(zero);
  }
}

void Response::Step(const std::vector<LevelControls>& controls,
                    const std::function<Field(const Field& relaxed)>& cast) {
  const int levels = static_cast<int>(r_.size()), k = levels - 1;
  std::vector<Field> q = o_, S = s_, d = s_;
  for (int j = 0; j <= k; ++j) {
    const int n = Side(r_[j]);
    const Field b = j == 0 ? Field(n * n, Vector3d::Zero()) : Prolongated(prolongation_, S[j - 1]);
    for (int v = 0; v < n; ++v) {
      for (int u = 0; u < n; ++u) {
        const int i = u + n * v;
        q[j][i] = Kept(controls[j].retention, i, o_[j][i]);
        S[j][i] = b[i] + FrameOrIdentity(j, b, u, v) * (r_[j][i] + q[j][i] + p_[j][i]);
      }
    }
  }
  d[k] = cast(S[k]);
  for (int j = k; j > 0; --j) d[j - 1] = Restricted(restriction_, d[j]);

  for (int j = 0; j <= k; ++j) {
    const LevelControls& c = controls[j];
    const int n = Side(r_[j]);
    const Field b = j == 0 ? Field(n * n, Vector3d::Zero()) : Prolongated(prolongation_, s_[j - 1]);
    for (int v = 0; v < n; ++v) {
      for (int u = 0; u < n; ++u) {
        const int i = u + n * v;
        const Matrix3d F = FrameOrIdentity(j, b, u, v);
        Vector3d &o = o_[j][i], &p = p_[j][i], &s = s_[j][i];
        const double L = d[j][i].norm();
        if (L <= shortest_) {
          o = q[j][i];
        } else {
          const Vector3d h = d[j][i] / L;
          const Vector3d n_new = b[i] + F * (r_[j][i] + o + p);
          const double a = h.dot(n_new - (print_.measures_from_last_solution ? s : S[j][i]));
          const double e = print_.keeps_offsets_for_free ? 0.0 : h.dot(F * (o - q[j][i]));
          double x = 0.0;
          const Vector3d along = F.transpose() * h;
          const double absorption = c.absorption.Along(i, along);
          if (absorption < 0) {
            x = absorption * L - e;
          } else if (j == 0 && print_.leaves_coarsest_unclamped) {
            x = absorption * L;
          } else if (a >= L) {
            x = 0.0;
          } else if (j == k && !print_.caps_the_finest) {
            x = L - a;
          } else {
            x = std::min(L - a, std::max(absorption * L - e, 0.0));
          }
          o += c.damping.Along(i, along) * (F.transpose() * (x * h));
        }
        const Vector3d r = r_[j][i], w = r + o + p;
        if (L > shortest_ && j > 0 && r.norm() > shortest_) {
          o += c.stiffness.Along(i, {1, 0, 0}) * (w * (r.norm() / w.norm()) - w);
        }
        const double yield = c.yield.Along(i, o.normalized());
        if (o.norm() > yield) {
          const Vector3d t = o - yield * o / o.norm();
          p += t;
          o -= t;
        }
        s = b[i] + F * (r_[j][i] + o + p);
      }
    }
  }
}

void Response::BasicStep(const std::vector<double>& absorption, const Field& displacements) {
  const int k = static_cast<int>(r_.size()) - 1;
  std::vector<Field> d(k + 1);
  d[k] = displacements;
  for (int j = k; j > 0; --j) d[j - 1] = Restricted(restriction_, d[j]);  // 1
  for (int i = 0; i < 4; ++i) {                                           // 2
    o_[0][i] += absorption[0] * d[0][i];
    s_[0][i] = r_[0][i] + o_[0][i];
  }
  for (int j = 1; j <= k; ++j) {  // 3
    const Field base = Prolongated(prolongation_, s_[j - 1]);
    const int n = Side(base);
    for (int v = 0; v < n; ++v) {
      for (int u = 0; u < n; ++u) {
        const int i = u + n * v;
        const Matrix3d F = Frame(base, u, v);
        if (d[j][i].norm() > shortest_) {
          const Vector3d change = base[i] + F * (r_[j][i] + o_[j][i]) - s_[j][i];
          const Vector3d h = d[j][i].normalized();
          Vector3d remaining = Vector3d::Zero();
          if (change.dot(h) < d[j][i].norm()) remaining = (d[j][i].norm() - h.dot(change)) * h;
          Vector3d delta = remaining;
          if (j < k && remaining.norm() >= absorption[j] * d[j][i].norm()) {
            delta = absorption[j] * d[j][i];
          }
          o_[j][i] += F.transpose() * delta;
        }
        s_[j][i] = base[i] + F * (r_[j][i] + o_[j][i]);
      }
    }
  }
}

}  // namespace pliant::kinematic_response::oracle
