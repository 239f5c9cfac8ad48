// All kernels: each is one file here and one row of kernel_list.h.
#pragma once

#include "albedo_table.cuh"
#include "boiling_filter.cuh"
#include "film.cuh"
#include "kernel_list.h"
#include "restir_initial.cuh"
#include "restir_shade.cuh"
#include "restir_spatial.cuh"
#include "restir_temporal.cuh"
#include "restir_visibility.cuh"
#include "show_reuse.cuh"
#include "trace_paths.cuh"
#include "trace_rays.cuh"
#include "wave_paths.cuh"
#include "wave_scan.cuh"
#include "wave_shared.cuh"
#include "wave_sort.cuh"
