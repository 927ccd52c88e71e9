// TranslateFor(): one backend's translation, with what only the experiment knows.

#include <chrono>
#include <cmath>

#include "experiments/files/experiment.h"
#include "experiments/files/experiment_document.h"
#include "models/scene/body_measures.h"
#include "models/scene/number_text.h"
#include "models/scene/switch_times.h"
#include "solvers/contact/contact_probes.h"
#include "solvers/cpu_clock.h"
#include "solvers/step_limit.h"

namespace pliant {
namespace {

// A translation does not depend on the step; here the step is known and may be too long.
void WarnOfSteps(double step, Translation* translation) {
  if (translation->simulation == nullptr) return;
  const StepLimited* limited = translation->simulation->AsStepLimited();
  if (limited == nullptr) return;
  for (const StepLimit& limit : limited->StepLimits()) {
    if (!(step > limit.step)) continue;
    // Of contact the bound of the worst case is known, not of the points that will touch.
    translation->warnings.push_back(
        "the step of " + ThreeDigits(step) + " s is too long" +
        (limit.worst ? " if every point touches" : "") + ": " + limit.of +
        " is stable for steps below about " + ThreeDigits(limit.step) + " s" +
        (limit.worst ? "; where fewer touch, longer ones are: see whether half the step moves alike"
                     : ""));
  }
}

// A closed surface that faces inwards has its inside without: what it meets goes through it.
void WarnOfBodiesInsideOut(const Scene& scene, Translation* translation) {
  if (translation->simulation == nullptr) return;
  for (const Body& body : scene.bodies) {
    if (!body.closed || body.faces.empty()) continue;
    const double volume = EnclosedVolume(body, body.rest);
    if (volume < 0.0) {
      translation->warnings.push_back(
          "body '" + body.name + "' is inside out: its faces enclose " + ThreeDigits(volume) +
          " m³, and other bodies go through it; reverse the order of the corners of each face "
          "(in Blender: Recalculate Outside)");
    }
  }
}

// The times of the scene that divide a step of a run (solvers/simulation.h).
void WarnAboutDividedSteps(const Scene& scene, const RunPlan& plan, double step,
                           Translation* translation) {
  if (translation->simulation == nullptr) return;
  constexpr size_t kMostRows = 12;
  FindingTable table{
      "Steps that are divided where something begins or ends", {"time", "step"}, {}, ""};
  size_t more = 0;
  for (const double time : SwitchTimes(scene)) {
    const double steps = time / step;
    if (time >= plan.duration || std::abs(steps - std::round(steps)) <= kSameSwitchTime) continue;
    if (table.rows.size() < kMostRows) {
      table.rows.push_back({RoundTrip(time) + " s", RoundTrip(std::floor(steps) + 1.0)});
    } else {
      ++more;
    }
  }
  if (more > 0) table.remark = "and " + std::to_string(more) + " more";
  if (!table.rows.empty()) translation->findings.push_back(std::move(table));
}

// A requirement of one backend on an element of the scene, at "scene.body.slab.points", is not a
// mistake if others run the scene: then only this backend does not.
Translation RefusedFor(const Scene& scene, const BadInput& bad) {
  const std::string& where = bad.problem().where;
  const size_t begin = where.find('.') + 1;
  Translation refused{TranslationRecord(scene), nullptr, {}};
  const std::string element = where.substr(begin, where.rfind('.') - begin);
  if (!refused.record.Has(element)) throw bad;
  refused.record.Say(element, Fidelity::kUnsupported, bad.what());
  refused.record.Say("*", Fidelity::kIgnored, "ignored: " + element + " is refused");
  return refused;
}

}  // namespace

Translation TranslateFor(const Experiment& experiment, size_t index) {
  const BackendChoice& choice = experiment.backends[index];
  const std::shared_ptr<const Scene>& scene = SceneOf(experiment, index);
  try {
    const double began = CpuSeconds();
    const auto wall_began = std::chrono::steady_clock::now();
    Translation translation = choice.backend->Translate(scene, choice.parameters);
    translation.cpu_seconds = CpuSeconds() - began;
    translation.wall_seconds =
        std::chrono::duration<double>(std::chrono::steady_clock::now() - wall_began).count();
    if (!choice.variant.empty()) translation.warnings.push_back(VariantInWords(choice));
    WarnOfSteps(choice.step, &translation);
    WarnOfBodiesInsideOut(*scene, &translation);
    WarnAboutDividedSteps(*scene, experiment.plan, choice.step, &translation);
    if (translation.simulation == nullptr) return translation;
    for (std::string& line : ContactProbesNotDefined(
             ProbesOf(experiment, index), choice.backend->info(), *translation.simulation)) {
      translation.warnings.push_back(std::move(line));
    }
    return translation;
  } catch (const BadInput& bad) {
    const Problem& problem = bad.problem();
    const bool of_scene = problem.where.starts_with("scene.");
    if (of_scene && experiment.backends.size() > 1) return RefusedFor(*scene, bad);
    FilePlace place;
    if (experiment.document != nullptr) {
      const std::string of_backend = "backends." + choice.label + ".";
      place = PlaceOf(experiment.document->root, (of_scene ? "" : of_backend) + problem.where);
    }
    FailAt(place, choice.label + ": " + problem.what, problem.mend);
  }
}

}  // namespace pliant
