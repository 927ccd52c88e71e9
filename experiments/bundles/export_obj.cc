// Wavefront OBJ, a file per frame: each body an object with its faces, or its edges as lines, and each
// obstacle with its facets; and a script that makes an animation of them in Blender.

#include <algorithm>
#include <cmath>

#include "experiments/bundles/export_formats.h"
#include "experiments/bundles/obstacle_patch.h"
#include "experiments/bundles/storage.h"
#include "models/scene/number_text.h"

namespace pliant {
namespace {

// Blender's Python has neither h5py nor Pliant: it reads the OBJ files. Shape keys that are absolute
// take one animated number for all frames. World y is up; Blender's z is.
std::string BlenderScript(const Bundle& bundle) {
  const double interval = bundle.experiment().plan.record_every;  // s
  std::string text = R"(# In Blender: blender --python LABEL_blender.py, or Scripting, Open, Run
import bpy, math, os
here = os.path.dirname(os.path.abspath(__file__ if "__file__" in globals() else bpy.context.space_data.text.filepath))
scene, animated = bpy.context.scene, {}
for path in (os.path.join(here, "LABEL_" + str(i).zfill(DIGITS) + ".obj") for i in range(COUNT)):
    objects, first = {}, 1
    for kind, _, rest in (line.rstrip("\n").partition(" ") for line in open(path, encoding="utf-8")):
        if kind == "o":
            first += len(objects[name][0]) if objects else 0
            name, objects[rest] = rest, ([], [], [])
        elif kind in "vlf":
            objects[name]["vlf".index(kind)].append([float(n) if kind == "v" else int(n) - first for n in rest.split()])
    for name, (points, lines, faces) in objects.items():
        if name not in animated:
            mesh = bpy.data.meshes.new(name)
            mesh.from_pydata(points, lines, faces)
            animated[name] = bpy.data.objects.new(name, mesh)
            animated[name].rotation_euler = (math.pi / 2, 0, 0)
            scene.collection.objects.link(animated[name])
        animated[name].shape_key_add(name=os.path.basename(path), from_mix=False).data.foreach_set("co", sum(points, []))
for keys in (thing.data.shape_keys for thing in animated.values()):
    keys.use_relative = False
    for frame, block in enumerate(keys.key_blocks):
        keys.eval_time = block.frame
        keys.keyframe_insert("eval_time", frame=frame + 1)
scene.frame_start, scene.frame_end = 1, len(keys.key_blocks)
scene.render.fps, scene.render.fps_base = FPS, FPS * INTERVAL
)";
  const auto replace = [&text](const std::string& word, const std::string& by) {
    for (size_t at = text.find(word); at != std::string::npos;
         at = text.find(word, at + by.size())) {
      text.replace(at, word.size(), by);
    }
  };
  const size_t name = FrameFile(bundle, 0, "").size();  // LABEL_000
  replace("DIGITS", std::to_string(name - bundle.label().size() - 1));
  replace("COUNT", std::to_string(bundle.frame_count()));
  replace("FPS", std::to_string(std::max(1L, std::lround(1.0 / interval))));
  replace("INTERVAL", RoundTrip(interval));
  replace("LABEL", bundle.label());  // last: it may contain one of the other words
  return text;
}

class ObjFrame {
 public:
  explicit ObjFrame(const std::filesystem::path& path) : file_(path) {}

  void Begin(const std::string& name, const Eigen::Ref<const Eigen::Matrix3Xd>& points) {
    file_.Write("o " + name + "\n");
    first_ = next_;
    for (const auto& point : points.colwise()) file_.Write("v " + ThreeNumbers(point) + "\n");
    next_ += static_cast<int>(points.cols());
  }
  // "f 1 2 3": an element and its points, counted from 1 over all objects.
  template <typename Points>
  void Write(std::string line, const Points& points) {
    for (const int point : points) line.append(" ").append(std::to_string(first_ + point));
    file_.Write(line.append("\n"));
  }
  void Close() { file_.Close(); }

 private:
  OutputFile file_;
  int first_ = 1, next_ = 1;
};

}  // namespace

Exported ExportObj(const Bundle& bundle, const std::filesystem::path& folder,
                   const ExportOptions& options) {
  const Scene& scene = *bundle.experiment().scene;
  const std::vector<ObstaclePatch> patches = PatchesOf(bundle);
  for (size_t frame = 0; frame < bundle.frame_count(); ++frame) {
    options.Progress(frame, bundle.frame_count());
    const Eigen::Matrix3Xd x = bundle.Points(frame);
    ObjFrame file(folder / FrameFile(bundle, frame, ".obj"));
    int offset = 0;
    for (const Body& body : scene.bodies) {
      file.Begin(body.name, x.middleCols(offset, body.size()));
      for (const auto& face : body.faces) file.Write("f", face);
      if (body.faces.empty()) {
        for (const auto& edge : body.edges) file.Write("l", edge);
      }
      offset += body.size();
    }
    for (size_t o = 0; o < patches.size(); ++o) {
      const PathPoint origin = scene.obstacles[o].motion.At(bundle.Time(frame));
      file.Begin("obstacle " + scene.obstacles[o].name,
                 patches[o].points.colwise() + origin.position);
      for (const std::vector<int>& polygon : patches[o].polygons) file.Write("f", polygon);
    }
    file.Close();
  }
  WriteFile(folder / (bundle.label() + "_blender.py"), BlenderScript(bundle));
  return {folder / FrameFile(bundle, 0, ".obj"), 0};
}

}  // namespace pliant
