#include "solvers/dynamic_ffd/mode_closeness.h"

#include <Eigen/Cholesky>
#include <Eigen/QR>
#include <Eigen/SVD>
#include <algorithm>
#include <cmath>
#include <numbers>

#include "models/dynamic_ffd/mode_metric.h"
#include "models/scene/number_text.h"

namespace pliant::dynamic_ffd {
namespace {

using Eigen::MatrixXd;
using Eigen::VectorXd;

// Modes with this share of a combination are named.
constexpr double kInvolved = 0.1;
// Warn if the independent part of a mode is below this fraction: the frequencies of the weak
// combination are then tens of times those of the modes.
constexpr double kAlike = 0.05;

std::string Degrees(double angle) { return Fixed(angle * 180.0 / std::numbers::pi, 1); }

// Angle between two lines of which the cosine is given.
double AngleOf(double cosine) { return std::acos(std::min(1.0, std::abs(cosine))); }

std::string InWords(const Resemblance& weakest, const std::string& body) {
  return weakest.words + " on body '" + body + "'";
}

}  // namespace

ModeCloseness ClosenessOf(const FfdBody& body) {
  const MassWeightedMotions motions = MotionsOf(body);
  const auto modes = body.modes();
  ModeCloseness closeness;
  closeness.inertia = motions.free.colwise().squaredNorm();
  const VectorXd sizes = motions.modes.colwise().norm();
  closeness.to_rigid.resize(modes);
  for (int k = 0; k < modes; ++k) {
    // By its sine or its cosine, whichever is small.
    const double free = motions.free.col(k).norm();
    const double rigid = (motions.rigid.transpose() * motions.modes.col(k)).norm();
    closeness.to_rigid[k] = std::atan2(free, rigid);
  }
  const MatrixXd unit = motions.modes * sizes.cwiseInverse().asDiagonal();
  Eigen::ColPivHouseholderQR<MatrixXd> qr(unit);
  const MatrixXd span = qr.householderQ() * MatrixXd::Identity(unit.rows(), qr.rank());
  const VectorXd cosines =
      Eigen::JacobiSVD<MatrixXd>(motions.rigid.transpose() * span).singularValues();
  closeness.span_to_rigid = AngleOf(cosines[0]);

  const MatrixXd free = motions.free * closeness.inertia.cwiseSqrt().cwiseInverse().asDiagonal();
  closeness.cosines = free.transpose() * free;
  const Eigen::JacobiSVD<MatrixXd> svd(free, Eigen::ComputeThinV);
  closeness.singular_values = svd.singularValues();
  closeness.combinations = svd.matrixV();
  return closeness;
}

Resemblance WeakestOf(const ModeCloseness& closeness, const std::vector<std::string>& names) {
  const auto modes = static_cast<int>(names.size());
  const VectorXd unit = closeness.combinations.col(modes - 1);
  int first = 0;
  const double largest = unit.cwiseAbs().maxCoeff(&first);
  // The first mode expressed by the other involved modes: the nearest of their combinations.
  std::vector<int> others;
  for (int k = 0; k < modes; ++k) {
    if (k != first && std::abs(unit[k]) > kInvolved * largest) others.push_back(k);
  }
  if (others.empty()) {
    return {"'" + names[first] + "' is similar to no other mode", 1.0};
  }
  const auto count = static_cast<int>(others.size());
  MatrixXd gram(count, count);
  VectorXd with_first(count);
  for (int i = 0; i < count; ++i) {
    with_first[i] = closeness.cosines(others[i], first);
    for (int j = 0; j < count; ++j) gram(i, j) = closeness.cosines(others[i], others[j]);
  }
  const VectorXd weights = gram.ldlt().solve(with_first);
  const double remainder = std::sqrt(std::max(0.0, 1.0 - weights.dot(with_first)));
  std::string words = "'" + names[first] + "' is";
  for (int i = 0; i < count; ++i) {
    const double weight =
        weights[i] * std::sqrt(closeness.inertia[first] / closeness.inertia[others[i]]);
    words += (i == 0 ? (weight < 0.0 ? " −" : " ") : (weight < 0.0 ? " − " : " + ")) +
             Digits(std::abs(weight), 2) + " '" + names[others[i]] + "'";
  }
  words += " up to a rigid motion and " + Digits(100.0 * remainder, 2) + " % of itself";
  return {words, remainder};
}

FindingTable ClosenessTable(const std::vector<NamedModes>& bodies) {
  FindingTable table;
  table.title = "similarity of modes in the metric of the masses";
  table.columns = {
      "body",         "mode",           "inertia [kg m²]", "frequency [Hz]", "to rigid motions [°]",
      "nearest mode", "angle to it [°]"};
  const NamedModes* weakest_body = nullptr;
  Resemblance weakest{"", 2.0};
  for (const NamedModes& modes : bodies) {
    const ModeCloseness& closeness = modes.closeness;
    const auto count = static_cast<int>(modes.names.size());
    for (int k = 0; k < count; ++k) {
      int nearest = -1;
      double cosine = -1.0;
      for (int l = 0; l < count; ++l) {
        if (l == k || std::abs(closeness.cosines(k, l)) <= cosine) continue;
        cosine = std::abs(closeness.cosines(k, l));
        nearest = l;
      }
      const double frequency =
          std::sqrt(2.0 * modes.stiffness[k] / closeness.inertia[k]) / (2.0 * std::numbers::pi);
      table.rows.push_back({modes.body, modes.names[k], Digits(closeness.inertia[k], 3),
                            Digits(frequency, 3), Degrees(closeness.to_rigid[k]),
                            nearest < 0 ? "" : modes.names[nearest],
                            nearest < 0 ? "" : Degrees(AngleOf(cosine))});
    }
    if (count < 2) continue;
    Resemblance here = WeakestOf(closeness, modes.names);
    if (here.remainder >= weakest.remainder) continue;
    weakest = std::move(here);
    weakest_body = &modes;
  }
  if (weakest_body != nullptr) {
    table.remark = "most alike: " + InWords(weakest, weakest_body->body) +
                   "; all its modes together are " +
                   Degrees(weakest_body->closeness.span_to_rigid) + "° from the rigid motions";
  }
  return table;
}

void WarnOfCloseness(const std::vector<NamedModes>& bodies, std::vector<std::string>* warnings) {
  for (const NamedModes& modes : bodies) {
    if (modes.names.size() < 2) continue;
    const Resemblance weakest = WeakestOf(modes.closeness, modes.names);
    if (weakest.remainder > kAlike) continue;
    warnings->push_back("modes are nearly dependent: " + InWords(weakest, modes.body));
  }
}

MatrixXd OrthogonalCombinations(const FfdBody& body) {
  const MatrixXd free = MotionsOf(body).free.leftCols(body.free_modes());
  const MatrixXd gram = free.transpose() * free;
  // gram = L Lᵀ, so that the combinations L⁻ᵀ have unit inertia.
  const Eigen::LLT<MatrixXd> factor(gram);
  const MatrixXd identity = MatrixXd::Identity(gram.rows(), gram.cols());
  return std::sqrt(gram.diagonal().mean()) * MatrixXd(factor.matrixU().solve(identity));
}

}  // namespace pliant::dynamic_ffd
