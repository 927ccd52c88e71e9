// XDMF 3: an XML file that tells ParaView where in an HDF5 file beside it the numbers of each frame are. Blocks and arrays are
// those of VTK's files (exported_blocks.h): a collection in time of collections in space.
//
//   /frame_0007/body0-net/points     n×3
//   /frame_0007/body0-net/strain     an array at its points, n×components
//   /frame_0007/body0-net/cells      corners of its cells, cells×corners; with kinds and counts between them where they differ
//   /frame_0007/body0-net/of_cells/strain   an array of its cells
//
// What does not change from a frame to the next is in the first of them only, and the XML file points there. Each dataset is
// read whole: ParaView's newer reader of XDMF takes no parts of datasets.

#include <algorithm>
#include <map>
#include <string>

#include "experiments/bundles/export_formats.h"
#include "experiments/bundles/exported_blocks.h"
#include "experiments/bundles/hdf5.h"
#include "experiments/bundles/storage.h"
#include "models/scene/number_text.h"

namespace pliant {
namespace {

using Eigen::MatrixXd;
using hdf5::Handle;
using Whole = Eigen::Matrix<std::int64_t, Eigen::Dynamic, Eigen::Dynamic>;

constexpr size_t kFewNumbers = 512;  // numbers; fewer are not worth compressing

// The HDF5 file, and what was written last for each dataset of each block. A k×n matrix becomes n×k in the file.
class XdmfData {
 public:
  explicit XdmfData(const std::filesystem::path& path) : path_(path) {
    hdf5::Prepare();
    file_ = Handle(H5Fcreate(path.c_str(), H5F_ACC_TRUNC, H5P_DEFAULT, H5P_DEFAULT), H5Fclose);
    Check(file_.get(), "cannot create the file");
  }

  // The place of `values` in the file: that of the frame before where they are the same bytes.
  std::string Put(const std::string& frame, const std::string& name, const MatrixXd& values) {
    return Put(frame, name, values, H5T_IEEE_F64LE, H5T_NATIVE_DOUBLE, &numbers_[name]);
  }
  std::string Put(const std::string& frame, const std::string& name, const Whole& values) {
    return Put(frame, name, values, H5T_STD_I64LE, H5T_NATIVE_INT64, &wholes_[name]);
  }

  // So that a full disk is noticed.
  void Flush() {
    hdf5::Prepare();
    Check(H5Fflush(file_.get(), H5F_SCOPE_GLOBAL), "cannot write");
  }
  void Close() {
    hdf5::Prepare();
    Check(file_.Close() ? 0 : -1, "cannot close the file");
  }

 private:
  template <typename Matrix>
  struct Last {
    Matrix values;
    std::string place;  // empty: none yet
  };

  template <typename Matrix>
  std::string Put(const std::string& frame, const std::string& name, const Matrix& values,
                  hid_t stored, hid_t held, Last<Matrix>* last) {
    const auto size = static_cast<size_t>(values.size()) * sizeof(*values.data());
    const bool same = !last->place.empty() && last->values.rows() == values.rows() &&
                      last->values.cols() == values.cols() &&
                      std::equal(reinterpret_cast<const char*>(values.data()),
                                 reinterpret_cast<const char*>(values.data()) + size,
                                 reinterpret_cast<const char*>(last->values.data()));
    if (same) return last->place;
    *last = {values, "/" + frame + "/" + name};
    hdf5::Prepare();
    const std::array<hsize_t, 2> shape = {static_cast<hsize_t>(values.cols()),
                                          static_cast<hsize_t>(values.rows())};
    const Handle space(H5Screate_simple(2, shape.data(), nullptr), H5Sclose);
    const Handle groups(H5Pcreate(H5P_LINK_CREATE), H5Pclose);
    H5Pset_create_intermediate_group(groups.get(), 1);
    const Handle creation(H5Pcreate(H5P_DATASET_CREATE), H5Pclose);
    H5Pset_obj_track_times(creation.get(), 0);
    if (values.size() >= static_cast<Eigen::Index>(kFewNumbers)) {
      constexpr hsize_t kRows = (hsize_t{1} << 17) / 9;  // chunks of a tensor have 1 MB at most
      const std::array<hsize_t, 2> chunk = {std::min(shape[0], kRows), shape[1]};
      H5Pset_chunk(creation.get(), 2, chunk.data());
      H5Pset_shuffle(creation.get());
      H5Pset_deflate(creation.get(), 1);
    }
    const Handle dataset(H5Dcreate2(file_.get(), last->place.c_str(), stored, space.get(),
                                    groups.get(), creation.get(), H5P_DEFAULT),
                         H5Dclose);
    Check(dataset.get(), "cannot create a dataset");
    Check(H5Dwrite(dataset.get(), held, H5S_ALL, H5S_ALL, H5P_DEFAULT, values.data()),
          "cannot write");
    return last->place;
  }

  void Check(hid_t result, const char* what) const {
    if (result < 0) throw StorageError(path_.string() + ": " + what + ": " + hdf5::Reason());
  }

  std::filesystem::path path_;
  Handle file_;
  std::map<std::string, Last<MatrixXd>> numbers_;
  std::map<std::string, Last<Whole>> wholes_;
};

// What XDMF calls a kind of cell, its number in lists of several kinds, and whether the number of corners stands before them there.
struct XdmfCell {
  const char* name;
  std::int64_t number;
  bool counted;
};
XdmfCell XdmfCellOf(std::uint8_t type) {
  switch (static_cast<VtkCell>(type)) {
    case VtkCell::kVertex:
      return {"Polyvertex", 1, true};
    case VtkCell::kLine:
      return {"Polyline", 2, true};
    case VtkCell::kTriangle:
      return {"Triangle", 4, false};
    case VtkCell::kPolygon:
      return {"Polygon", 3, true};
    case VtkCell::kTetrahedron:
      return {"Tetrahedron", 6, false};
    case VtkCell::kHexahedron:
      return {"Hexahedron", 9, false};
  }
  return {"", 0, false};
}

// "4 3" of a 3×4 matrix, and where it is.
std::string DataItem(const std::string& number_type, Eigen::Index rows, Eigen::Index columns,
                     const std::string& place) {
  return "<DataItem Format=\"HDF\" NumberType=\"" + number_type +
         "\" Precision=\"8\" Dimensions=\"" + std::to_string(rows) + " " + std::to_string(columns) +
         "\">" + place + "</DataItem>\n";
}

// The order of VTK, xx, yy, zz, xy, yz, xz, row by row: xx, xy, xz, yy, yz, zz.
constexpr std::array<int, 6> kRowByRow = {0, 3, 5, 1, 4, 2};

class XdmfExport {
 public:
  XdmfExport(const std::filesystem::path& folder, const std::string& data_file)
      : data_file_(data_file), data_(folder / data_file) {}

  std::string Grid(const std::string& frame, const ExportedBlock& block) {
    const VtkGrid& grid = block.grid;
    std::string text = "<Grid Name=\"" + XmlText(block.name) + "\" GridType=\"Uniform\">\n" +
                       Topology(frame, block);
    text += "<Geometry GeometryType=\"XYZ\">\n" + Item(frame, block.stem + "/points", grid.points) +
            "</Geometry>\n";
    for (const VtkArray& array : grid.point_arrays)
      text += Attribute("Node", array, frame, block.stem + "/" + array.name);
    for (const VtkArray& array : grid.cell_arrays)
      text += Attribute("Cell", array, frame, block.stem + "/of_cells/" + array.name);
    return text + "</Grid>\n";
  }

  void Flush() { data_.Flush(); }
  void Close() { data_.Close(); }

 private:
  std::string Item(const std::string& frame, const std::string& name, const MatrixXd& values) {
    return DataItem("Float", values.cols(), values.rows(), In(data_.Put(frame, name, values)));
  }
  std::string In(const std::string& place) const { return XmlText(data_file_) + ":" + place; }

  std::string Attribute(const char* centre, const VtkArray& array, const std::string& frame,
                        const std::string& name) {
    MatrixXd values = array.values;
    const bool tensor = values.rows() == 6;
    for (int c = 0; tensor && c < 6; ++c) values.row(c) = array.values.row(kRowByRow[c]);
    const char* type = tensor ? "Tensor6" : values.rows() == 3 ? "Vector" : "Scalar";
    return "<Attribute Name=\"" + XmlText(array.name) + "\" AttributeType=\"" + type +
           "\" Center=\"" + centre + "\">\n" + Item(frame, name, values) + "</Attribute>\n";
  }

  std::string Topology(const std::string& frame, const ExportedBlock& block) {
    const VtkGrid& grid = block.grid;
    const size_t cells = grid.types.size();
    const auto corners = [&](size_t c) {
      return grid.offsets[c] - (c == 0 ? 0 : grid.offsets[c - 1]);
    };
    bool alike = cells > 0;
    for (size_t c = 1; c < cells; ++c)
      alike = alike && grid.types[c] == grid.types[0] && corners(c) == corners(0);
    std::string text =
        "<Topology NumberOfElements=\"" + std::to_string(cells) + "\" TopologyType=\"";
    Whole numbers;
    if (alike) {
      const XdmfCell kind = XdmfCellOf(grid.types[0]);
      text += kind.name + std::string("\"");
      if (kind.counted) text += " NodesPerElement=\"" + std::to_string(corners(0)) + "\"";
      numbers = Eigen::Map<const Whole>(grid.connectivity.data(), corners(0),
                                        static_cast<Eigen::Index>(cells));
    } else {
      text += "Mixed\"";
      std::vector<std::int64_t> mixed;
      for (size_t c = 0; c < cells; ++c) {
        const XdmfCell kind = XdmfCellOf(grid.types[c]);
        mixed.push_back(kind.number);
        if (kind.counted) mixed.push_back(corners(c));
        const auto end = grid.connectivity.begin() + grid.offsets[c];
        mixed.insert(mixed.end(), end - corners(c), end);
      }
      numbers = Eigen::Map<const Whole>(mixed.data(), 1, static_cast<Eigen::Index>(mixed.size()));
    }
    const std::string place = In(data_.Put(frame, block.stem + "/cells", numbers));
    return text + ">\n" + DataItem("Int", numbers.cols(), numbers.rows(), place) + "</Topology>\n";
  }

  std::string data_file_;
  XdmfData data_;
};

std::string Collection(const std::string& name, const char* kind) {
  return "<Grid Name=\"" + XmlText(name) + "\" GridType=\"Collection\" CollectionType=\"" + kind +
         "\">\n";
}

}  // namespace

Exported ExportXdmf(const Bundle& bundle, const std::filesystem::path& folder,
                    const ExportOptions& options) {
  std::string data = bundle.label() + ".h5";
  std::replace(data.begin(), data.end(), ':', '-');  // which ends the name of a file in XDMF
  ExportedBlocks blocks(bundle, options);
  XdmfExport xdmf(folder, data);
  const std::filesystem::path path = folder / (bundle.label() + ".xmf");
  OutputFile file(path);
  file.Write("<?xml version=\"1.0\"?>\n<Xdmf Version=\"3.0\">\n<Domain>\n" +
             Collection(bundle.label(), "Temporal"));
  for (size_t frame = 0; frame < bundle.frame_count(); ++frame) {
    options.Progress(frame, bundle.frame_count());
    const std::string name = "frame_" + FrameNumber(bundle, frame);
    file.Write(Collection(name, "Spatial") + "<Time Value=\"" + RoundTrip(bundle.Time(frame)) +
               "\"/>\n");
    for (const ExportedGroup& group : blocks.At(frame)) {
      for (const ExportedBlock& block : group.blocks) file.Write(xdmf.Grid(name, block));
    }
    file.Write("</Grid>\n");
    xdmf.Flush();
  }
  file.Write("</Grid>\n</Domain>\n</Xdmf>\n");
  xdmf.Close();
  file.Close();
  return {path, blocks.frames_elsewhere()};
}

}  // namespace pliant
