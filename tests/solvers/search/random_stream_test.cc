#include "solvers/search/random_stream.h"

#include <gtest/gtest.h>

#include <array>
#include <cmath>

namespace pliant {
namespace {

// The standard says what the ten thousandth number of the default generator is; ours are its 53
// upper bits.
TEST(RandomStream, UniformIsTheUpperBitsOfTheStandardGenerator) {
  RandomStream random(5489);  // the default seed
  double last = 0.0;
  for (int i = 0; i < 10000; ++i) last = random.Uniform();
  EXPECT_EQ(last, static_cast<double>(9981545732273789042ULL >> 11) / 9007199254740992.0);
}

TEST(RandomStream, MomentsAreThoseOfTheDistributions) {
  RandomStream random(3);
  constexpr int kCount = 200000;
  double mean = 0.0, square = 0.0, normal_mean = 0.0, normal_square = 0.0, normal_fourth = 0.0;
  for (int i = 0; i < kCount; ++i) {
    const double u = random.Uniform(), n = random.Normal();
    ASSERT_TRUE(u >= 0.0 && u < 1.0);
    mean += u / kCount;
    square += u * u / kCount;
    normal_mean += n / kCount;
    normal_square += n * n / kCount;
    normal_fourth += n * n * n * n / kCount;
  }
  // Five standard deviations of each mean.
  EXPECT_NEAR(mean, 0.5, 5.0 * std::sqrt(1.0 / 12.0 / kCount));
  EXPECT_NEAR(square, 1.0 / 3.0, 5.0 * std::sqrt(4.0 / 45.0 / kCount));
  EXPECT_NEAR(normal_mean, 0.0, 5.0 / std::sqrt(kCount));
  EXPECT_NEAR(normal_square, 1.0, 5.0 * std::sqrt(2.0 / kCount));
  EXPECT_NEAR(normal_fourth, 3.0, 5.0 * std::sqrt(96.0 / kCount));
}

TEST(RandomStream, BelowReachesEveryNumberEquallyOften) {
  RandomStream random(4);
  constexpr int kCount = 70000;
  std::array<int, 7> seen{};
  for (int i = 0; i < kCount; ++i) {
    const int k = random.Below(7);
    ASSERT_TRUE(k >= 0 && k < 7);
    ++seen[k];
  }
  const double deviation = std::sqrt(kCount * 6.0 / 49.0);
  for (int count : seen) EXPECT_NEAR(count, kCount / 7.0, 5.0 * deviation);
}

TEST(RandomStream, SeedsDiffer) { EXPECT_NE(RandomStream(1).Uniform(), RandomStream(2).Uniform()); }

}  // namespace
}  // namespace pliant
