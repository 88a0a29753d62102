/* readable.c - see readable.h.
 *
 * process_vm_readv of the process's own memory takes 0.1 us a page, and gives
 * EFAULT where a load would be a signal.  Where a sandbox does not allow it, a
 * byte of each page is written to a pipe, which tells the same.
 *
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include "support/readable.h"

#include <errno.h>
#include <fcntl.h>
#include <stdint.h>
#include <sys/uio.h>
#include <unistd.h>

enum { PAGE = 4096, AT_ONCE = 512 };

enum answer { READABLE, UNREADABLE, NO_ANSWER };

/* One byte each at "count" places. */
static enum answer ask(const struct iovec *places, size_t count)
{
    char bytes[AT_ONCE];
    struct iovec here = {bytes, count};
    ssize_t n =
        process_vm_readv(getpid(), &here, 1, places, (unsigned long)count, 0);

    if (n == (ssize_t)count)
        return READABLE;
    return n >= 0 || errno == EFAULT ? UNREADABLE : NO_ANSWER;
}

/* The same, by a pipe that holds at least PAGE bytes. */
static enum answer ask_pipe(const struct iovec *places, size_t count)
{
    enum answer answer = READABLE;
    int ends[2];
    size_t i;

    if (pipe2(ends, O_CLOEXEC | O_NONBLOCK))
        return NO_ANSWER;
    for (i = 0; answer == READABLE && i < count; ++i)
        if (write(ends[1], places[i].iov_base, 1) != 1)
            answer = errno == EFAULT ? UNREADABLE : NO_ANSWER;
    close(ends[0]);
    close(ends[1]);
    return answer;
}

static bool all_readable(const struct iovec *places, size_t count)
{
    enum answer answer = ask(places, count);

    if (answer == NO_ANSWER)
        answer = ask_pipe(places, count);
    return answer == READABLE;
}

bool polygpu_readable(const void *from, size_t size)
{
    uintptr_t at = (uintptr_t)from, end = at + size;
    struct iovec places[AT_ONCE];
    int saved = errno;
    bool ok = end >= at;

    while (ok && at < end) {
        size_t n = 0;

        for (; n < AT_ONCE && at < end; at = (at / PAGE + 1) * PAGE)
            places[n++] = (struct iovec){(void *)at, 1};
        ok = all_readable(places, n);
    }
    errno = saved;
    return ok;
}
