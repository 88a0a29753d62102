// Rows that are parts of rows, as the heads of attention: c channels, of which
// each head has c / heads.
//
// RUN: %gpu_cc -mfma %record %s %harness -o %t.gpu
// RUN: %ref_cc %s %harness -o %t.ref
// RUN: %run_ref %t.ref
// RUN: %run_gpu %t.gpu > %t.out 2>&1
// RUN: %shapes
// RUN: cmp %t.ref.dump %t.gpu.dump
//
// Where the division leaves a rest, the original loops run.
// RUN: env POLYGPU_SEED=7 POLYGPU_DUMP=%t.ref.dump %t.ref others
// RUN: env POLYGPU_SEED=7 POLYGPU_DUMP=%t.gpu.dump POLYGPU_COST=off \
// RUN:     POLYGPU_PROFILE=lines POLYGPU_DEVICE=emulated %t.gpu others \
// RUN:     > %t.out 2>&1
// RUN: cmp %t.ref.dump %t.gpu.dump
#include "reach.h"

enum { MOST = 12000 };

static float in[MOST], scores[MOST], out[MOST];

// == rows and columns: parts of rows

SHAPE void scored(int times, int c, int heads, const float *restrict in,
                  float *restrict scores)
{
    int row = c * 3, size = c / heads;

    for (int t = 0; t < times; t++)
        for (int h = 0; h < heads; h++) {
            const float *query = in + t * row + h * size;

            for (int other = 0; other <= t; other++) {
                const float *key = in + other * row + h * size + c;
                float sum = 0;

                for (int i = 0; i < size; i++)
                    sum += query[i] * key[i];
                scores[h * times * times + t * times + other] = sum;
            }
        }
}

SHAPE void weighted(int times, int c, int heads, const float *restrict in,
                    const float *restrict scores, float *restrict out)
{
    int row = c * 3, size = c / heads;

    for (int t = 0; t < times; t++)
        for (int h = 0; h < heads; h++) {
            float *to = out + t * c + h * size;

            for (int i = 0; i < size; i++)
                to[i] = 0;
            for (int other = 0; other <= t; other++) {
                const float *value = in + other * row + h * size + 2 * c;

                for (int i = 0; i < size; i++)
                    to[i] += scores[h * times * times + t * times + other] *
                             value[i];
            }
        }
}

SHAPE void turned(long times, long c, long heads, const float *restrict in,
                  float *restrict out)
{
    long size = c / heads;

    for (long t = 0; t < times; t++)
        for (long h = 0; h < heads; h++)
            for (long i = 0; i < size; i++)
                out[(h * times + t) * size + i] = in[t * c + h * size + i];
}

// == rows and columns: parts of rows, of sizes without a sign

SHAPE void scored_unsigned(size_t times, size_t c, size_t heads,
                           const float *restrict in, float *restrict scores)
{
    size_t row = c * 3, size = c / heads;

    for (size_t t = 0; t < times; t++)
        for (size_t h = 0; h < heads; h++) {
            const float *query = in + t * row + h * size;

            for (size_t other = 0; other <= t; other++) {
                const float *key = in + other * row + h * size + c;
                float sum = 0;

                for (size_t i = 0; i < size; i++)
                    sum += query[i] * key[i];
                scores[h * times * times + t * times + other] = sum;
            }
        }
}

SHAPE void turned_unsigned(size_t times, size_t c, size_t heads,
                           const float *restrict in, float *restrict out)
{
    size_t size = c / heads;

    for (size_t t = 0; t < times; t++)
        for (size_t h = 0; h < heads; h++)
            for (size_t i = 0; i < size; i++)
                out[(h * times + t) * size + i] = in[t * c + h * size + i];
}

static void run(int times, int c, int heads)
{
    harness_fill(in, MOST, sizeof *in);
    RUN(scores, scored(times, c, heads, in, scores));
    harness_fill(scores, MOST, sizeof *scores);
    RUN(out, weighted(times, c, heads, in, scores, out));
    RUN(out, turned(times, c, heads, in, out));
    RUN(scores, scored_unsigned((size_t)times, (size_t)c, (size_t)heads, in,
                                scores));
    RUN(out,
        turned_unsigned((size_t)times, (size_t)c, (size_t)heads, in, out));
}

int main(int argc, char **argv)
{
    harness_start(argc, argv);
    run(20, 48, 4);
    run(9, 35, 7);
    run(33, 64, 1);
    run(1, 8, 8);
    run(0, 6, 2);
    if (argc > 1) {
        run(20, 50, 4);
        run(7, 3, 5);
    }
    return harness_end();
}
