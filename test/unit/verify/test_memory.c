/* test_memory.c - what a program that is executed may do.
 *
 * Each attempt runs in a process of its own, as those of polygpu-verify do.
 *
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 */
#include "memory.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

enum {
    BYTES = VERIFY_INTEGER,
    SHORT = VERIFY_INTEGER | 1 << VERIFY_SIZE_SHIFT,
    INT = VERIFY_INTEGER | 2 << VERIFY_SIZE_SHIFT
};

static const struct verify_limits limits = {10, 1000, 65536};
static int failures;

static void read_at(char *at, uint64_t size, uint32_t type)
{
    verify_access(at, size, 0, type);
}

static void write_at(char *at, uint64_t size, uint32_t type)
{
    verify_access(at, size, 1, type);
}

/* What "attempt" on 64 bytes of a region ends with: 0, if it is defined. */
static int outcome(void (*attempt)(char *region))
{
    int status = 0;
    pid_t child = fork();

    if (child == 0) {
        verify_memory_start(1, 60, 1, &limits);
        attempt(verify_region());
        _exit(0);
    }
    if (child < 0 || waitpid(child, &status, 0) != child || !WIFEXITED(status))
        return -1;
    return WEXITSTATUS(status);
}

static void expect(const char *what, void (*attempt)(char *region), int status)
{
    int found = outcome(attempt);

    if (found == status)
        return;
    fprintf(stderr, "%s: status %d, not %d\n", what, found, status);
    ++failures;
}

static void same_type(char *r)
{
    write_at(r, 4, INT);
    read_at(r, 4, INT);
    read_at(r + 4, 2, SHORT);
}

static void bytes_of(char *r)
{
    write_at(r, 4, INT);
    read_at(r, 1, BYTES);
    write_at(r + 1, 1, BYTES);
}

/* As of a short and of an int, which a compiler takes for two variables. */
static void other_size(char *r)
{
    write_at(r, 4, INT);
    read_at(r, 2, SHORT);
}

static void written_as_other(char *r)
{
    read_at(r, 2, SHORT);
    write_at(r, 4, INT);
}

static void float_as_integer(char *r)
{
    write_at(r, 4, VERIFY_FLOAT);
    read_at(r, 4, INT);
}

static void of_local(char *r)
{
    int local[4];

    (void)r;
    verify_local(local, sizeof local);
    write_at((char *)(local + 3), 4, INT);
}

static void past_local(char *r)
{
    int local[4];

    (void)r;
    verify_local(local, sizeof local);
    read_at((char *)(local + 4), 4, INT);
}

static void across_end_of_local(char *r)
{
    int local[4];

    (void)r;
    verify_local(local, sizeof local);
    read_at((char *)(local + 3), 8, VERIFY_DOUBLE);
}

/* Lies where another one did. */
static void of_later_local(char *r)
{
    char frame[64];

    (void)r;
    verify_local(frame, 16);
    verify_local(frame + 8, 32);
    write_at(frame + 8, 32, VERIFY_OTHER);
    read_at(frame, 4, INT);
}

/* The place of a local variable is another one in each execution. */
static void local_is_remembered(char *r)
{
    char text[100], *local = text;
    char *elsewhere = text + 16;

    write_at(r, sizeof local, VERIFY_POINTER);
    memcpy(r, &local, sizeof local);
    verify_memory_restart();
    memcpy(r, &elsewhere, sizeof elsewhere);
    _exit(!verify_memory_compare(false, text, sizeof text));
}

static void other_is_remembered(char *r)
{
    char text[100], *other = r;

    write_at(r, sizeof other, VERIFY_POINTER);
    memcpy(r, &other, sizeof other);
    verify_memory_restart();
    ++other;
    memcpy(r, &other, sizeof other);
    _exit(!verify_memory_compare(false, text, sizeof text));
}

int main(void)
{
    expect("one type", same_type, 0);
    expect("bytes of an integer", bytes_of, 0);
    expect("read as another size", other_size, VERIFY_UNDEFINED);
    expect("written as another size", written_as_other, VERIFY_UNDEFINED);
    expect("float as integer", float_as_integer, VERIFY_UNDEFINED);
    expect("local variable", of_local, 0);
    expect("past a local variable", past_local, VERIFY_UNDEFINED);
    expect("across its end", across_end_of_local, VERIFY_UNDEFINED);
    expect("the next one's", of_later_local, VERIFY_UNDEFINED);
    expect("address of a local variable", local_is_remembered, 0);
    expect("another address", other_is_remembered, 1);
    return failures != 0;
}
