// The programs of the renderer: faces of each kind, lines, round points.

#ifndef PLIANT_APP_WORKBENCH_VIEW_SHADERS_H_
#define PLIANT_APP_WORKBENCH_VIEW_SHADERS_H_

namespace pliant {

// Shared by all: position is carried by `model`, then seen by the camera.
inline constexpr char kVertexShader[] = R"(#version 330 core
layout(location = 0) in vec3 position;
layout(location = 1) in vec3 normal;
layout(location = 2) in vec4 colour;
uniform mat4 model, clip;
uniform mat3 to_view;
uniform vec4 tint;        // rgb, and how much of it
uniform vec4 fade;        // middle and radius of what fades away; radius 0: nothing
uniform float bias;       // towards the viewer, in clip coordinates
uniform float point_size; // device pixels
out vec3 world_;
out vec3 normal_;
out vec4 colour_;
void main() {
  vec4 world = model * vec4(position, 1.0);
  world_ = world.xyz;
  normal_ = to_view * normal;
  float far = smoothstep(0.45 * fade.w, fade.w + 1e-9, distance(world_, fade.xyz));
  colour_ = vec4(mix(colour.rgb, tint.rgb, tint.a), fade.w > 0.0 ? 1.0 - far : 1.0);
  gl_Position = clip * world;
  gl_Position.z -= bias;
  gl_PointSize = point_size;
}
)";

// Where the processor draws, small triangles pay for blocks of 16 pixels, and all branches of a
// fragment shader are run for all of them: so each kind of face has a shader with no more than it
// needs. Both sides of a surface are lit, from over the viewer's left shoulder, as in the figures.
inline constexpr char kFragmentHead[] = R"(#version 330 core
const vec3 light = vec3(-0.42426, 0.70711, 0.56569);
vec3 Lit(vec3 rgb, vec3 n) {
  float cosine = sign(n.z) * dot(n, light) * inversesqrt(max(dot(n, n), 1e-20));
  float amount = 0.58 * max(0.0, cosine) - 0.38;
  return amount < 0.0 ? rgb * (1.0 + amount) : mix(rgb, vec3(1.0), 1.5 * amount);
}
)";

inline constexpr char kSmoothShader[] = R"(
in vec3 normal_;
in vec4 colour_;
uniform float alpha;
out vec4 pixel;
void main() { pixel = vec4(Lit(colour_.rgb, normal_), alpha); }
)";

// Uses the normal of the face where that of a vertex is 0.
inline constexpr char kFacetShader[] = R"(
in vec3 world_;
in vec3 normal_;
in vec4 colour_;
uniform mat3 to_view;
uniform float alpha;
out vec4 pixel;
void main() {
  vec3 n = normal_;
  if (dot(n, n) < 1e-4) n = cross(dFdx(to_view * world_), dFdy(to_view * world_));
  pixel = vec4(Lit(colour_.rgb, n), alpha);
}
)";

// For what is not lit: shadows, thin lines.
inline constexpr char kPlainShader[] = R"(
in vec4 colour_;
uniform float alpha;
out vec4 pixel;
void main() { pixel = vec4(colour_.rgb, alpha * colour_.a); }
)";

// For the ground: one large face, which fades towards its border.
inline constexpr char kGroundShader[] = R"(
in vec3 world_;
in vec4 colour_;
uniform float alpha;
uniform vec4 fade;
out vec4 pixel;
void main() {
  float far = smoothstep(0.45 * fade.w, fade.w, distance(world_, fade.xyz));
  pixel = vec4(colour_.rgb, alpha * (1.0 - far));
}
)";

inline constexpr char kLineShader[] = R"(#version 330 core
layout(lines) in;
layout(triangle_strip, max_vertices = 4) out;
in vec3 world_[];
in vec3 normal_[];
in vec4 colour_[];
uniform vec2 viewport;  // device pixels
uniform float width;    // device pixels
out vec3 world;
out vec4 colour;
void main() {
  vec4 a = gl_in[0].gl_Position, b = gl_in[1].gl_Position;
  vec2 along = (b.xy - a.xy) * viewport;
  float len = length(along);
  vec2 side = len > 0.0 ? vec2(-along.y, along.x) / len : vec2(0.0, 1.0);
  vec2 shift = side * width / viewport;
  for (int i = 0; i < 2; ++i) {
    world = world_[i];
    colour = colour_[i];
    vec4 at = i == 0 ? a : b;
    gl_Position = vec4(at.xy + shift, at.zw);
    EmitVertex();
    gl_Position = vec4(at.xy - shift, at.zw);
    EmitVertex();
  }
  EndPrimitive();
}
)";

inline constexpr char kFlatShader[] = R"(
in vec3 world;
in vec4 colour;
uniform float alpha;
uniform vec4 fade;
out vec4 pixel;
void main() {
  float a = alpha;
  if (fade.w > 0.0) a *= 1.0 - smoothstep(0.45 * fade.w, fade.w, distance(world, fade.xyz));
  pixel = vec4(colour.rgb, a);
}
)";

// A disc, or a diamond, with a rim of `rim` (rgb) of a fifth of its size.
inline constexpr char kDiscShader[] = R"(
in vec3 world_;
in vec3 normal_;
in vec4 colour_;
uniform vec4 rim;  // rgb, and whether there is one
uniform bool diamond;
out vec4 pixel;
void main() {
  vec2 at = abs(2.0 * gl_PointCoord - 1.0);
  float r = diamond ? at.x + at.y : length(at);
  if (r > 1.0) discard;
  pixel = vec4(r > 0.72 && rim.a > 0.0 ? rim.rgb : colour_.rgb, 1.0);
}
)";

}  // namespace pliant

#endif  // PLIANT_APP_WORKBENCH_VIEW_SHADERS_H_
