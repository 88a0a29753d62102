/* memory.h - the memory of a function that is executed twice.
 *
 * Pointers that the function gets, from arguments, from memory or from
 * functions that are not executed, point into regions of their own.  What a
 * region holds is decided when the first execution reads it, by the type of the
 * load: a small number, a floating-point value, or a pointer to one more
 * region.  Everything else is noise.  The second execution starts from the same
 * contents at the same addresses, and must leave the same, but for what both
 * free.
 *
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 */
#ifndef POLYGPU_VERIFY_MEMORY_H
#define POLYGPU_VERIFY_MEMORY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* What a load or store takes memory for. */
enum verify_type {
    VERIFY_UNKNOWN, /* not accessed yet */
    VERIFY_INTEGER,
    VERIFY_HALF,
    VERIFY_FLOAT,
    VERIFY_DOUBLE,
    VERIFY_POINTER,
    VERIFY_OTHER
};

/* An access to integers tells the logarithm of their size as well. */
enum { VERIFY_SIZE_SHIFT = 4 };

/* And whether they are long long, which is no long whatever its size. */
enum { VERIFY_LONG_LONG = 1 << 7 };

/* Exit statuses of a process that executes: what the first execution does is
 * not defined or takes too long, so that nothing follows from it. */
enum {
    VERIFY_UNDEFINED = 10,
    VERIFY_LONG = 11,
    VERIFY_ENDED = 12,
    VERIFY_ASSEMBLY = 13,
    VERIFY_POISON = 14
};

/* Each byte of a local variable that nobody has written yet. */
enum { VERIFY_UNSET = 0x5A };

/* What executions may take. */
struct verify_limits {
    uint32_t rounds;        /* of loops around offloaded ones */
    unsigned long accesses; /* of the first execution */
    size_t region;          /* bytes that a pointer leads to */
};

/* Begin; integers, which are sizes or subscripts perhaps, are at most "scale";
 * with a "multiple" above 1 they are positive multiples of it, else 0 and a few
 * negative ones are among them. */
void verify_memory_start(uint64_t seed, unsigned scale, unsigned multiple,
                         const struct verify_limits *limits);

uint64_t verify_random(void);
int64_t verify_integer(unsigned bits);
double verify_real(void);

/* A new region, before the executions. */
void *verify_region(void);

/* A variable of the program; "keep" its contents, or let them be chosen. */
void verify_variable(void *address, size_t size, bool keep);

/* What lies around variables, and must not be accessed. */
void verify_guard(void *address, size_t size);

/* What may be read besides: constants of the program, by address. */
struct verify_constant {
    const char *address;
    size_t size;
};

void verify_constants(const struct verify_constant *sorted, size_t n);

/* The numbers of the exits by which loops may be left early. */
void verify_exits(const uint32_t *numbers, size_t n);

/* Between the executions: keep what the first one left and restore what it
 * found. */
void verify_memory_restart(void);

/* Was a loop left before its own end? */
bool verify_left_early(void);

/* Compare what the second execution left; "loosely": no floating-point values,
 * which fast-math flags allow to differ.  False with a sentence about the first
 * difference. */
bool verify_memory_compare(bool loosely, char *text, size_t size);

/* Called by the program. */
void verify_access(void *address, uint64_t size, uint32_t write, uint32_t type);
/* Each of "count" values of "size" bytes is read. */
void verify_copied(void *first, uint64_t count, uint64_t size, uint32_t type);
/* Something undefined decides what happens next. */
void verify_poison(uint32_t is);
void verify_local(void *address, uint64_t size);
void verify_note(uint64_t what, uint64_t value);
void verify_note_pointer(uint64_t what, void *value);
uint64_t verify_result(uint64_t what, uint32_t type, uint32_t bits);
uint64_t verify_pure(uint64_t arguments, uint32_t type, uint32_t bits);
int *verify_errno(void);
void verify_stop(void);
void verify_assembly(void);
bool verify_leave(uint32_t times, uint32_t number);
void *verify_malloc(uint64_t size);
void *verify_calloc(uint64_t count, uint64_t size);
/* Executed, as LLVM computes those of constants and makes one of another, like
 * bcmp() of a memcmp() that is compared with 0. */
uint64_t verify_strlen(const char *text);
int verify_memcmp(const void *one, const void *other, uint64_t size);
int verify_strcmp(const char *one, const char *other);
int verify_strncmp(const char *one, const char *other, uint64_t most);
void *verify_memchr(const void *bytes, int value, uint64_t size);
void verify_free(void *address);

#ifdef __cplusplus
}
#endif
#endif
