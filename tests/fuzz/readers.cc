#include "tests/fuzz/readers.h"

#include <fstream>

#include "experiments/bundles/csv.h"
#include "experiments/bundles/documents.h"
#include "experiments/bundles/manifest.h"
#include "experiments/bundles/points_file.h"
#include "experiments/bundles/storage.h"
#include "experiments/files/experiment.h"
#include "experiments/files/image.h"
#include "experiments/refinement/ladder.h"
#include "experiments/scripts/deformation_file.h"
#include "experiments/scripts/script.h"
#include "experiments/searches/run_searches.h"
#include "experiments/searches/search_record.h"
#include "experiments/sweeps/sweep.h"
#include "models/problem.h"

namespace pliant {
namespace {

namespace fs = std::filesystem;

// Bodies of more points are read but not translated: a second of matrices is no fault of a reader.
constexpr int kTranslatedPoints = 200;
// Points of a frame of the seed of `points`.
constexpr int kFramePoints = 4;

void Put(const fs::path& file, std::string_view text) {
  std::ofstream(file, std::ios::binary) << text;
}

void Translate(const Experiment& experiment) {
  if (experiment.scene == nullptr || experiment.scene->PointCount() > kTranslatedPoints) return;
  for (size_t i = 0; i < experiment.backends.size(); ++i) TranslateFor(experiment, i);
}

void ReadAsExperiment(const fs::path& input, const fs::path&) {
  Mistakes mistakes;
  ReadSoundParts(input, {}, &mistakes);
  const Experiment experiment = ReadExperiment(input);
  for (size_t i = 0; i < experiment.backends.size(); ++i) experiment.Resolved(i);
  Translate(experiment);
}

void ReadAsPlans(const fs::path& input, const fs::path&) {
  const Experiment experiment = ReadExperiment(input);
  ReadSearchPlan(experiment);
}

// An experiment in which `input` stands for one file.
void ReadWithin(const fs::path& folder, std::string_view text) {
  const fs::path file = folder / "experiment.toml";
  Put(file, text);
  Translate(ReadExperiment(file));
}

constexpr char kPlate[] = R"(title = "plate"
[run]
duration = 0.1
step = 0.01
record_every = 0.1
[scene]
name = "plate"
dimension = 2
[[scene.body]]
name = "plate"
shape = "sheet"
size = [1, 1]
points = [3, 3]
mass = 1
)";
constexpr char kBlock[] = R"(title = "block"
[run]
duration = 0.1
step = 0.01
record_every = 0.1
[scene]
name = "block"
[[scene.body]]
name = "block"
shape = "block"
size = [1, 1, 1]
points = [3, 2, 2]
mass = 1
)";
constexpr char kSheet[] = R"(title = "sheet"
[run]
duration = 0.1
step = 0.01
record_every = 0.1
[scene]
name = "sheet"
[[scene.body]]
name = "sheet"
shape = "sheet"
size = [2, 2]
points = [5, 5]
mass = 1
[[scene.nail]]
name = "all"
body = "sheet"
points = "all"
)";
// What scripts may load.
constexpr char kDeformations[] = R"(shape = "shape.toml"
mass = 10.0
constants = [[400, 250]]
[modes]
degree_x = 1
degree_y = 1
[[modes.entry]]
name = "squash"
shape = "squash"
axis = "y"
amount = 0.5
)";
constexpr char kOutline[] = R"(points = [[0, 0], [1, 0], [1, 1], [0, 1]]
masses = [1, 1, 1, 1]
edges = [[0, 1], [1, 2], [2, 3], [3, 0]]
faces = [[0, 1, 2], [0, 2, 3]]
)";
constexpr char kTube[] = R"(title = "tube"
[run]
duration = 0.1
step = 0.01
record_every = 0.1
[scene]
name = "tube"
[[scene.body]]
name = "tube"
shape = "tube"
radius = 0.1
length = 1
points = [24, 9]
mass = 1
)";

std::string With(const char* scene, const char* more) { return std::string(scene) + more; }

void ReadAsModes(const fs::path&, const fs::path& folder) {
  ReadWithin(folder, With(kPlate, "[backends.dynamic-ffd]\nmodes = 'input'\n"));
}
void ReadAsModesInSpace(const fs::path&, const fs::path& folder) {
  ReadWithin(folder, With(kBlock, "[backends.dynamic-ffd]\nmodes = 'input'\n"));
}
void ReadAsPoses(const fs::path&, const fs::path& folder) {
  ReadWithin(folder,
             With(kPlate,
                  "[backends.dynamic-ffd]\ncontrol = 'input'\n"
                  "[backends.dynamic-ffd.modes]\ndegree_x = 1\ndegree_y = 1\n"
                  "[[backends.dynamic-ffd.modes.entry]]\nname = 'squash'\nshape = 'squash'\n"
                  "axis = 'y'\namount = 0.5\nfrequency = 2.0\n"));
}
void ReadAsSkeleton(const fs::path&, const fs::path& folder) {
  ReadWithin(folder, With(kTube, "[backends.kinematic-response]\nskeleton = 'input'\n"));
}
void ReadAsMaps(const fs::path&, const fs::path& folder) {
  ReadWithin(folder, With(kSheet, "[backends.kinematic-response]\nmaps = 'input'\n"));
}
void ReadAsStrokes(const fs::path&, const fs::path& folder) {
  ReadWithin(folder, With(kSheet, "[backends.kinematic-response]\nstrokes = 'input'\n"));
}

std::string BodyFrom(const char* shape, int dimension) {
  return "title = 'body'\n[run]\nduration = 0.1\nstep = 0.01\nrecord_every = 0.1\n"
         "[scene]\nname = 'body'\ndimension = " +
         std::to_string(dimension) + "\n[[scene.body]]\nname = 'body'\nshape = '" + shape +
         "'\nfile = 'input'\n" + (dimension == 3 ? "mass = 1\n" : "") +
         "[backends.linear-deformation]\n";
}
void ReadAsOutline(const fs::path&, const fs::path& folder) {
  ReadWithin(folder, BodyFrom("profile", 2));
}
void ReadAsMesh(const fs::path&, const fs::path& folder) {
  ReadWithin(folder, BodyFrom("mesh", 3));
}

void ReadAsScene(const fs::path& input, const fs::path&) { ReadScene(input); }
void ReadAsImage(const fs::path& input, const fs::path&) { ReadGreyImage(input, {}); }
void ReadAsScript(const fs::path& input, const fs::path& folder) {
  Put(folder / "plate.toml", kDeformations);
  Put(folder / "shape.toml", kOutline);
  ReadScript(input);
}
void ReadAsCsv(const fs::path& input, const fs::path&) { ReadCsv(input); }
void ReadAsTranslation(const fs::path& input, const fs::path&) { ReadTranslation(input); }
void ReadAsSummary(const fs::path& input, const fs::path&) { ReadSummary(input); }
void ReadAsManifest(const fs::path& input, const fs::path& folder) {
  VerifyFiles(ParseManifest(ReadFile(input), input), folder, {});
}
void ReadAsPoints(const fs::path& input, const fs::path&) {
  const PointsReader reader(input, kFramePoints);
  for (size_t frame = 0; frame < std::min<size_t>(reader.frame_count(), 10); ++frame) {
    reader.Time(frame);
    reader.Points(frame);
    reader.Velocities(frame);
    reader.State(frame);
  }
}
// The record of a search, then its history after a line "---".
void ReadAsSearch(const fs::path& input, const fs::path& folder) {
  const std::string both = ReadFile(input);
  const size_t cut = both.find("\n---\n");
  Put(folder / kSearchFile, both.substr(0, cut));
  Put(folder / kHistoryFile, cut == std::string::npos ? "" : both.substr(cut + 5));
  ReadSearchRecord(folder);
}
// One override a line.
void ReadAsOverrides(const fs::path& input, const fs::path& folder) {
  const std::string text = ReadFile(input);
  std::vector<std::string> overrides;
  for (size_t begin = 0; begin < text.size() && overrides.size() < 20;) {
    const size_t end = std::min(text.find('\n', begin), text.size());
    overrides.push_back(text.substr(begin, end - begin));
    begin = end + 1;
  }
  const fs::path file = folder / "experiment.toml";
  Put(file, With(kPlate, "[backends.linear-deformation]\n"));
  Translate(ReadExperiment(file, overrides));
}

}  // namespace

const std::vector<FuzzedReader>& FuzzedReaders() {
  static const std::vector<FuzzedReader> readers = {
      {"csv", ReadAsCsv},           {"experiment", ReadAsExperiment},
      {"image", ReadAsImage},       {"manifest", ReadAsManifest},
      {"maps", ReadAsMaps},         {"mesh", ReadAsMesh},
      {"modes", ReadAsModes},       {"modes-in-space", ReadAsModesInSpace},
      {"outline", ReadAsOutline},   {"overrides", ReadAsOverrides},
      {"plans", ReadAsPlans},       {"points", ReadAsPoints},
      {"poses", ReadAsPoses},       {"scene", ReadAsScene},
      {"script", ReadAsScript},     {"search", ReadAsSearch},
      {"skeleton", ReadAsSkeleton}, {"strokes", ReadAsStrokes},
      {"summary", ReadAsSummary},   {"translation", ReadAsTranslation},
  };
  return readers;
}

std::string ReadBytes(const FuzzedReader& reader, std::string_view bytes, const fs::path& folder) {
  const fs::path input = folder / "input";
  Put(input, bytes);
  try {
    reader.read(input, folder);
  } catch (const FileError& error) {
    return error.what();
  } catch (const StorageError& error) {
    return error.what();
  } catch (const BadInput& error) {
    return error.what();
  }
  return "";
}

}  // namespace pliant
