// Every analytic Jacobian of the lamp's rows against automatic differentiation of the rows written
// out once more, as the problem states them.

#include "solvers/spacetime/lamp_terms.h"

#include <ceres/jet.h>
#include <gtest/gtest.h>

#include <numbers>
#include <random>

#include "tests/models/articulated_lamp/random_state.h"

namespace pliant {
namespace {

using articulated_lamp::kLampDof;

constexpr int kUnknowns = 24;
using Jet = ceres::Jet<double, kUnknowns>;
using JetVector = articulated_lamp::LampVectorOf<Jet>;
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
    return {articulated_lamp::RandomLampVector(generator_, 0.7),
            articulated_lamp::RandomLampVector(generator_, 3.0)};
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

  std::mt19937 generator_{articulated_lamp::kLampSeed};
  articulated_lamp::Lamp lamp_{articulated_lamp::LampParameters{}};
};

// What physics asks of a force, and of rates and accelerations of hinges, that stand for `span` seconds.
JetColumn PhysicsRows(const LampRules& rules, LampContact contact, const Jet& span,
                      const JetVector& f, const JetVector& v, const JetVector& acceleration) {
  const double mu = rules.friction, w = 0.1, bound = *rules.torque_limit;
  JetColumn rows;
  for (int j = 3; j < 6; ++j) rows.push_back(sqrt(span * rules.cost.torque) * f[j]);
  for (int j = 3; j < 6; ++j) {
    rows.push_back(sqrt(span * rules.cost.acceleration) * acceleration[j]);
  }
  for (int j = 3; j < 6; ++j) {  // r² is √(P² + P₀²) − P₀, r has the sign of P
    const Jet power = f[j] * v[j];
    const Jet square = sqrt(power * power + 0.09) - 0.3;
    rows.push_back(sqrt(span * rules.cost.work) *
                   (power < Jet(0.0) ? -sqrt(square) : sqrt(square)));
  }
  switch (contact) {
    case LampContact::kStance:
      rows.insert(rows.end(),
                  {mu * f[1] - f[0], mu * f[1] + f[0], w * f[1] - f[2], w * f[1] + f[2]});
      break;
    case LampContact::kSlide: {
      // Downhill and out of the slope.
      const Jet along = f[0] * std::cos(rules.slope) - f[1] * std::sin(rules.slope);
      const Jet normal = f[0] * std::sin(rules.slope) + f[1] * std::cos(rules.slope);
      rows.insert(rows.end(), {along + mu * normal, normal, w * normal - f[2], w * normal + f[2]});
      break;
    }
    case LampContact::kFlight:
      rows.insert(rows.end(), {f[0], f[1], f[2]});
      break;
  }
  for (int j = 3; j < 6; ++j) rows.insert(rows.end(), {bound - f[j], bound + f[j]});
  return rows;
}

constexpr LampContact kContacts[] = {LampContact::kStance, LampContact::kSlide,
                                     LampContact::kFlight};
const LampRules kRules = {0.6, 2.5, {0.9, 1e-3, 0.7, 0.3}, 0.3};

TEST_F(LampTerms, HermiteRowsAreThoseOfTheProblem) {
  const double h = 0.05;
  for (const LampContact contact : kContacts) {
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
      const LampSampling sampling = Samplings(LampTranscription::kHermite, 1)[point];
      EXPECT_NEAR(sampling.at * h, t, 1e-15);
      ExpectSame(LampPhysicsTerm(lamp_, kRules, contact, 0.3, sampling.share, {h}, sampling.samples,
                                 {first, second}),
                 {xa.data(), xb.data()}, {11, 12},
                 PhysicsRows(kRules, contact, Jet(0.5 * h), f, v, acceleration));
    }
  }
}

TEST_F(LampTerms, TrapezoidalRowsAreMeansOfBothEnds) {
  const double h = 0.05;
  for (const LampContact contact : kContacts) {
    const LampNode a = RandomNode(), b = RandomNode();
    const LampNodeMap first = PartlyUnknown(a, 0, 11), second = PartlyUnknown(b, 1, 12);
    std::vector<double> xa(11), xb(12);
    first.Write(a, xa.data());
    second.Write(b, xb.data());
    const JetNode ja = Seed(first, a, 0), jb = Seed(second, b, 11);
    const JetVector acceleration = (jb.v - ja.v) / Jet(h);
    const JetVector f = (InverseDynamics<Jet>(lamp_, ja.q, ja.v, acceleration, lamp_.gravity()) +
                         InverseDynamics<Jet>(lamp_, jb.q, jb.v, acceleration, lamp_.gravity())) *
                        Jet(0.5);
    const std::vector<LampSampling> samplings = Samplings(LampTranscription::kTrapezoidal, 1);
    ASSERT_EQ(samplings.size(), 1u);
    ExpectSame(LampPhysicsTerm(lamp_, kRules, contact, 0.3, samplings[0].share, {h},
                               samplings[0].samples, {first, second}),
               {xa.data(), xb.data()}, {11, 12},
               PhysicsRows(kRules, contact, Jet(h), f, (ja.v + jb.v) * Jet(0.5), acceleration));
    JetColumn rule;
    for (int k = 0; k < kLampDof; ++k) {
      rule.push_back(jb.q[k] - ja.q[k] - 0.5 * h * (ja.v[k] + jb.v[k]));
    }
    ExpectSame(LampTrapezoidTerm(0.3, {h}, first, second), {xa.data(), xb.data()}, {11, 12}, rule);
  }
}

// Within a phase three positions, at its ends two and a rate.
TEST_F(LampTerms, FiniteDifferencesReadPositionsAndTheRatesAtTheEnds) {
  const double h = 0.05;
  const auto samplings = Samplings(LampTranscription::kFiniteDifferences, 2);
  ASSERT_EQ(samplings.size(), 3u);
  const LampNode nodes[] = {RandomNode(), RandomNode(), RandomNode()};
  std::vector<LampNodeMap> maps(3, LampNodeMap(nodes[0]));
  std::vector<std::vector<double>> x;
  std::vector<JetNode> jets;
  const int sizes[] = {9, 6, 9};
  for (int n = 0; n < 3; ++n) {
    maps[n] = LampNodeMap(nodes[n]);
    maps[n].block = n;
    maps[n].block_size = sizes[n];
    for (int k = 0; k < 6; ++k) maps[n].SetUnknown(k, k);
    for (int k = 6; k < sizes[n]; ++k) maps[n].SetUnknown(k + 3, k);
    x.emplace_back(sizes[n]);
    maps[n].Write(nodes[n], x.back().data());
    jets.push_back(Seed(maps[n], nodes[n], n == 0 ? 0 : n == 1 ? 9 : 15));
  }
  const auto expect = [&](int i, std::vector<int> of, const Jet& share, const JetVector& q,
                          const JetVector& v, const JetVector& acceleration, int offset) {
    const JetVector f = InverseDynamics<Jet>(lamp_, q, v, acceleration, lamp_.gravity());
    JetColumn rows = PhysicsRows(kRules, LampContact::kFlight, share, f, v, acceleration);
    std::vector<const double*> values;
    std::vector<int> block_sizes;
    std::vector<LampNodeMap> used;
    for (const int n : of) {
      values.push_back(x[n].data());
      block_sizes.push_back(sizes[n]);
      used.push_back(maps[n]);
    }
    EXPECT_EQ(samplings[i].first_node, of.front());
    EXPECT_EQ(samplings[i].nodes, static_cast<int>(of.size()));
    for (Jet& row : rows) {  // derivatives begin with those of the first block used
      Eigen::Matrix<double, kUnknowns, 1> shifted = Eigen::Matrix<double, kUnknowns, 1>::Zero();
      shifted.head(kUnknowns - offset) = row.v.tail(kUnknowns - offset);
      row.v = shifted;
    }
    ExpectSame(LampPhysicsTerm(lamp_, kRules, LampContact::kFlight, 0.3, samplings[i].share, {h},
                               samplings[i].samples, used),
               values, block_sizes, rows);
  };
  expect(0, {0, 1}, Jet(0.5 * h), jets[0].q, jets[0].v,
         (jets[1].q - jets[0].q - Jet(h) * jets[0].v) * Jet(2.0 / (h * h)), 0);
  expect(1, {0, 1, 2}, Jet(h), jets[1].q, (jets[2].q - jets[0].q) * Jet(0.5 / h),
         (jets[0].q - jets[1].q * Jet(2.0) + jets[2].q) * Jet(1.0 / (h * h)), 0);
  expect(2, {1, 2}, Jet(0.5 * h), jets[2].q, jets[2].v,
         (jets[1].q - jets[2].q + Jet(h) * jets[2].v) * Jet(2.0 / (h * h)), 9);
}

// Physics by a duration that is unknown: the mesh stretches with it.
TEST_F(LampTerms, RowsKnowHowTheyChangeWithTheDuration) {
  const int intervals = 7;
  const double duration = 0.35;
  for (const auto transcription : {LampTranscription::kHermite, LampTranscription::kTrapezoidal,
                                   LampTranscription::kFiniteDifferences}) {
    for (const LampContact contact : kContacts) {
      LampNodeMap first = PartlyUnknown(RandomNode(), 0, 12);
      LampNodeMap second = PartlyUnknown(RandomNode(), 1, 12);
      const LampSampling sampling = Samplings(transcription, 1)[0];
      std::vector<double> xa(12), xb(12);
      first.Write(RandomNode(), xa.data());
      second.Write(RandomNode(), xb.data());
      const PhaseClock clock = {0.05, 2, intervals};
      const LampPhysicsTerm physics(lamp_, kRules, contact, 0.3, sampling.share, clock,
                                    sampling.samples, {first, second});
      const LampTrapezoidTerm rule(0.3, clock, first, second);
      for (const SpacetimeTerm* term : {static_cast<const SpacetimeTerm*>(&physics),
                                        static_cast<const SpacetimeTerm*>(&rule)}) {
        ASSERT_EQ(term->blocks().back(), 2);
        const auto at = [&](double time) {
          Eigen::VectorXd values(term->rows());
          const double* x[] = {xa.data(), xb.data(), &time};
          term->Evaluate(x, values.data(), nullptr);
          return values;
        };
        const double e = 1e-5 * duration;
        const Eigen::VectorXd slope = (8.0 * (at(duration + e) - at(duration - e)) -
                                       at(duration + 2 * e) + at(duration - 2 * e)) /
                                      (12.0 * e);
        Eigen::VectorXd by_time(term->rows()), values(term->rows());
        std::vector<double> rest(12 * 2 * term->rows());
        const double* x[] = {xa.data(), xb.data(), &duration};
        double* jacobians[] = {rest.data(), rest.data() + 12 * term->rows(), by_time.data()};
        term->Evaluate(x, values.data(), jacobians);
        for (int row = 0; row < term->rows(); ++row) {
          EXPECT_NEAR(by_time[row], slope[row], 1e-7 * (1.0 + std::abs(slope[row])))
              << "row " << row;
        }
        EXPECT_GT(by_time.norm(), 1e-3);
      }
    }
  }
}

TEST_F(LampTerms, RowsNextToAGivenNodeHaveOneBlock) {
  const LampNode a = RandomNode(), b = RandomNode();
  const LampNodeMap given(a), unknown = PartlyUnknown(b, 4, 12);
  const LampRules rules{0.8, {}, {}};
  const LampSampling point = Samplings(LampTranscription::kHermite, 1)[1];
  const auto term_of = [&](const LampNodeMap& first) {
    return LampPhysicsTerm(lamp_, rules, LampContact::kFlight, 0.3, point.share, {0.05},
                           point.samples, {first, unknown});
  };
  const LampPhysicsTerm term = term_of(given);
  EXPECT_EQ(term.blocks(), std::vector<int>{4});
  // The same rows as with both unknown.
  const LampNodeMap both = PartlyUnknown(a, 3, 12);
  const LampPhysicsTerm full = term_of(both);
  std::vector<double> xa(12), xb(12), values(term.rows()), expected(term.rows());
  both.Write(a, xa.data());
  unknown.Write(b, xb.data());
  const double* one[] = {xb.data()};
  const double* two[] = {xa.data(), xb.data()};
  term.Evaluate(one, values.data(), nullptr);
  full.Evaluate(two, expected.data(), nullptr);
  for (int row = 0; row < term.rows(); ++row) EXPECT_NEAR(values[row], expected[row], 1e-10);
}

// x and y of a base that slides go with one unknown.
TEST_F(LampTerms, ANodeOnASlopeHasOneUnknownForItsPlace) {
  LampNode node{articulated_lamp::LampVector::Zero(), articulated_lamp::LampVector::Zero()};
  node.q << 0.1, 0.2, 0.3, 0, 0, 0;
  LampNodeMap map(node);
  map.block = 0;
  map.block_size = 1;
  map.SetAlong(0, 0, std::cos(0.3));
  map.SetAlong(1, 0, -std::sin(0.3));
  const double way = 0.7;
  const LampNode moved = map.Read(&way);
  EXPECT_NEAR(moved.q[0], 0.1 + way * std::cos(0.3), 1e-15);
  EXPECT_NEAR(moved.q[1], 0.2 - way * std::sin(0.3), 1e-15);
  double again = 0.0;
  map.Write(moved, &again);
  EXPECT_NEAR(again, way, 1e-15);
}

TEST_F(LampTerms, LimitRowsAreThoseOfTheProblem) {
  const articulated_lamp::LampParameters& p = lamp_.parameters();
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
    LampJumpProblem problem = {.floor_height = -0.4};
    // Its left wall is near the base, so that both the wall and the top count.
    problem.rises = {{"ledge", node.q[0] + 0.03, 9.0, 0.2, -0.3}};
    // Its walls are on both sides of where the links end.
    problem.beams = {{"lintel", -9.0, node.q[0] + 0.1, 0.5}, {"rail", node.q[0] - 0.1, 9.0, 0.8}};
    problem.beam_clearance = 0.03;
    if (contact == LampContact::kFlight) {
      rows.push_back(j.q[2] - p.tilt_limits.lower);
      rows.push_back(p.tilt_limits.upper - j.q[2]);
      rows.push_back(j.q[1] + p.half_width * sin(j.q[2]) + 0.4);
      rows.push_back(j.q[1] - p.half_width * sin(j.q[2]) + 0.4);
      for (const double along : {-0.1, -0.05, 0.0, 0.05, 0.1}) {
        const Jet x_of = j.q[0] + along * cos(j.q[2]), y_of = j.q[1] - along * sin(j.q[2]);
        const Jet into = (x_of - problem.rises[0].left) / LampLimitTerm::kRiseMargin + 1.0;
        Jet share(into.a <= 0.0 ? 0.0 : 1.0);
        if (into.a > 0.0 && into.a < 1.0) {
          share = into * into * into * (10.0 - 15.0 * into + 6.0 * into * into);
        }
        rows.push_back(y_of + 0.4 - (0.2 - 0.3 * x_of + 0.4) * share);
      }
    }
    const auto step = [](const Jet& s) {
      if (s.a <= 0.0 || s.a >= 1.0) return Jet(s.a <= 0.0 ? 0.0 : 1.0);
      return s * s * s * (10.0 - 15.0 * s + 6.0 * s * s);
    };
    for (const LampJumpProblem::Beam& beam : problem.beams) {
      Jet x_of = j.q[0], y_of = j.q[1], angle(0.0);
      for (int link = 0; link < 4; ++link) {
        angle += j.q[2 + link];
        if (link == 3) angle += Jet(0.5 * std::numbers::pi);
        x_of += p.links[link].length * sin(angle);
        y_of += p.links[link].length * cos(angle);
        if (link == 0) continue;
        const Jet share = step((x_of - beam.left) / LampLimitTerm::kRiseMargin + 1.0) *
                          step((beam.right - x_of) / LampLimitTerm::kRiseMargin + 1.0);
        rows.push_back(beam.bottom + (1.0 - share) - 0.03 - y_of);
      }
    }
    ExpectSame(LampLimitTerm(lamp_, problem, contact, 0.1, 0.02, 0.1, map), {x.data()}, {12}, rows);
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

TEST(GroundHeight, IsTheTopBetweenTheWallsAndTheFloorBesideThem) {
  const LampJumpProblem::Rise box = {"box", 0.2, 0.5, 0.3, 0.1};
  for (const double x : {0.2, 0.35, 0.5}) {
    EXPECT_NEAR(HeightOf(box, -0.1, x).value, 0.3 + 0.1 * x, 1e-15);
  }
  for (const double x : {-1.0, 0.2 - LampLimitTerm::kRiseMargin, 0.56}) {
    EXPECT_NEAR(HeightOf(box, -0.1, x).value, -0.1, 1e-15);
    EXPECT_NEAR(HeightOf(box, -0.1, x).derivative, 0.0, 1e-12);
  }
  // Never below what is really there.
  for (double x = 0.1; x < 0.6; x += 0.001) EXPECT_GE(HeightOf(box, -0.1, x).value, -0.1);
}

TEST(LampDurationRows, AreTheDistancesToBothEndsOfTheRange) {
  const PhaseDurationTerm term("flight", 0.6, 3, 0.2, 0.5);
  const double duration = 0.3;
  const double* x[] = {&duration};
  double values[2], slopes[2];
  double* jacobians[] = {slopes};
  term.Evaluate(x, values, jacobians);
  EXPECT_NEAR(values[0], 0.1, 1e-15);
  EXPECT_NEAR(values[1], 0.2, 1e-15);
  EXPECT_EQ(slopes[0], 1.0);
  EXPECT_EQ(slopes[1], -1.0);
  EXPECT_EQ(term.groups()[1].name, "longest flight");
}

TEST(LampTimeRow, ItsSquareIsWhatTheTimeCosts) {
  const auto at = [](double duration, double* slope) {
    const PhaseTimeTerm term(0.6, 0.3, 3, 2.5);
    const double* x[] = {&duration};
    double value;
    double* jacobians[] = {slope};
    term.Evaluate(x, &value, slope != nullptr ? jacobians : nullptr);
    return value;
  };
  double slope;
  EXPECT_NEAR(at(0.4, &slope) * at(0.4, nullptr), 2.5 * 0.4, 1e-15);
  EXPECT_NEAR(slope, (at(0.4 + 1e-6, nullptr) - at(0.4 - 1e-6, nullptr)) / 2e-6, 1e-8);
  const PhaseTimeTerm given(0.6, 0.3, std::nullopt, 2.5);
  EXPECT_TRUE(given.blocks().empty());
  double value;
  given.Evaluate(nullptr, &value, nullptr);
  EXPECT_NEAR(value * value, 2.5 * 0.3, 1e-15);
}

}  // namespace
}  // namespace pliant
