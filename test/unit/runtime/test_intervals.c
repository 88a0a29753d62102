/* test_intervals.c - intervals.c on its own, against a table of bytes.
 *
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 */
#include "check.h"
#include "support/intervals.h"

#include <string.h>

enum { BYTES = 600, BASE = 100, ELEM = 3 };

static struct polygpu_interval chosen(void)
{
    uintptr_t first = check_random() % BYTES;

    return (struct polygpu_interval){first, first + check_random() %
                                                        (BYTES - first + 1)};
}

/* Is the set what the table says, and in the form that it has to have? */
static void expect(const struct polygpu_intervals *set, const char *table)
{
    char bytes[BYTES] = {0};
    uint64_t sum = 0;
    size_t i;

    for (i = 0; i < set->count; ++i) {
        const struct polygpu_interval *s = &set->items[i];

        CHECK(s->first < s->end && s->end <= BYTES);
        CHECK(i == 0 || set->items[i - 1].end < s->first);
        memset(bytes + s->first, 1, s->end - s->first);
        sum += s->end - s->first;
    }
    CHECK(memcmp(bytes, table, BYTES) == 0);
    CHECK(polygpu_intervals_bytes(set) == sum);
}

/* Some segments of elements, and their bytes. */
static void make(struct polygpu_intervals *set, char *table)
{
    struct polygpu_segments segments = {0};
    uint64_t n = check_random() % 6;
    int64_t i;

    memset(table, 0, BYTES);
    while (n-- > 0) {
        struct polygpu_segment s = {-(int64_t)(check_random() % 30),
                                    1 + (int64_t)(check_random() % 20),
                                    1 + (int64_t)(check_random() % 4)};

        CHECK(polygpu_segments_append(&segments, s));
        for (i = 0; i < s.count; ++i)
            memset(table + BASE + (s.first + i * s.stride) * ELEM, 1, ELEM);
    }
    polygpu_segments_sort(&segments);
    CHECK(polygpu_intervals_of(set, &segments, BASE, ELEM));
    polygpu_segments_free(&segments);
}

/* Bytes that all of some sets have. */
static void have_in_common(const struct polygpu_intervals *set,
                           const char *table,
                           const struct polygpu_intervals *other,
                           const char *other_table)
{
    const struct polygpu_intervals *of[] = {set, other, set};
    struct polygpu_intervals third = {0};
    char third_table[BYTES];
    uint64_t two = 0, three = 0;
    size_t i;

    make(&third, third_table);
    of[2] = &third;
    for (i = 0; i < BYTES; ++i) {
        two += table[i] & other_table[i];
        three += table[i] & other_table[i] & third_table[i];
    }
    CHECK(polygpu_intervals_common(of, 1) == polygpu_intervals_bytes(set));
    CHECK(polygpu_intervals_common(of, 2) == two);
    CHECK(polygpu_intervals_common(of, 3) == three);
    polygpu_intervals_free(&third);
}

/* The sets' buffers, which had other ones before, are in use from one to the
 * next. */
static void agrees(struct polygpu_intervals *set,
                   struct polygpu_intervals *other,
                   struct polygpu_intervals *rest)
{
    struct polygpu_interval hole = chosen();
    char table[BYTES], other_table[BYTES];
    size_t i;

    make(set, table);
    expect(set, table);
    make(other, other_table);
    have_in_common(set, table, other, other_table);
    if (check_random() % 3 == 0) {
        char rest_table[BYTES];

        CHECK(polygpu_intervals_without(rest, set, other));
        for (i = 0; i < BYTES; ++i)
            rest_table[i] = (char)(table[i] & !other_table[i]);
        expect(rest, rest_table);
    } else if (check_random() % 2) {
        CHECK(polygpu_intervals_unite(set, other));
        for (i = 0; i < BYTES; ++i)
            table[i] |= other_table[i];
    } else {
        CHECK(polygpu_intervals_subtract(set, other));
        for (i = 0; i < BYTES; ++i)
            table[i] &= (char)!other_table[i];
    }
    expect(set, table);
    expect(other, other_table);
    CHECK(polygpu_intervals_cut(set, hole.first, hole.end));
    memset(table + hole.first, 0, hole.end - hole.first);
    expect(set, table);
    polygpu_intervals_clear(check_random() % 2 ? set : other);
}

static void large_sets_are_refused(void)
{
    struct polygpu_segments segments = {0};
    struct polygpu_segment s = {0, POLYGPU_MAX_INTERVALS, 2};
    struct polygpu_intervals set = {0};

    CHECK(polygpu_segments_append(&segments, s));
    CHECK(polygpu_intervals_of(&set, &segments, BASE, ELEM));
    CHECK(set.count == POLYGPU_MAX_INTERVALS);
    ++segments.items[0].count;
    CHECK(!polygpu_intervals_of(&set, &segments, BASE, ELEM));
    CHECK(set.count == 0);
    polygpu_segments_free(&segments);
}

int main(void)
{
    struct polygpu_intervals sets[3] = {{0}};
    int i;

    for (i = 0; i < 20000; ++i)
        agrees(&sets[0], &sets[1], &sets[2]);
    for (i = 0; i < 3; ++i)
        polygpu_intervals_free(&sets[i]);
    large_sets_are_refused();
    return 0;
}
