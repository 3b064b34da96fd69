/* From when the file that TOOLCTL_TEST_CLOCK names is there, the steady clock shows the last moment there is: whoever adds to
 * it finds that it cannot. */
#define _GNU_SOURCE
#include <stdint.h>
#include <stdlib.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

int clock_gettime(clockid_t clock, struct timespec *time) {
    long done = syscall(SYS_clock_gettime, clock, time);
    const char *sign = getenv("TOOLCTL_TEST_CLOCK");
    if (done == 0 && clock == CLOCK_MONOTONIC && sign && access(sign, F_OK) == 0) {
        time->tv_sec = INT64_MAX;
        time->tv_nsec = 999999999;
    }
    return (int)done;
}
