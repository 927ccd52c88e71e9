#include "models/contact/body_contacts.h"

#include <algorithm>

namespace pliant {

using Eigen::Vector3d;
using Eigen::Vector4d;
using Eigen::VectorXd;

MeetingBodies::MeetingBodies(const Scene& scene) {
  const auto ordered = [](int a, int b) { return std::make_pair(std::min(a, b), std::max(a, b)); };
  for (const Attachment& attachment : scene.attachments) {
    const auto [a, b] = ordered(attachment.a.body, attachment.b.body);
    stated_[{a, b}] = {a, b, true};
  }
  for (const BodyContact& contact : scene.contacts)
    stated_[ordered(contact.a, contact.b)] = contact;
}

BodyContact MeetingBodies::Of(int a, int b) const {
  const auto found = stated_.find({std::min(a, b), std::max(a, b)});
  return found != stated_.end() ? found->second : BodyContact{a, b, a == b};
}

namespace {

constexpr double kFlat = 0.02;   // rad: a side that is as near to T bears it
constexpr double kBears = 1e-9;  // of a side on the surface: the least that bears another body

template <typename Meets>
bool AnySolidsMeet(const Scene& scene, const Meets& meets) {
  std::vector<int> solids;
  for (int b = 0; b < static_cast<int>(scene.bodies.size()); ++b) {
    if (WhyNoCells(scene, b).empty()) solids.push_back(b);
  }
  const MeetingBodies how(scene);
  for (size_t i = 0; i < solids.size(); ++i) {
    for (size_t j = i + 1; j < solids.size(); ++j) {
      if (meets(how.Of(solids[i], solids[j]))) return true;
    }
  }
  return false;
}

}  // namespace

bool SolidsMeet(const Scene& scene) {
  return AnySolidsMeet(scene, [](const BodyContact& contact) { return !contact.ignored; });
}

bool SolidsMeetWithFriction(const Scene& scene) {
  if (std::none_of(scene.contacts.begin(), scene.contacts.end(),
                   [](const BodyContact& contact) { return contact.friction > 0.0; })) {
    return false;
  }
  return AnySolidsMeet(
      scene, [](const BodyContact& contact) { return !contact.ignored && contact.friction > 0.0; });
}

BodyContacts::BodyContacts(const Scene& scene)
    : corners_(scene.dimension + 1), how_(scene), meet_(SolidsMeet(scene)) {
  if (!meet_) return;
  int first_point = 0, corners = 0;
  for (int b = 0; b < static_cast<int>(scene.bodies.size()); ++b) {
    const int points = scene.bodies[b].size();
    BodyCells cells(scene, b);
    if (!cells.cells.empty()) {
      const int first_cell = static_cast<int>(body_of_cell_.size());
      for (BodyCells::Cell cell : cells.cells) {
        for (int& corner : cell.at) corner += corners;
        corners_of_cell_.push_back(cell.at);
        extent_of_cell_.push_back(cell.extent);
        at_surface_.push_back(cell.at_surface);
        body_of_cell_.push_back(b);
        solid_of_cell_.push_back(static_cast<int>(solids_.size()));
      }
      const int more = cells.corner_count();
      solids_.push_back({b, first_point, points, corners, first_cell, std::move(cells), {}});
      corners += more;
    }
    first_point += points;
  }
  for (auto* of_corners : {&corner_at_, &corner_rate_, &corner_force_}) {
    of_corners->setZero(3, corners);
  }
  contact_of_cell_.assign(body_of_cell_.size(), -1);
  const Eigen::Matrix3Xd x = scene.InitialPoints();
  for (Solid& solid : solids_) {
    Bounds box = Bounds::Empty();
    for (int i = 0; i < solid.points; ++i) box.Take(Vector3d(x.col(solid.first_point + i)));
    bounds_.push_back(box);
    Place(&solid, x);
    std::vector<Bounds> boxes;
    for (size_t c = 0; c < solid.cells.cells.size(); ++c) {
      Bounds of_cell = Bounds::Empty();
      for (int k = 0; k < corners_; ++k) {
        of_cell.Take(
            Vector3d(corner_at_.col(corners_of_cell_[solid.first_cell + static_cast<int>(c)][k])));
      }
      boxes.push_back(of_cell);
    }
    solid.tree = BoxTree(boxes);
  }
  solid_tree_ = BoxTree(bounds_);
}

double BodyContacts::SurfaceCellsPerPoint(int body) const {
  for (const Solid& solid : solids_) {
    if (solid.body != body) continue;
    const auto at_surface = std::count_if(solid.cells.cells.begin(), solid.cells.cells.end(),
                                          [](const auto& cell) { return cell.at_surface; });
    return static_cast<double>(at_surface) / solid.points;
  }
  return 0.0;
}

void BodyContacts::Place(Solid* solid, const PointColumns& x) {
  const BodyCells& cells = solid->cells;
  for (int i = 0; i < cells.corner_count(); ++i) {
    Vector3d at = Vector3d::Zero();
    for (int k = cells.first[i]; k < cells.first[i + 1]; ++k) {
      at += cells.weights[k] * x.col(solid->first_point + cells.points[k]);
    }
    corner_at_.col(solid->first_corner + i) = at;
  }
  solid->placed = true;
  if (solid->tree.size() == 0) return;
  solid->tree.Refit([&](int cell) {
    Bounds box = Bounds::Empty();
    for (int k = 0; k < corners_; ++k) {
      box.Take(Vector3d(corner_at_.col(corners_of_cell_[solid->first_cell + cell][k])));
    }
    return box;
  });
}

void BodyContacts::Find(const PointColumns& x) {
  contacts_.clear();
  pieces_.clear();
  content_.clear();
  largest_.clear();
  own_.clear();
  if (!meet_) return;
  for (size_t s = 0; s < solids_.size(); ++s) {
    Solid& solid = solids_[s];
    solid.placed = solid.touched = false;
    Bounds box = Bounds::Empty();
    for (int i = 0; i < solid.points; ++i) box.Take(Vector3d(x.col(solid.first_point + i)));
    bounds_[s] = box;
  }
  solid_tree_.Refit([this](int s) { return bounds_[s]; });
  near_.clear();
  solid_tree_.ForEachPairWithin([this](int i, int j) {
    near_.push_back({std::min(i, j), std::max(i, j)});
  });
  std::sort(near_.begin(), near_.end());
  for (const auto& [i, j] : near_) {
    Solid &one = solids_[i], &other = solids_[j];
    const BodyContact how = how_.Of(one.body, other.body);
    if (how.ignored) continue;
    if (!one.placed) Place(&one, x);
    if (!other.placed) Place(&other, x);
    FindPair(&one, &other, how);
  }
  // Σ over the pieces becomes the mean and the unit normal.
  for (size_t c = 0; c < contacts_.size(); ++c) {
    CellContact& contact = contacts_[c];
    contact.depth = content_[c] / contact.extent;
    contact.place /= content_[c];
    const double surface = contact.normal.norm();
    contact.share = surface / contact.extent;
    contact.normal = surface > 0.0 ? Vector3d(contact.normal / surface) : Vector3d(0, 0, 0);
  }
}

template <typename Corners>
Corners BodyContacts::CornersAt(int cell) const {
  Corners at;
  for (size_t k = 0; k < at.size(); ++k) at[k] = corner_at_.col(corners_of_cell_[cell][k]);
  return at;
}

int BodyContacts::AddToContact(int cell, int a, int b, int other_cell,
                               const SimplexOverlap& overlap, const Vector3d& surface,
                               const BodyContact& how) {
  int& number = contact_of_cell_[cell];
  if (number < 0) {
    number = static_cast<int>(contacts_.size());
    contacts_.push_back({.cell = cell,
                         .a = a,
                         .b = b,
                         .partner = other_cell,
                         .extent = extent_of_cell_[cell],
                         .friction = how.friction,
                         .restitution = how.restitution});
    content_.push_back(0.0);
    largest_.push_back(0.0);
    own_.push_back(Vector3d::Zero());
  }
  CellContact& contact = contacts_[number];
  contact.place += overlap.moment;
  contact.normal += surface;
  content_[number] += overlap.content;
  if (overlap.content > largest_[number]) {
    largest_[number] = overlap.content;
    contact.partner = other_cell;
  }
  return number;
}

void BodyContacts::FindPair(Solid* one, Solid* other, const BodyContact& how) {
  const auto first = contacts_.size();
  one->tree.ForEachPair(other->tree, [&](int i, int j) {
    const int cell = one->first_cell + i, other_cell = other->first_cell + j;
    SimplexOverlap overlap;
    const bool found = corners_ == 3
                           ? FindOverlap(CornersAt<TriangleCorners>(cell),
                                         CornersAt<TriangleCorners>(other_cell), &overlap)
                           : FindOverlap(CornersAt<TetrahedronCorners>(cell),
                                         CornersAt<TetrahedronCorners>(other_cell), &overlap);
    if (!found) return;
    one->touched = other->touched = true;
    const int of_one =
        AddToContact(cell, one->body, other->body, other_cell, overlap, overlap.by_a.surface, how);
    const int of_other =
        AddToContact(other_cell, other->body, one->body, cell, overlap, -overlap.by_b.surface, how);
    if (at_surface_[cell]) own_[of_one] += overlap.by_a.own;
    if (at_surface_[other_cell]) own_[of_other] += overlap.by_b.own;
    pieces_.push_back({{cell, other_cell}, {of_one, of_other}, {overlap.by_a, overlap.by_b}});
  });
  for (auto c = first; c < contacts_.size(); ++c) contact_of_cell_[contacts_[c].cell] = -1;
  ChoosePushes(first);
}

void BodyContacts::ChoosePushes(size_t first) {
  if (first == contacts_.size()) return;
  const int a = contacts_[first].a;
  const auto bears = [this](size_t c) {
    return own_[c].norm() > kBears * contacts_[c].extent;  // less has no direction
  };
  Vector3d on_a = Vector3d::Zero();  // T, outwards of b where it is the second body
  bool any = false;
  for (auto c = first; c < contacts_.size(); ++c) {
    on_a += contacts_[c].a == a ? Vector3d(-own_[c]) : own_[c];
    any = any || bears(c);
  }
  on_a.normalize();
  const auto towards = [&](size_t c) { return contacts_[c].a == a ? on_a : Vector3d(-on_a); };
  // Of the sides of the other body in each cell the one that faces T most.
  for (auto piece = pieces_.rbegin(); piece != pieces_.rend(); ++piece) {
    if (static_cast<size_t>(piece->contact[0]) < first) break;
    for (const int part : {0, 1}) {
      const Vector3d& side = piece->gradient[1 - part].own;
      const auto c = static_cast<size_t>(piece->contact[part]);
      if (!at_surface_[piece->cell[1 - part]]) continue;
      if (!(side.norm() > kBears * contacts_[c].extent)) continue;
      Vector3d& push = contacts_[c].push;
      if (push.isZero(0.0) || side.normalized().dot(towards(c)) > push.dot(towards(c))) {
        push = side.normalized();
      }
    }
  }
  for (auto c = first; c < contacts_.size(); ++c) {
    CellContact& contact = contacts_[c];
    const Vector3d both = towards(c), own = -own_[c].normalized(), side = contact.push;
    contact.push.setZero();
    if (any && !bears(c)) continue;
    const Vector3d nearer = own.dot(both) > side.dot(both) ? own : side;
    const Vector3d mean = contact.normal.normalized();
    const bool flat = nearer.cross(both).norm() < kFlat && nearer.dot(both) > 0.0;
    contact.push = flat ? nearer : own.dot(both) > mean.dot(both) ? own : mean;
  }
}

void BodyContacts::DepthRates(const PointColumns& v, VectorXd* rates) {
  rates->setZero(static_cast<Eigen::Index>(contacts_.size()));
  for (const Solid& solid : solids_) {
    if (!solid.touched) continue;
    for (int i = 0; i < solid.cells.corner_count(); ++i) {
      Vector3d rate = Vector3d::Zero();
      for (int k = solid.cells.first[i]; k < solid.cells.first[i + 1]; ++k) {
        rate += solid.cells.weights[k] * v.col(solid.first_point + solid.cells.points[k]);
      }
      corner_rate_.col(solid.first_corner + i) = rate;
    }
  }
  for (const Piece& piece : pieces_) {
    const auto &corners = corners_of_cell_[piece.cell[0]],
               &others = corners_of_cell_[piece.cell[1]];
    for (int part = 0; part < 2; ++part) {
      const OverlapGradient& gradient = piece.gradient[part];
      double rate = 0.0;
      for (int k = 0; k < corners_; ++k) {
        rate += gradient.of_a[k].dot(corner_rate_.col(corners[k])) +
                gradient.of_b[k].dot(corner_rate_.col(others[k]));
      }
      const int contact = piece.contact[part];
      (*rates)[contact] += rate / contacts_[contact].extent;
    }
  }
}

void BodyContacts::AddForces(const VectorXd& f, Eigen::Ref<Eigen::Matrix3Xd> forces) {
  for (const Solid& solid : solids_) {
    if (!solid.touched) continue;
    corner_force_.middleCols(solid.first_corner, solid.cells.corner_count()).setZero();
  }
  for (const Piece& piece : pieces_) {
    const auto &corners = corners_of_cell_[piece.cell[0]],
               &others = corners_of_cell_[piece.cell[1]];
    for (int part = 0; part < 2; ++part) {
      const OverlapGradient& gradient = piece.gradient[part];
      const int contact = piece.contact[part];
      const double pressure = f[contact] / contacts_[contact].extent;
      for (int k = 0; k < corners_; ++k) {
        corner_force_.col(corners[k]) -= pressure * gradient.of_a[k];
        corner_force_.col(others[k]) -= pressure * gradient.of_b[k];
      }
    }
  }
  for (const Solid& solid : solids_) {
    if (!solid.touched) continue;
    for (int i = 0; i < solid.cells.corner_count(); ++i) {
      const Vector3d force = corner_force_.col(solid.first_corner + i);
      for (int k = solid.cells.first[i]; k < solid.cells.first[i + 1]; ++k) {
        forces.col(solid.first_point + solid.cells.points[k]) += solid.cells.weights[k] * force;
      }
    }
  }
}

Vector4d BodyContacts::WeightsIn(int cell, const Vector3d& x) const {
  return corners_ == 3 ? WeightsAt(CornersAt<TriangleCorners>(cell), x)
                       : WeightsAt(CornersAt<TetrahedronCorners>(cell), x);
}

Vector3d BodyContacts::ValueAt(int cell, const Vector4d& weights, const PointColumns& of) const {
  Vector3d value = Vector3d::Zero();
  ForEachWeight(cell, weights, [&](int point, double w) { value += w * of.col(point); });
  return value;
}

void BodyContacts::AddForceAt(int cell, const Vector4d& weights, const Vector3d& force,
                              Eigen::Ref<Eigen::Matrix3Xd> forces) const {
  ForEachWeight(cell, weights, [&](int point, double w) { forces.col(point) += w * force; });
}

}  // namespace pliant
