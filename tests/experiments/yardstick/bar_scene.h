// A bar of four spans, held at one end, is let go under its weight along it.

#ifndef PLIANT_TESTS_EXPERIMENTS_YARDSTICK_BAR_SCENE_H_
#define PLIANT_TESTS_EXPERIMENTS_YARDSTICK_BAR_SCENE_H_

namespace pliant {

inline constexpr char kBarScene[] = R"(
[scene]
name = "bar"
dimension = 3
gravity = [10, 0, 0]
[[scene.body]]
name = "bar"
shape = "chain"
from = [0, 0, 0]
to = [1, 0, 0]
points = 5
[scene.body.material]
density = 1000
youngs_modulus = 1e5
poisson_ratio = 0.0
law = "linear"
thickness = 0.1
[[scene.nail]]
name = "wall"
body = "bar"
point = 0
)";

}  // namespace pliant

#endif  // PLIANT_TESTS_EXPERIMENTS_YARDSTICK_BAR_SCENE_H_
