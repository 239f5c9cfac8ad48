// Package early does what must be done before Go's runtime starts, in constructors of C: it ends the program with a sentence where the
// system's limits are too low, and answers signals that come before Go handles them. Import it for that alone.
package early

// Go's runtime maps memory and starts threads before main, and where the system refuses it ends with a trace. So the limits are looked at
// before that.

/*
#define _GNU_SOURCE
#include <pthread.h>
#include <sched.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <unistd.h>

// What glint needs, as measured, with a margin; docs/security.md says the same.
enum {
	addressMiB = 2048,     // of addresses, most of them only reserved
	addressMiBPerCore = 64,
	threadsBeyondCores = 8,
	openFiles = 64,        // four processes that decode meshes have eight each
};

static void refuse(const char *format, ...) {
	va_list values;
	va_start(values, format);
	fputs("glint: ", stderr);
	vfprintf(stderr, format, values);
	fputs("\n", stderr);
	va_end(values);
	_exit(2);
}

static void *waitUntilFree(void *lock) {
	pthread_mutex_lock(lock);
	pthread_mutex_unlock(lock);
	return NULL;
}

// startThreads tells how many of so many threads can run at once.
static int startThreads(int wanted) {
	pthread_t *threads = calloc(wanted, sizeof *threads);
	pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
	pthread_attr_t small;
	int started = 0;
	if (threads == NULL || pthread_attr_init(&small) != 0) return 0;
	pthread_attr_setstacksize(&small, 64 << 10);
	pthread_mutex_lock(&lock);
	while (started < wanted && pthread_create(&threads[started], &small, waitUntilFree, &lock) == 0) started++;
	pthread_mutex_unlock(&lock);
	for (int i = 0; i < started; i++) pthread_join(threads[i], NULL);
	pthread_attr_destroy(&small);
	free(threads);
	return started;
}

__attribute__((constructor)) static void checkLimits(void) {
	cpu_set_t set;
	int cores = sched_getaffinity(0, sizeof set, &set) == 0 ? CPU_COUNT(&set) : 1;
	unsigned long long need = addressMiB + addressMiBPerCore * (unsigned long long)cores;
	struct rlimit limit;
	if (getrlimit(RLIMIT_AS, &limit) == 0 && limit.rlim_cur != RLIM_INFINITY && limit.rlim_cur >> 20 < need)
		refuse("address space is limited to %llu MiB, and %llu MiB are needed on a machine of this many cores (%d): raise the limit (ulimit -v)",
			(unsigned long long)limit.rlim_cur >> 20, need, cores);
	if (getrlimit(RLIMIT_NOFILE, &limit) == 0 && limit.rlim_cur < openFiles)
		refuse("open files are limited to %llu, and %d are needed: raise the limit (ulimit -n)", (unsigned long long)limit.rlim_cur, openFiles);
	int threads = cores + threadsBeyondCores, started = startThreads(threads);
	if (started < threads)
		refuse("only %d of %d threads can be started: raise the limit of processes (ulimit -u, or pids.max of a container)", started, threads);
}
*/
import "C"
