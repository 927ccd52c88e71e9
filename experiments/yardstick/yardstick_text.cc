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

// "; those of positions until 1.1 s", where one is good for longer than all.
std::string LongestGood(const Yardstick& yardstick) {
  const Observable* longest = nullptr;
  for (const Observable& one : yardstick.observables) {
    if (!one.judged || !one.good_until) continue;
    if (longest == nullptr || *one.good_until > *longest->good_until) longest = &one;
  }
  if (longest == nullptr || *longest->good_until <= *yardstick.good_until) return "";
  return ", those of " + longest->name + " until " + Digits(*longest->good_until) + " s";
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
         (yardstick.good_until
              ? "errors are within " + within + " until " + Digits(*yardstick.good_until) +
                    " s only" + LongestGood(yardstick)
              : "errors are beyond " + within + " from the start") +
         "; more levels ([yardstick] levels), a shorter step or a finer mesh may settle it\n";
}

}  // namespace pliant
