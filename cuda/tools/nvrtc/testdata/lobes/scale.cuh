#pragma once
#include "device.h"  // from the root, not from this folder

inline float scaled(float v, const Settings& s) { return v * s.factor + s.offset; }
