// A stand-in for libcuda: device memory is host memory, every call is written down, and any call can be made to fail.
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef int CUresult;
typedef void *Handle;
typedef uint64_t Address;

static char calls[1 << 16];
static char failing[64];
static CUresult failure;

// The test's handles on the stand-in.
const char *fakeCalls(void) { return calls; }
void fakeReset(void) { calls[0] = failing[0] = 0; }
void fakeFail(const char *name, CUresult result) {
  strncpy(failing, name, sizeof failing - 1);
  failure = result;
}

static void record(const char *format, ...) {
  va_list list;
  va_start(list, format);
  size_t used = strlen(calls);
  vsnprintf(calls + used, sizeof calls - used, format, list);
  va_end(list);
}

// Leaves the calling function when it is the one that must fail.
#define BEGIN() \
  if (!strcmp(failing, __func__)) return failure

CUresult cuInit(unsigned flags) { BEGIN(); return flags; }
CUresult cuDriverGetVersion(int *v) { BEGIN(); *v = 13010; return 0; }
CUresult cuDeviceGetCount(int *n) { BEGIN(); *n = 2; return 0; }
CUresult cuDeviceGet(int *d, int ordinal) { BEGIN(); *d = 40 + ordinal; return 0; }
CUresult cuDeviceGetName(char *name, int size, int d) { BEGIN(); snprintf(name, size, "Fake %d", d); return 0; }
CUresult cuDeviceTotalMem_v2(size_t *bytes, int d) { BEGIN(); *bytes = 6ull << 30; return d < 40; }
CUresult cuDeviceGetAttribute(int *v, int attribute, int d) {
  BEGIN();
  *v = attribute == 75 ? 9 : attribute == 76 ? 1 : attribute == 16 ? 132 : -1;
  return d < 40;
}

CUresult cuGetErrorName(CUresult r, const char **s) {
  if (r == 12345) return 1;
  *s = r == 2 ? "CUDA_ERROR_OUT_OF_MEMORY" : "CUDA_ERROR_FAKE";
  return 0;
}
CUresult cuGetErrorString(CUresult r, const char **s) {
  if (r == 12345) return 1;
  *s = r == 2 ? "out of memory" : "fake failure";
  return 0;
}

CUresult cuDevicePrimaryCtxRetain(Handle *c, int d) { BEGIN(); *c = (Handle)0xC0; record("retain %d\n", d); return 0; }
CUresult cuDevicePrimaryCtxRelease_v2(int d) { BEGIN(); record("release %d\n", d); return 0; }
CUresult cuCtxSetCurrent(Handle c) { BEGIN(); record("current %p\n", c); return 0; }

CUresult cuCtxCreate_v2(Handle *ctx, unsigned flags, int device) {
  BEGIN();
  record("context apart on %d\n", device);
  *ctx = (Handle)0x90;
  return flags;
}
CUresult cuCtxDestroy_v2(Handle ctx) { BEGIN(); record("destroy context %p\n", ctx); return 0; }

// "Compiles" text that begins with "ok"; anything else is refused with a log.
CUresult cuModuleLoadDataEx(Handle *m, const char *image, unsigned count, const int *options, void **values) {
  BEGIN();
  int good = !strncmp(image, "ok", 2);
  for (unsigned i = 0; i < count; i++) {
    uintptr_t room = i + 1 < count ? (uintptr_t)values[i + 1] : 0;
    if (options[i] == 3 && good) snprintf(values[i], room, "used %d registers\n", (int)strlen(image));
    if (options[i] == 5 && !good) snprintf(values[i], room, "line 1: unexpected '%s'\n", image);
    if (options[i] == 12) record("verbose %d\n", (int)(uintptr_t)values[i]);
  }
  *m = (Handle)0x30;
  return good ? 0 : 218;
}
CUresult cuModuleUnload(Handle m) { BEGIN(); record("unload %p\n", m); return 0; }

// A function is the string of its parameters' kinds: u (4 bytes), f (float), w (8 bytes).
CUresult cuModuleGetFunction(Handle *f, Handle m, const char *name) {
  BEGIN();
  static const char kinds[] = "wwuf";
  if (strcmp(name, "kernel")) return m == (Handle)0x30 ? 500 : 1;
  *f = (Handle)kinds;
  return 0;
}
CUresult cuModuleGetGlobal_v2(Address *p, size_t *size, Handle m, const char *name) {
  BEGIN();
  static float symbol[4];
  if (strcmp(name, "frame")) return m == (Handle)0x30 ? 500 : 1;
  *p = (Address)symbol;
  *size = sizeof symbol;
  return 0;
}
CUresult cuFuncGetAttribute(int *v, int attribute, Handle f) { BEGIN(); *v = 100 + attribute; return f == 0; }

CUresult cuLaunchKernel(const char *kinds, unsigned gx, unsigned gy, unsigned gz, unsigned bx, unsigned by, unsigned bz,
                        unsigned shared, Handle stream, void **args, void **extra) {
  BEGIN();
  record("launch %u %u %u, %u %u %u, %u, %p, %d:", gx, gy, gz, bx, by, bz, shared, stream, extra != NULL);
  for (int i = 0; kinds[i]; i++) {
    if (kinds[i] == 'u') record(" %u", *(uint32_t *)args[i]);
    if (kinds[i] == 'f') record(" %g", *(float *)args[i]);
    if (kinds[i] == 'w') record(" %llx", *(unsigned long long *)args[i]);
  }
  record("\n");
  return 0;
}

CUresult cuMemGetInfo_v2(size_t *free, size_t *total) { BEGIN(); *free = 1 << 30; *total = 6ull << 30; return 0; }
CUresult cuMemAlloc_v2(Address *p, size_t size) { BEGIN(); *p = (Address)malloc(size); return 0; }
CUresult cuMemFree_v2(Address p) { BEGIN(); free((void *)p); return 0; }
CUresult cuMemAllocHost_v2(void **p, size_t size) { BEGIN(); *p = malloc(size); return 0; }
CUresult cuMemFreeHost(void *p) { BEGIN(); free(p); return 0; }
CUresult cuMemcpyHtoD_v2(Address d, const void *s, size_t n) { BEGIN(); memcpy((void *)d, s, n); return 0; }
CUresult cuMemcpyDtoH_v2(void *d, Address s, size_t n) { BEGIN(); memcpy(d, (void *)s, n); return 0; }
CUresult cuMemcpyHtoDAsync_v2(Address d, const void *s, size_t n, Handle q) {
  BEGIN();
  record("copy %p\n", q);
  return cuMemcpyHtoD_v2(d, s, n);
}
CUresult cuMemsetD8_v2(Address d, unsigned char v, size_t n) { BEGIN(); memset((void *)d, v, n); return 0; }

CUresult cuStreamCreate(Handle *s, unsigned flags) { BEGIN(); *s = (Handle)0x50; return flags; }
CUresult cuStreamDestroy_v2(Handle s) { BEGIN(); record("destroy stream %p\n", s); return 0; }
CUresult cuStreamSynchronize(Handle s) { BEGIN(); record("wait %p\n", s); return 0; }
CUresult cuStreamWaitEvent(Handle s, Handle e, unsigned flags) { BEGIN(); record("%p after %p\n", s, e); return flags; }
CUresult cuStreamBeginCapture_v2(Handle s, int mode) { BEGIN(); record("capture %p %d\n", s, mode); return 0; }
CUresult cuStreamEndCapture(Handle s, Handle *g) { BEGIN(); *g = (Handle)0x60; record("captured %p\n", s); return 0; }
CUresult cuGraphInstantiateWithFlags(Handle *x, Handle g, unsigned long long flags) {
  BEGIN();
  *x = (Handle)0x61;
  record("instantiate %p %llu\n", g, flags);
  return 0;
}
CUresult cuGraphLaunch(Handle x, Handle s) { BEGIN(); record("replay %p %p\n", x, s); return 0; }
CUresult cuGraphDestroy(Handle g) { BEGIN(); record("destroy graph %p\n", g); return 0; }
CUresult cuGraphExecDestroy(Handle x) { BEGIN(); record("destroy replay %p\n", x); return 0; }

CUresult cuEventCreate(Handle *e, unsigned flags) { BEGIN(); *e = (Handle)0x70; return flags; }
CUresult cuEventDestroy_v2(Handle e) { BEGIN(); record("destroy event %p\n", e); return 0; }
CUresult cuEventRecord(Handle e, Handle s) { BEGIN(); record("record %p %p\n", e, s); return 0; }
CUresult cuEventElapsedTime(float *ms, Handle a, Handle b) { BEGIN(); *ms = 1.5f; return a != b; }

CUresult cuGraphicsGLRegisterBuffer(Handle *r, unsigned buffer, unsigned flags) {
  BEGIN();
  *r = (Handle)0x80;
  record("register %u %u\n", buffer, flags);
  return 0;
}
CUresult cuGraphicsUnregisterResource(Handle r) { BEGIN(); record("unregister %p\n", r); return 0; }
CUresult cuGraphicsMapResources(unsigned n, Handle *r, Handle s) { BEGIN(); record("map %u %p %p\n", n, *r, s); return 0; }
CUresult cuGraphicsUnmapResources(unsigned n, Handle *r, Handle s) {
  BEGIN();
  record("unmap %u %p %p\n", n, *r, s);
  return 0;
}
CUresult cuGraphicsResourceGetMappedPointer_v2(Address *p, size_t *size, Handle r) {
  BEGIN();
  *p = 0xAB00000000ull;
  *size = 4096;
  return r == 0;
}
