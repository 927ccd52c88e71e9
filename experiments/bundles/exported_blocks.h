// What a bundle shows in a frame as grids, a block each, for files of other programs: every body, every obstacle, the
// elements of the method.

#ifndef PLIANT_EXPERIMENTS_BUNDLES_EXPORTED_BLOCKS_H_
#define PLIANT_EXPERIMENTS_BUNDLES_EXPORTED_BLOCKS_H_

#include <string>
#include <vector>

#include "experiments/bundles/export.h"
#include "experiments/bundles/exported_motion.h"
#include "experiments/bundles/obstacle_patch.h"
#include "experiments/bundles/vtk_xml.h"

namespace pliant {

struct ExportedBlock {
  std::string name;  // as the scene has it: "left leg"
  std::string
      stem;  // "body2-left-leg": letters, digits and hyphens, unlike that of any other block
  bool rests = false;  // the same in every frame
  VtkGrid grid;
};

struct ExportedGroup {
  std::string name;  // "bodies", "obstacles" or "elements"
  std::vector<ExportedBlock> blocks;
};

class ExportedBlocks {
 public:
  ExportedBlocks(const Bundle& bundle, const ExportOptions& options);

  // Groups without blocks are left out.
  std::vector<ExportedGroup> At(size_t frame);

  size_t frames_elsewhere() const { return motion_.frames_elsewhere(); }

 private:
  ExportedBlock BodyBlock(const ExportedFrame& now, size_t b, int offset) const;
  ExportedBlock ObstacleBlock(const ExportedFrame& now, size_t o) const;
  ExportedBlock ElementsBlock(const ExportedFrame& now, size_t e) const;

  const Scene& scene_;
  ExportedMotion motion_;
  const std::vector<ObstaclePatch> patches_;
};

}  // namespace pliant

#endif  // PLIANT_EXPERIMENTS_BUNDLES_EXPORTED_BLOCKS_H_
