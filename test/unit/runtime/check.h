/* check.h - the little that our unit tests share.
 *
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 */
#ifndef POLYGPU_CHECK_H
#define POLYGPU_CHECK_H

#include <stddef.h>
#include <stdint.h>

/* End the test with a message unless the condition holds. */
#define CHECK(condition)                                                       \
    do {                                                                       \
        if (!(condition))                                                      \
            check_failed(__FILE__, __LINE__, #condition);                      \
    } while (0)

_Noreturn void check_failed(const char *file, int line, const char *what);

/* Random numbers; the seed is printed, POLYGPU_SEED sets it. */
uint64_t check_random(void);
double check_value(void); /* never zero */
void check_fill(double *values, size_t n);

/* Run this program again with "argument" and the "NAME=value" strings of
 * "environment" (ended by NULL, may be NULL); put what it prints on stderr
 * into "text" and return its exit status, -1 if it has none. */
int check_child(const char *argument, const char *const *environment,
                char *text, size_t size);

/* How often "part" occurs in "text". */
int check_occurrences(const char *text, const char *part);

/* check_child with up to two variables set (NULL: not); what it prints is in
 * check_text. */
int check_run(const char *argument, const char *one, const char *two);
extern char check_text[65536];

/* How often "part" occurs in check_text. */
int check_said(const char *part);
/* The number behind a word in check_text, where there has to be one. */
int check_number(const char *word);

#endif
