// The rhythm of a curve about a level: a foot that falls to the ground, rises and falls again. Between records the
// curve is a straight line.
//
//   fall          from above the level to it or below it: a landing
//   interval      between successive falls: the period of a gait
//   share below   of the recorded time in which the curve is at the level or below it: the duty factor
//   return        √(1/T ∫₀ᵀ (x(a + s) − x(b + s))² ds), a and b where the last two whole cycles begin, T the
//                 shorter of them: how far the curve comes back to what it did a cycle before

#ifndef PLIANT_EXPERIMENTS_RUNS_CYCLES_H_
#define PLIANT_EXPERIMENTS_RUNS_CYCLES_H_

#include <optional>
#include <vector>

#include "experiments/runs/oscillation.h"

namespace pliant {

// Times of the falls [s]. A curve that begins at the level or below it has to rise before its first.
std::vector<double> FallsTo(double level, const Curve& curve);

// Mean interval [s], and the largest less the smallest; absent with fewer than two and three falls.
std::optional<double> MeanTimeBetween(const std::vector<double>& falls);
std::optional<double> SpreadOfIntervals(const std::vector<double>& falls);

// Absent with fewer than two records.
std::optional<double> ShareBelow(double level, const Curve& curve);

// Absent with fewer than three falls, of this curve.
std::optional<double> ReturnDistance(const Curve& curve, const std::vector<double>& falls);

}  // namespace pliant

#endif  // PLIANT_EXPERIMENTS_RUNS_CYCLES_H_
