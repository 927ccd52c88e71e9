#include "app/plots/scene_drawing.h"

#include <QFontMetricsF>
#include <QImage>
#include <QPainter>
#include <QPolygonF>
#include <algorithm>
#include <cmath>
#include <numbers>
#include <set>
#include <utility>
#include <vector>

#include "app/plots/display_list.h"
#include "app/plots/lamp_solid.h"
#include "app/plots/merged_surface.h"
#include "app/plots/plot.h"
#include "app/plots/qt_style.h"
#include "app/plots/slider_guide.h"
#include "models/scene/number_text.h"
#include "models/scene/obstacle_surface.h"

namespace pliant {
namespace {

using Eigen::Vector3d;

constexpr double kBehind = -1e9;      // m, depth of solid things in the plane: bodies are over them
constexpr double kEdgeWidth = 0.7;    // px, of edges between faces
constexpr double kStrandWidth = 2.2;  // px, of edges of bodies without faces
constexpr int kManySprings = 24;      // above it, springs are plain thin lines
constexpr double kNailRadius = 3.4;   // px
constexpr double kAttachmentRadius = 4.4;   // px, so that a nail shows inside it
constexpr double kSliderRadius = 4.2;       // px, of a diamond
constexpr double kMarkRadius = 2.2;         // px, of a point
constexpr double kMarkLift = 6.0;           // px, towards the viewer
constexpr size_t kMostVectorShapes = 1500;  // of a picture that is drawn as vectors
constexpr double kPictureScale = 2.0;       // pixels of a picture to a px
constexpr int kTurn = 24;                   // facets around a sphere or capsule
constexpr int kSideParts = 6;  // along a side of a box: small faces sort better against a body
constexpr int kObstacleAlpha = 150;  // what they press on is seen through them

void AddPlane(const Plane& plane, const Vector3d& origin, const Scene& scene,
              const ScenePalette& palette, DisplayList* list) {
  const Vector3d& n = plane.normal;
  const double size = list->camera().window.diagonal().norm();
  const Eigen::Matrix3Xd start = scene.InitialPoints();
  const Vector3d middle = start.cols() > 0 ? Vector3d(start.rowwise().mean()) : origin;
  const Vector3d foot = middle - n.dot(middle - origin) * n;
  const QPen line(ToQColor(palette.ground_line), 1.0);
  if (scene.dimension == 2) {
    const Vector3d along = 3.0 * size * Vector3d(n.y(), -n.x(), 0.0), below = -3.0 * size * n;
    list->Add({foot - along, foot + along, foot + along + below, foot - along + below}, -INFINITY,
              true, ToQColor(palette.ground), Qt::NoPen);
    list->Add({foot - along, foot + along}, -INFINITY, false, {},
              QPen(ToQColor(Lighten(palette.ground_line, -0.35)), 1.6));
    return;
  }
  const auto [a, b] = TangentsOf(n);
  const double spacing = ScaleBarLength(size / 8.0);
  const int half = static_cast<int>(std::ceil(0.45 * size / spacing));
  const double reach = half * spacing;
  list->Add({foot - reach * a - reach * b, foot + reach * a - reach * b,
             foot + reach * a + reach * b, foot - reach * a + reach * b},
            -INFINITY, true, ToQColor(palette.ground), Qt::NoPen);
  for (int i = -half; i <= half; ++i) {
    const double at = i * spacing;
    list->Add({foot + at * a - reach * b, foot + at * a + reach * b}, -INFINITY, false, {}, line);
    list->Add({foot + at * b - reach * a, foot + at * b + reach * a}, -INFINITY, false, {}, line);
  }
}

// In the plane its outline, otherwise the facets of the side that is seen.
void AddObstacle(const Obstacle& obstacle, double time, const Scene& scene,
                 const ScenePalette& palette, DisplayList* list) {
  const Vector3d origin = obstacle.motion.At(time).position;
  if (const Plane* plane = PlaneOf(obstacle.shape)) {
    AddPlane(*plane, origin, scene, palette, list);
    return;
  }
  if (scene.dimension == 2) {
    const std::vector<Eigen::Matrix3Xd> outlines = OutlinesOf(obstacle.shape, kTurn);
    // The seams of a solid are inside it.
    const QPen edge(ToQColor(Lighten(palette.obstacle, -0.4)), 1.2);
    const QPen pen = outlines.size() == 1 ? edge : QPen(Qt::NoPen);
    for (const Eigen::Matrix3Xd& outline : outlines) {
      std::vector<Vector3d> corners;
      for (const auto& corner : outline.colwise()) corners.emplace_back(origin + corner);
      list->Add(corners, kBehind, true, ToQColor(palette.obstacle), pen);
    }
    return;
  }
  for (const Facet& facet : FacetsOf(obstacle.shape, {kTurn, kSideParts})) {
    if (!list->IsSeenFromFront(facet.normal)) continue;
    std::vector<Vector3d> corners(facet.corners.begin(), facet.corners.begin() + facet.size);
    for (Vector3d& corner : corners) corner += origin;
    list->AddFace(corners, list->Lit(palette.obstacle, facet.normal, kObstacleAlpha));
  }
}

// A body with an inside hides the faces and edges that are turned away; sorting by depth alone
// would let some of them through at the rim.
void AddBody(const Body& body, const Eigen::Ref<const Eigen::Matrix3Xd>& x,
             const ScenePalette& palette, DisplayList* list) {
  if (palette.lamps) {
    const std::vector<SolidFace> faces = LampSolid(body, x);
    for (const SolidFace& face : faces) {
      list->AddFace({face.corners.begin(), face.corners.end()},
                    list->Lit(Lighten(palette.body, 0.4), face.normal));
    }
    if (!faces.empty()) return;
  }
  const bool solid = body.closed;
  const Colour face_colour = Lighten(palette.body, 0.4);
  const QColor dark = ToQColor(Lighten(palette.body, -0.35));
  std::set<std::pair<int, int>> seen;  // edges of the faces that are turned to the viewer
  for (const auto& face : body.faces) {
    const Vector3d a = x.col(face[0]), b = x.col(face[1]), c = x.col(face[2]);
    const Vector3d normal = (b - a).cross(c - a).stableNormalized();
    if (solid && !list->IsSeenFromFront(normal)) continue;
    list->AddFace({a, b, c}, list->Lit(face_colour, normal));
    for (int i = 0; i < 3; ++i) seen.insert(std::minmax(face[i], face[(i + 1) % 3]));
  }
  const QPen pen(dark, body.faces.empty() ? kStrandWidth : kEdgeWidth, Qt::SolidLine, Qt::RoundCap);
  for (const auto& edge : body.edges) {
    if (solid && !seen.contains(std::minmax(edge[0], edge[1]))) continue;
    const Vector3d a = x.col(edge[0]), b = x.col(edge[1]);
    // Nearer than the faces it borders, whose middles are less than an edge away.
    list->Add({a, b}, list->Depth(0.5 * (a + b)) + 0.6 * (b - a).norm(), false, {}, pen);
  }
  if (solid || (!body.faces.empty() && body.size() > kMostMarkedPoints)) return;
  const double bias = kMarkLift / list->scale();
  for (Eigen::Index i = 0; i < x.cols(); ++i) {
    list->AddDot(x.col(i), list->Depth(x.col(i)) + bias, kMarkRadius, dark);
  }
}

// Between the colours of faces and of edges, as if edges were twice their width apart: closer ones cannot be told
// apart, and would hide how the surface is lit.
Colour MergedColour(const Colour& body) {
  const Colour face = Lighten(body, 0.4), edge = Lighten(body, -0.35);
  const auto mean = [](int a, int b) { return static_cast<std::uint8_t>((a + b) / 2); };
  return {mean(face.red, edge.red), mean(face.green, edge.green), mean(face.blue, edge.blue)};
}

void AddMerged(const MergedSurface& merged, const ScenePalette& palette, DisplayList* list) {
  const Colour colour = MergedColour(palette.body);
  const QColor dark = ToQColor(Lighten(palette.body, -0.35));
  for (const MergedFace& face : merged.faces()) {
    const Vector3d a = merged.Point(face.corners[0]), b = merged.Point(face.corners[1]),
                   c = merged.Point(face.corners[2]);
    const Vector3d normal = (b - a).cross(c - a).stableNormalized();
    if (face.closed && !list->IsSeenFromFront(normal)) continue;
    list->AddFace({a, b, c}, list->Lit(colour, normal), true);
  }
  for (const int speck : merged.Specks()) {
    const Vector3d at = merged.Point(speck);
    list->AddDot(at, list->Depth(at), 0.5 * kMergedCell, ToQColor(colour));
  }
  const QPen strand(dark, kStrandWidth, Qt::SolidLine, Qt::RoundCap);
  for (const auto& [from, to] : merged.edges()) {
    const Vector3d a = merged.Point(from), b = merged.Point(to);
    list->Add({a, b}, list->Depth(0.5 * (a + b)) + 0.6 * (b - a).norm(), false, {}, strand);
  }
  const double bias = kMarkLift / list->scale();
  for (const int mark : merged.marks()) {
    const Vector3d at = merged.Point(mark);
    list->AddDot(at, list->Depth(at) + bias, kMarkRadius, dark);
  }
}

void AddBodies(const Scene& scene, const Eigen::Matrix3Xd& points, const ScenePalette& palette,
               DisplayList* list) {
  const std::vector<bool> is_merged = palette.lamps ? std::vector<bool>(scene.bodies.size(), false)
                                                    : MergedBodies(scene, list->scale());
  MergedSurface merged(list->camera(), list->scale());
  Eigen::Index offset = 0;
  for (size_t i = 0; i < scene.bodies.size(); offset += scene.bodies[i++].size()) {
    const Body& body = scene.bodies[i];
    const auto x = points.middleCols(offset, body.size());
    if (is_merged[i]) {
      merged.Add(body, x);
    } else {
      AddBody(body, x, palette, list);
    }
  }
  AddMerged(merged, palette, list);
}

// A zigzag between two points, or a line where there is no room for one.
QPolygonF Zigzag(const QPointF& from, const QPointF& to) {
  constexpr double kWide = 3.5;  // px
  constexpr int kTeeth = 9;
  const QPointF along = to - from;
  const double length = std::hypot(along.x(), along.y());
  if (length < 16.0) return QPolygonF({from, to});
  const QPointF side = QPointF(-along.y(), along.x()) * (kWide / length);
  QPolygonF line({from, from + 0.15 * along});
  for (int i = 0; i < kTeeth; ++i) {
    line << from + (0.15 + 0.7 * (i + 0.5) / kTeeth) * along + (i % 2 == 0 ? side : -side);
  }
  line << from + 0.85 * along << to;
  return line;
}

void AddSprings(const Scene& scene, const Eigen::Matrix3Xd& points, const ScenePalette& palette,
                DisplayList* list) {
  const bool many =
      std::count_if(scene.springs.begin(), scene.springs.end(), IsElastic) > kManySprings;
  const QPen pen(ToQColor(palette.spring), many ? 0.6 : 1.2);
  for (const Spring& spring : scene.springs) {
    if (!IsElastic(spring)) continue;
    const Vector3d a = points.col(scene.Index(spring.a));
    const Vector3d b = spring.b ? Vector3d(points.col(scene.Index(*spring.b))) : spring.anchor;
    const QPointF from = list->ToPixels(a), to = list->ToPixels(b);
    if (QLineF(from, to).length() < 1.0) continue;
    list->AddPixels(many ? QPolygonF({from, to}) : Zigzag(from, to), list->Depth(0.5 * (a + b)),
                    false, {}, pen);
    if (!spring.b && !many) list->AddDot(b, INFINITY, 2.0, ToQColor(palette.spring));
  }
}

// Where a point is held, and a line to the point where it is not there; while it is held.
void AddNails(const Scene& scene, const Eigen::Matrix3Xd& points, double time,
              const ScenePalette& palette, DisplayList* list) {
  const QColor colour = ToQColor(palette.nail);
  for (const Attachment& attachment : scene.attachments) {
    if (!Holds(attachment.hold, time)) continue;
    const Vector3d a = points.col(scene.Index(attachment.a));
    const Vector3d b = points.col(scene.Index(attachment.b));
    list->Add({a, b}, INFINITY, false, {}, QPen(colour, 1.0));
    list->AddDot(a, INFINITY, kAttachmentRadius, Qt::white, QPen(colour, 1.3));
  }
  for (const Nail& nail : scene.nails) {
    if (!Holds(nail.hold, time)) continue;
    const Vector3d at = nail.path.At(time).position;
    list->Add({at, points.col(scene.Index(nail.point))}, INFINITY, false, {}, QPen(colour, 1.0));
    list->AddDot(at, INFINITY, kNailRadius, colour, QPen(Qt::white, 1.0));
  }
}

QPolygonF Diamond(const QPointF& at) {
  constexpr double r = kSliderRadius;
  return QPolygonF(
      {at + QPointF(r, 0), at + QPointF(0, r), at - QPointF(r, 0), at - QPointF(0, r)});
}

// What a point is kept on or in, and a mark at the point; while it is kept.
void AddSliders(const Scene& scene, const Eigen::Matrix3Xd& points, double time,
                const ScenePalette& palette, DisplayList* list) {
  const QPen pen(ToQColor(palette.spring), 1.2);
  const double reach = list->camera().window.diagonal().norm();
  for (const Slider& slider : scene.sliders) {
    if (!Holds(slider.hold, time)) continue;
    const Eigen::Matrix3Xd guide = SliderGuide(slider, list->camera().axes, reach);
    for (Eigen::Index i = 0; i < guide.cols(); i += 2) {
      const Vector3d a = guide.col(i), b = guide.col(i + 1);
      const bool outline = slider.kind == Slider::Kind::kBall;  // behind all, wherever it is
      list->Add({a, b}, outline ? -INFINITY : list->Depth(0.5 * (a + b)), false, {}, pen);
    }
    const Vector3d at = points.col(scene.Index(slider.point));
    list->AddPixels(Diamond(list->ToPixels(at)), INFINITY, true, Qt::white,
                    QPen(ToQColor(palette.nail), 1.3));
  }
}

// Whole pixels of a picture that cover `area`.
QRectF PictureArea(const QRectF& area) {
  const QRectF scaled(area.topLeft() * kPictureScale, area.size() * kPictureScale);
  const QRect whole = scaled.toAlignedRect();
  return {QPointF(whole.topLeft()) / kPictureScale, QSizeF(whole.size()) / kPictureScale};
}

QImage PictureOf(DisplayList* list, const QRectF& area, Qt::GlobalColor paper) {
  const QRectF covered = PictureArea(area);
  QImage picture(
      (covered.size() * kPictureScale).toSize(),
      paper == Qt::transparent ? QImage::Format_ARGB32_Premultiplied : QImage::Format_RGB32);
  picture.fill(paper);
  QPainter painter(&picture);
  painter.scale(kPictureScale, kPictureScale);
  painter.translate(-covered.topLeft());
  painter.setRenderHint(QPainter::Antialiasing);
  list->Paint(&painter);
  return picture;
}

void PaintPicture(const QImage& picture, const QRectF& area, QPainter* painter) {
  painter->drawImage(PictureArea(area), picture);
}

}  // namespace

bool IsElastic(const Spring& spring) { return spring.stiffness > 0.0; }

double PixelsPerMetre(const QRectF& area, const Camera& camera) {
  const Eigen::Vector2d size = camera.window.sizes();
  return std::min(area.width() / size.x(), area.height() / size.y());
}

void DrawScene(QPainter* painter, const QRectF& area, const Scene& scene,
               const Eigen::Matrix3Xd& points, double time, const Camera& camera,
               const ScenePalette& palette, ScenePicture* picture) {
  if (picture != nullptr && picture->pixels) {
    PaintPicture(*picture->pixels, area, painter);
    return;
  }
  DisplayList list(area, camera);
  for (const Obstacle& obstacle : scene.obstacles) {
    AddObstacle(obstacle, time, scene, palette, &list);
  }
  AddSprings(scene, points, palette, &list);
  AddBodies(scene, points, palette, &list);
  AddSliders(scene, points, time, palette, &list);
  AddNails(scene, points, time, palette, &list);
  if (picture != nullptr && list.size() > kMostVectorShapes) {
    picture->pixels = std::make_shared<const QImage>(
        PictureOf(&list, area, picture->transparent ? Qt::transparent : Qt::white));
    PaintPicture(*picture->pixels, area, painter);
    return;
  }
  painter->save();
  painter->setRenderHint(QPainter::Antialiasing);
  list.Paint(painter);
  painter->restore();
}

double DrawScaleBar(QPainter* painter, const QPointF& left, double pixels_per_metre, double most) {
  constexpr int kText = 12, kTick = 4, kSpace = 10;  // px
  const double length = ScaleBarLength(most / pixels_per_metre);
  const QPointF right = left + QPointF(length * pixels_per_metre, 0.0), tick(0.0, kTick);
  painter->setPen(QPen(Qt::black, 2));
  painter->drawLine(left, right);
  painter->drawLine(left - tick, left + tick);
  painter->drawLine(right - tick, right + tick);
  const UnitScale unit = ScaleFor({0.0, length}, "m");
  const QString words = QString::fromStdString(Digits(length * unit.factor, 3) + " " + unit.unit);
  painter->setFont(FigureFont(kText));
  painter->drawText(right + QPointF(kSpace, kTick), words);
  return right.x() + kSpace + QFontMetricsF(painter->font()).horizontalAdvance(words);
}

void DrawMark(QPainter* painter, const QRectF& area, SceneMark mark, const ScenePalette& palette) {
  painter->save();
  painter->setRenderHint(QPainter::Antialiasing);
  const QPointF centre = area.center();
  switch (mark) {
    case SceneMark::kNail:
      painter->setPen(QPen(Qt::white, 1.0));
      painter->setBrush(ToQColor(palette.nail));
      painter->drawEllipse(centre, kNailRadius, kNailRadius);
      break;
    case SceneMark::kAttachment:
      painter->setPen(QPen(ToQColor(palette.nail), 1.3));
      painter->setBrush(Qt::white);
      painter->drawEllipse(centre, kAttachmentRadius, kAttachmentRadius);
      break;
    case SceneMark::kSlider:
      painter->setPen(QPen(ToQColor(palette.nail), 1.3));
      painter->setBrush(Qt::white);
      painter->drawPolygon(Diamond(centre));
      break;
    case SceneMark::kSpring:
      painter->setPen(QPen(ToQColor(palette.spring), 1.2));
      painter->drawPolyline(Zigzag({area.left(), centre.y()}, {area.right(), centre.y()}));
      break;
  }
  painter->restore();
}

}  // namespace pliant
