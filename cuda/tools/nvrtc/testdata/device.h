#pragma once
typedef unsigned int uint32_t;

struct Settings {
  float factor;
  float offset;
  uint32_t count;
};
