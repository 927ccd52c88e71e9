#include "models/geometry/subdivision.h"

#include <cmath>
#include <map>
#include <numbers>
#include <numeric>
#include <set>
#include <string>
#include <utility>

#include "models/problem.h"

namespace pliant {
namespace {

// What a vertex or an edge borders.
struct Edge {
  std::array<int, 2> ends;
  std::vector<int> faces;  // one at the border, otherwise two
};

struct Adjacency {
  std::map<std::pair<int, int>, int> index;  // of the edge, by its ends in order
  std::vector<Edge> edges;                   // in order of appearance in the faces
  std::vector<std::vector<int>> edges_at;    // per vertex
  std::vector<std::vector<int>> faces_at;    // per vertex
};

Adjacency AdjacencyOf(const PolygonMesh& mesh) {
  Adjacency all;
  all.edges_at.resize(mesh.vertices);
  all.faces_at.resize(mesh.vertices);
  for (int f = 0; f < static_cast<int>(mesh.faces.size()); ++f) {
    const std::vector<int>& face = mesh.faces[f];
    for (size_t i = 0; i < face.size(); ++i) {
      const int a = face[i], b = face[(i + 1) % face.size()];
      const auto [at, is_new] =
          all.index.try_emplace(std::minmax(a, b), static_cast<int>(all.edges.size()));
      if (is_new) {
        all.edges.push_back({{a, b}, {}});
        all.edges_at[a].push_back(at->second);
        all.edges_at[b].push_back(at->second);
      }
      all.edges[at->second].faces.push_back(f);
      all.faces_at[a].push_back(f);
    }
  }
  return all;
}

int OtherEnd(const Edge& edge, int vertex) {
  return edge.ends[0] == vertex ? edge.ends[1] : edge.ends[0];
}

// `where`: "faces" or "vertices".
[[noreturn]] void FailMesh(const std::string& where, size_t number, const std::string& what,
                           const std::string& mend) {
  throw BadInput({where + "[" + std::to_string(number) + "]", what, mend});
}

std::string Ends(int a, int b) { return std::to_string(a) + "–" + std::to_string(b); }

void RequireSimpleFaces(const PolygonMesh& mesh) {
  std::vector<bool> used(mesh.vertices, false);
  for (size_t f = 0; f < mesh.faces.size(); ++f) {
    const std::vector<int>& face = mesh.faces[f];
    const std::string name = "face " + std::to_string(f);
    if (face.size() < 3) FailMesh("faces", f, name + " has fewer than 3 vertices", "remove it");
    for (int v : face) {
      if (v < 0 || v >= mesh.vertices) {
        FailMesh("faces", f, name + " names vertex " + std::to_string(v),
                 "vertices are 0 to " + std::to_string(mesh.vertices - 1));
      }
      used[v] = true;
    }
    if (std::set<int>(face.begin(), face.end()).size() != face.size()) {
      FailMesh("faces", f, name + " names a vertex twice", "split it");
    }
  }
  for (int v = 0; v < mesh.vertices; ++v) {
    if (used[v]) continue;
    FailMesh("vertices", v, "vertex " + std::to_string(v) + " belongs to no face", "remove it");
  }
}

// The faces at a vertex, joined across the edges that leave it, must be one piece.
void RequireOneFan(const Adjacency& all, int vertex) {
  const std::vector<int>& faces = all.faces_at[vertex];
  std::set<int> reached = {faces[0]};
  for (bool grows = true; grows;) {
    grows = false;
    for (int e : all.edges_at[vertex]) {
      const std::vector<int>& sides = all.edges[e].faces;
      if (sides.size() != 2 || reached.contains(sides[0]) == reached.contains(sides[1])) continue;
      reached.insert(sides.begin(), sides.end());
      grows = true;
    }
  }
  if (reached.size() != faces.size()) {
    FailMesh(
        "vertices", vertex,
        "the mesh is not manifold: parts of it touch in vertex " + std::to_string(vertex) + " only",
        "give each part a vertex of its own");
  }
}

// Rows are written one after the other; equal columns are summed.
class MaskWriter {
 public:
  void Add(int column, double weight) { row_[column] += weight; }
  void End(VertexMasks* masks) {
    for (const auto& [column, weight] : row_) {
      masks->column.push_back(column);
      masks->weight.push_back(weight);
    }
    masks->start.push_back(static_cast<int>(masks->column.size()));
    row_.clear();
  }

 private:
  std::map<int, double> row_;
};

class Refiner {
 public:
  Refiner(const PolygonMesh& mesh, SubdivisionScheme scheme)
      : mesh_(mesh), scheme_(scheme), all_(AdjacencyOf(mesh)) {}

  RefinedMesh Refined() {
    for (int v = 0; v < mesh_.vertices; ++v) VertexPoint(v);
    for (const Edge& edge : all_.edges) EdgePoint(edge);
    if (scheme_ == SubdivisionScheme::kCatmullClark) {
      for (size_t f = 0; f < mesh_.faces.size(); ++f) {
        AddFacePoint(static_cast<int>(f), 1.0);
        smooth_.End(&refined_.smooth);
        const std::vector<int>& face = mesh_.faces[f];
        for (int v : face) linear_.Add(v, 1.0 / static_cast<double>(face.size()));
        linear_.End(&refined_.linear);
      }
    }
    refined_.mesh.vertices = refined_.smooth.rows();
    for (size_t f = 0; f < mesh_.faces.size(); ++f) SplitFace(static_cast<int>(f));
    return std::move(refined_);
  }

 private:
  void AddFacePoint(int f, double weight) {
    const std::vector<int>& face = mesh_.faces[f];
    for (int v : face) smooth_.Add(v, weight / static_cast<double>(face.size()));
  }

  void VertexPoint(int v) {
    linear_.Add(v, 1.0);
    linear_.End(&refined_.linear);
    const auto n = static_cast<double>(all_.edges_at[v].size());
    std::vector<int> border;  // the neighbours along the border
    for (int e : all_.edges_at[v]) {
      if (all_.edges[e].faces.size() == 1) border.push_back(OtherEnd(all_.edges[e], v));
    }
    if (!border.empty()) {
      const bool corner = all_.faces_at[v].size() == 1;
      smooth_.Add(v, corner ? 1.0 : 0.75);
      if (!corner) {
        for (int w : border) smooth_.Add(w, 0.125);
      }
    } else if (scheme_ == SubdivisionScheme::kCatmullClark) {
      // (Q + 2R + (n − 3) S)/n: means of the face points, of the middles of the edges, the vertex.
      for (int f : all_.faces_at[v]) AddFacePoint(f, 1.0 / (n * n));
      for (int e : all_.edges_at[v]) {
        smooth_.Add(v, 1.0 / (n * n));
        smooth_.Add(OtherEnd(all_.edges[e], v), 1.0 / (n * n));
      }
      smooth_.Add(v, (n - 3.0) / n);
    } else {
      const double c = 0.375 + 0.25 * std::cos(2.0 * std::numbers::pi / n);
      const double beta = (0.625 - c * c) / n;
      smooth_.Add(v, 1.0 - n * beta);
      for (int e : all_.edges_at[v]) smooth_.Add(OtherEnd(all_.edges[e], v), beta);
    }
    smooth_.End(&refined_.smooth);
  }

  void EdgePoint(const Edge& edge) {
    for (int v : edge.ends) linear_.Add(v, 0.5);
    linear_.End(&refined_.linear);
    if (edge.faces.size() == 1) {
      for (int v : edge.ends) smooth_.Add(v, 0.5);
    } else if (scheme_ == SubdivisionScheme::kCatmullClark) {
      for (int v : edge.ends) smooth_.Add(v, 0.25);
      for (int f : edge.faces) AddFacePoint(f, 0.25);
    } else {
      // 3/8 for the ends and 1/8 for the two vertices opposite.
      for (int f : edge.faces) {
        for (int v : mesh_.faces[f]) smooth_.Add(v, 0.125);
      }
      for (int v : edge.ends) smooth_.Add(v, 0.125);
    }
    smooth_.End(&refined_.smooth);
  }

  void SplitFace(int f) {
    const std::vector<int>& face = mesh_.faces[f];
    const size_t n = face.size();
    auto middle = [&](size_t i) {
      return mesh_.vertices + all_.index.at(std::minmax(face[i], face[(i + 1) % n]));
    };
    std::vector<std::vector<int>>& faces = refined_.mesh.faces;
    if (scheme_ == SubdivisionScheme::kLoop) {
      for (size_t i = 0; i < 3; ++i) faces.push_back({face[i], middle(i), middle((i + 2) % 3)});
      faces.push_back({middle(0), middle(1), middle(2)});
      return;
    }
    const int centre = mesh_.vertices + static_cast<int>(all_.edges.size()) + f;
    for (size_t i = 0; i < n; ++i) {
      faces.push_back({face[i], middle(i), centre, middle((i + n - 1) % n)});
    }
  }

  const PolygonMesh& mesh_;
  SubdivisionScheme scheme_;
  Adjacency all_;
  RefinedMesh refined_;
  MaskWriter smooth_, linear_;
};

}  // namespace

void RequireManifold(const PolygonMesh& mesh) {
  if (mesh.faces.empty()) throw BadInput({"faces", "the mesh has no faces", "give at least one"});
  RequireSimpleFaces(mesh);
  std::map<std::pair<int, int>, int> directed;  // a face runs along an edge each way at most once
  for (size_t f = 0; f < mesh.faces.size(); ++f) {
    const std::vector<int>& face = mesh.faces[f];
    for (size_t i = 0; i < face.size(); ++i) {
      const int a = face[i], b = face[(i + 1) % face.size()];
      if (++directed[{a, b}] > 1) {
        FailMesh("faces", f,
                 "the mesh is not manifold: the edge " + Ends(a, b) +
                     " has more than two faces, or two that turn against each other",
                 "let two faces share it, both counter-clockwise seen from outside");
      }
    }
  }
  const Adjacency all = AdjacencyOf(mesh);
  for (int v = 0; v < mesh.vertices; ++v) RequireOneFan(all, v);
}

bool IsClosed(const PolygonMesh& mesh) {
  const Adjacency all = AdjacencyOf(mesh);
  for (const Edge& edge : all.edges) {
    if (edge.faces.size() != 2) return false;
  }
  return true;
}

std::vector<std::array<int, 2>> EdgesOf(const PolygonMesh& mesh) {
  std::vector<std::array<int, 2>> edges;
  for (const Edge& edge : AdjacencyOf(mesh).edges) edges.push_back(edge.ends);
  return edges;
}

std::vector<std::array<int, 3>> TrianglesOf(const PolygonMesh& mesh) {
  std::vector<std::array<int, 3>> triangles;
  for (const std::vector<int>& face : mesh.faces) {
    for (size_t i = 2; i < face.size(); ++i) triangles.push_back({face[0], face[i - 1], face[i]});
  }
  return triangles;
}

RefinedMesh Refine(const PolygonMesh& mesh, SubdivisionScheme scheme) {
  if (scheme == SubdivisionScheme::kLoop) {
    for (size_t f = 0; f < mesh.faces.size(); ++f) {
      if (mesh.faces[f].size() == 3) continue;
      throw BadInput({"scheme",
                      "Loop's scheme refines triangles, but face " + std::to_string(f) + " has " +
                          std::to_string(mesh.faces[f].size()) + " vertices",
                      "use \"catmull-clark\""});
    }
  }
  return Refiner(mesh, scheme).Refined();
}

Eigen::Matrix3Xd Apply(const VertexMasks& masks, const Eigen::Matrix3Xd& points) {
  Eigen::Matrix3Xd result = Eigen::Matrix3Xd::Zero(3, masks.rows());
  for (int i = 0; i < masks.rows(); ++i) {
    for (int k = masks.start[i]; k < masks.start[i + 1]; ++k) {
      result.col(i) += masks.weight[k] * points.col(masks.column[k]);
    }
  }
  return result;
}

}  // namespace pliant
