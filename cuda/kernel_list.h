// THE list of kernels, in the order in which Go numbers them (kernels.go), each with the threads of a block and the blocks that a
// multiprocessor is to hold at once, which bounds the registers of a thread. A kernel that works as a block (BLOCK_KERNEL)
// means exactly so many threads; for others both are a matter of speed.
#pragma once

// Those whose threads fetch their indices (RAY_KERNEL); they come last.
#define RAY_KERNELS(X)          \
  X(regenerate_paths, 128, 5)   \
  X(history_sees, 128, 7)       \
  X(sees_history, 128, 7)       \
  X(neighbours_see, 128, 7)     \
  X(sees_neighbours, 128, 7)    \
  X(sees_sample, 128, 7)        \
  X(extend_paths, 128, 7)       \
  X(shadow_paths, 128, 7)       \
  X(shadow_shared, 128, 7)      \
  X(queue_rays_closest, 128, 7) \
  X(queue_rays_any, 128, 7)

#define KERNELS(X)               \
  X(trace_paths, 128, 5)         \
  X(film, 128, 1)                \
  X(meter_light, 256, 1)         \
  X(set_exposure, 256, 1)        \
  X(bloom_down, 128, 1)          \
  X(bloom_up, 128, 1)            \
  X(trace_rays_closest, 128, 10) \
  X(trace_rays_any, 128, 1)      \
  X(albedo_table, 128, 1)        \
  X(initial_samples, 128, 5)     \
  X(temporal_find, 128, 1)       \
  X(temporal_reuse, 128, 1)      \
  X(temporal_fused, 128, 1)      \
  X(boiling_filter, 256, 1)      \
  X(spatial_find, 128, 1)        \
  X(spatial_reuse, 128, 1)       \
  X(spatial_fused, 128, 1)       \
  X(show_reuse, 128, 1)          \
  X(shade_samples, 128, 1)       \
  X(thin_duplicates, 256, 1)     \
  X(guides, 128, 4)              \
  X(denoise_input, 128, 1)       \
  X(atrous_demodulate, 128, 1)   \
  X(atrous_accumulate, 128, 1)   \
  X(atrous_errors, 128, 1)       \
  X(atrous_filter, 128, 1)       \
  X(steady_picture, 128, 1)      \
  X(keep_halves, 128, 1)         \
  X(compare_halves, 128, 1)      \
  X(begin_paths, 128, 1)         \
  X(begin_shared, 128, 1)        \
  X(renew_paths, 128, 1)         \
  X(renew_shared, 128, 1)        \
  X(extend_first, 128, 10)       \
  X(shade_paths, 128, 4)         \
  X(shade_shared, 128, 4)        \
  X(end_paths, 128, 1)           \
  X(scan_count, 256, 1)          \
  X(scan_sums, 256, 1)           \
  X(scan_move, 256, 1)           \
  X(order_count, 128, 1)         \
  X(order_starts, 256, 1)        \
  X(order_move, 128, 1)          \
  X(end_shared, 128, 1)          \
  X(build_keys, 128, 1)          \
  X(sort_count, 256, 1)          \
  X(sort_scan, 256, 1)           \
  X(sort_scatter, 256, 1)        \
  X(build_leaves, 128, 1)        \
  X(find_merges, 256, 1)         \
  X(scan_merges, 256, 1)         \
  X(merge_clusters, 256, 1)      \
  X(widen_nodes, 128, 1)         \
  X(emit_nodes, 128, 1)          \
  X(place_triangles, 128, 1)     \
  X(upscale_gather, 128, 1)      \
  X(upscale_spatial, 128, 1)     \
  X(upscale_temporal, 128, 1)    \
  X(upscale_fade, 128, 1)        \
  RAY_KERNELS(X)
