//go:build linux

package hud

// The prebuilt ImGui archive was made on glibc 2.38, whose headers rename four C functions to their C23 forms. An older
// libc has not got those names: weak definitions that call the old forms let the program link and run there too.

/*
#include <features.h>
#if defined(__GLIBC__) && !__GLIBC_PREREQ(2, 38)
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

__attribute__((weak)) int __isoc23_sscanf(const char *text, const char *format, ...) {
  va_list arguments;
  va_start(arguments, format);
  int assigned = vsscanf(text, format, arguments);
  va_end(arguments);
  return assigned;
}
__attribute__((weak)) long __isoc23_strtol(const char *text, char **end, int base) { return strtol(text, end, base); }
__attribute__((weak)) unsigned long __isoc23_strtoul(const char *text, char **end, int base) {
  return strtoul(text, end, base);
}
__attribute__((weak)) unsigned long long __isoc23_strtoull(const char *text, char **end, int base) {
  return strtoull(text, end, base);
}
#endif
*/
import "C"
