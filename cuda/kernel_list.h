// THE list of kernels, in the order in which Go numbers them (kernels.go).
#pragma once

#define KERNELS(X)      \
  X(trace_paths)        \
  X(film)               \
  X(trace_rays_closest) \
  X(trace_rays_any)     \
  X(albedo_table)       \
  X(initial_samples)    \
  X(temporal_find)      \
  X(history_sees)       \
  X(sees_history)       \
  X(temporal_reuse)     \
  X(spatial_find)       \
  X(neighbours_see)     \
  X(sees_neighbours)    \
  X(spatial_reuse)      \
  X(sees_sample)        \
  X(shade_samples)
