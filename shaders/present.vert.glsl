#version 410 core

out vec2 uv;

void main() {
  // Corners (0,0), (2,0), (0,2): the triangle whose inside holds the unit square.
  uv = vec2((gl_VertexID << 1) & 2, gl_VertexID & 2);
  gl_Position = vec4(2.0 * uv - 1.0, 0.0, 1.0);
}
