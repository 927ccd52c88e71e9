// Every analytic Jacobian of the lamp's rows against automatic differentiation of the rows written
// out once more, as the problem states them.

#include "solvers/spacetime/lamp_terms.h"

#include <ceres/jet.h>
#include <gtest/gtest.h>

#include <random>

#include "tests/models/lamp/random_state.h"

namespace pliant {
namespace {

constexpr int kUnknowns = 24;
using Jet = ceres::Jet<double, kUnknowns>;
using JetVector = LampVectorOf<Jet>;
using JetColumn = std::vector<Jet>;

struct JetNode {
  JetVector q, v;
};

// The node with derivatives by entry `first` + column of its block.
JetNode Seed(const LampNodeMap& map, const LampNode& node, int first) {
  JetNode jets;
  for (int k = 0; k < LampNodeMap::kNumbers; ++k) {
    Jet& jet = k < kLampDof ? jets.q[k] : jets.v[k - kLampDof];
    jet = Jet(k < kLampDof ? node.q[k] : node.v[k - kLampDof]);
    if (map.column[k] != LampNodeMap::kGiven) jet.v[first + map.column[k]] = 1.0;
  }
  return jets;
}

class LampTerms : public testing::Test {
 protected:
  LampNode RandomNode() {
    return {RandomLampVector(generator_, 0.7), RandomLampVector(generator_, 3.0)};
  }
  // Some numbers unknown, in shuffled order; the rest given.
  LampNodeMap PartlyUnknown(const LampNode& node, int block, int unknowns) {
    LampNodeMap map(node);
    map.block = block;
    map.block_size = unknowns;
    for (int i = 0; i < unknowns; ++i) {
      map.SetUnknown((5 * i + block + 1) % LampNodeMap::kNumbers, i);
    }
    return map;
  }

  static void ExpectSame(const SpacetimeTerm& term, const std::vector<const double*>& x,
                         const std::vector<int>& sizes, const JetColumn& expected) {
    ASSERT_EQ(term.rows(), static_cast<int>(expected.size()));
    std::vector<double> values(term.rows()), again(term.rows());
    std::vector<std::vector<double>> storage;
    std::vector<double*> jacobians;
    for (const int size : sizes) storage.emplace_back(size * term.rows(), 1e9);
    for (auto& s : storage) jacobians.push_back(s.data());
    term.Evaluate(x.data(), values.data(), jacobians.data());
    term.Evaluate(x.data(), again.data(), nullptr);
    for (int row = 0; row < term.rows(); ++row) {
      const double size = 1.0 + expected[row].v.norm();
      EXPECT_NEAR(values[row], expected[row].a, 1e-11 * size) << "row " << row;
      EXPECT_NEAR(again[row], expected[row].a, 1e-11 * size) << "row " << row;
      int first = 0;
      for (size_t b = 0; b < sizes.size(); ++b) {
        for (int k = 0; k < sizes[b]; ++k) {
          EXPECT_NEAR(storage[b][row * sizes[b] + k], expected[row].v[first + k], 1e-11 * size)
              << "row " << row << " block " << b << " column " << k;
        }
        first += sizes[b];
      }
    }
  }

  std::mt19937 generator_{kLampSeed};
  Lamp lamp_{LampParameters{}};
};

TEST_F(LampTerms, GaussRowsAreThoseOfTheProblem) {
  const double h = 0.05, mu = 0.6, w = 0.1, bound = 2.5;
  LampRules rules{mu, bound, {0.9, 1e-3}};
  for (const LampContact contact : {LampContact::kStance, LampContact::kFlight}) {
    for (int point = 0; point < 2; ++point) {
      const LampNode a = RandomNode(), b = RandomNode();
      const LampNodeMap first = PartlyUnknown(a, 0, 11), second = PartlyUnknown(b, 1, 12);
      std::vector<double> xa(11), xb(12);
      first.Write(a, xa.data());
      second.Write(b, xb.data());

      // The cubic through both nodes, from its coefficients.
      const JetNode ja = Seed(first, a, 0), jb = Seed(second, b, 11);
      const double t = h * (0.5 + (point == 0 ? -1.0 : 1.0) * std::sqrt(3.0) / 6.0);
      JetVector q, v, acceleration;
      for (int k = 0; k < kLampDof; ++k) {
        const Jet slope = (jb.q[k] - ja.q[k]) / h;
        const Jet c2 = (3.0 * slope - 2.0 * ja.v[k] - jb.v[k]) / h;
        const Jet c3 = (ja.v[k] + jb.v[k] - 2.0 * slope) / (h * h);
        q[k] = ja.q[k] + t * (ja.v[k] + t * (c2 + t * c3));
        v[k] = ja.v[k] + t * (2.0 * c2 + 3.0 * t * c3);
        acceleration[k] = 2.0 * c2 + 6.0 * t * c3;
      }
      const JetVector f = InverseDynamics<Jet>(lamp_, q, v, acceleration, lamp_.gravity());
      JetColumn rows;
      for (int j = 3; j < 6; ++j) rows.push_back(std::sqrt(0.5 * h * 0.9) * f[j]);
      for (int j = 3; j < 6; ++j) rows.push_back(std::sqrt(0.5 * h * 1e-3) * acceleration[j]);
      if (contact == LampContact::kStance) {
        rows.insert(rows.end(),
                    {mu * f[1] - f[0], mu * f[1] + f[0], w * f[1] - f[2], w * f[1] + f[2]});
      } else {
        rows.insert(rows.end(), {f[0], f[1], f[2]});
      }
      for (int j = 3; j < 6; ++j) rows.insert(rows.end(), {bound - f[j], bound + f[j]});
      ExpectSame(LampGaussTerm(lamp_, rules, contact, 0.3, h, point, first, second),
                 {xa.data(), xb.data()}, {11, 12}, rows);
    }
  }
}

TEST_F(LampTerms, GaussRowsNextToAGivenNodeHaveOneBlock) {
  const LampNode a = RandomNode(), b = RandomNode();
  const LampNodeMap given(a), unknown = PartlyUnknown(b, 4, 12);
  const LampRules rules{0.8, {}, {}};
  const LampGaussTerm term(lamp_, rules, LampContact::kFlight, 0.3, 0.05, 1, given, unknown);
  EXPECT_EQ(term.blocks(), std::vector<int>{4});
  EXPECT_NEAR(term.time(), 0.3 + 0.05 * (0.5 + std::sqrt(3.0) / 6.0), 1e-15);
  // The same rows as with both unknown.
  const LampNodeMap both = PartlyUnknown(a, 3, 12);
  const LampGaussTerm full(lamp_, rules, LampContact::kFlight, 0.3, 0.05, 1, both, unknown);
  std::vector<double> xa(12), xb(12), values(term.rows()), expected(term.rows());
  both.Write(a, xa.data());
  unknown.Write(b, xb.data());
  const double* one[] = {xb.data()};
  const double* two[] = {xa.data(), xb.data()};
  term.Evaluate(one, values.data(), nullptr);
  full.Evaluate(two, expected.data(), nullptr);
  EXPECT_EQ(values, expected);
}

TEST_F(LampTerms, LimitRowsAreThoseOfTheProblem) {
  const LampParameters& p = lamp_.parameters();
  for (const LampContact contact : {LampContact::kStance, LampContact::kFlight}) {
    const LampNode node = RandomNode();
    const LampNodeMap map = PartlyUnknown(node, 0, 12);
    std::vector<double> x(12);
    map.Write(node, x.data());
    const JetNode j = Seed(map, node, 0);
    JetColumn rows;
    for (int i = 0; i < 3; ++i) {
      rows.push_back(j.q[3 + i] - p.hinge_limits[i].lower);
      rows.push_back(p.hinge_limits[i].upper - j.q[3 + i]);
    }
    if (contact == LampContact::kFlight) {
      rows.push_back(j.q[2] - p.tilt_limits.lower);
      rows.push_back(p.tilt_limits.upper - j.q[2]);
      rows.push_back(j.q[1] + p.half_width * sin(j.q[2]));
      rows.push_back(j.q[1] - p.half_width * sin(j.q[2]));
    }
    ExpectSame(LampLimitTerm(lamp_, contact, 0.1, 0.02, 0.1, map), {x.data()}, {12}, rows);
  }
}

TEST_F(LampTerms, ImpactRowsAreThoseOfTheProblem) {
  const double mu = 0.6, w = 0.1;
  LampNode node = RandomNode();
  LampNode after_node = RandomNode();
  after_node.q = node.q;
  LampNodeMap before(node), after(after_node);
  for (LampNodeMap* map : {&before, &after}) {
    map->block = 0;
    map->block_size = 16;
    for (int k = 0; k < 4; ++k) map->SetUnknown(2 + k, k);
  }
  for (int k = 0; k < 6; ++k) {
    before.SetUnknown(kLampDof + k, 4 + k);
    after.SetUnknown(kLampDof + k, 10 + k);
  }
  std::vector<double> x(16);
  before.Write(node, x.data());
  after.Write(after_node, x.data());
  const JetNode jb = Seed(before, node, 0), ja = Seed(after, after_node, 0);
  const JetVector impulse =
      InverseDynamics<Jet>(lamp_, jb.q, JetVector::Constant(Jet(0.0)), JetVector(ja.v - jb.v), 0.0);
  const JetColumn rows = {impulse[3],
                          impulse[4],
                          impulse[5],
                          mu * impulse[1] - impulse[0],
                          mu * impulse[1] + impulse[0],
                          w * impulse[1] - impulse[2],
                          w * impulse[1] + impulse[2]};
  ExpectSame(LampImpactTerm(lamp_, mu, 0.9, before, after), {x.data()}, {16}, rows);
}

}  // namespace
}  // namespace pliant
