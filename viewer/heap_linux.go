package viewer

/*
#include <malloc.h>

static void return_large_memory(void) {
#ifdef __GLIBC__
  mallopt(M_MMAP_THRESHOLD, 128 << 10);
#endif
}
*/
import "C"

// returnLargeMemory has C's heap give back what is large as soon as it is freed. Without it glibc learns from the first large
// image that such sizes come and go, takes them from its heap from then on, and keeps what lies below anything still in use:
// tens of megabytes once the window was large.
func returnLargeMemory() { C.return_large_memory() }
