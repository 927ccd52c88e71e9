// The three programs of the renderer: faces, lines as wide as asked for, round points.

#ifndef PLIANT_APP_WORKBENCH_SHADERS_H_
#define PLIANT_APP_WORKBENCH_SHADERS_H_

namespace pliant {

// Shared by all: position is carried by `model`, then seen by the camera.
inline constexpr char kVertexShader[] = R"(#version 330 core
layout(location = 0) in vec3 position;
layout(location = 1) in vec3 normal;
layout(location = 2) in vec4 colour;
uniform mat4 model, clip;
uniform mat3 to_view;
uniform vec4 tint;        // rgb, and how much of it
uniform float bias;       // towards the viewer, in clip coordinates
uniform float point_size; // device pixels
out vec3 world_;
out vec3 normal_;
out vec4 colour_;
void main() {
  vec4 world = model * vec4(position, 1.0);
  world_ = world.xyz;
  normal_ = to_view * normal;
  colour_ = vec4(mix(colour.rgb, tint.rgb, tint.a), colour.a);
  gl_Position = clip * world;
  gl_Position.z -= bias;
  gl_PointSize = point_size;
}
)";

// Both sides are lit, from over the viewer's left shoulder, as in the figures. A normal of 0 stands
// for that of the face. Far from `middle` the ground fades away.
inline constexpr char kFaceShader[] = R"(#version 330 core
in vec3 world_;
in vec3 normal_;
in vec4 colour_;
uniform mat3 to_view;
uniform bool lit;
uniform float alpha;
uniform vec4 fade;  // middle, radius; radius 0: no fading
out vec4 pixel;
void main() {
  vec3 rgb = colour_.rgb;
  if (lit) {
    vec3 n = normal_;
    if (dot(n, n) < 1e-4) n = cross(dFdx(to_view * world_), dFdy(to_view * world_));
    n = normalize(n);
    if (n.z < 0.0) n = -n;
    float brightness = 0.42 + 0.58 * max(0.0, dot(n, normalize(vec3(-0.45, 0.75, 0.6))));
    float amount = brightness < 0.8 ? brightness - 0.8 : 1.5 * (brightness - 0.8);
    rgb = amount < 0.0 ? rgb * (1.0 + amount) : mix(rgb, vec3(1.0), amount);
  }
  float a = alpha * colour_.a;
  if (fade.w > 0.0) a *= 1.0 - smoothstep(0.45 * fade.w, fade.w, distance(world_, fade.xyz));
  pixel = vec4(rgb, a);
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

inline constexpr char kFlatShader[] = R"(#version 330 core
in vec3 world;
in vec4 colour;
uniform float alpha;
uniform vec4 fade;
out vec4 pixel;
void main() {
  float a = alpha * colour.a;
  if (fade.w > 0.0) a *= 1.0 - smoothstep(0.45 * fade.w, fade.w, distance(world, fade.xyz));
  pixel = vec4(colour.rgb, a);
}
)";

// A disc with a rim of `rim` (rgb) of a fifth of its size.
inline constexpr char kDiscShader[] = R"(#version 330 core
in vec3 world_;
in vec3 normal_;
in vec4 colour_;
uniform vec4 rim;  // rgb, and whether there is one
out vec4 pixel;
void main() {
  float r = length(2.0 * gl_PointCoord - 1.0);
  if (r > 1.0) discard;
  pixel = vec4(r > 0.72 && rim.a > 0.0 ? rim.rgb : colour_.rgb, 1.0);
}
)";

}  // namespace pliant

#endif  // PLIANT_APP_WORKBENCH_SHADERS_H_
