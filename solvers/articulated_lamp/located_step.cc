#include "solvers/articulated_lamp/located_step.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace pliant::articulated_lamp {
namespace {

// An event is located when what crosses 0 there is this close below it [m, rad], or after so many
// trials.
constexpr double kLocated = 1e-12;
constexpr int kMostTrials = 100;

// What becomes negative at an event: the gap of each end of the base, and the distance of each hinge
// from either limit.
constexpr int kFunctions = 2 + 2 * kLampHinges;
using EventValues = std::array<double, kFunctions>;

EventValues ValuesAt(const LampStepper& stepper, const HingeStops& stops, const LampVector& q) {
  EventValues values;
  const std::array<double, 2> gaps = stepper.Gaps(LampPlacement(q), q);
  values[0] = gaps[0];
  values[1] = gaps[1];
  for (int i = 0; i < kLampHinges; ++i) {
    values[2 + 2 * i] = q[3 + i] - stops.limits(i).lower;
    values[3 + 2 * i] = stops.limits(i).upper - q[3 + i];
  }
  return values;
}

class Part {
 public:
  Part(const LampStepper& stepper, const HingeStops& stops, const LampLaw& law, double whole,
       double begin, const LampVector& q, const LampVector& v, const LampPushLaw& forces)
      : stepper_(stepper), stops_(stops), law_(law), whole_(whole), placement_(q), forces_(forces) {
    part_.begin = begin;
    part_.q = q;
    part_.v = v;
    before_ = ValuesAt(stepper, stops, q);
  }

  // The part over `length` seconds.
  void Take(double length) {
    part_.length = length;
    part_.servos = law_(part_.begin, length, placement_, part_.q, part_.v);
    HingeTorques all = stops_.Torques(length, part_.q, part_.v, &part_.stopped, 0.5);
    all += part_.servos;
    end_ = part_.q;
    part_.after = part_.v;
    part_.impulse =
        stepper_.Midpoint(length, whole_, placement_, all, &end_, &part_.after, forces_);
  }

  // The least value at the end of what was above 0 at the beginning; above 0: no event.
  double Least() const {
    const EventValues now = ValuesAt(stepper_, stops_, end_);
    double least = std::numeric_limits<double>::infinity();
    for (int i = 0; i < kFunctions; ++i) {
      const double touching = i < 2 ? stepper_.touching() : 0.0;
      if (before_[i] > touching) least = std::min(least, now[i]);
    }
    return least;
  }

  // Shortens a part with an event to where it happens: Least() ∈ [−kLocated, 0). Regula falsi that halves
  // the value of an end that stays [Dowell & Jarratt 1971, the Illinois algorithm].
  void Locate() {
    double early = 0.0, late = part_.length, last = Least();  // Least() at `late`
    double at_early = 0.0, at_late = last;                    // as the secant takes them
    for (const double before : before_) at_early = std::max(at_early, before);
    for (int i = 0, stays = 0; i < kMostTrials && last < -kLocated; ++i) {
      double middle = (early * at_late - late * at_early) / (at_late - at_early);
      if (!(middle > early && middle < late)) middle = 0.5 * (early + late);
      if (!(middle > early && middle < late)) break;
      Take(middle);
      const double least = Least();
      if (least >= 0.0) {  // a hinge at its limit is not yet beyond it
        early = middle;
        at_early = least;
        if (stays > 0) at_late *= 0.5;
        stays = 1;
      } else {
        late = middle;
        at_late = last = least;
        if (stays < 0) at_early *= 0.5;
        stays = -1;
      }
    }
    Take(late);
  }

  bool TouchesGround() const {
    const EventValues now = ValuesAt(stepper_, stops_, end_);
    for (int i = 0; i < 2; ++i) {
      if (before_[i] > stepper_.touching() && now[i] <= stepper_.touching()) return true;
    }
    return false;
  }

  const StepPart& part() const { return part_; }
  const LampVector& end() const { return end_; }

 private:
  const LampStepper& stepper_;
  const HingeStops& stops_;
  const LampLaw& law_;
  double whole_;  // s, of the step
  LampPlacement placement_;
  const LampPushLaw& forces_;
  EventValues before_;
  StepPart part_;
  LampVector end_;
};

// A part that takes no time: the ground answers, and what pushes the links.
StepPart ImpactAt(double begin, double resting_speed, const LampStepper& stepper,
                  const LampVector& q, LampPushes impulses, LampVector* v) {
  StepPart impact;
  impact.begin = begin;
  impact.length = 0.0;
  impact.q = q;
  impact.v = *v;
  impact.stopped.fill(false);
  impact.impulse = stepper.Impact(LampPlacement(q), q, resting_speed, v, impulses);
  impact.after = *v;
  impact.pushed = !impulses.empty();
  return impact;
}

}  // namespace

void AdvanceLocated(double h, const LampStepper& stepper, const HingeStops& stops,
                    const LampLaw& law, const std::function<void(const StepPart&)>& report,
                    LampVector* q, LampVector* v, const LampPushLaw& forces, LampPushes impulses) {
  const double resting_speed = LampStepper::kRestingSpeed * h * stepper.lamp().gravity();
  if (!impulses.empty()) report(ImpactAt(0.0, resting_speed, stepper, *q, impulses, v));
  double done = 0.0;
  for (int events = 0; done < h; ++events) {
    Part part(stepper, stops, law, h, done, *q, *v, forces);
    part.Take(h - done);
    if (events < kMostEvents && part.Least() < 0.0) part.Locate();
    const bool last = part.part().length == h - done;
    report(part.part());
    *q = part.end();
    *v = part.part().after;
    done = last ? h : done + part.part().length;
    if (!part.TouchesGround()) continue;
    report(ImpactAt(done, resting_speed, stepper, *q, {}, v));
  }
}

}  // namespace pliant::articulated_lamp
