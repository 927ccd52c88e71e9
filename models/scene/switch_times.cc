#include "models/scene/switch_times.h"

#include <cmath>
#include <set>

namespace pliant {
namespace {

class SwitchTimeSet {
 public:
  void Add(double time) {
    if (time > 0.0 && std::isfinite(time)) times_.insert(time);
  }
  void Add(const HoldTime& hold) {
    Add(hold.from);
    Add(hold.until);
  }
  void Add(const Path& path) {
    if (!path.moves()) return;
    for (double time : path.times()) Add(time);
  }
  std::vector<double> Ascending() const { return {times_.begin(), times_.end()}; }

 private:
  std::set<double> times_;
};

}  // namespace

std::vector<double> SwitchTimes(const Scene& scene) {
  SwitchTimeSet times;
  for (const Obstacle& obstacle : scene.obstacles) times.Add(obstacle.motion);
  for (const Nail& nail : scene.nails) {
    times.Add(nail.hold);
    times.Add(nail.hold.from - nail.preroll);
    times.Add(nail.path);
  }
  for (const Attachment& attachment : scene.attachments) times.Add(attachment.hold);
  for (const Slider& slider : scene.sliders) times.Add(slider.hold);
  for (const Combination& combination : scene.combinations) {
    times.Add(combination.hold);
    times.Add(combination.path);
  }
  for (const TimedForce& force : scene.forces) {
    times.Add(force.from);
    times.Add(force.until);
  }
  for (const Impulse& impulse : scene.impulses) times.Add(impulse.time);
  for (const Morph& morph : scene.morphs) {
    times.Add(morph.from);
    times.Add(morph.until);
  }
  return times.Ascending();
}

}  // namespace pliant
