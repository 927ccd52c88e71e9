#include "solvers/effective_material.h"

#include <Eigen/QR>
#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>
#include <utility>

#include "models/scene/material.h"
#include "models/scene/number_text.h"

namespace pliant {
namespace {

using Eigen::Matrix3d;
using Eigen::MatrixXd;
using Eigen::Vector3d;

constexpr double kStrain = 1e-4;  // that bodies are measured with
// An edge keeps its length when that changes by less than this part: well above what is of second order
// in the strain.
constexpr double kKeptLength = 1e-2 * kStrain;
// Moduli that differ by less than this part are one.
constexpr double kAlike = 2e-3;
constexpr char kTitle[] = "effective material constants of the bodies, measured at small strain";

// Unit strains: stretches along the axes, then shears of pairs of them.
std::vector<Matrix3d> UnitStrains(const std::vector<Vector3d>& axes) {
  std::vector<Matrix3d> strains;
  for (const Vector3d& e : axes) strains.emplace_back(e * e.transpose());
  for (size_t a = 0; a < axes.size(); ++a) {
    for (size_t b = a + 1; b < axes.size(); ++b) {
      strains.emplace_back(0.5 * (axes[a] * axes[b].transpose() + axes[b] * axes[a].transpose()));
    }
  }
  return strains;
}

// vol ε : C : ε, absent where the body cannot take the strain.
std::optional<double> Quadratic(const MaterialProbe& probe, const Matrix3d& strain) {
  const auto plus = probe.energy(Matrix3d::Identity() + kStrain * strain);
  const auto minus = probe.energy(Matrix3d::Identity() - kStrain * strain);
  if (!plus || !minus) return std::nullopt;
  return (*plus + *minus) / (kStrain * kStrain);
}

// "100000", or "100000 along, 80000 and rigid across" where those of the axes differ, of which the first is the longest.
std::string ModuliOf(const EffectiveMaterial& material, int digits, const std::string& unit = "") {
  const auto& moduli = material.youngs_moduli;
  const auto as_first = [&](const std::optional<double>& E) {
    return E.has_value() == moduli[0].has_value() &&
           (!E || std::abs(*E - *moduli[0]) <= kAlike * std::abs(*moduli[0]));
  };
  const auto text_of = [&](const std::optional<double>& E) {
    return E ? Digits(*E, digits) + unit : std::string("rigid");
  };
  if (moduli.empty()) return "";
  std::string text = text_of(moduli[0]);
  if (std::all_of(moduli.begin(), moduli.end(), as_first)) return text;
  for (size_t i = 1; i < moduli.size(); ++i)
    text += (i == 1 ? " along, " : " and ") + text_of(moduli[i]);
  return text + " across";
}

}  // namespace

EffectiveMaterial Measure(const MaterialProbe& probe) {
  EffectiveMaterial measured;
  measured.density = probe.mass / probe.volume;
  const auto axes = static_cast<Eigen::Index>(probe.axes.size());
  std::vector<Matrix3d> strains;
  std::vector<Eigen::Index> place(UnitStrains(probe.axes).size(), -1);  // in `strains`
  std::vector<double> own;
  for (size_t i = 0; i < place.size(); ++i) {
    const Matrix3d strain = UnitStrains(probe.axes)[i];
    const auto q = Quadratic(probe, strain);
    if (!q) continue;
    place[i] = static_cast<Eigen::Index>(strains.size());
    strains.push_back(strain);
    own.push_back(*q);
  }
  const auto count = static_cast<Eigen::Index>(strains.size());
  if (count == 0) {  // rigid against all of them, as a body that can only bend
    measured.youngs_moduli.resize(probe.axes.size());
    return measured;
  }
  MatrixXd C(count, count);
  for (Eigen::Index i = 0; i < count; ++i) {
    C(i, i) = own[i] / probe.volume;
    for (Eigen::Index j = 0; j < i; ++j) {
      const double plus = Quadratic(probe, strains[i] + strains[j]).value_or(0.0);
      const double minus = Quadratic(probe, strains[i] - strains[j]).value_or(0.0);
      C(i, j) = C(j, i) = (plus - minus) / (4.0 * probe.volume);
    }
  }
  // A strain that costs nothing is free: it has no stiffness, and takes that of the others.
  const MatrixXd S = C.completeOrthogonalDecomposition().pseudoInverse();
  for (Eigen::Index a = 0; a < axes; ++a) {
    std::optional<double>& modulus = measured.youngs_moduli.emplace_back();
    if (place[a] >= 0) modulus = C(place[a], place[a]) > 0.0 ? 1.0 / S(place[a], place[a]) : 0.0;
  }
  if (axes == 0 || place[0] < 0 || !(*measured.youngs_moduli[0] > 0.0)) return measured;
  const double E = *measured.youngs_moduli[0];
  if (axes > 1) measured.poisson_ratio = place[1] < 0 ? 0.0 : -S(place[1], place[0]) * E;
  if (!probe.loss) return measured;
  Matrix3d stretch = Matrix3d::Zero();  // along the length, with its contraction: S e_0 E
  for (Eigen::Index i = 0; i < count; ++i) stretch += S(i, place[0]) * E * strains[i];
  const double stiffness = E * probe.volume;  // ε : C : ε vol of it
  const double omega = std::numbers::pi / probe.length * std::sqrt(E / measured.density);
  measured.frequency = omega / (2.0 * std::numbers::pi);
  measured.damping_ratio =
      0.5 * (probe.mass_damping / omega + probe.loss(stretch) / stiffness * omega);
  return measured;
}

std::string InWords(const EffectiveMaterial& material) {
  std::string words = "holds ";
  if (!material.youngs_moduli.empty()) {
    words += "E = " + ModuliOf(material, 4, " Pa") +
             (material.youngs_moduli.front() ? ", " : " against stretch, ");
  }
  if (material.poisson_ratio) words += "ν = " + Digits(*material.poisson_ratio, 3) + ", ";
  words += ThreeDigits(material.density) + " kg/m³";
  if (material.damping_ratio) {
    words += ", damping ratio " + ThreeDigits(*material.damping_ratio) + " at " +
             ThreeDigits(*material.frequency) + " Hz";
  }
  return words;
}

MaterialProbe ProbeOf(const Body& body, int world_dimension) {
  MaterialProbe probe;
  const Vector3d low = body.rest.rowwise().minCoeff(),
                 extent = body.rest.rowwise().maxCoeff() - low;
  std::array<int, 3> order = {0, 1, 2};
  std::stable_sort(order.begin(), order.end(), [&](int a, int b) { return extent[a] > extent[b]; });
  for (const int axis : order) {
    if (extent[axis] > 1e-9 * extent[order[0]] &&
        static_cast<int>(probe.axes.size()) < world_dimension) {
      probe.axes.emplace_back(Vector3d::Unit(axis));
    }
  }
  probe.length = extent[order[0]];
  probe.volume = VolumeShares(body, body.material->thickness).sum();
  probe.mass = body.mass.sum();
  return probe;
}

MaterialProbe NetProbe(const Body& body, int world_dimension, double compliance) {
  MaterialProbe probe = ProbeOf(body, world_dimension);
  probe.energy = [&body, compliance](const Matrix3d& F) -> std::optional<double> {
    double energy = 0.0;
    for (const auto& [a, b] : body.edges) {
      const Vector3d edge = body.rest.col(b) - body.rest.col(a);
      const double length = edge.norm(), gap = (F * edge).norm() - length;
      if (compliance > 0.0) {
        energy += 0.5 * gap * gap / compliance;
      } else if (std::abs(gap) > kKeptLength * length) {
        return std::nullopt;
      }
    }
    return energy;
  };
  return probe;
}

void AddMeasured(const Body& body, const MaterialProbe& probe, Translation* translation) {
  if (!body.material) return;
  const EffectiveMaterial held = Measure(probe);
  const std::string element = "body." + body.name + ".material";
  for (const TranslatedElement& entry : translation->record.Entries()) {
    if (entry.element != element) continue;
    translation->record.Say(element, entry.fidelity,
                            entry.reason + (entry.reason.empty() ? "" : "; ") + InWords(held));
  }
  std::vector<FindingTable>& findings = translation->findings;
  auto table = std::find_if(findings.begin(), findings.end(),
                            [](const FindingTable& one) { return one.title == kTitle; });
  if (table == findings.end()) {
    table = findings.insert(findings.end(), {kTitle,
                                             {"body", "E [Pa]", "Poisson's ratio",
                                              "density [kg/m³]", "damping ratio", "frequency [Hz]"},
                                             {},
                                             ""});
  }
  const auto number = [](const std::optional<double>& value) {
    return value ? Digits(*value, 4) : std::string();
  };
  table->rows.push_back({body.name, ModuliOf(held, 4), number(held.poisson_ratio),
                         number(held.density), number(held.damping_ratio), number(held.frequency)});
}

}  // namespace pliant
