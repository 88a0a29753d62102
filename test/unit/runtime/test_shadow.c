/* test_shadow.c - the checks of the emulated device, each with an error
 * planted, and each with the nearest program that has none.
 *
 * A kernel executes a list of steps; 2 blocks of 4 threads run it.
 *
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 */
#include "check.h"
#include "emulated/emulated.h"
#include "emulated_array.h"

#include <stdio.h>
#include <string.h>

enum { N_BLOCKS = 2, N_THREADS = 4, N_ELEMENTS = 16, MAX_STEPS = 8 };
enum { ALL = -1 };
enum op {
    END,
    READ,
    WRITE,
    ATOMIC,
    BARRIER,
    OTHER_BARRIER,
    COPY,
    COMMIT,
    WAIT
};
enum space { GLOBAL, SHARED };

/* Instead of an element: half of element 0; element 0 by the address of no
 * array, or of one of several; an element of none of those; PAIR + n: elements
 * n and n + 1 at once. */
enum { HALF = 1000, NO_ARRAY, SOME_ARRAY, NOT_EVEN_SOME, PAIR };
/* Instead of bytes that are zeros: the load, or the store, is described as one
 * of 4 bytes, or the load as one from one of several arrays. */
enum { OTHER_LOAD = 1000, OTHER_STORE, SOME_LOAD };

/* Thread "thread" of block "block" (ALL: each) accesses element "at", plus
 * "by" times its number (in the grid, or in the block if SHARED).  COPY goes
 * there, always in the tile, from element "from" plus "by" times its number in
 * the grid, with zeros for the last "less" bytes.  WAIT leaves "at" groups. */
struct step {
    enum op op;
    enum space space;
    int block, thread;
    int at, by;
    int from, less; /* of COPY */
};

struct move {
    uint32_t dir;
    int64_t first, count, stride;
};

struct example {
    const char *name;
    struct move moves[3];
    struct step steps[MAX_STEPS];
    const char *error; /* NULL: none */
    int launches;      /* 0 stands for 1 */
    bool dead_after;   /* nothing needs to be copied out */
};

#define BOTH {{POLYGPU_IN | POLYGPU_OUT, 0, N_ELEMENTS, 1}}
#define EACH ALL, ALL
/* Each thread copies its element, as a group. */
#define COPIES {COPY, SHARED, EACH, 0, 1}, {COMMIT, SHARED, EACH, 0, 0}
#pragma GCC diagnostic ignored "-Wmissing-field-initializers"

static const struct example examples[] = {
    {"own-elements",
     BOTH,
     {{READ, GLOBAL, EACH, 0, 1}, {WRITE, GLOBAL, EACH, 0, 1}},
     NULL,
     0,
     false},
    {"two-launches",
     BOTH,
     {{READ, GLOBAL, EACH, 0, 0}, {WRITE, GLOBAL, 1, 2, 1, 0}},
     NULL,
     3,
     false},
    {"common-reads",
     BOTH,
     {{READ, GLOBAL, EACH, 0, 0}, {READ, GLOBAL, EACH, 15, -1}},
     NULL,
     0,
     false},

    {"read-before",
     BOTH,
     {{READ, GLOBAL, 1, 2, -1, 0}},
     "A[-1] read by thread (2,0,0) of block (1,0,0) in line 100, outside of "
     "its device copy, elements 0 .. 15",
     0,
     false},
    {"write-behind",
     BOTH,
     {{READ, GLOBAL, EACH, 0, 1}, {WRITE, GLOBAL, EACH, 9, 1}},
     "A[16] written by thread (3,0,0) of block (1,0,0) in line 101, outside "
     "of its device copy",
     0,
     false},
    {"gap",
     {{POLYGPU_IN | POLYGPU_OUT, 0, 4, 5}},
     {{READ, GLOBAL, 0, 0, 0, 0}, {READ, GLOBAL, 0, 1, 6, 0}},
     "A[6] read by thread (1,0,0) of block (0,0,0) in line 101, an element "
     "between those that the host announced",
     0,
     false},
    {"no-gap",
     {{POLYGPU_IN | POLYGPU_OUT, 0, 4, 5}},
     {{READ, GLOBAL, 0, 0, 0, 0}, {READ, GLOBAL, 0, 1, 5, 0}},
     NULL,
     0,
     false},
    {"unknown",
     BOTH,
     {{READ, GLOBAL, 0, 0, NO_ARRAY, 0}},
     "by an address that is no parameter's",
     0,
     false},
    {"one-of-several",
     BOTH,
     {{WRITE, GLOBAL, 0, 0, SOME_ARRAY, 0}},
     NULL,
     0,
     false},
    {"race-in-one-of-several",
     BOTH,
     {{WRITE, GLOBAL, 0, 0, SOME_ARRAY, 0}, {READ, GLOBAL, 0, 1, 0, 0}},
     "with no barrier between",
     0,
     false},
    {"none-of-several",
     BOTH,
     {{READ, GLOBAL, 0, 0, NOT_EVEN_SOME, 0}},
     "by an address that is no parameter's",
     0,
     false},
    {"halves",
     BOTH,
     {{READ, GLOBAL, 0, 0, HALF, 0}},
     "not as whole elements",
     0,
     false},
    {"pair", BOTH, {{READ, GLOBAL, 0, 0, PAIR + 2, 0}}, NULL, 0, false},
    {"pair-not-aligned",
     BOTH,
     {{READ, GLOBAL, 0, 0, PAIR + 1, 0}},
     "A[1] read by thread (0,0,0) of block (0,0,0) in line 100, in 16 bytes at "
     "an address that is no multiple of that",
     0,
     false},
    {"shared-pair-not-aligned",
     BOTH,
     {{WRITE, SHARED, 0, 0, PAIR + 1, 0}},
     "shared tile[1] written by thread (0,0,0) of block (0,0,0) in line 100, "
     "in 16 bytes at an address",
     0,
     false},

    {"no-value",
     {{POLYGPU_OUT, 0, 8, 1}},
     {{READ, GLOBAL, EACH, 0, 1}},
     "A[0] read by thread (0,0,0) of block (0,0,0) in line 100, though "
     "nothing was copied or written there",
     0,
     false},
    {"own-value",
     {{POLYGPU_OUT, 0, 8, 1}},
     {{WRITE, GLOBAL, EACH, 0, 1}, {READ, GLOBAL, EACH, 0, 1}},
     NULL,
     0,
     false},
    {"out-without-value",
     {{POLYGPU_OUT, 0, 9, 1}},
     {{WRITE, GLOBAL, EACH, 0, 1}},
     "A[8] is to be copied out, though nothing was copied or written there",
     0,
     false},
    {"value-not-out",
     {{POLYGPU_OUT, 0, 7, 1}, {POLYGPU_TOUCH, 7, 1, 1}},
     {{WRITE, GLOBAL, EACH, 0, 1}},
     "A[7] was written by kernel steps, and is not to be copied out",
     0,
     false},
    {"value-dead",
     {{POLYGPU_TOUCH, 0, 8, 1}},
     {{WRITE, GLOBAL, EACH, 0, 1}},
     NULL,
     0,
     true},
    {"value-dead-in",
     {{POLYGPU_IN, 0, 8, 1}, {POLYGPU_TOUCH, 0, 8, 1}},
     {{WRITE, GLOBAL, EACH, 0, 1}},
     NULL,
     0,
     true},
    {"value-dead-only-in",
     {{POLYGPU_IN, 0, 8, 1}, {POLYGPU_TOUCH, 0, 7, 1}},
     {{WRITE, GLOBAL, EACH, 0, 1}},
     "A[7] was written by kernel steps, and was only said to be copied in",
     0,
     true},

    {"write-write",
     BOTH,
     {{WRITE, GLOBAL, 0, 1, 3, 0}, {WRITE, GLOBAL, 0, 2, 3, 0}},
     "A[3] written by thread (1,0,0) of block (0,0,0) in line 100 and written "
     "by thread (2,0,0) of block (0,0,0) in line 101, with no barrier between",
     0,
     false},
    {"write-barrier-write",
     BOTH,
     {{WRITE, GLOBAL, 0, 1, 3, 0},
      {BARRIER, GLOBAL, EACH, 0, 0},
      {WRITE, GLOBAL, 0, 2, 3, 0}},
     NULL,
     0,
     false},
    {"write-read",
     BOTH,
     {{WRITE, GLOBAL, 0, 1, 3, 0}, {READ, GLOBAL, 0, 3, 3, 0}},
     "written by thread (1,0,0) of block (0,0,0) in line 100 and read by "
     "thread (3,0,0) of block (0,0,0) in line 101, with no barrier",
     0,
     false},
    {"read-write",
     BOTH,
     {{READ, GLOBAL, 0, 1, 3, 0},
      {READ, GLOBAL, 0, 2, 3, 0},
      {WRITE, GLOBAL, 0, 2, 3, 0}},
     "read by thread (1,0,0) of block (0,0,0) in line 100 and written by "
     "thread (2,0,0) of block (0,0,0) in line 102, with no barrier",
     0,
     false},
    {"barrier-elsewhere",
     BOTH,
     {{BARRIER, GLOBAL, EACH, 0, 0},
      {READ, GLOBAL, 0, 1, 3, 0},
      {WRITE, GLOBAL, 0, 2, 3, 0},
      {BARRIER, GLOBAL, EACH, 0, 0}},
     "with no barrier between",
     0,
     false},
    {"blocks",
     BOTH,
     {{WRITE, GLOBAL, 0, 1, 3, 0},
      {BARRIER, GLOBAL, EACH, 0, 0},
      {READ, GLOBAL, 1, 1, 3, 0}},
     "A[3] written by thread (1,0,0) of block (0,0,0) in line 100 and read by "
     "thread (1,0,0) of block (1,0,0) in line 102, in one launch",
     0,
     false},
    {"old-reader",
     BOTH,
     {{READ, GLOBAL, 0, 0, 3, 0},
      {READ, GLOBAL, 1, 1, 3, 0},
      {BARRIER, GLOBAL, EACH, 0, 0},
      {READ, GLOBAL, 1, 2, 3, 0},
      {WRITE, GLOBAL, 1, 2, 3, 0}},
     "read by thread (0,0,0) of block (0,0,0) in line 100 and written by "
     "thread (2,0,0) of block (1,0,0) in line 104, in one launch",
     0,
     false},

    {"atomics", BOTH, {{ATOMIC, GLOBAL, EACH, 3, 0}}, NULL, 2, false},
    {"atomic-read",
     BOTH,
     {{ATOMIC, GLOBAL, EACH, 3, 0}, {READ, GLOBAL, 0, 2, 3, 0}},
     "A[3] atomically updated by thread (1,0,0) of block (0,0,0) in line 100 "
     "and read by thread (2,0,0)",
     0,
     false},
    {"atomic-write",
     BOTH,
     {{WRITE, GLOBAL, 0, 0, 3, 0}, {ATOMIC, GLOBAL, 0, 2, 3, 0}},
     "A[3] written by thread (0,0,0) of block (0,0,0) in line 100 and "
     "atomically updated by thread (2,0,0)",
     0,
     false},

    {"shared",
     BOTH,
     {{WRITE, SHARED, EACH, 0, 1},
      {BARRIER, SHARED, EACH, 0, 0},
      {READ, SHARED, EACH, 3, -1},
      {BARRIER, SHARED, EACH, 0, 0},
      {WRITE, SHARED, EACH, 0, 1}},
     NULL,
     2,
     false},
    {"shared-no-value",
     BOTH,
     {{WRITE, SHARED, EACH, 0, 1},
      {BARRIER, SHARED, EACH, 0, 0},
      {READ, SHARED, EACH, 1, 1}},
     "shared tile[4] read by thread (3,0,0) of block (0,0,0) in line 102, "
     "though no thread of the block wrote it",
     0,
     false},
    {"shared-of-last-block",
     BOTH,
     {{WRITE, SHARED, 0, ALL, 0, 1},
      {BARRIER, SHARED, EACH, 0, 0},
      {READ, SHARED, 1, 2, 2, 0}},
     "shared tile[2] read by thread (2,0,0) of block (1,0,0) in line 102, "
     "though no thread of the block wrote it",
     0,
     false},
    {"shared-race",
     BOTH,
     {{WRITE, SHARED, EACH, 0, 1}, {READ, SHARED, EACH, 0, 0}},
     "shared tile[0] written by thread (0,0,0) of block (0,0,0) in line 100 "
     "and read by thread (1,0,0) of block (0,0,0) in line 101, with no barrier "
     "between",
     0,
     false},
    {"shared-second-race",
     BOTH,
     {{WRITE, SHARED, EACH, 0, 1},
      {BARRIER, SHARED, EACH, 0, 0},
      {READ, SHARED, EACH, 3, -1},
      {WRITE, SHARED, EACH, 0, 1}},
     "shared tile[",
     0,
     false},
    {"shared-behind",
     BOTH,
     {{WRITE, SHARED, EACH, 3, 1}},
     "shared tile[6] written by thread (3,0,0) of block (0,0,0) in line 100, "
     "outside of its 6 elements",
     0,
     false},

    {"copy",
     BOTH,
     {COPIES,
      {WAIT, SHARED, EACH, 0, 0},
      {READ, SHARED, EACH, 0, 1},
      {BARRIER, SHARED, EACH, 0, 0},
      {READ, SHARED, EACH, 3, -1},
      {BARRIER, SHARED, EACH, 0, 0},
      {COPY, SHARED, EACH, 0, 1}},
     NULL,
     2,
     false},
    {"copy-no-wait",
     BOTH,
     {COPIES, {READ, SHARED, EACH, 0, 1}},
     "shared tile[0] read by thread (0,0,0) of block (0,0,0) in line 102, "
     "while thread (0,0,0) of block (0,0,0) in line 100 copies it; nobody has "
     "waited for that",
     0,
     false},
    {"copy-no-wait-barrier",
     BOTH,
     {COPIES, {BARRIER, SHARED, EACH, 0, 0}, {READ, SHARED, EACH, 3, -1}},
     "shared tile[3] read by thread (0,0,0) of block (0,0,0) in line 103, "
     "while thread (3,0,0) of block (0,0,0) in line 100 copies it",
     0,
     false},
    {"copy-no-commit",
     BOTH,
     {{COPY, SHARED, EACH, 0, 1},
      {WAIT, SHARED, EACH, 0, 0},
      {READ, SHARED, EACH, 0, 1}},
     "shared tile[0] read by thread (0,0,0) of block (0,0,0) in line 102, "
     "while",
     0,
     false},
    {"copy-no-barrier",
     BOTH,
     {COPIES, {WAIT, SHARED, EACH, 0, 0}, {READ, SHARED, EACH, 0, 0}},
     "shared tile[0] written by thread (0,0,0) of block (0,0,0) in line 100 "
     "and read by thread (1,0,0) of block (0,0,0) in line 103, with no barrier "
     "between",
     0,
     false},
    {"copy-barrier-wait",
     BOTH,
     {COPIES,
      {BARRIER, SHARED, EACH, 0, 0},
      {WAIT, SHARED, EACH, 0, 0},
      {READ, SHARED, EACH, 0, 0}},
     "shared tile[0] written by thread (0,0,0) of block (0,0,0) in line 100 "
     "and read by thread (1,0,0) of block (0,0,0) in line 104, with no barrier "
     "between",
     0,
     false},
    {"copy-other-waits",
     BOTH,
     {{COPY, SHARED, 0, 0, 0, 0},
      {COMMIT, SHARED, 0, 0, 0, 0},
      {WAIT, SHARED, 0, 1, 0, 0},
      {BARRIER, SHARED, EACH, 0, 0},
      {READ, SHARED, 0, 1, 0, 0}},
     "shared tile[0] read by thread (1,0,0) of block (0,0,0) in line 104, "
     "while thread (0,0,0) of block (0,0,0) in line 100 copies it",
     0,
     false},
    {"copy-older-group",
     BOTH,
     {{COPY, SHARED, 0, 0, 0, 0},
      {COMMIT, SHARED, 0, 0, 0, 0},
      {COPY, SHARED, 0, 0, 1, 0, 1},
      {COMMIT, SHARED, 0, 0, 0, 0},
      {WAIT, SHARED, 0, 0, 1, 0},
      {READ, SHARED, 0, 0, 0, 0},
      {WRITE, SHARED, 0, 0, 0, 0}},
     NULL,
     0,
     false},
    {"copy-younger-group",
     BOTH,
     {{COPY, SHARED, 0, 0, 0, 0},
      {COMMIT, SHARED, 0, 0, 0, 0},
      {COPY, SHARED, 0, 0, 1, 0, 1},
      {COMMIT, SHARED, 0, 0, 0, 0},
      {WAIT, SHARED, 0, 0, 1, 0},
      {READ, SHARED, 0, 0, 1, 0}},
     "shared tile[1] read by thread (0,0,0) of block (0,0,0) in line 105, "
     "while thread (0,0,0) of block (0,0,0) in line 102 copies it",
     0,
     false},
    {"copy-too-few-groups",
     BOTH,
     {{COPY, SHARED, 0, 0, 0, 0},
      {COMMIT, SHARED, 0, 0, 0, 0},
      {COPY, SHARED, 0, 0, 1, 0, 1},
      {COMMIT, SHARED, 0, 0, 0, 0},
      {WAIT, SHARED, 0, 0, 2, 0},
      {READ, SHARED, 0, 0, 0, 0}},
     "shared tile[0] read by thread (0,0,0) of block (0,0,0) in line 105, "
     "while thread (0,0,0) of block (0,0,0) in line 100 copies it",
     0,
     false},
    {"copy-empty-group",
     BOTH,
     {{COPY, SHARED, 0, 0, 0, 0},
      {COMMIT, SHARED, 0, 0, 0, 0},
      {COMMIT, SHARED, 0, 0, 0, 0},
      {WAIT, SHARED, 0, 0, 1, 0},
      {READ, SHARED, 0, 0, 0, 0}},
     NULL,
     0,
     false},
    {"copy-write",
     BOTH,
     {COPIES, {WRITE, SHARED, 0, 1, 1, 0}, {WAIT, SHARED, EACH, 0, 0}},
     "shared tile[1] written by thread (1,0,0) of block (0,0,0) in line 102, "
     "while thread (1,0,0) of block (0,0,0) in line 100 copies it",
     0,
     false},
    {"copy-wait-write",
     BOTH,
     {COPIES, {WAIT, SHARED, EACH, 0, 0}, {WRITE, SHARED, EACH, 0, 1}},
     NULL,
     0,
     false},
    {"copy-atomic",
     BOTH,
     {COPIES, {BARRIER, SHARED, EACH, 0, 0}, {ATOMIC, SHARED, 0, 2, 0, 0}},
     "shared tile[0] atomically updated by thread (2,0,0) of block (0,0,0) in "
     "line 103, while thread (0,0,0) of block (0,0,0) in line 100",
     0,
     false},
    {"copy-copy",
     BOTH,
     {COPIES,
      {COPY, SHARED, 0, 1, 1, 0, 5},
      {COMMIT, SHARED, EACH, 0, 0},
      {WAIT, SHARED, EACH, 0, 0}},
     "shared tile[1] written by thread (1,0,0) of block (0,0,0) in line 102, "
     "while thread (1,0,0) of block (0,0,0) in line 100 copies it",
     0,
     false},
    {"copy-wait-copy",
     BOTH,
     {COPIES,
      {WAIT, SHARED, EACH, 0, 0},
      {COPY, SHARED, 0, 1, 1, 0, 5},
      {COMMIT, SHARED, EACH, 0, 0},
      {WAIT, SHARED, EACH, 0, 0},
      {READ, SHARED, EACH, 0, 1}},
     NULL,
     0,
     false},
    {"copy-copy-of-other",
     BOTH,
     {COPIES,
      {BARRIER, SHARED, EACH, 0, 0},
      {COPY, SHARED, 0, 1, 2, 0, 5},
      {WAIT, SHARED, EACH, 0, 0}},
     "shared tile[2] written by thread (1,0,0) of block (0,0,0) in line 103, "
     "while thread (2,0,0) of block (0,0,0) in line 100 copies it",
     0,
     false},
    {"copy-after-read",
     BOTH,
     {{WRITE, SHARED, 0, 1, 0, 0},
      {BARRIER, SHARED, EACH, 0, 0},
      {READ, SHARED, 0, 1, 0, 0},
      {COPY, SHARED, 0, 2, 0, 0}},
     "shared tile[0] read by thread (1,0,0) of block (0,0,0) in line 102 and "
     "written by thread (2,0,0) of block (0,0,0) in line 103, with no barrier "
     "between",
     0,
     false},
    {"copy-barrier-after-read",
     BOTH,
     {{WRITE, SHARED, 0, 1, 0, 0},
      {BARRIER, SHARED, EACH, 0, 0},
      {READ, SHARED, 0, 1, 0, 0},
      {BARRIER, SHARED, EACH, 0, 0},
      {COPY, SHARED, 0, 2, 0, 0}},
     NULL,
     0,
     false},
    {"copy-to-behind",
     BOTH,
     {{COPY, SHARED, EACH, 3, 1}},
     "shared tile[6] written by thread (3,0,0) of block (0,0,0) in line 100, "
     "outside of its 6 elements",
     0,
     false},
    {"copy-from-before",
     BOTH,
     {{COPY, SHARED, 0, 2, 2, 0, -1}},
     "A[-1] read by thread (2,0,0) of block (0,0,0) in line 100, outside of "
     "its device copy, elements 0 .. 15",
     0,
     false},
    {"copy-from-behind",
     BOTH,
     {{COPY, SHARED, 0, 2, 2, 0, 16}},
     "A[16] read by thread (2,0,0) of block (0,0,0) in line 100, outside of "
     "its device copy",
     0,
     false},
    {"copy-from-end", BOTH, {{COPY, SHARED, 0, 2, 2, 0, 15}}, NULL, 0, false},
    {"copy-pair",
     BOTH,
     {{COPY, SHARED, 0, 2, PAIR + 2, 0, 14},
      {COMMIT, SHARED, 0, 2, 0, 0},
      {WAIT, SHARED, 0, 2, 0, 0},
      {READ, SHARED, 0, 2, PAIR + 2, 0}},
     NULL,
     0,
     false},
    {"copy-pair-behind",
     BOTH,
     {{COPY, SHARED, 0, 2, PAIR + 2, 0, 16}},
     "A[16] read by thread (2,0,0) of block (0,0,0) in line 100, outside of "
     "its device copy",
     0,
     false},
    {"copy-pair-from-not-aligned",
     BOTH,
     {{COPY, SHARED, 0, 2, PAIR + 2, 0, 3}},
     "A[3] read by thread (2,0,0) of block (0,0,0) in line 100, in 16 bytes at "
     "an address that is no multiple of that",
     0,
     false},
    {"copy-pair-to-not-aligned",
     BOTH,
     {{COPY, SHARED, 0, 2, PAIR + 1, 0, 2}},
     "shared tile[1] written by thread (2,0,0) of block (0,0,0) in line 100, "
     "in 16 bytes at an address that is no multiple of that",
     0,
     false},
    {"copy-pair-in-flight",
     BOTH,
     {{COPY, SHARED, 0, 2, PAIR + 2, 0, 2, 8},
      {COMMIT, SHARED, 0, 2, 0, 0},
      {READ, SHARED, 0, 2, 3, 0}},
     "shared tile[3] read by thread (2,0,0) of block (0,0,0) in line 102, "
     "while",
     0,
     false},
    {"copy-part",
     BOTH,
     {{COPY, SHARED, 0, 2, PAIR + 2, 0, 14, 8},
      {COMMIT, SHARED, 0, 2, 0, 0},
      {WAIT, SHARED, 0, 2, 0, 0},
      {READ, SHARED, 0, 2, PAIR + 2, 0}},
     NULL,
     0,
     false},
    {"copy-part-has-no-value",
     {{POLYGPU_IN | POLYGPU_OUT, 0, 7, 1}, {POLYGPU_TOUCH, 7, 9, 1}},
     {{COPY, SHARED, 0, 2, PAIR + 2, 0, 6}},
     "A[7] read by thread (2,0,0) of block (0,0,0) in line 100, though nothing "
     "was copied or written there",
     0,
     false},
    {"copy-part-needs-no-value",
     {{POLYGPU_IN | POLYGPU_OUT, 0, 7, 1}, {POLYGPU_TOUCH, 7, 9, 1}},
     {{COPY, SHARED, 0, 2, PAIR + 2, 0, 6, 8},
      {COMMIT, SHARED, 0, 2, 0, 0},
      {WAIT, SHARED, 0, 2, 0, 0},
      {READ, SHARED, 0, 2, PAIR + 2, 0}},
     NULL,
     0,
     false},
    {"copy-half",
     BOTH,
     {{COPY, SHARED, 0, 2, PAIR + 2, 0, 6, 4}},
     "A[6] read by thread (2,0,0) of block (0,0,0) in line 100, not as whole "
     "elements",
     0,
     false},
    {"copy-nothing",
     BOTH,
     {{COPY, SHARED, 0, 2, PAIR + 2, 0, 100000001, 16},
      {COMMIT, SHARED, 0, 2, 0, 0},
      {WAIT, SHARED, 0, 2, 0, 0},
      {READ, SHARED, 0, 2, PAIR + 2, 0}},
     NULL,
     0,
     false},
    {"copy-too-much",
     BOTH,
     {{COPY, SHARED, 0, 2, PAIR + 2, 0, 2, -8}},
     "thread (2,0,0) of block (0,0,0) in line 100 asks for an asynchronous "
     "copy of 16 bytes, 24 of them valid, which is none of a GPU's",
     0,
     false},
    {"copy-other-load",
     BOTH,
     {{COPY, SHARED, 0, 2, 2, 0, 2, OTHER_LOAD}},
     "copy of 8 bytes, 8 of them valid, which is none of a GPU's or not as "
     "described",
     0,
     false},
    {"copy-other-store",
     BOTH,
     {{COPY, SHARED, 0, 2, 2, 0, 2, OTHER_STORE}},
     "which is none of a GPU's or not as described",
     0,
     false},
    {"copy-source-updated-before",
     BOTH,
     {{ATOMIC, GLOBAL, 0, 1, 1, 0},
      COPIES,
      {BARRIER, SHARED, EACH, 0, 0},
      {WRITE, GLOBAL, 0, 1, 1, 0},
      {WAIT, SHARED, EACH, 0, 0}},
     "A[1] written by thread (1,0,0) of block (0,0,0) in line 104, while "
     "thread (1,0,0) of block (0,0,0) in line 101 copies it",
     0,
     false},
    {"copy-one-of-several",
     BOTH,
     {{COPY, SHARED, 0, 2, 2, 0, 2, SOME_LOAD},
      {COMMIT, SHARED, EACH, 0, 0},
      {WAIT, SHARED, EACH, 0, 0},
      {READ, SHARED, 0, 2, 2, 0}},
     NULL,
     0,
     false},
    {"copy-one-of-several-written",
     BOTH,
     {{COPY, SHARED, 0, 2, 2, 0, 2, SOME_LOAD},
      {COMMIT, SHARED, EACH, 0, 0},
      {WRITE, GLOBAL, 0, 2, 2, 0},
      {WAIT, SHARED, EACH, 0, 0}},
     "A[2] written by thread (2,0,0) of block (0,0,0) in line 102, while",
     0,
     false},
    {"copy-source-written",
     BOTH,
     {COPIES, {WRITE, GLOBAL, EACH, 0, 1}, {WAIT, SHARED, EACH, 0, 0}},
     "A[0] written by thread (0,0,0) of block (0,0,0) in line 102, while "
     "thread (0,0,0) of block (0,0,0) in line 100 copies it; nobody has waited "
     "for that",
     0,
     false},
    {"copy-wait-source-written",
     BOTH,
     {COPIES, {WAIT, SHARED, EACH, 0, 0}, {WRITE, GLOBAL, EACH, 0, 1}},
     NULL,
     2,
     false},
    {"copy-source-written-before",
     BOTH,
     {{WRITE, GLOBAL, EACH, 0, 1}, COPIES, {WAIT, SHARED, EACH, 0, 0}},
     NULL,
     2,
     false},
    {"copy-source-read",
     BOTH,
     {COPIES,
      {READ, GLOBAL, EACH, 0, 1},
      {BARRIER, SHARED, EACH, 0, 0},
      {READ, GLOBAL, EACH, 0, 0},
      {WAIT, SHARED, EACH, 0, 0}},
     NULL,
     2,
     false},
    {"copy-source-written-by-other",
     BOTH,
     {COPIES,
      {BARRIER, SHARED, EACH, 0, 0},
      {WRITE, GLOBAL, 0, 2, 1, 0},
      {BARRIER, SHARED, EACH, 0, 0},
      {WAIT, SHARED, EACH, 0, 0}},
     "A[1] written by thread (2,0,0) of block (0,0,0) in line 103, while "
     "thread (1,0,0) of block (0,0,0) in line 100 copies it",
     0,
     false},
    {"copy-source-updated",
     BOTH,
     {COPIES,
      {BARRIER, SHARED, EACH, 0, 0},
      {ATOMIC, GLOBAL, 0, 2, 1, 0},
      {BARRIER, SHARED, EACH, 0, 0},
      {WAIT, SHARED, EACH, 0, 0}},
     "A[1] atomically updated by thread (2,0,0) of block (0,0,0) in line 103, "
     "while thread (1,0,0) of block (0,0,0) in line 100 copies it",
     0,
     false},
    {"copy-source-race",
     BOTH,
     {COPIES, {WRITE, GLOBAL, 0, 2, 1, 0}},
     "A[1] read by thread (1,0,0) of block (0,0,0) in line 100 and written by "
     "thread (2,0,0) of block (0,0,0) in line 102, with no barrier between",
     0,
     false},
    {"copy-source-late-race",
     BOTH,
     {COPIES,
      {BARRIER, SHARED, EACH, 0, 0},
      {WAIT, SHARED, EACH, 0, 0},
      {WRITE, GLOBAL, 0, 2, 1, 0}},
     "A[1] read by thread (1,0,0) of block (0,0,0) in line 100 and written by "
     "thread (2,0,0) of block (0,0,0) in line 104, with no barrier between",
     0,
     false},
    {"copy-unfinished",
     BOTH,
     {COPIES, {COPY, SHARED, 0, 3, 4, 0}},
     NULL,
     2,
     false},
    {"copy-unfinished-block",
     BOTH,
     {{COPY, SHARED, 0, ALL, 0, 1},
      {BARRIER, SHARED, EACH, 0, 0},
      {WRITE, SHARED, 1, ALL, 0, 1},
      {COMMIT, SHARED, EACH, 0, 0},
      {WAIT, SHARED, EACH, 0, 0},
      {BARRIER, SHARED, EACH, 0, 0},
      {READ, SHARED, 1, ALL, 3, -1}},
     NULL,
     2,
     false},
    {"copy-of-last-block",
     BOTH,
     {{COPY, SHARED, 0, ALL, 0, 1},
      {COMMIT, SHARED, 0, ALL, 0, 0},
      {WAIT, SHARED, 0, ALL, 0, 0},
      {BARRIER, SHARED, EACH, 0, 0},
      {READ, SHARED, 1, ALL, 0, 1}},
     "shared tile[0] read by thread (0,0,0) of block (1,0,0) in line 104, "
     "though no thread of the block wrote it",
     0,
     false},

    {"ended",
     BOTH,
     {{BARRIER, GLOBAL, ALL, 0, 0, 0}},
     "barrier not reached by all threads of block (0,0,0): thread (0,0,0) in "
     "line 100 waits, thread (1,0,0) has ended",
     0,
     false},
    {"another-barrier",
     BOTH,
     {{BARRIER, GLOBAL, ALL, 0, 0, 0},
      {OTHER_BARRIER, GLOBAL, ALL, 1, 0, 0},
      {OTHER_BARRIER, GLOBAL, ALL, 2, 0, 0},
      {OTHER_BARRIER, GLOBAL, ALL, 3, 0, 0}},
     "thread (0,0,0) in line 100 waits, thread (1,0,0) in line 101 waits at "
     "another barrier",
     0,
     false},
};

static const struct example *current;

/* Where shared memory is accessed. */
static void describe_tile(struct polygpu_access *access)
{
    access->flags |= POLYGPU_ACCESS_SHARED;
    access->name = "tile";
    access->offset = 16;
    access->bytes = 48;
    access->elem_size = 8;
}

static void execute(const struct step *step, int line, double *array,
                    struct polygpu_thread *self)
{
    struct polygpu_access access = {0};
    double *address = array;
    int64_t element = step->at + step->by * (int64_t)self->thread[0];

    access.size = step->at >= PAIR ? 16 : step->at == HALF ? 4 : 8;
    access.line = (uint32_t)line;
    access.flags = step->op == WRITE    ? POLYGPU_ACCESS_WRITE
                   : step->op == ATOMIC ? POLYGPU_ACCESS_ATOMIC
                                        : 0;
    if (step->at >= HALF)
        element = step->at >= PAIR ? step->at - PAIR : 0;
    if (step->at == NO_ARRAY)
        access.param = 99;
    else if (step->at == SOME_ARRAY || step->at == NOT_EVEN_SOME)
        access.param = UINT32_MAX;
    if (step->at == NOT_EVEN_SOME)
        element = 1 << 20;
    if (step->space == SHARED) {
        describe_tile(&access);
        address = (double *)self->shared + 2;
    } else {
        element += step->by * (int64_t)self->block[0] * N_THREADS;
    }
    address = self->calls->access(
        self, (void *)((uintptr_t)address + (uintptr_t)element * 8), &access);
    if (step->op != READ)
        *address = 1 + (double)element;
}

/* What describes a copy is there until it is done. */
static struct polygpu_access loads[MAX_STEPS], stores[MAX_STEPS];

static void copy(const struct step *step, int i, uintptr_t array,
                 struct polygpu_thread *self)
{
    const uint32_t size = step->at >= PAIR ? 16 : 8;
    const int less = step->less < OTHER_LOAD ? step->less : 0;
    int64_t thread = self->thread[0];
    int64_t to = step->at - (step->at >= PAIR ? PAIR : 0) + step->by * thread;
    int64_t from =
        step->from + step->by * (thread + (int64_t)self->block[0] * N_THREADS);

    loads[i].param = step->less == SOME_LOAD ? UINT32_MAX : 0;
    loads[i].size = step->less == OTHER_LOAD ? 4 : size;
    stores[i].size = step->less == OTHER_STORE ? 4 : size;
    loads[i].line = stores[i].line = 100 + (uint32_t)i;
    stores[i].flags = POLYGPU_ACCESS_WRITE;
    describe_tile(&stores[i]);
    self->calls->copy(self, (char *)self->shared + 16 + to * 8,
                      (void *)(array + (uintptr_t)from * 8), size,
                      size - (uint32_t)less, &loads[i], &stores[i]);
}

static void run_steps(void *const *args, struct polygpu_thread *self)
{
    int i;

    for (i = 0; i < MAX_STEPS && current->steps[i].op != END; ++i) {
        const struct step *step = &current->steps[i];

        if ((step->block != ALL && step->block != (int)self->block[0]) ||
            (step->thread != ALL && step->thread != (int)self->thread[0]))
            continue;
        if (step->op == BARRIER || step->op == OTHER_BARRIER)
            self->calls->barrier_at(self, step->op == OTHER_BARRIER,
                                    100 + (uint32_t)i);
        else if (step->op == COPY)
            copy(step, i, *(uintptr_t *)args[0], self);
        else if (step->op == COMMIT)
            self->calls->commit(self);
        else if (step->op == WAIT)
            self->calls->wait(self, (uint32_t)step->at);
        else
            execute(step, 100 + i, *(double *const *)args[0], self);
    }
}

static const struct polygpu_param params[] = {{POLYGPU_PARAM_ARRAY, 0}};

/* Everything from the start of a run to its end, except the copies out. */
static bool run_example(const struct example *e, struct polygpu_status *status)
{
    const struct polygpu_device *device = &polygpu_emulated;
    const struct polygpu_kernel kernel = {
        "steps",
        {N_THREADS, 1, 1},
        POLYGPU_KERNEL_BARRIER | POLYGPU_KERNEL_CHECKED,
        64,
        1,
        params,
        run_steps,
    };
    const struct polygpu_array array = {
        "A", 8, POLYGPU_IN | (e->dead_after ? 0 : POLYGPU_OUT)};
    const struct polygpu_scop scop = {POLYGPU_ABI_VERSION,
                                      1,
                                      "x.c",
                                      "f",
                                      1,
                                      1,
                                      0,
                                      0,
                                      &array,
                                      &kernel,
                                      NULL,
                                      NULL,
                                      0,
                                      NULL};
    const uint32_t grid[3] = {N_BLOCKS, 1, 1};
    const struct move *m;
    double host[N_ELEMENTS];
    uintptr_t address;
    void *session, *args[1] = {&address};
    bool ok;
    int i;

    current = e;
    check_fill(host, N_ELEMENTS);
    CHECK(device->start(&scop, &session, status));
    for (m = e->moves; m < e->moves + 3; ++m) {
        struct polygpu_segment s = {m->first, m->count, m->stride};

        CHECK(device->announce(session, 0, m->dir, &s, status));
    }
    address = emulated_array(session, 0, sizeof host, status);
    CHECK(device->copy_in(session, address, host, sizeof host, status));
    ok = true;
    for (i = 0; ok && i < (e->launches ? e->launches : 1); ++i)
        ok = device->launch(session, NULL, &scop, 0, grid, args, NULL, status);
    ok = ok && device->synchronize(session, status);
    device->free(address);
    device->stop(session);
    return ok;
}

int main(void)
{
    size_t i;

    for (i = 0; i < sizeof examples / sizeof *examples; ++i) {
        const struct example *e = &examples[i];
        struct polygpu_status status = {0};
        bool ok = run_example(e, &status);

        fprintf(stderr, "%s: %s\n", e->name, ok ? "no error" : status.text);
        CHECK(ok == !e->error);
        CHECK(ok || strstr(status.text, e->error));
    }
    return 0;
}
