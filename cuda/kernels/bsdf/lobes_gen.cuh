// Code generated from kernels/bsdf/lobes/*.cuh by cuda/tools/gen; DO NOT EDIT.
#pragma once

#include "bsdf/lobes/clearcoat.cuh"
#include "bsdf/lobes/diffuse.cuh"
#include "bsdf/lobes/flake.cuh"
#include "bsdf/lobes/glass.cuh"
#include "bsdf/lobes/paint.cuh"
#include "bsdf/lobes/reflection.cuh"
#include "bsdf/lobes/sheen.cuh"
#include "bsdf/lobes/thin.cuh"
#include "bsdf/lobes/translucent.cuh"
