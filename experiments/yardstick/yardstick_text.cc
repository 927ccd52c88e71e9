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

// ", those of points_rms_m until 1.1 s", where the motion itself is good for longer than all that is derived from it.
std::string OfPoints(const Yardstick& yardstick) {
  for (const Observable& one : yardstick.observables) {
    if (!one.judged || !one.name.starts_with("points_")) continue;
    if (!one.good_until || *one.good_until <= *yardstick.good_until) continue;
    return ", those of " + one.name + " until " + Digits(*one.good_until) + " s";
  }
  return "";
}

}  // namespace

std::string YardstickText(const Yardstick& yardstick) {
  std::string text =
      "mesh:  " + RungsText(yardstick.mesh) + "\nstep:  " + RungsText(yardstick.step) +
      (yardstick.contact.empty() ? "" : "\ncontact: " + RungsText(yardstick.contact)) +
      "\njoint: " + RungsText(yardstick.joint) + "\n";
  for (const std::string& spoiled : yardstick.spoiled) text += "not this scene: " + spoiled + "\n";
  if (!yardstick.failure.empty()) return text + "no yardstick: " + yardstick.failure + "\n";
  const bool contact = !yardstick.contact.empty();
  std::vector<std::vector<std::string>> lines = {
      {"observable", "range", "mesh", "order", "step", "order"}};
  if (contact) lines[0].insert(lines[0].end(), {"contact", "order"});
  lines[0].insert(lines[0].end(), {contact ? "all" : "both", "order", "error", "good until"});
  for (const Observable& one : yardstick.observables) {
    if (!one.judged) continue;
    std::vector<std::string> line = {one.name, Digits(one.scale, 4) + " " + one.unit};
    const auto add = [&](const ErrorOverTime& of) {
      line.push_back(Share(of, one.scale));
      line.push_back(OrderText(of));
    };
    add(one.mesh);
    add(one.step);
    if (contact) add(one.contact);
    add(one.joint);
    line.push_back(Share(one.total, one.scale));
    line.push_back(one.good_until ? Digits(*one.good_until) + " s" : "never");
    lines.push_back(std::move(line));
  }
  text += AlignedText(lines);
  const std::string within = Digits(100.0 * yardstick.tolerance) + " % of each range";
  if (yardstick.settled) return text + "settled: every error is within " + within + "\n";
  return text + "not settled: " +
         (yardstick.good_until ? "errors are within " + within + " until " +
                                     Digits(*yardstick.good_until) + " s only" + OfPoints(yardstick)
                               : "errors are beyond " + within + " from the start") +
         "; more levels ([yardstick] levels), a shorter step or a finer mesh may settle it\n";
}

}  // namespace pliant
