// VTK's XML files: LABEL.pvd with the times, and in the folder LABEL for each time a .vtm with the
// blocks: every body, every obstacle, the elements of the method. An obstacle that rests is one file.

#include <set>

#include "experiments/bundles/export_formats.h"
#include "experiments/bundles/exported_blocks.h"
#include "experiments/bundles/storage.h"
#include "experiments/bundles/vtk_xml.h"

namespace pliant {

Exported ExportVtk(const Bundle& bundle, const std::filesystem::path& folder,
                   const ExportOptions& options) {
  ExportedBlocks blocks(bundle, options);
  const std::filesystem::path of_frames = folder / bundle.label();
  CreateFolder(of_frames);
  std::set<std::string> still;  // files of blocks that rest
  std::vector<VtkTime> times;
  for (size_t frame = 0; frame < bundle.frame_count(); ++frame) {
    options.Progress(frame, bundle.frame_count());
    const std::string number = FrameNumber(bundle, frame);
    std::vector<VtkBlocks> groups;
    for (const ExportedGroup& group : blocks.At(frame)) {
      VtkBlocks& written = groups.emplace_back(VtkBlocks{group.name, {}});
      for (const ExportedBlock& block : group.blocks) {
        const std::string file = block.stem + (block.rests ? "" : "_" + number) + ".vtu";
        written.blocks.push_back({block.name, file});
        if (block.rests && !still.insert(file).second) continue;
        WriteVtu(of_frames / file, block.grid);
      }
    }
    const std::string name = "frame_" + number + ".vtm";
    WriteVtm(of_frames / name, groups);
    times.push_back({bundle.Time(frame), bundle.label() + "/" + name});
  }
  const std::filesystem::path path = folder / (bundle.label() + ".pvd");
  WritePvd(path, times);
  return {path, blocks.frames_elsewhere()};
}

}  // namespace pliant
