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
  EXPECT_EQ(DidYouMean("Y", {"x", "y"}), "did you mean 'y'?");
  EXPECT_EQ(DidYouMean("stl", {"vtk", "obj"}), "one of: vtk, obj");
  EXPECT_EQ(DidYouMean("ob", {"vtk", "obj"}), "did you mean 'obj'?");
}

}  // namespace
}  // namespace pliant
