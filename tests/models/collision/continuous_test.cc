#include "models/collision/continuous.h"

#include <gtest/gtest.h>

#include <Eigen/Geometry>
#include <cmath>
#include <cstdlib>
#include <string>

#include "exact_contact.h"
#include "tests/random_numbers.h"

namespace pliant {
namespace {

using Eigen::Vector3d;
using Edge = std::array<PointMotion, 2>;
using Face = std::array<PointMotion, 3>;

Vector3d Difference(const PointMotion& p, const Face& f, double t, double u, double v) {
  return p.At(t) - ((1.0 - u - v) * f[0].At(t) + u * f[1].At(t) + v * f[2].At(t));
}
Vector3d Difference(const Edge& a, const Edge& b, double t, double u, double v) {
  return (1.0 - u) * a[0].At(t) + u * a[1].At(t) - (1.0 - v) * b[0].At(t) - v * b[1].At(t);
}
Vector3d Difference(const PointMotion& p, const Edge& e, double t, double u, double) {
  return p.At(t) - (1.0 - u) * e[0].At(t) - u * e[1].At(t);
}

// How many pairs of each kind: PLIANT_COLLISION_PAIRS=1000000 for the thorough test.
int PairCount() {
  const char* text = std::getenv("PLIANT_COLLISION_PAIRS");
  return text != nullptr ? std::atoi(text) : 4500;
}

// Motions of four points of which many touch, just do not, or do so in a degenerate way: cases as
// in the queries of [Wang et al. 2021, Sec. 5]. All coordinates are exact.
class Motions {
 public:
  explicit Motions(int seed) : random_(seed) {}

  static constexpr int kKinds = 9;
  static std::string NameOf(int kind) {
    return std::array{
        "anything",       "small numbers", "in one plane", "touching inside", "touching at an end",
        "without length", "tiny motion",   "grazing",      "parallel"}[kind];
  }

  std::array<PointMotion, 4> Of(int kind, bool edges) {
    std::array<PointMotion, 4> x;
    for (PointMotion& point : x) {
      point = kind == 0 ? PointMotion{random_.Vector(), random_.Vector()}
                        : PointMotion{Coarse(), Coarse()};
    }
    switch (kind) {
      case 2:
        for (PointMotion& point : x) point.start.z() = point.end.z() = 0.0;
        break;
      case 3:
        Meet(edges, Half(), Half(), &x);
        break;
      case 4:
        Meet(edges, Pick(2), 0.0, &x);
        break;
      case 5:
        x[3] = x[2];
        if (Pick(2) == 1) x[1] = x[0];
        if (Pick(2) == 1) x[2].end = x[2].start, x[3] = x[2];
        Meet(edges, Half(), Pick(2) * Half(), &x);
        break;
      case 6:
        for (PointMotion& point : x) point.end = point.start;
        Meet(edges, Half(), Half(), &x);
        x[0].start = x[0].end + 0x1p-30 * Coarse();
        break;
      case 7:  // misses, if at all, by little
        Meet(edges, Half(), Half(), &x);
        x[0].end += 0x1p-26 * Coarse();
        break;
      case 8: {
        const Vector3d along = Coarse();
        x[1] = {x[0].start + along, x[0].end + along};
        x[3] = {x[2].start - along, x[2].end - along};
        if (Pick(2) == 1) Meet(edges, Half(), Half(), &x);
        x[1] = {x[0].start + along, x[0].end + along};
        break;
      }
      default:
        break;
    }
    return x;
  }

 private:
  int Pick(int below) { return static_cast<int>(0.5 * (random_.Number() + 1.0) * below); }
  double Half() { return 0.125 * (1 + Pick(7)); }
  Vector3d Coarse() { return Vector3d(Pick(7) - 3, Pick(7) - 3, Pick(7) - 3); }
  // Point 0 ends where it touches the others at a time 2⁻ᵏ and the place (u, v); of two edges, it
  // is an end of the first, and u is below 1.
  void Meet(bool edges, double u, double v, std::array<PointMotion, 4>* motions) {
    auto& x = *motions;
    const double t = std::ldexp(1.0, -Pick(4));
    Vector3d at;
    if (edges) {
      if (u >= 1.0) u = 0.0;
      u = u > 0.5 ? 0.5 : u > 0.0 ? 0.0 : u;  // so that 1/(1−u) is exact
      const Vector3d place = (1.0 - v) * x[2].At(t) + v * x[3].At(t);
      at = (place - u * x[1].At(t)) / (1.0 - u);
    } else {
      if (u + v > 1.0) v = 1.0 - u;
      at = (1.0 - u - v) * x[1].At(t) + u * x[2].At(t) + v * x[3].At(t);
    }
    x[0].end = x[0].start + (at - x[0].start) / t;
  }
  RandomNumbers random_;
};

struct Tally {
  int touching = 0, falsely = 0, uncertain = 0;
  double early = 0.0;  // by as much are the reported times before the true ones, at most
};

// What is claimed of one pair, against the oracle.
template <typename First, typename Second>
void Check(const First& a, const Second& b, const std::string& what, Tally* tally) {
  const ImpactOptions options;
  const std::optional<Impact> impact = FirstImpact(a, b, options);
  const std::optional<ExactTime> truth = ExactContact(a, b);
  if (truth) {
    ++tally->touching;
    ASSERT_TRUE(impact) << "missed: " << what;
    ASSERT_LE(mpq_class(impact->time), truth->upper) << "late: " << what;
    tally->early = std::max(tally->early, truth->upper.get_d() - impact->time);
  }
  if (!impact) return;
  if (!truth) ++tally->falsely;
  if (!impact->found) {
    ++tally->uncertain;
    return;
  }
  const Vector3d gap = Difference(a, b, impact->contact, impact->u, impact->v);
  ASSERT_LE(impact->time, impact->contact);
  ASSERT_LE(gap.cwiseAbs().maxCoeff(), 1.0001 * options.tolerance) << what;
  ASSERT_GE(impact->u, 0.0);
  ASSERT_LE(impact->u, 1.0);
}

template <typename CheckPair>
void CheckAll(bool edges, const CheckPair& check) {
  Motions motions(7);
  const int count = PairCount();
  std::array<Tally, Motions::kKinds> tallies;
  for (int i = 0; i < count; ++i) {
    const int kind = i % Motions::kKinds;
    check(motions.Of(kind, edges), Motions::NameOf(kind) + ", pair " + std::to_string(i),
          &tallies[kind]);
    if (testing::Test::HasFatalFailure()) return;
  }
  int uncertain = 0;
  for (int kind = 0; kind < Motions::kKinds; ++kind) {
    const Tally& tally = tallies[kind];
    uncertain += tally.uncertain;
    EXPECT_GT(tally.touching, 0) << Motions::NameOf(kind) << ": the oracle sees nothing touch";
    testing::Test::RecordProperty(
        Motions::NameOf(kind), std::to_string(tally.touching) + " touch, " +
                                   std::to_string(tally.falsely) + " falsely reported, " +
                                   std::to_string(tally.uncertain) + " uncertain, early by up to " +
                                   std::to_string(tally.early));
  }
  // The few pairs of a run under sanitizers tell no rate.
  if (count >= 3000) {
    EXPECT_LE(uncertain, count / 300);
  }
}

TEST(ContinuousCollision, MissesNoPointAndFaceThatTouch) {
  CheckAll(false, [](const std::array<PointMotion, 4>& x, const std::string& what, Tally* tally) {
    Check(x[0], Face{x[1], x[2], x[3]}, what, tally);
  });
}

TEST(ContinuousCollision, MissesNoEdgesThatTouch) {
  CheckAll(true, [](const std::array<PointMotion, 4>& x, const std::string& what, Tally* tally) {
    Check(Edge{x[0], x[1]}, Edge{x[2], x[3]}, what, tally);
  });
}

TEST(ContinuousCollision, MissesNoPointAndEdgeThatTouchInThePlane) {
  CheckAll(false, [](std::array<PointMotion, 4> x, const std::string& what, Tally* tally) {
    for (PointMotion& point : x) point.start.z() = point.end.z() = 0.0;
    x[0].start = x[1].start + (x[2].start - x[1].start).cwiseProduct(x[0].start);
    Check(x[0], Edge{x[1], x[2]}, what, tally);
  });
}

// A point falls 2 m at a face 0.5 m below: at a quarter of the step.
TEST(ContinuousCollision, FindsTheTimeAndThePlaceOfAClosedForm) {
  const PointMotion point{{0.2, 0.3, 0.5}, {0.2, 0.3, -1.5}};
  const auto still = [](double x, double y) { return PointMotion{{x, y, 0}, {x, y, 0}}; };
  const Face face = {still(0, 0), still(1, 0), still(0, 1)};
  for (const double tolerance : {1e-3, 1e-6, 1e-9}) {
    const auto impact = FirstImpact(point, face, {.tolerance = tolerance});
    ASSERT_TRUE(impact && impact->found);
    EXPECT_LE(impact->time, 0.25);
    EXPECT_NEAR(impact->time, 0.25, 5.0 * tolerance);
    EXPECT_NEAR(impact->contact, 0.25, tolerance);
    EXPECT_NEAR(impact->u, 0.2, tolerance);
    EXPECT_NEAR(impact->v, 0.3, tolerance);
  }
  // Separation is counted along each axis: 0.1 m above the face is 0.05 of the step earlier.
  const auto apart = FirstImpact(point, face, {.separation = 0.1});
  EXPECT_LE(apart->time, 0.2);
  EXPECT_LE(std::abs(0.5 - 2.0 * apart->contact), 0.1 + 1e-6);
  // Where it falls beside the face, it meets the separation alone.
  const PointMotion beside{{-0.05, 0.3, 0.5}, {-0.05, 0.3, -1.5}};
  EXPECT_FALSE(FirstImpact(beside, face, {}));
  EXPECT_TRUE(FirstImpact(beside, face, {.separation = 0.1}));
}

// A budget that is too small says so, and its time is still not late.
TEST(ContinuousCollision, SaysWhenItsBudgetIsSpent) {
  const PointMotion point{{0.2, 0.3, 0.5}, {0.2, 0.3, -1.5}};
  const auto still = [](double x, double y) { return PointMotion{{x, y, 0}, {x, y, 0}}; };
  const auto impact =
      FirstImpact(point, Face{still(0, 0), still(1, 0), still(0, 1)}, {.budget = 10});
  ASSERT_TRUE(impact);
  EXPECT_FALSE(impact->found);
  EXPECT_LE(impact->time, 0.25);
}

}  // namespace
}  // namespace pliant
