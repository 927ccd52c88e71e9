// Where a transcription imposes physics, and how it computes the motion there from the nodes.
//
//   Hermite             cubic between two nodes (q, q̇), physics at both Gauss points: order 4
//   trapezoidal         q₁ − q₀ = h/2 (q̇₀ + q̇₁), q̈ = (q̇₁ − q̇₀)/h, forces the mean of those at both
//                       ends of the interval: order 2
//   finite differences  positions alone, q̇ = (q₊ − q₋)/2h, q̈ = (q₋ − 2 q + q₊)/h² at the nodes
//                       [Witkin & Kass 1988, Sec. 2]. Where a phase begins or ends its rate is an
//                       unknown of its own and stands for a ghost node, q₋ = q₊ − 2h q̇: order 2,
//                       where the rates of one side would leave order 1

#ifndef PLIANT_SOLVERS_SPACETIME_LAMP_SAMPLES_H_
#define PLIANT_SOLVERS_SPACETIME_LAMP_SAMPLES_H_

#include <vector>

namespace pliant {

enum class LampTranscription { kHermite, kTrapezoidal, kFiniteDifferences };

// A sample of the motion is linear in its nodes: weights of (q₀, q̇₀, q₁, q̇₁, q₂, q̇₂), for an
// interval of 1 s. An interval of h scales each with the power of h that its unit demands.
struct LampSampleWeights {
  static constexpr int kWeights = 6;
  double value[kWeights] = {}, rate[kWeights] = {}, acceleration[kWeights] = {};

  LampSampleWeights At(double h) const;
  // Derivatives by h of At(h).
  LampSampleWeights Slopes(double h) const;
};

// Physics at one place of a phase: rows that represent `share` intervals.
struct LampSampling {
  int first_node, nodes;  // of the phase
  double at;              // in intervals from the start of the phase
  double share;
  std::vector<LampSampleWeights> samples;  // one, or two whose mean counts
};
std::vector<LampSampling> Samplings(LampTranscription transcription, int intervals);

}  // namespace pliant

#endif  // PLIANT_SOLVERS_SPACETIME_LAMP_SAMPLES_H_
