#include "models/problem.h"

#include <gtest/gtest.h>

namespace pliant {
namespace {

TEST(DidYouMean, FindsTheNearestWord) {
  const std::vector<std::string> words = {"stiffness", "damping", "yield"};
  EXPECT_EQ(DidYouMean("stifness", words), "did you mean 'stiffness'?");
  EXPECT_EQ(DidYouMean("dampign", words), "did you mean 'damping'?");
  EXPECT_EQ(DidYouMean("colour", words), "one of: stiffness, damping, yield");
  EXPECT_EQ(DidYouMean("x", {}), "");
}

}  // namespace
}  // namespace pliant
