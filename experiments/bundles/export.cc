#include "experiments/bundles/export.h"

#include <algorithm>

#include "experiments/bundles/csv.h"
#include "experiments/bundles/export_formats.h"
#include "models/scene/number_text.h"

namespace pliant {

const std::vector<ExportFormat>& ExportFormats() {
  static const std::vector<ExportFormat> formats = {
      {"vtk", "ParaView: bodies, obstacles and elements of the method as blocks; open the .pvd",
       &ExportVtk},
      {"xdmf", "ParaView: the same blocks in one HDF5 file for all frames; open the .xmf",
       &ExportXdmf},
      {"obj", "Blender: Wavefront OBJ, one file per frame, and a script; run the _blender.py",
       &ExportObj},
      {"csv", "tables: frames.csv with the times, one file of points per frame, series.csv",
       &ExportCsv},
  };
  return formats;
}

Exported ExportBundle(const Bundle& bundle, const std::string& format,
                      const std::filesystem::path& out, const ExportOptions& options) {
  std::vector<std::string> names;
  for (const ExportFormat& known : ExportFormats()) names.push_back(known.name);
  const auto found = std::find(names.begin(), names.end(), format);
  if (found == names.end()) {
    throw BadInput({"format", "unknown format '" + format + "'", DidYouMean(format, names)});
  }
  if (bundle.frame_count() == 0) {
    throw BadInput({"bundle",
                    bundle.path().string() + " has no frames to export: its outcome is " +
                        std::string(ToString(bundle.outcome().kind)),
                    ""});
  }
  CreateFolder(out);
  return ExportFormats()[static_cast<size_t>(found - names.begin())].write(bundle, out, options);
}

std::string FrameNumber(const Bundle& bundle, size_t frame) {
  const size_t digits = std::to_string(bundle.frame_count() - 1).size();
  std::string number = std::to_string(frame);
  return number.insert(0, digits - number.size(), '0');
}

std::string FrameFile(const Bundle& bundle, size_t frame, const std::string& ending) {
  return bundle.label() + "_" + FrameNumber(bundle, frame) + ending;
}

Connectivity ConnectivityOf(const Scene& scene) {
  Connectivity all;
  int offset = 0;
  for (const Body& body : scene.bodies) {
    for (const auto& face : body.faces) {
      all.faces.push_back({offset + face[0], offset + face[1], offset + face[2]});
    }
    if (body.faces.empty()) {
      for (const auto& edge : body.edges) {
        all.edges.push_back({offset + edge[0], offset + edge[1]});
      }
    }
    offset += body.size();
  }
  return all;
}

std::string ThreeNumbers(const Eigen::Vector3d& numbers, char separator) {
  return RoundTrip(numbers[0]) + separator + RoundTrip(numbers[1]) + separator +
         RoundTrip(numbers[2]);
}

}  // namespace pliant
