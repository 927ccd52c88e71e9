#include "experiments/files/probe_keys.h"

#include <algorithm>
#include <cctype>
#include <optional>
#include <string>
#include <variant>

#include "experiments/files/scene_keys.h"
#include "experiments/files/scene_reader.h"
#include "models/near_word.h"
#include "models/scene/number_text.h"

namespace pliant {

namespace {

enum class Axis { kX, kY, kZ };
EnumWords<Axis> WordsOf(Axis /*axis*/) {
  return {{"x", Axis::kX}, {"y", Axis::kY}, {"z", Axis::kZ}};
}

std::string MeaningOfKinds() {
  std::string meaning = "what is measured";
  const char* separator = ": ";
  for (const ProbeKindInfo& kind : ProbeKinds()) {
    meaning += std::string(separator) + kind.word +
               (std::string(kind.unit) == "1" ? "" : std::string(" [") + kind.unit + "]") + ", " +
               kind.meaning;
    separator = "; ";
  }
  return meaning;
}

// An obstacle or a body that has a mistake of its own is not missing.
ProbeToucher ToucherNamed(const SceneSoFar& so_far, const std::string& name) {
  std::vector<std::string> unread;
  for (const char* kind : {"obstacle", "body"}) so_far.ThrowIfSpoiled(kind, name, &unread);
  if (NearestWord(name, unread)) throw Consequence();  // misspelled, perhaps
  return TouchingNamed(so_far.scene, name);
}

}  // namespace

EnumWords<ProbeKind> WordsOf(ProbeKind /*kind*/) {
  EnumWords<ProbeKind> words;
  for (const ProbeKindInfo& kind : ProbeKinds())
    words.emplace_back(kind.word, static_cast<ProbeKind>(words.size()));
  return words;
}

void Bind(KeyBinder& b, Probe& probe) {
  b.Title("[[probe]]");
  std::variant<ProbeSet, std::vector<ProbeSet>> of;
  std::optional<Axis> component;
  std::optional<std::string> from;
  std::optional<Direction> against, about;
  b.Required("name", &probe.name, "1",
             "name of its column and figures, followed by the suffix of their unit: sag_m");
  b.Required("measure", &probe.kind, "1", MeaningOfKinds());
  b.Required("of", &of, "1",
             "the place {body, point}, or a list of two or three; several points are one place, "
             "their centre of mass, and a body alone is all of its points");
  b.Optional("component", &component, "1",
             "of a position, a displacement, a velocity, a reaction or contact");
  b.Optional(
      "from", &from, "1",
      "of the contact of a whole body: the obstacle or body that touches it, whose part alone "
      "is measured; without it all that touches");
  b.Optional("against", &against, "1", "of the angle of a line: direction at which it is 0");
  b.Optional("about", &about, "1",
             "of an angle: axis about which it has a sign, anticlockwise; from −π to π");
  b.Optional("during", &probe.during, "s",
             "the time [begin, end] of which the figures are: smallest, largest, mean, impulse, "
             "crossing, cycles and oscillation; default: the run. The column, its value at the end "
             "and at are of the whole run");
  b.Optional("crosses", &probe.crosses, "",
             "a value: adds the figure NAME_crossing_s, the time at which it is first passed");
  b.Default(
      "cycles", &probe.cycles, "1",
      "adds figures of a rhythm about the value of crosses: NAME_falls, how often it comes down to "
      "it; NAME_first_fall_s and NAME_last_fall_s; NAME_first_interval_s, the time between its "
      "first two "
      "falls, NAME_interval_s, the mean time between falls, and "
      "NAME_interval_spread_s, the largest less the smallest; NAME_below, the fraction of time at "
      "the value or below it; NAME_return, the distance between the last two cycles");
  b.Default("oscillates", &probe.oscillates, "1",
            "adds the figures NAME_period_s and NAME_decay_1_s of the damped oscillation that fits "
            "best, and "
            "NAME_period_drift_s: by how much that of the second half of the records is longer");
  b.Default(
      "at", &probe.at, "s",
      "times: adds for each the figure NAME_at_T_s, its value at that time, between two records "
      "in proportion");
  if (!b.reads()) return;
  b.Ascending("during", probe.during);
  if (probe.during && probe.during->front() < 0.0) {
    b.Fail("during", "'during' begins at " + Digits(probe.during->front()) + " s, before the run",
           "the run begins at 0 s");
  }
  for (const double time : probe.at) {
    if (!(time >= 0.0)) b.Fail("at", "a time of at must be at least 0, not " + Digits(time));
  }
  const bool plain = std::ranges::all_of(
      probe.name, [](unsigned char c) { return std::isalnum(c) != 0 || c == '-' || c == '_'; });
  if (!plain) {
    b.Fail("name", "'" + probe.name + "' cannot be the name of a column",
           "use letters, digits, '-' and '_'");
  }
  if (auto* one = std::get_if<ProbeSet>(&of)) {
    probe.of = {std::move(*one)};
  } else {
    probe.of = std::get<std::vector<ProbeSet>>(std::move(of));
  }
  if (probe.cycles && !probe.crosses) {
    b.Fail("cycles", "cycles are counted at a value",
           "add crosses = 0.01, a little above the ground");
  }
  if (component) probe.component = static_cast<int>(*component);
  if (against) probe.against = against->unit;
  if (about) probe.about = about->unit;
  try {
    if (from) probe.from = ToucherNamed(*b.context().scene, *from);
    RequireMeasurable(b.context().scene->scene, probe);
  } catch (const BadInput& bad) {
    b.Fail(bad.problem().where, bad.problem().what, bad.problem().mend);
  }
}

std::vector<Probe> ReadProbes(const std::vector<FileValue*>& tables, const SceneSoFar& so_far,
                              Mistakes* mistakes) {
  std::vector<Probe> probes;
  for (FileValue* table : tables) {
    mistakes->Try([&] {
      probes.push_back(ReadKeys<Probe>(table, {"", so_far.scene.dimension, &so_far}));
    });
  }
  mistakes->Try([&] { RequireDistinctNames("probe", tables); });
  return probes;
}

}  // namespace pliant
