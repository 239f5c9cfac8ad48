// THE list of kernels, in the order in which Go numbers them (kernels.go), each with the threads of a block. A kernel that
// works as a block (BLOCK_KERNEL) means exactly so many; for others it is a matter of speed.
#pragma once

// Those whose threads fetch their indices (RAY_KERNEL); they come last.
#define RAY_KERNELS(X)       \
  X(history_sees, 128)       \
  X(sees_history, 128)       \
  X(neighbours_see, 128)     \
  X(sees_neighbours, 128)    \
  X(sees_sample, 128)        \
  X(queue_rays_closest, 128) \
  X(queue_rays_any, 128)

#define KERNELS(X)           \
  X(trace_paths, 128)        \
  X(film, 128)               \
  X(trace_rays_closest, 128) \
  X(trace_rays_any, 128)     \
  X(albedo_table, 128)       \
  X(initial_samples, 128)    \
  X(temporal_find, 128)      \
  X(temporal_reuse, 128)     \
  X(boiling_filter, 256)     \
  X(spatial_find, 128)       \
  X(spatial_reuse, 128)      \
  X(show_reuse, 128)         \
  X(shade_samples, 128)      \
  X(begin_paths, 128)        \
  X(begin_shared, 128)       \
  X(extend_paths, 128)       \
  X(shade_paths, 128)        \
  X(shade_shared, 128)       \
  X(shadow_paths, 128)       \
  X(shadow_shared, 128)      \
  X(end_paths, 128)          \
  X(end_shared, 128)         \
  X(build_keys, 128)         \
  X(sort_count, 256)         \
  X(sort_scan, 256)          \
  X(sort_scatter, 256)       \
  X(build_leaves, 128)       \
  X(find_merges, 256)        \
  X(scan_merges, 256)        \
  X(merge_clusters, 256)     \
  X(widen_nodes, 128)        \
  X(emit_nodes, 128)         \
  X(place_triangles, 128)    \
  RAY_KERNELS(X)
