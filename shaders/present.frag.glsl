#version 410 core

// Two images of the same size; to show one, give it twice.
uniform sampler2D imageA;
uniform sampler2D imageB;
uniform bool difference;
uniform float gain;      // of the difference
uniform float divider;   // A is left of it; fraction of the width
uniform float halfLine;  // half the divider's width, same unit

in vec2 uv;
out vec4 color;

const vec3 line = vec3(1.0);
const vec3 edge = vec3(0.05);  // so that the line can be seen on white, too
const vec3 aBrighter = vec3(1.0, 0.62, 0.2);
const vec3 bBrighter = vec3(0.25, 0.6, 1.0);

// The component that differs most, with its sign.
float signedDifference(vec3 d) {
  vec3 size = abs(d);
  float most = max(size.r, max(size.g, size.b));
  return most == size.r ? d.r : most == size.g ? d.g : d.b;
}

void main() {
  vec3 a = texture(imageA, uv).rgb;
  vec3 b = texture(imageB, uv).rgb;
  if (difference) {
    float d = gain * signedDifference(a - b);
    color = vec4(min(abs(d), 1.0) * (d > 0.0 ? aBrighter : bBrighter), 1.0);
    return;
  }
  float off = abs(uv.x - divider) / halfLine;
  vec3 side = uv.x < divider ? a : b;
  color = vec4(off < 0.5 ? line : off < 1.0 ? edge : side, 1.0);
}
