#include "solvers/spacetime/lamp_samples.h"

#include <algorithm>

#include "solvers/spacetime/lamp_trajectory.h"

namespace pliant {
namespace {

// Power of h that goes with weight `i` of the `order`-th derivative: rates carry one more second.
int Power(int i, int order) { return i % 2 - order; }

LampSampleWeights HermitePoint(double s) {
  const HermiteWeights cubic = HermiteAt(s, 1.0);
  LampSampleWeights weights;
  std::copy_n(cubic.value, 4, weights.value);
  std::copy_n(cubic.rate, 4, weights.rate);
  std::copy_n(cubic.acceleration, 4, weights.acceleration);
  return weights;
}

// At the node `end` (0 or 1) of an interval.
LampSampleWeights TrapezoidEnd(int end) {
  LampSampleWeights weights;
  weights.value[2 * end] = 1.0;
  weights.rate[2 * end + 1] = 1.0;
  weights.acceleration[1] = -1.0;
  weights.acceleration[3] = 1.0;
  return weights;
}

LampSampleWeights CentralDifference() {
  LampSampleWeights weights;
  weights.value[2] = 1.0;
  weights.rate[0] = -0.5;
  weights.rate[4] = 0.5;
  weights.acceleration[0] = weights.acceleration[4] = 1.0;
  weights.acceleration[2] = -2.0;
  return weights;
}

// At the first (0) or last (1) node of a phase, from it and its neighbour.
LampSampleWeights GhostDifference(int end) {
  LampSampleWeights weights;
  weights.value[2 * end] = 1.0;
  weights.rate[2 * end + 1] = 1.0;
  weights.acceleration[2 * end] = -2.0;
  weights.acceleration[2 - 2 * end] = 2.0;
  weights.acceleration[2 * end + 1] = end == 0 ? -2.0 : 2.0;
  return weights;
}

}  // namespace

LampSampleWeights LampSampleWeights::At(double h) const {
  const double powers[] = {1.0 / (h * h), 1.0 / h, 1.0, h};  // −2 to 1
  LampSampleWeights scaled;
  for (int i = 0; i < kWeights; ++i) {
    scaled.value[i] = value[i] * powers[2 + Power(i, 0)];
    scaled.rate[i] = rate[i] * powers[2 + Power(i, 1)];
    scaled.acceleration[i] = acceleration[i] * powers[2 + Power(i, 2)];
  }
  return scaled;
}

LampSampleWeights LampSampleWeights::Slopes(double h) const {
  LampSampleWeights slopes = At(h);
  for (int i = 0; i < kWeights; ++i) {
    slopes.value[i] *= Power(i, 0) / h;
    slopes.rate[i] *= Power(i, 1) / h;
    slopes.acceleration[i] *= Power(i, 2) / h;
  }
  return slopes;
}

std::vector<LampSampling> Samplings(LampTranscription transcription, int intervals) {
  std::vector<LampSampling> samplings;
  switch (transcription) {
    case LampTranscription::kHermite:
      for (int i = 0; i < intervals; ++i) {
        for (const double s : kGaussPoints) {
          samplings.push_back({i, 2, i + s, 0.5, {HermitePoint(s)}});
        }
      }
      break;
    case LampTranscription::kTrapezoidal:
      for (int i = 0; i < intervals; ++i) {
        samplings.push_back({i, 2, i + 0.5, 1.0, {TrapezoidEnd(0), TrapezoidEnd(1)}});
      }
      break;
    case LampTranscription::kFiniteDifferences:
      samplings.push_back({0, 2, 0.0, 0.5, {GhostDifference(0)}});
      for (int i = 1; i < intervals; ++i) {
        samplings.push_back({i - 1, 3, static_cast<double>(i), 1.0, {CentralDifference()}});
      }
      samplings.push_back(
          {intervals - 1, 2, static_cast<double>(intervals), 0.5, {GhostDifference(1)}});
      break;
  }
  return samplings;
}

}  // namespace pliant
