#include "experiments/manual/format_page.h"

#include "experiments/files/control_keys.h"
#include "experiments/files/experiment_keys.h"
#include "experiments/files/key_catalogue.h"
#include "experiments/files/probe_keys.h"
#include "experiments/files/scene_keys.h"
#include "experiments/files/sweep_plan.h"
#include "experiments/searches/search_keys.h"
#include "solvers/backends.h"
#include "solvers/search/search_methods.h"

namespace pliant {
namespace {

constexpr char kIntroduction[] = R"(# Experiment files

`pliant list parameters --markdown` prints this page from the tables of keys with which the program
reads files.

An experiment file defines which scene runs, with which backends, and for how long. The scene is a
separate file, so that several experiments can share it. All files are [TOML](https://toml.io). Units
are SI, angles are in radians, y is up; a planar scene lives in z = 0 and may omit z. File names are
relative to the file that contains them. Every mistake is reported as `file:line:column: what; how to
correct it`, and an unknown key is a mistake.
)";

constexpr char kOverrides[] = R"(
### Overrides

`--set key=value` changes any key from the command line; the table `[set]` does the same inside an
experiment file. Keys are dotted; the name of an element selects it in a list such as `[[obstacle]]`:
`--set run.step=0.001`, `--set backends.dynamic-ffd.integrator=rk4`,
`--set scene.obstacle.floor.friction=0.2`. A number selects an element of any list:
`--set scene.nail[0].path.times[1]=0.5`. A key reaches into a data file that the file names:
`--set backends.dynamic-ffd.modes.entry[0].stiffness=20`. A table adds its keys to those that are there; `--unset` removes
what should not stay. `--unset key` removes a key or an
element: `--unset scene.obstacle.floor`. Scenes and tables of data have short names:
`scene = "pendulum"`, `modes = "sheet"` are data/scenes/pendulum.toml and data/modes/sheet.toml of the nearest folder above the
file that has them, or of the program, unless there is a file of that name.
)";

constexpr char kProbes[] =
    R"(A quantity measured on points of the scene, the same for every backend: a column of series.csv and a few
headline figures, which tables, sweeps, searches, claims and reports take as any other. Other experiments on the
same scene measure something else, so that probes stand in the experiment and not in the scene.

```toml
[[probe]]
name = "sag"                                       # column sag_m
measure = "displacement"
component = "y"
of = {body = "bridge", points = [[8, 0], [8, 16]]}   # their centre of mass
during = [0.8, 1.4]                                # s, after the ball has come: its figures are of this time

[[probe]]
name = "swing"                                     # column swing_rad
measure = "angle"
of = [{body = "rod", point = "start"}, {body = "rod", point = "end"}]
against = [0, -1, 0]
about = [0, 0, 1]
crosses = 0.0                                      # figure swing_crossing_s
oscillates = true                                  # figures swing_period_s, swing_decay_1_s

[[probe]]
name = "foot"                                      # landings, hops and duty of a gait
measure = "position"
component = "y"
of = {body = "table", point = 5}
crosses = 0.01                                     # m, a little above the ground
cycles = true                                      # figures foot_falls, foot_interval_s, foot_below and others

[[probe]]
name = "load"                                      # column load_N
measure = "contact-force"
component = "y"
of = {body = "bridge"}
from = "ball"                                      # without it, all that touches the bridge
```

The figures of `sag` are sag_min_m, sag_max_m and sag_mean_m (over time), and sag_m at the end. What happens before and after
`during` plays no part in them but in sag_m; two times are two probes. A reaction is what the method has for it, and has the figure
NAME_impulse_N_s where it is a component. The force of contact is the change of its impulse since the record before, and has no value at the first record; the
impulse is that since the start. `from` names one obstacle or body. What each formulation knows of contact is in formulations.md; `check` warns of a probe that
a backend does not define. Between records a
crossing is found on a straight line. Period and decay are those of the oscillation
c + e^(−γt) (a cos ωt + b sin ωt) with the least sum of squares over all records; they are not defined where no whole
period is recorded or where the oscillation leaves more than a tenth of the variance. A fall is a passage from above the
value of `crosses` to it or below it, a landing where that is a little above the ground: foot_falls counts the hops,
foot_first_fall_s and foot_last_fall_s are times of landings, foot_interval_s is the period (not defined with fewer than two
falls), foot_interval_spread_s is 0 in a periodic gait, and foot_below is the duty factor. foot_return_m is how far the curve
comes back: the root of the mean square of what the last two cycles differ by at equal times after their falls. Records have
to be short against a hop. A point given by its place in a grid is another one after the grid has been refined: name an end, a corner or a group there.)";

constexpr char kSweep[] =
    R"(`pliant sweep FILE` runs every backend at every point and collects the headline figures in
sweep.csv. Other commands ignore this table.

```toml
[sweep]
combine = "grid"

[[sweep.vary]]
key = "run.step"
from = 1e-4
to = 1e-2
count = 3
scale = "logarithmic"
unit = "s"

[[sweep.vary]]
key = "backends.dynamic-ffd.integrator"
values = ["semi-implicit-euler", "rk4"]

[[sweep.curve]]
figure = "residual_energy_relative"
scale = "logarithmic"
```)";

constexpr char kBehaviour[] =
    R"TEXT(Goals of points [Witkin & Welch 1990, Sec. 4.2]. A script is a list of lines, or a file with these
lines (`script = "../scripts/monster.behaviour"`; the run bundle keeps its text); actions follow one
another. A point is written `body.mark`, or `body[7]` by its index; a place in the world `[x, y, z]`,
or by its name in `places`.

```toml
[[behaviour]]
name = "reflex"
places = {perch = [1, 2]}
script = [
  "WaitFor(distance(monster.claw, prey.middle) < 0.8)",
  "Grab(monster.claw, prey.middle, 1.0)         # chase, then connect",
  "Grab(monster.elbow, perch, 1.0, 0, 0)        # with a final velocity",
  "Disconnect(monster.claw, prey.middle)",
]
```

| line | meaning |
|---|---|
| `Chase(point, goal, duration)`, `Chase(point, goal, duration, vx, vy[, vz])` | moves the point to the goal, where it arrives after `duration` with the given velocity; by default with the velocity for which the acceleration along the path is constant |
| `Connect(point, goal)` | matches their velocities by an impulse and keeps them together |
| `Grab(…)` | `Chase(…)`, then `Connect(point, goal)` |
| `Disconnect(point, goal)`, `Disconnect(point)` | releases them from each other, or releases the point from everything |
| `Wait(duration)` | does nothing for this time |
| `WaitFor(distance(point, goal) < d)`, with `>`, `WaitFor(inside(point, [x, y, z], [x, y, z]))`, `WaitFor(time > t)` | waits until it is true |
| `Repeat(n) {` … `}`, `Repeat {` … `}` | repeats the lines between n times, or for ever |
| `Parallel {` … `}` | begins all actions between at once and waits until all have ended |
| `Sequence {` … `}` | its lines one after the other, inside `Parallel` |

Events at one instant happen together: where a line ends and the next one takes no time, their
connections change first, then one impulse matches velocities. Two lines inside `Parallel` must not
move the same point; if two behaviours do, the one that is later in the scene applies.

The grammar. Lines may break anywhere between words, `#` begins a comment:

```ebnf
script    = action { action } ;
action    = ( "Chase" | "Grab" ) "(" point "," goal "," number [ "," vector ] ")"
          | "Connect" "(" point "," goal ")"
          | "Disconnect" "(" point [ "," goal ] ")"
          | "Wait" "(" number ")"
          | "WaitFor" "(" condition ")"
          | "Repeat" [ "(" whole ")" ] block
          | ( "Parallel" | "Sequence" ) block ;
block     = "{" action { action } "}" ;
condition = "distance" "(" point "," goal ")" ( "<" | ">" ) number
          | "inside" "(" point "," corner "," corner ")"   (* lower, upper *)
          | "time" ">" number ;
goal      = point | corner | place ;                       (* place: a name of places *)
point     = body "." mark                                  (* start and end are marks too *)
          | body "[" whole { "," whole } "]" ;
corner    = "[" vector "]" ;
vector    = number "," number [ "," number ] ;             (* as many as the scene has dimensions *)
```

Names are letters, digits, `_` and `-`, a letter or `_` first.)TEXT";

constexpr char kMatrixTable[] = R"(
### A table of matrices

Used for deformation modes, for example. Numbers and texts at the top apply to the whole table; each
`[[entry]]` has a `name`, its matrix as `values` (a list of rows) or `image` (the name of a grey PNG
file: its levels from 0 to 1) or texts and tables of numbers that define it, and further numbers. Lists
of other tables, such as `[[lattice]]`, have the same form. The parameter that takes the table determines
the required keys; dynamic-ffd.md describes modes, kinematic-response.md describes maps.
)";

std::string Row(const KeyInfo& info) {
  const std::string standard = info.required                ? "**required**"
                               : info.default_value.empty() ? ""
                                                            : "`" + info.default_value + "`";
  const std::string unit = info.unit == "1" ? "" : info.unit;
  return "| `" + info.name + "` | " + info.type + " | " + unit + " | " + standard + " | " +
         info.meaning + " |\n";
}

std::string TableOf(const std::vector<KeyInfo>& infos) {
  std::string text = "\n| key | value | unit | default | meaning |\n|---|---|---|---|---|\n";
  for (const KeyInfo& info : infos) text += Row(info);
  return text;
}

std::string Section(const std::string& heading, const std::string& words,
                    const std::vector<KeyInfo>& infos) {
  return "\n" + heading + "\n" + (words.empty() ? "" : "\n" + words + "\n") + TableOf(infos);
}

template <typename Bound>
std::string Section(const std::string& heading, const std::string& words = "") {
  return Section(heading, words, DescribeKeys<Bound>());
}

// The keys of each shape, which follow those that all shapes have.
template <typename Shapes, typename Describe>
std::string ShapeSections(const Shapes& shapes, const Describe& describe) {
  std::string text;
  for (const auto& shape : shapes) {
    text += Section(std::string("#### shape = \"") + shape.word + '"', shape.meaning,
                    DescribeTable([&](KeyBinder& b) { describe(shape, b); }));
  }
  return text;
}

constexpr char kContact[] =
    "How the bodies named A and B meet; `[contact.A.A]` is the contact of a body with itself. "
    "Without such a table two bodies meet wherever their surfaces touch, without friction, unless "
    "an attachment joins them, and a body passes through itself. Translation records name the "
    "tables `contact.A.B`, and all other pairs that meet `contact`.";

std::string SceneSections() {
  return Section<SceneTables>("## Scene file") +
         Section("### [[body]]", "Every body has these keys and those of its shape.",
                 DescribeBody()) +
         ShapeSections(BodyShapes(), [](const BodyShape& s, KeyBinder& b) { s.bind(b, ""); }) +
         Section<MaterialTable>("#### [body.material]") +
         Section<MaterialDamping>("#### damping = {…}") +
         Section<Eigen::AngleAxisd>("#### rotation = {…}") +
         Section("### [[obstacle]]", "Every obstacle has these keys and those of its shape.",
                 DescribeObstacle()) +
         ShapeSections(ObstacleWords(), [](const ObstacleWord& s, KeyBinder& b) { s.bind(b); }) +
         Section<Path>("#### path = {…}") + Section<std::vector<Nail>>("### [[nail]]") +
         Section<LedPath>("#### path = {…} of a nail") +
         Section<std::vector<Attachment>>("### [[attachment]]") +
         Section<PointRef>("#### a = {…}, b = {…}, to = {…}") +
         Section<std::vector<Slider>>("### [[slider]]") +
         Section<std::vector<Limit>>("### [[limit]]") +
         Section<std::vector<Combination>>("### [[combination]]") +
         Section<Combination::Term>("#### terms = [{…}, …]") +
         Section<std::vector<Spring>>("### [[spring]]") +
         Section<std::vector<TimedForce>>("### [[force]]") +
         Section<ForceHistory>("#### history = {…}") +
         Section<std::vector<Impulse>>("### [[impulse]]") +
         Section<std::vector<Notice>>("### [[notice]]") +
         Section<std::vector<Morph>>("### [[morph]]") +
         Section<std::vector<Behaviour>>("### [[behaviour]]", kBehaviour) +
         Section<BodyContact>("### [contact.A.B]", kContact);
}

std::string ParameterTable(const std::vector<ParameterInfo>& parameters) {
  return TableOf(DescribeParameters(parameters));
}

std::string BackendSection(const Backend& backend) {
  const BackendInfo& info = backend.info();
  return "\n### " + info.name + "\n\n" + info.title + ": " + info.summary + ".\n" +
         ParameterTable(backend.Parameters());
}

std::string SearchSections() {
  std::string text =
      Section<SearchKeys>("### [optimize]",
                          "A search for numbers that give a better motion: `pliant optimize`. "
                          "One trial is one run of the experiment.") +
      Section<Varied>("#### [[optimize.vary]]") +
      Section<MotionCostFunction>("#### [optimize.cost]") +
      Section<CostWeights>("#### [optimize.cost.weights]") +
      Section<MotionCostFunction::Limit>("#### [[optimize.cost.limit]]") +
      Section<MethodKeys>("#### [optimize.methods.LABEL]",
                          "This key and the options of the method, which are listed at the end.");
  return text;
}

constexpr char kVariants[] = R"(
A backend that refuses an element of the scene, or needs another one, can have a variant of it:

```toml
[backends.kinematic-response]
unset = ["scene.nail.hook"]                    # does without this element

[backends.kinematic-response.scene]            # changes, with the keys of a scene
gravity = [0, -1, 0]
obstacle.floor.friction = 0.5                  # of the element of that name
```

Keys and messages are those of `--set scene.…` and `--unset`: tables are merged key by key, an element of a list is found by
its name, and a list that is given whole (`[[backends.LABEL.scene.obstacle]]`) replaces that of the scene. The changes come
after those of [set] and of the command line, so that a sweep of `scene.gravity` reaches a variant that does not set it;
`--set backends.LABEL.scene.gravity=[0, -2, 0]` changes the variant. `scene = "other.toml"` is another scene file in place of
changes. `pliant check`, the table (a star), the report and the workbench say which backend runs a variant and what is
otherwise in it; its bundle holds the variant as its scene. Distances to the reference are measured where the points are
the same material points: the same bodies, each with the same points at rest. Elsewhere they are blank, with the reason. A
[[probe]] that cannot be measured in a variant is left out there. The yardstick is that of the experiment's scene.

What the commands do with a backend that has a variant:

| command | with a variant |
|---|---|
| `check` | prints, below the backend, the rows on bodies, elements, paths and probes that differ from those of the scene; `--json` has them as `tables` |
| `sweep` | each point changes the scene, then the variant is made of it. A varied key that the variant sets itself, or does without, has no effect on its backend: a warning of `check` and `sweep`, a column `without_effect` in sweep.csv, a mark in the page. Vary `backends.LABEL.scene.KEY` too, with `combine = "zip"` to pair the values |
| `optimize` | searches in the scene of its `backend`: bodies, probes and costs are those of the variant. Searches vary parameters of the formulation; keys of a scene are refused. `against` refuses a backend with another scene |
| `judge` | takes names of bodies and probes of FILE from the scene of the backend that FILE searches, and finds them by name in the scene of the bundle. A motion whose scene lacks them, or has other points, is not judged, with the reason |
| `verify --invariance` | views the variant in place of the scene |
| `reproduce`, `inspect`, `export` | read the bundle, which holds the variant as its scene |
| `refine`, claims | refine the variant with the scene; a ladder of resolution needs the bodies of the scene |
| Python | `Experiment.translate` and `pliant.batch` simulate the variant, `Experiment.bodies_of(LABEL)` describes its points, `Experiment.check()` has `variant` and `tables`. A hand changes the variant of its backend alone, so that `Simulation.toml()` then has this backend only |
| `workbench` | each pane shows its own scene; a hand, which holds a point of all panes, is refused |
)";

std::string MethodSection(const SearchMethod& method) {
  const std::vector<ParameterInfo> options = method.Parameters();
  return "\n### " + method.name() + "\n\n" + method.summary() + ".\n" +
         (options.empty() ? "\nIt has no options.\n" : ParameterTable(options));
}

}  // namespace

std::string FormatPage() {
  std::string text = kIntroduction;
  text += Section<ExperimentKeys>("## Experiment file");
  text += Section<RunPlan>("### [run]");
  text += Section<BackendKeys>("### [backends.LABEL]",
                               "These keys and the parameters of the formulation, which are listed "
                               "at the end.");
  text += kVariants;
  text += Section<Probe>("### [[probe]]", kProbes);
  text += SearchSections();
  text += kOverrides;
  text += Section<SweepPlan>("### [sweep]", kSweep);
  text += Section<VariedKey>("#### [[sweep.vary]]", "Give either values, or from, to and count.");
  text += Section<SweepCurve>("#### [[sweep.curve]]");
  text += Section<RefinePlan>(
      "### [refine]",
      "The ladder of finer runs of `pliant refine` and `pliant verify`, see claims.md.");
  text += Section<TiedKey>("#### [[refine.tied]]");
  text += Section<YardstickPlan>(
      "### [yardstick]",
      "How sure `pliant yardstick` is to be of the converged solution, see yardstick.md.");
  text += Section<Claim>(
      "### [[claim]]",
      "One sentence about the results, with a number that the limit of refinement must meet. "
      "Exactly one of at_least, at_most, between, about, order, less_than and outcome says what "
      "is claimed; claims.md has examples.");
  text += Section<LessThan>("#### less_than = {…}");
  text += SceneSections();
  text += "\n## Data files\n";
  text += Section<Outline>("### The shape file of a profile");
  text += kMatrixTable;
  text += Section<ControlTable>(
      "### A pose graph", "The servos of the active modes of a body, and their target poses.");
  text += Section<ControlTable::Servo>("#### [[servo]]") +
          Section<ControlTable::Entry>("#### [[pose]]") +
          Section<ControlTable::Transition>("#### [[pose.next]]") +
          Section<Sensor>("#### [[sensor]]") +
          Section("#### Pose graphs of several bodies", "", DescribeTable([](KeyBinder& b) {
                    ControlTable several;
                    BindSeveral(b, several);
                  }));
  text += Section<KeyFrameTable>("### Key frames", "The motion of a body until the last key.");
  text += Section<KeyFrameTable::Key>("#### [[key]]") +
          Section("#### Key frames of several bodies", "", DescribeTable([](KeyBinder& b) {
                    KeyFrameTable several;
                    BindSeveral(b, several);
                  }));
  text += "\n## Parameters of the backends\n";
  for (const Backend* backend : Backends()) text += BackendSection(*backend);
  text += "\n## Options of the searches\n";
  for (const SearchMethod* method : SearchMethods()) text += MethodSection(*method);
  return text;
}

}  // namespace pliant
