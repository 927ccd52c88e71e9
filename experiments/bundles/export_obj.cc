// Wavefront OBJ, a file per frame: each body an object with its faces, or its edges as lines.

#include "experiments/bundles/export_formats.h"
#include "experiments/bundles/storage.h"

namespace pliant {

std::filesystem::path ExportObj(const Bundle& bundle, const std::filesystem::path& folder) {
  const Scene& scene = *bundle.experiment().scene;
  for (size_t frame = 0; frame < bundle.frame_count(); ++frame) {
    const Eigen::Matrix3Xd x = bundle.Points(frame);
    OutputFile file(folder / FrameFile(bundle, frame, ".obj"));
    int offset = 0;
    for (const Body& body : scene.bodies) {
      file.Write("o " + body.name + "\n");
      for (const auto& point : x.middleCols(offset, body.size()).colwise()) {
        file.Write("v " + ThreeNumbers(point) + "\n");
      }
      // "f 1 2 3": an element and its points, counted from 1.
      const auto write = [&](std::string line, const auto& points) {
        for (const int point : points) line.append(" ").append(std::to_string(offset + point + 1));
        file.Write(line.append("\n"));
      };
      for (const auto& face : body.faces) write("f", face);
      if (body.faces.empty()) {
        for (const auto& edge : body.edges) write("l", edge);
      }
      offset += body.size();
    }
    file.Close();
  }
  return folder / FrameFile(bundle, 0, ".obj");
}

}  // namespace pliant
