/* test_segments.c - segments.c on its own.
 *
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 */
#include "check.h"
#include "support/segments.h"

#include <stdlib.h>
#include <string.h>

static void append(struct polygpu_segments *s, int64_t first, int64_t count,
                   int64_t stride)
{
    struct polygpu_segment segment = {first, count, stride};

    CHECK(polygpu_segments_append(s, segment));
}

static void merges_neighbours(void)
{
    struct polygpu_segments s = {0};

    append(&s, -3, 3, 1);
    append(&s, 0, 5, 1);
    append(&s, 5, 1, 99);
    CHECK(s.count == 1 && s.items[0].first == -3 && s.items[0].count == 9);
    append(&s, 7, 1, 1);
    append(&s, 8, 3, 2);
    append(&s, 14, 3, 2);
    CHECK(s.count == 4);
    CHECK(polygpu_segments_elements(&s) == 16);
    polygpu_segments_free(&s);
}

static void takes_a_million(void)
{
    struct polygpu_segments s = {0};
    struct polygpu_group g = {0};
    int64_t i;
    int groups = 0;

    for (i = 999999; i >= 0; --i)
        append(&s, 3 * i, 2, 1);
    CHECK(s.count == 1000000);
    polygpu_segments_sort(&s);
    while (polygpu_segments_next(&s, 16, INT64_MAX, &g)) {
        ++groups;
        CHECK(!g.dense && g.first == 0 && g.last == 2999998);
    }
    CHECK(groups == 1);
    memset(&g, 0, sizeof g);
    for (groups = 0; polygpu_segments_next(&s, 16, 1000, &g); ++groups)
        CHECK(g.last - g.first < 1003);
    CHECK(groups > 2900);
    polygpu_segments_free(&s);
}

static void overflow_is_seen(void)
{
    struct polygpu_segment far = {INT64_MAX - 1, 3, 1};
    struct polygpu_segment wide = {0, INT64_MAX, 2};
    struct polygpu_segment fits = {-5, 3, 4};
    int64_t last;

    CHECK(!polygpu_segment_last(&far, &last));
    CHECK(!polygpu_segment_last(&wide, &last));
    CHECK(polygpu_segment_last(&fits, &last) && last == 3);
}

/* Random segments: groups do not overlap, and gather and scatter touch exactly
 * the elements. */
static void groups_cover_exactly(void)
{
    enum { N = 4096 };
    struct polygpu_segments s = {0};
    struct polygpu_group g = {0};
    unsigned char in[N], out[N], wanted[N], *staging;
    int64_t i, k, end = -1;

    for (i = 0; i < N; ++i)
        in[i] = (unsigned char)(check_random() % 255 + 1);
    memset(out, 0, N);
    memset(wanted, 0, N);
    for (k = (int64_t)(check_random() % 40); k >= 0; --k) {
        int64_t stride = (int64_t)(check_random() % 5) + 1;
        int64_t count = (int64_t)(check_random() % 60) + 1;
        int64_t first = (int64_t)(check_random() % (N - 5 * 60));

        append(&s, first, count, stride);
        for (i = 0; i < count; ++i)
            wanted[first + i * stride] = in[first + i * stride];
    }
    polygpu_segments_sort(&s);
    while (
        polygpu_segments_next(&s, (int64_t)(check_random() % 100), 500, &g)) {
        CHECK(g.first > end && g.last >= g.first);
        end = g.last;
        staging = calloc(1, (size_t)(g.last - g.first + 1));
        polygpu_segments_gather(&s, &g, (uintptr_t)in, 1, staging);
        for (i = g.first; i <= g.last; ++i)
            CHECK(staging[i - g.first] == wanted[i] && (!g.dense || wanted[i]));
        polygpu_segments_scatter(&s, &g, (uintptr_t)out, 1, staging);
        free(staging);
    }
    CHECK(!memcmp(out, wanted, N));
    polygpu_segments_free(&s);
}

int main(void)
{
    int i;

    merges_neighbours();
    takes_a_million();
    overflow_is_seen();
    for (i = 0; i < 500; ++i)
        groups_cover_exactly();
    return 0;
}
