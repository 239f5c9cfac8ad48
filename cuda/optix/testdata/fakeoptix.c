// A stand-in for libnvoptix that writes down what it is asked.
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static char calls[1 << 16], failing[64], missing[64];
static int result, known = 118, wrongSize;

const char* fakeCalls(void) { return calls; }
void fakeFail(const char* call, int with) { snprintf(failing, sizeof failing, "%s", call); result = with; }
void fakeReset(void) { calls[0] = failing[0] = missing[0] = 0; known = 118; wrongSize = 0; }
void fakeKnow(int abi) { known = abi; }         // the newest
void fakeMiss(const char* call) { snprintf(missing, sizeof missing, "%s", call); }
void fakeWrongSize(int on) { wrongSize = on; }

static int answer(const char* call, const char* text) {
  size_t at = strlen(calls);
  snprintf(calls + at, sizeof calls - at, "%s%s\n", call, text);
  return strcmp(call, failing) == 0 ? result : 0;
}
#define ANSWER(call, ...) \
  char text[512];         \
  snprintf(text, sizeof text, __VA_ARGS__); \
  return answer(call, text)

static const char* name(int r) { return r == 7200 ? "FAKE_INVALID_PTX" : "FAKE_ERROR"; }
static const char* describe(int r) { return "the stand-in was asked to fail"; }
static int contextCreate(void* cuda, void* options, uintptr_t* to) { *to = strcmp(failing, "null") ? 0x20 : 0; ANSWER("contextCreate", " %p", cuda); }
static int contextDestroy(uintptr_t c) { ANSWER("contextDestroy", " %zx", c); }
static int getProperty(uintptr_t c, int id, uint32_t* v, size_t size) { *v = 30; ANSWER("getProperty", " %zx %x %zu", c, id, size); }
static int moduleCreate(uintptr_t c, int32_t* m, char* p, const char* ptx, size_t size, char* log, size_t* room, uintptr_t* to) {
  *to = 0x30;
  snprintf(log, *room, "line 1: nonsense");
  int sized = known >= 118;
  uint64_t params = 0;
  if (sized) memcpy(&params, p + 32, 8);
  ANSWER("moduleCreate", " %zx %.4s %zu graph %u payload %u attributes %u %s %llu kinds %x", c, ptx, size, *(uint32_t*)(p + 4), *(uint32_t*)(p + 8),
         *(uint32_t*)(p + 12), *(char**)(p + 24), (unsigned long long)params, *(uint32_t*)(p + (sized ? 40 : 32)));
}
static int moduleDestroy(uintptr_t m) { ANSWER("moduleDestroy", " %zx", m); }
static int groupCreate(uintptr_t c, char* d, unsigned n, void* o, char* log, size_t* room, uintptr_t* to) {
  int kind = *(int*)d;
  *to = 0x40 + (kind & 15) + (kind == 0x2424 && !*(char**)(d + 16));
  ANSWER("groupCreate", " %zx %x %zx %s %s", c, kind, *(uintptr_t*)(d + 8), *(char**)(d + 16) ? *(char**)(d + 16) : "-", *(char**)(d + 32) ? *(char**)(d + 32) : "-");
}
static int groupDestroy(uintptr_t g) { ANSWER("groupDestroy", " %zx", g); }
static int groupStackSize(uintptr_t g, uint32_t* s, uintptr_t p) {
  for (int i = 0; i < 7; i++) s[i] = 16u << i;
  ANSWER("groupStackSize", " %zx", g);
}
static int pipelineCreate(uintptr_t c, void* p, uint32_t* l, uintptr_t* g, unsigned n, char* log, size_t* room, uintptr_t* to) {
  *to = 0x50;
  ANSWER("pipelineCreate", " %zx depth %u %zx %zx %zx %zx %u", c, l[0], g[0], g[1], g[2], g[3], n);
}
static int pipelineDestroy(uintptr_t p) { ANSWER("pipelineDestroy", " %zx", p); }
static int pipelineSetStackSize(uintptr_t p, unsigned a, unsigned b, unsigned c, unsigned d) { ANSWER("pipelineSetStackSize", " %zx %u %u %u %u", p, a, b, c, d); }
static int treeMemory(uintptr_t c, uint32_t* o, char* in, unsigned n, uint64_t* s) {
  s[0] = 1000; s[1] = 500; s[2] = 100;
  ANSWER("treeMemory", " %zx flags %u operation %x kind %x", c, o[0], o[1], *(int*)in);
}
static int treeBuild(uintptr_t c, uintptr_t s, uint32_t* o, char* in, unsigned n, uint64_t t, size_t ts, uint64_t to, size_t tos, uint64_t* h, uint64_t* e, unsigned es) {
  *h = 0x70;
  if (!e != !es) return 7001;
  if (*(int*)in == 0x2143) { ANSWER("treeBuild", " %zx instances %llx %u flags %u emit %u", s, *(unsigned long long*)(in + 8), *(uint32_t*)(in + 16), o[0], es); }
  ANSWER("treeBuild", " %zx vertices %llx %u %x %u indices %llx %u %x %u flags %u records %u into %llx %zu with %llx %zu emit %u %llx %x", s, **(unsigned long long**)(in + 8),
         *(uint32_t*)(in + 16), *(uint32_t*)(in + 20), *(uint32_t*)(in + 24), *(unsigned long long*)(in + 32), *(uint32_t*)(in + 40), *(uint32_t*)(in + 44),
         *(uint32_t*)(in + 48), **(uint32_t**)(in + 64), *(uint32_t*)(in + 72), (unsigned long long)to, tos, (unsigned long long)t, ts, es, (unsigned long long)e[0], (uint32_t)e[1]);
}
static int treeCompact(uintptr_t c, uintptr_t s, uint64_t tree, uint64_t to, size_t size, uint64_t* h) { *h = 0x71; ANSWER("treeCompact", " %llx into %llx %zu", (unsigned long long)tree, (unsigned long long)to, size); }
static int packHeader(uintptr_t g, uint8_t* to) { memset(to, (int)g, 32); return answer("packHeader", ""); }
static int launch(uintptr_t p, uintptr_t s, uint64_t params, size_t size, uint64_t* t, unsigned w, unsigned h, unsigned d) {
  ANSWER("launch", " %zx %zx params %llx %zu raygen %llx miss %llx %u %u hit %llx %u %u size %u %u %u", p, s, (unsigned long long)params, size, (unsigned long long)t[0],
         (unsigned long long)t[2], (uint32_t)t[3], (uint32_t)(t[3] >> 32), (unsigned long long)t[4], (uint32_t)t[5], (uint32_t)(t[5] >> 32), w, h, d);
}
static int nothing(void) { return answer("another function", ""); }

struct row { int abi, functions, at[18]; };
static const struct row rows[] = {
  {118, 58, {0, 1, 2, 3, 4, 12, 18, 24, 25, 26, 27, 28, 30, 32, 33, 37, 46, 47}}, {105, 52, {0, 1, 2, 3, 4, 12, 15, 18, 19, 20, 21, 22, 23, 24, 25, 29, 40, 41}},
  {93, 50, {0, 1, 2, 3, 4, 12, 15, 18, 19, 20, 21, 22, 23, 24, 25, 29, 38, 39}}, {87, 48, {0, 1, 2, 3, 4, 12, 15, 18, 19, 20, 21, 22, 23, 24, 25, 29, 38, 39}},
  {84, 48, {0, 1, 2, 3, 4, 12, 15, 18, 19, 20, 21, 22, 23, 24, 25, 29, 38, 39}},
};

int optixQueryFunctionTable(int abi, unsigned options, int* keys, const void** values, void** table, size_t size) {
  void* functions[] = {name, describe, contextCreate, contextDestroy, getProperty, moduleCreate, moduleDestroy, groupCreate, groupDestroy, groupStackSize,
                       pipelineCreate, pipelineDestroy, pipelineSetStackSize, treeMemory, treeBuild, treeCompact, packHeader, launch};
  if (!table || options || keys || values) abort();
  if (abi > known) return 7801;
  for (size_t r = 0; r < sizeof rows / sizeof *rows; r++) {
    if (rows[r].abi != abi) continue;
    if (size != 8 * rows[r].functions || wrongSize) return 7802;
    for (int i = 0; i < rows[r].functions; i++) table[i] = nothing;
    for (int i = 0; i < 18; i++) table[rows[r].at[i]] = functions[i];
    if (strcmp(missing, "launch") == 0) table[rows[r].at[17]] = 0;
    return 0;
  }
  return 7801;
}
