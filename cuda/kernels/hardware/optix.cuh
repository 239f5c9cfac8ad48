// What programs ask of OptiX: functions that the driver's compiler knows by name. NVRTC passes them on as they are.
#pragma once

#include "core/device.h"

// PROGRAM(kind, name) { … } defines a program. One of kind raygen takes the place of the kernel of its name.
#define PROGRAM(kind, name) extern "C" __global__ void __##kind##__##name()

DEVICE uint32_t launchIndex() {
  uint32_t i;
  asm("call (%0), _optix_get_launch_index_x, ();" : "=r"(i));
  return i;
}

// recordData is what follows the header of the program's record.
DEVICE uint64_t recordData() {
  uint64_t address;
  asm("call (%0), _optix_get_sbt_data_ptr_64, ();" : "=l"(address));
  return address;
}

// Of the hit that a program is called for.
DEVICE uint32_t hitPrimitive() {
  uint32_t i;
  asm("call (%0), _optix_read_primitive_idx, ();" : "=r"(i));
  return i;
}
DEVICE uint32_t hitInstance() {
  uint32_t i;
  asm("call (%0), _optix_read_instance_id, ();" : "=r"(i));
  return i;
}
DEVICE float hitDistance() {
  float t;
  asm("call (%0), _optix_get_ray_tmax, ();" : "=f"(t));
  return t;
}
DEVICE float2 hitBarycentrics() {
  float2 b;
  asm("call (%0, %1), _optix_get_triangle_barycentrics, ();" : "=f"(b.x), "=f"(b.y));
  return b;
}
DEVICE float3 rayOrigin() {   // in the world [m]
  float3 o;
  asm("call (%0), _optix_get_world_ray_origin_x, ();" : "=f"(o.x));
  asm("call (%0), _optix_get_world_ray_origin_y, ();" : "=f"(o.y));
  asm("call (%0), _optix_get_world_ray_origin_z, ();" : "=f"(o.z));
  return o;
}
DEVICE float3 rayDirection() {   // in the world
  float3 d;
  asm("call (%0), _optix_get_world_ray_direction_x, ();" : "=f"(d.x));
  asm("call (%0), _optix_get_world_ray_direction_y, ();" : "=f"(d.y));
  asm("call (%0), _optix_get_world_ray_direction_z, ();" : "=f"(d.z));
  return d;
}
DEVICE void ignoreHit() { asm volatile("call _optix_ignore_intersection, ();"); }

// Payload is what goes along with a ray: what was hit comes back in it.
enum PayloadWord : uint32_t {
  PAYLOAD_T = 0,          // [m]
  PAYLOAD_U = 1,          //
  PAYLOAD_V = 2,          //
  PAYLOAD_TRIANGLE = 3,   // its id, or NO_HIT
  PAYLOAD_SEED = 4,       // of alpha
  PAYLOAD_WORDS = 5,      // how many there are
};

DEVICE uint32_t payload(PayloadWord which) {
  uint32_t value;
  asm volatile("call (%0), _optix_get_payload, (%1);" : "=r"(value) : "r"((uint32_t)which));
  return value;
}
DEVICE void setPayload(PayloadWord which, uint32_t value) {
  asm volatile("call _optix_set_payload, (%0, %1);" : : "r"((uint32_t)which), "r"(value));
}

enum RayFlag : uint32_t {
  RAY_NEAREST = 0,
  RAY_ASKS_ALL = 2,   // any hit programs are called for opaque triangles, too
  RAY_FIRST_HIT_ENDS = 4,
};

// Which programs are called for hits: that of Pipeline.Records.
enum HitPrograms : uint32_t {
  HIT_SURFACE = 0,
  HIT_CANDIDATES = 1,
};

// traceRay takes the numbers of bits, for the call has always 32 words.
DEVICE void traceRay(uint64_t tree, float3 origin, float3 direction, float tMin, float tMax, RayFlag flags,
                     HitPrograms programs, uint32_t (&words)[PAYLOAD_WORDS]) {
#pragma nv_diag_suppress 550   // nobody reads what is unused
  uint32_t none, unused[27];
  asm("call (%0), _optix_undef_value, ();" : "=r"(none));
  asm volatile(
      "call "
      "(%0,%1,%2,%3,%4,%5,%6,%7,%8,%9,%10,%11,%12,%13,%14,%15,%16,%17,%18,%19,%20,%21,%22,%23,%24,%25,%26,%27,%28,%29,%"
      "30,%31), "
      "_optix_trace_typed_32, (%32,%33,%34,%35,%36,%37,%38,%39,%40,%41,%42,%43,%44,%45,%46,%47,%48,%49,%50,%51,%52,%53,"
      "%54,%54,%54,%54,%54,%54,%54,%54,%54,%54,%54,%54,%54,%54,%54,%54,%54,%54,%54,%54,%54,%54,%54,%54,%54,%54,%54);"
      : "=r"(words[0]), "=r"(words[1]), "=r"(words[2]), "=r"(words[3]), "=r"(words[4]), "=r"(unused[0]),
        "=r"(unused[1]), "=r"(unused[2]), "=r"(unused[3]), "=r"(unused[4]), "=r"(unused[5]), "=r"(unused[6]),
        "=r"(unused[7]), "=r"(unused[8]), "=r"(unused[9]), "=r"(unused[10]), "=r"(unused[11]), "=r"(unused[12]),
        "=r"(unused[13]), "=r"(unused[14]), "=r"(unused[15]), "=r"(unused[16]), "=r"(unused[17]), "=r"(unused[18]),
        "=r"(unused[19]), "=r"(unused[20]), "=r"(unused[21]), "=r"(unused[22]), "=r"(unused[23]), "=r"(unused[24]),
        "=r"(unused[25]), "=r"(unused[26])
      // payload type, tree, ray, time, mask, flags, offset and stride of records, miss program, how many words
      : "r"(0u), "l"(tree), "f"(origin.x), "f"(origin.y), "f"(origin.z), "f"(direction.x), "f"(direction.y),
        "f"(direction.z), "f"(tMin), "f"(tMax), "f"(0.0f), "r"(255u), "r"((uint32_t)flags), "r"((uint32_t)programs),
        "r"(0u), "r"(0u), "r"((uint32_t)PAYLOAD_WORDS), "r"(words[0]), "r"(words[1]), "r"(words[2]), "r"(words[3]),
        "r"(words[4]), "r"(none));
}
