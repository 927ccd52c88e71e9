// Tables: frames.csv lists the file of each time; empty = not defined.

#include "experiments/bundles/csv.h"
#include "experiments/bundles/export_formats.h"
#include "experiments/bundles/storage.h"
#include "models/scene/number_text.h"

namespace pliant {

Exported ExportCsv(const Bundle& bundle, const std::filesystem::path& folder,
                   const ExportOptions& options) {
  const Scene& scene = *bundle.experiment().scene;
  OutputFile frames(folder / "frames.csv");
  frames.Write("frame,time_s,file\n");
  for (size_t frame = 0; frame < bundle.frame_count(); ++frame) {
    options.Progress(frame, bundle.frame_count());
    const std::string name = FrameFile(bundle, frame, ".csv");
    frames.Write(std::to_string(frame) + "," + RoundTrip(bundle.Time(frame)) + "," + name + "\n");
    const Eigen::Matrix3Xd x = bundle.Points(frame);
    const std::optional<Eigen::Matrix3Xd> v = bundle.Velocities(frame);
    OutputFile file(folder / name);
    file.Write("body,point,x_m,y_m,z_m,vx_m_s,vy_m_s,vz_m_s\n");
    int column = 0;
    for (const Body& body : scene.bodies) {
      for (int point = 0; point < body.size(); ++point, ++column) {
        file.Write(CsvCell(body.name) + "," + std::to_string(point) + "," +
                   ThreeNumbers(x.col(column), ',') + "," +
                   (v ? ThreeNumbers(v->col(column), ',') : ",,") + "\n");
      }
    }
    file.Close();
  }
  frames.Close();
  WriteFile(folder / "series.csv", ReadFile(bundle.path() / "series.csv"));
  return {folder / "frames.csv", 0};
}

}  // namespace pliant
