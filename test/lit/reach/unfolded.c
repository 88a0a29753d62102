// Pictures that are unfolded into columns, and planes whose rows have sizes
// without a sign.
//
// RUN: %gpu_cc %record %s %harness -o %t.gpu
// RUN: %ref_cc %s %harness -o %t.ref
// RUN: %run_ref %t.ref
// RUN: %run_gpu %t.gpu > %t.out 2>&1
// RUN: %shapes
// RUN: cmp %t.ref.dump %t.gpu.dump
#include "reach.h"

// The range of elements that indices may lead to is known without the
// conditions of pixel: the picture has as much before and behind it that
// nothing writes.
enum { C = 3, H = 9, W = 11, K = 3, MOST = C * K * K * (H + 4) * (W + 4) };

static float around[3 * C * H * W], columns[MOST], a[40 * 25], b[40 * 25];

// == unfolded: channel, row and column of a filter from one counter

static float pixel(const float *picture, int height, int width, int row,
                   int col, int channel, int pad)
{
    row -= pad;
    col -= pad;
    if (row < 0 || col < 0 || row >= height || col >= width)
        return 0;
    return picture[col + width * (row + height * channel)];
}

// The loops over one picture are parallel; the one around has quotients.
IN_PART("loop not offloaded: a subscript of 'picture' in line here+11 is no "
        "affine function of loop counters and parameters (it has % or / by a "
        "number that is not constant); use sums of counters times constants, "
        "and signed or size_t counters")
void one_counter(int channels, int height, int width, int k, int stride,
                 int pad, const float *restrict picture,
                 float *restrict columns)
{
    int rows = (height + 2 * pad - k) / stride + 1;
    int cols = (width + 2 * pad - k) / stride + 1;

    for (int c = 0; c < channels * k * k; c++) { // here
        int x = c % k, y = c / k % k, channel = c / k / k;

        for (int h = 0; h < rows; h++)
            for (int w = 0; w < cols; w++) {
                int row = y + h * stride - pad, col = x + w * stride - pad;
                float *to = columns + (c * rows + h) * cols + w;

                if (row < 0 || col < 0 || row >= height || col >= width)
                    *to = 0;
                else
                    *to = picture[col + width * (row + height * channel)];
            }
    }
}

// == unfolded: a loop for each

SHAPE void three_counters(int channels, int height, int width, int k,
                          int stride, int pad, const float *restrict picture,
                          float *restrict columns)
{
    int rows = (height + 2 * pad - k) / stride + 1;
    int cols = (width + 2 * pad - k) / stride + 1;

    for (int channel = 0; channel < channels; channel++)
        for (int y = 0; y < k; y++)
            for (int x = 0; x < k; x++)
                for (int h = 0; h < rows; h++)
                    for (int w = 0; w < cols; w++)
                        columns[(((channel * k + y) * k + x) * rows + h) *
                                    cols +
                                w] =
                            pixel(picture, height, width, y + h * stride,
                                  x + w * stride, channel, pad);
}

// == unfolded: transposed by quotient and remainder

SHAPE void by_remainder(int n, int k, float *restrict to,
                        const float *restrict from)
{
    for (int c = 0; c < n * k; c++)
        to[c] = from[c % k * n + c / k];
}

// == sizes without a sign

// In runs in which rows do not begin again at the first element, after 2^32 of
// them.
SHAPE void without_sign(unsigned n, unsigned m, float *restrict a,
                  const float *restrict b)
{
    for (unsigned y = 0; y < m; y++)
        for (unsigned x = 0; x < n; x++)
            a[y * n + x] = 2 * b[y * n + x];
}

SHAPE void counters_of_addresses(unsigned n, unsigned m, float *restrict a,
                                 const float *restrict b)
{
    for (size_t y = 0; y < m; y++)
        for (size_t x = 0; x < n; x++)
            a[y * n + x] = 3 * b[y * n + x];
}

int main(int argc, char **argv)
{
    float *picture = around + C * H * W;

    harness_start(argc, argv);
    harness_fill(around, sizeof around / sizeof *around, sizeof *around);
    RUN(columns, one_counter(C, H, W, K, 1, 1, picture, columns));
    RUN(columns, one_counter(C, H, W, 2, 2, 0, picture, columns));
    RUN(columns, three_counters(C, H, W, K, 1, 1, picture, columns));
    RUN(columns, three_counters(C, H, W, 2, 2, 0, picture, columns));
    harness_fill(b, sizeof b / sizeof *b, sizeof *b);
    RUN(a, by_remainder(40, 25, a, b));
    RUN(a, without_sign(25, 40, a, b));
    RUN(a, counters_of_addresses(25, 40, a, b));
    return harness_end();
}
