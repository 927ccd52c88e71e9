// One scene in several engines: n uniform bars of 1 m and 1 kg, end to end along +x from a hinge at
// the origin, fall under gravity in a plane. Steps of 1 ms.
//
// What is compared beside the time of a step:
//   stretch   largest change of a bar's length or gap of a joint, against the length of a bar
//   energy    |E − E₀| over the largest kinetic energy seen, at the end of the same time
// Reduced coordinates (Bullet's btMultiBody, MuJoCo) have no stretch; elastic bars and joints
// closed by corrections do. Where the two figures differ the times are not of equal work.

#ifndef PLIANT_BENCH_PEERS_CHAIN_H_
#define PLIANT_BENCH_PEERS_CHAIN_H_

#include <functional>
#include <memory>
#include <string>
#include <vector>

namespace pliant {

inline constexpr double kChainStep = 1e-3;     // s
inline constexpr double kChainGravity = 9.81;  // m/s²

class Chain {
 public:
  virtual ~Chain() = default;
  virtual void Step() = 0;  // kChainStep
  virtual double Stretch() const = 0;
  virtual double KineticEnergy() const = 0;    // J
  virtual double PotentialEnergy() const = 0;  // J, elastic energy included
};

// One way to simulate the chain, and the largest number of bars it is asked for.
struct ChainEngine {
  std::string name;
  int most_bars;
  std::function<std::unique_ptr<Chain>(int bars)> make;
};
// Each source of an engine adds its own before main.
std::vector<ChainEngine>& ChainEngines();
struct RegisterChainEngine {
  explicit RegisterChainEngine(ChainEngine engine) { ChainEngines().push_back(std::move(engine)); }
};

}  // namespace pliant

#endif  // PLIANT_BENCH_PEERS_CHAIN_H_
