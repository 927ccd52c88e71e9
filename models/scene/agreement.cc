#include "models/scene/agreement.h"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <map>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "models/geometry/extent.h"
#include "models/problem.h"
#include "models/scene/constraint_rows.h"
#include "models/scene/number_text.h"

namespace pliant {
namespace {

using Eigen::Vector3d;

constexpr double kTolerance = 1e-6;  // of the extent of the scene
constexpr double kRounding = 1e-12;  // of a coefficient

// Σ coefficient · unknown = side, along one direction, and the rows that it was derived from.
struct Equation {
  std::map<int, double> coefficients;  // by 3 point + axis
  double side = 0.0;
  std::set<size_t> rows;
};

// Without the rows that are the only ones on some point: that point can always satisfy them.
std::vector<ConstraintRow> Entangled(std::vector<ConstraintRow> rows) {
  const auto key = [](const PointRef& point) { return std::pair(point.body, point.point); };
  size_t before = 0;
  while (before != rows.size()) {
    before = rows.size();
    // The element, if only one holds the point; else empty.
    std::map<std::pair<int, int>, std::string> holder;
    for (const ConstraintRow& row : rows) {
      for (const Combination::Term& term : row.terms) {
        const auto [held, is_first] = holder.emplace(key(term.point), row.where);
        if (!is_first && held->second != row.where) held->second.clear();
      }
    }
    std::erase_if(rows, [&](const ConstraintRow& row) {
      return std::any_of(row.terms.begin(), row.terms.end(), [&](const Combination::Term& term) {
        return !holder[key(term.point)].empty();
      });
    });
  }
  return rows;
}

std::vector<double> TimesToLookAt(const std::vector<ConstraintRow>& rows) {
  std::set<double> events = {0.0};
  for (const ConstraintRow& row : rows) {
    events.insert(row.hold.from);
    if (std::isfinite(row.hold.until)) events.insert(row.hold.until);
    for (double time : std::get<Path>(row.target).times()) events.insert(std::max(0.0, time));
  }
  std::vector<double> times;
  for (auto event = events.begin(); event != events.end(); ++event) {
    times.push_back(*event);
    const auto next = std::next(event);
    if (next == events.end()) break;
    for (double part : {0.3, 0.7}) times.push_back((1.0 - part) * *event + part * *next);
  }
  return times;
}

// Gaussian elimination, equation by equation.
class Elimination {
 public:
  explicit Elimination(double tolerance) : tolerance_(tolerance) {}

  // Does the equation agree with the previous ones? If not, it keeps the rows that disagree.
  bool Add(Equation* equation) {
    auto& coefficients = equation->coefficients;
    while (!coefficients.empty()) {
      const auto [unknown, factor] = *coefficients.rbegin();
      coefficients.erase(unknown);
      if (std::abs(factor) < kRounding) continue;
      const auto solved = solved_.find(unknown);
      if (solved == solved_.end()) {
        for (auto& [other, coefficient] : coefficients) coefficient /= factor;
        equation->side /= factor;
        solved_.emplace(unknown, *equation);
        return true;
      }
      for (const auto& [other, coefficient] : solved->second.coefficients) {
        coefficients[other] -= factor * coefficient;
      }
      equation->side -= factor * solved->second.side;
      equation->rows.insert(solved->second.rows.begin(), solved->second.rows.end());
    }
    return std::abs(equation->side) <= tolerance_;
  }

 private:
  double tolerance_;
  std::map<int, Equation> solved_;  // for the unknown, whose coefficient 1 is left out
};

std::string Names(const std::vector<ConstraintRow>& rows, const std::set<size_t>& numbers) {
  std::vector<std::string> names;
  for (size_t number : numbers) {
    const std::string& name = rows[number].name;
    if (std::find(names.begin(), names.end(), name) == names.end()) names.push_back(name);
  }
  std::string text;
  for (const std::string& name : names) text += (text.empty() ? "" : ", ") + name;
  return text;
}

void RequireAgreementAt(double time, const Scene& scene, const std::vector<ConstraintRow>& rows,
                        double tolerance) {
  Elimination elimination(tolerance);
  for (size_t i = 0; i < rows.size(); ++i) {
    const ConstraintRow& row = rows[i];
    if (time < row.hold.from || time >= row.hold.until) continue;
    const Vector3d place = std::get<Path>(row.target).At(time).position;
    for (int axis = 0; axis < (row.along ? 1 : scene.dimension); ++axis) {
      const Vector3d direction = row.along.value_or(Vector3d::Unit(axis));
      Equation equation{{}, direction.dot(place), {i}};
      for (const Combination::Term& term : row.terms) {
        for (int c = 0; c < 3; ++c) {
          if (direction[c] == 0.0) continue;
          equation.coefficients[3 * scene.Index(term.point) + c] += term.weight * direction[c];
        }
      }
      if (elimination.Add(&equation)) continue;
      throw BadInput({row.where,
                      "constraints contradict each other: at " + Digits(time) + " s " +
                          Names(rows, equation.rows) + " cannot all hold",
                      "remove one of them, or make them agree"});
    }
  }
}

}  // namespace

void RequireAgreement(const Scene& scene) {
  const std::vector<ConstraintRow> rows = Entangled(SceneRows(scene));
  if (rows.empty()) return;
  const Eigen::Matrix3Xd points = scene.InitialPoints();
  const double extent = DiagonalOf(points);
  for (double time : TimesToLookAt(rows)) {
    RequireAgreementAt(time, scene, rows, kTolerance * extent);
  }
}

}  // namespace pliant
