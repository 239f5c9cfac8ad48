// One build of all kernels for one kind of processor, in a namespace of its own; cpu_*.cpp include this once each.
// System headers come first, outside of any target pragma: their inline functions are shared by both builds.
#include <math.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <immintrin.h>
