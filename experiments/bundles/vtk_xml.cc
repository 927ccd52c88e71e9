#include "experiments/bundles/vtk_xml.h"

#include <openssl/evp.h>

#include <bit>
#include <cstring>

#include "experiments/bundles/storage.h"
#include "models/scene/number_text.h"

namespace pliant {
namespace {

static_assert(std::endian::native == std::endian::little, "the files say LittleEndian");

constexpr char kVtkHead[] = "<?xml version=\"1.0\"?>\n<VTKFile type=\"";
constexpr char kVtkForm[] =
    "\" version=\"1.0\" byte_order=\"LittleEndian\" header_type=\"UInt64\">\n";

// The number of bytes, as an unsigned integer of 8 bytes, and the bytes.
std::string Base64(const void* data, size_t bytes) {
  const std::uint64_t count = bytes;
  std::string raw(sizeof count + bytes, '\0');
  std::memcpy(raw.data(), &count, sizeof count);
  if (bytes > 0) std::memcpy(raw.data() + sizeof count, data, bytes);
  // In pieces that are a multiple of 3: EVP_EncodeBlock counts with int.
  constexpr size_t kPiece = size_t{3} << 20;
  std::string text;
  for (size_t at = 0; at < raw.size(); at += kPiece) {
    const size_t length = std::min(kPiece, raw.size() - at);
    std::string piece(4 * ((length + 2) / 3) + 1, '\0');
    EVP_EncodeBlock(reinterpret_cast<unsigned char*>(piece.data()),
                    reinterpret_cast<const unsigned char*>(raw.data() + at),
                    static_cast<int>(length));
    piece.pop_back();
    text += piece;
  }
  return text;
}

void WriteDataArray(const std::string& type, const std::string& attributes, const void* data,
                    size_t bytes, OutputFile* file) {
  file->Write("<DataArray type=\"" + type + "\" " + attributes + " format=\"binary\">\n" +
              Base64(data, bytes) + "\n</DataArray>\n");
}

template <typename Number>
void WriteNumbers(const std::string& type, const std::string& name,
                  const std::vector<Number>& numbers, OutputFile* file) {
  WriteDataArray(type, "Name=\"" + name + "\"", numbers.data(), numbers.size() * sizeof(Number),
                 file);
}

void WriteDataArrays(const std::string& section, const std::vector<VtkArray>& arrays,
                     OutputFile* file) {
  file->Write("<" + section + ">\n");
  for (const VtkArray& array : arrays) {
    std::string attributes = "Name=\"" + XmlText(array.name) + "\" NumberOfComponents=\"" +
                             std::to_string(array.values.rows()) + "\"";
    for (size_t i = 0; i < array.components.size(); ++i) {
      attributes += " ComponentName" + std::to_string(i) + "=\"" + array.components[i] + "\"";
    }
    WriteDataArray("Float64", attributes, array.values.data(),
                   static_cast<size_t>(array.values.size()) * sizeof(double), file);
  }
  file->Write("</" + section + ">\n");
}

}  // namespace

void VtkGrid::AddCell(VtkCell type, const std::vector<int>& corners) {
  connectivity.insert(connectivity.end(), corners.begin(), corners.end());
  offsets.push_back(static_cast<std::int64_t>(connectivity.size()));
  types.push_back(static_cast<std::uint8_t>(type));
}

std::string XmlText(const std::string& text) {
  std::string safe;
  for (const char c : text) {
    switch (c) {
      case '&':
        safe += "&amp;";
        break;
      case '<':
        safe += "&lt;";
        break;
      case '>':
        safe += "&gt;";
        break;
      case '"':
        safe += "&quot;";
        break;
      default:
        safe += c;
    }
  }
  return safe;
}

void WriteVtu(const std::filesystem::path& path, const VtkGrid& grid) {
  OutputFile file(path);
  file.Write(std::string(kVtkHead) + "UnstructuredGrid" + kVtkForm + "<UnstructuredGrid>\n");
  file.Write("<FieldData>\n");
  WriteDataArray("Float64", "Name=\"TimeValue\" NumberOfTuples=\"1\"", &grid.time, sizeof grid.time,
                 &file);
  file.Write("</FieldData>\n<Piece NumberOfPoints=\"" + std::to_string(grid.points.cols()) +
             "\" NumberOfCells=\"" + std::to_string(grid.types.size()) + "\">\n");
  WriteDataArrays("PointData", grid.point_arrays, &file);
  WriteDataArrays("CellData", grid.cell_arrays, &file);
  WriteDataArrays("Points", {{"Points", grid.points, {}}}, &file);
  file.Write("<Cells>\n");
  WriteNumbers("Int64", "connectivity", grid.connectivity, &file);
  WriteNumbers("Int64", "offsets", grid.offsets, &file);
  WriteNumbers("UInt8", "types", grid.types, &file);
  file.Write("</Cells>\n</Piece>\n</UnstructuredGrid>\n</VTKFile>\n");
  file.Close();
}

void WriteVtm(const std::filesystem::path& path, const std::vector<VtkBlocks>& groups) {
  std::string text =
      std::string(kVtkHead) + "vtkMultiBlockDataSet" + kVtkForm + "<vtkMultiBlockDataSet>\n";
  for (size_t g = 0; g < groups.size(); ++g) {
    text +=
        "<Block index=\"" + std::to_string(g) + "\" name=\"" + XmlText(groups[g].name) + "\">\n";
    for (size_t b = 0; b < groups[g].blocks.size(); ++b) {
      const VtkBlock& block = groups[g].blocks[b];
      text += "<DataSet index=\"" + std::to_string(b) + "\" name=\"" + XmlText(block.name) +
              "\" file=\"" + XmlText(block.file) + "\"/>\n";
    }
    text += "</Block>\n";
  }
  WriteFile(path, text + "</vtkMultiBlockDataSet>\n</VTKFile>\n");
}

void WritePvd(const std::filesystem::path& path, const std::vector<VtkTime>& times) {
  std::string text = std::string(kVtkHead) + "Collection" + kVtkForm + "<Collection>\n";
  for (const VtkTime& time : times) {
    text += "<DataSet timestep=\"" + RoundTrip(time.time) + "\" part=\"0\" file=\"" +
            XmlText(time.file) + "\"/>\n";
  }
  WriteFile(path, text + "</Collection>\n</VTKFile>\n");
}

}  // namespace pliant
