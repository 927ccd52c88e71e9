// A jump whose time in the air is free: the cost as a function of the flight's duration is made
// small by golden section, each jump starting from the best one found so far, stretched in time.
//
// The transcription has a fixed mesh for given durations; between two of them the cost is smooth
// but for the number of intervals. The search therefore ends at `tolerance`, not below what a mesh
// can tell. A duration for which there is no jump costs infinitely much; the cost is taken to have
// one valley.

#ifndef PLIANT_SOLVERS_SPACETIME_FREE_FLIGHT_H_
#define PLIANT_SOLVERS_SPACETIME_FREE_FLIGHT_H_

#include "solvers/spacetime/lamp_jump.h"

namespace pliant {

struct FreeFlightOptions {
  double shortest = 0.2;     // s, > 0
  double longest = 0.6;      // s, > shortest
  double tolerance = 0.005;  // s, > 0

  // Throws BadInput naming the option and the violated inequality.
  void Validate() const;
};

struct FreeFlight {
  double duration = 0.0;         // s, of the flight of least cost
  LampJumpMotion motion;         // that jump, refined as the options say
  int jumps = 0;                 // solved for on the way, that one included
  std::int64_t evaluations = 0;  // of all of them
};

// `problem` but for its flight_duration. When no duration has a jump the motion is that of the
// longest one tried, with the reason in its summary.
FreeFlight SolveFreeFlight(const LampJumpProblem& problem, const FreeFlightOptions& flight,
                           const LampJumpOptions& options);

// `trajectory` with the phases of `problem`: each stretched in time, its rates accordingly.
LampTrajectory Stretched(const LampTrajectory& trajectory, const LampJumpProblem& problem);

}  // namespace pliant

#endif  // PLIANT_SOLVERS_SPACETIME_FREE_FLIGHT_H_
