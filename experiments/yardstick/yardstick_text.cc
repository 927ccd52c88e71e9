#include "experiments/comparison/comparison_table.h"
#include "experiments/yardstick/yardstick.h"
#include "models/scene/number_text.h"

namespace pliant {
namespace {

std::string Share(const ErrorOverTime& of, double scale) {
  if (of.error.empty()) return "–";
  if (scale <= 0.0) return of.error.back() > 0.0 ? "∞" : "0 %";
  return Digits(100.0 * of.error.back() / scale, 2) + " %";
}

std::string OrderText(const ErrorOverTime& of) {
  if (of.order) return Digits(*of.order, 3);
  return of.converges ? "rounding" : "–";
}

std::string RungsText(const std::vector<YardstickRung>& rungs) {
  std::string text;
  for (const YardstickRung& rung : rungs) text += (text.empty() ? "" : ", ") + rung.name;
  return text;
}

}  // namespace

std::string YardstickText(const Yardstick& yardstick) {
  std::string text = "mesh:  " + RungsText(yardstick.mesh) +
                     "\nstep:  " + RungsText(yardstick.step) +
                     "\njoint: " + RungsText(yardstick.joint) + "\n";
  for (const std::string& spoiled : yardstick.spoiled) text += "not this scene: " + spoiled + "\n";
  if (!yardstick.failure.empty()) return text + "no yardstick: " + yardstick.failure + "\n";
  std::vector<std::vector<std::string>> lines = {{"observable", "range", "mesh", "order", "step",
                                                  "order", "both", "order", "error", "good until"}};
  for (const Observable& one : yardstick.observables) {
    if (!one.judged) continue;
    lines.push_back({one.name, Digits(one.scale, 4) + " " + one.unit, Share(one.mesh, one.scale),
                     OrderText(one.mesh), Share(one.step, one.scale), OrderText(one.step),
                     Share(one.joint, one.scale), OrderText(one.joint), Share(one.total, one.scale),
                     one.good_until ? Digits(*one.good_until) + " s" : "never"});
  }
  text += AlignedText(lines);
  const std::string within = Digits(100.0 * yardstick.tolerance) + " % of each range";
  if (yardstick.settled) return text + "settled: every error is within " + within + "\n";
  return text + "not settled: " +
         (yardstick.good_until ? "errors are within " + within + " until " +
                                     Digits(*yardstick.good_until) + " s only"
                               : "errors are beyond " + within + " from the start") +
         "; more levels ([yardstick] levels), a shorter step or a finer mesh may settle it\n";
}

}  // namespace pliant
