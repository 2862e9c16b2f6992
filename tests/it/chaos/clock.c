/* Moves the wall clock of one process by the seconds that stand in a file. The
   monotonic clock goes on as it is. Loaded with LD_PRELOAD, by clock.rs alone. */
#define _GNU_SOURCE
#include <fcntl.h>
#include <stdlib.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

int clock_gettime(clockid_t clock, struct timespec *time) {
    int result = (int)syscall(SYS_clock_gettime, clock, time);
    const char *path = getenv("SX_CLOCK");
    if (result == 0 && clock == CLOCK_REALTIME && path != NULL) {
        char text[32] = {0};
        int file = open(path, O_RDONLY | O_CLOEXEC);
        if (file >= 0) {
            if (read(file, text, sizeof text - 1) > 0) time->tv_sec += atol(text);
            close(file);
        }
    }
    return result;
}
