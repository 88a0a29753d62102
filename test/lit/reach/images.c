// Images: of several channels, gone through pixel by pixel, in rows of h * w
// elements; filters with a reach of half their size, and rows that are clamped.
//
// RUN: %gpu_cc -mfma %record %s %harness -o %t.gpu
// RUN: %ref_cc %s %harness -o %t.ref
// RUN: %run_ref %t.ref
// RUN: %run_gpu %t.gpu > %t.out 2>&1
// RUN: %shapes
// RUN: cmp %t.ref.dump %t.gpu.dump
#include "reach.h"
#include <stdbool.h>

enum { MOST = 6000 };

static float in[MOST], out[MOST], sums[64], bias[64];
static unsigned char bytes[MOST], smooth[MOST];

// == rows and columns: rows whose length is a product

SHAPE void scaled(int images, int channels, int h, int w, const float *in,
                  const float *bias, float *out)
{
    for (int b = 0; b < images; b++)
        for (int c = 0; c < channels; c++)
            for (int i = 0; i < h * w; i++)
                out[i + h * w * (c + b * channels)] =
                    in[i + h * w * (c + b * channels)] * bias[c];
}

SHAPE void planes(size_t h, size_t w, size_t channels, float *out)
{
    for (size_t c = 0; c < channels; c++)
        for (size_t i = 0; i < w * h; i++)
            out[c * h * w + i] = (float)(c + 3 * i);
}

SHAPE void averages(int images, int channels, int h, int w, const float *in,
                    float *sums)
{
    for (int b = 0; b < images; b++)
        for (int c = 0; c < channels; c++) {
            int at = c + b * channels;

            sums[at] = 0;
            for (int i = 0; i < h * w; i++)
                sums[at] += in[i + h * w * (c + b * channels)];
            sums[at] /= h * w;
        }
}

SHAPE void interleaved(int channels, int h, int w, const float *in, float *out)
{
    for (int i = 0; i < h * w; i++)
        for (int c = 0; c < channels; c++)
            out[i * channels + c] = in[c * (h * w) + i];
}

SHAPE void larger(int channels, int h, int w, int times, const float *in,
                  float *out)
{
    for (int c = 0; c < channels; c++)
        for (int i = 0; i < h * times; i++)
            for (int j = 0; j < w * times; j++)
                out[c * w * h * times * times + i * w * times + j] =
                    in[c * w * h + i / times * w + j / times];
}

// == rows and columns: halves of sizes

SHAPE void pooled(int channels, int h, int w, const float *restrict in,
                  float *restrict out)
{
    for (int c = 0; c < channels; c++)
        for (int y = 0; y < h / 2; y++)
            for (int x = 0; x < w / 2; x++) {
                float most = -1e30f;

                for (int i = 0; i < 2; i++)
                    for (int j = 0; j < 2; j++) {
                        float at = in[(c * h + 2 * y + i) * w + 2 * x + j];

                        most = at > most ? at : most;
                    }
                out[(c * (h / 2) + y) * (w / 2) + x] = most;
            }
}

SHAPE void blurred(int h, int w, int size, const float *restrict in,
                   float *restrict out)
{
    int reach = size / 2;

    for (int y = reach; y < h - reach; y++)
        for (int x = reach; x < w - reach; x++) {
            float sum = 0;

            for (int i = -reach; i <= reach; i++)
                for (int j = -reach; j <= reach; j++)
                    sum += in[(y + i) * w + x + j];
            out[y * w + x] = sum / (float)(size * size);
        }
}

SHAPE void filtered(int h, int w, int size, const float *restrict in,
                    const float *restrict filter, float *restrict out)
{
    for (int y = 0; y < h; y++)
        for (int x = 0; x < w; x++) {
            float sum = 0;

            for (int i = 0; i < size; i++)
                for (int j = 0; j < size; j++) {
                    int row = y + i - size / 2, column = x + j - size / 2;

                    if (row >= 0 && row < h && column >= 0 && column < w)
                        sum += in[row * w + column] * filter[i * size + j];
                }
            out[y * w + x] = sum;
        }
}

// == rows and columns: clamped, of a size that is an int

SHAPE void shifted(int h, int w, int by, const float *restrict in,
                   float *restrict out)
{
    for (int y = 0; y < h; y++)
        for (int x = 0; x < w; x++) {
            int row = y - by, column = x + by;

            row = row < 0 ? 0 : row >= h ? h - 1 : row;
            column = column < 0 ? 0 : column >= w ? w - 1 : column;
            out[y * w + x] = in[row * w + column];
        }
}

SHAPE void smoothed(int h, int w, int reach, const unsigned char *restrict in,
                    const float *restrict filter, unsigned char *restrict out)
{
    for (int y = 0; y < h; y++)
        for (int x = 0; x < w; x++) {
            float sum = 0;

            for (int i = -reach; i <= reach; i++)
                for (int j = -reach; j <= reach; j++) {
                    int row = y + i, column = x + j;

                    row = row < 0 ? 0 : row >= h ? h - 1 : row;
                    column = column < 0 ? 0 : column >= w ? w - 1 : column;
                    sum +=
                        (float)in[row * w + column] * filter[i + j + 2 * reach];
                }
            out[y * w + x] = (unsigned char)(sum < 0     ? 0
                                             : sum > 255 ? 255
                                                         : sum);
        }
}

SHAPE void doubled(int h, int w, const float *restrict in, float *restrict out)
{
    for (int y = 0; y < 2 * h; y++)
        for (int x = 0; x < 2 * w; x++)
            out[y * 2 * w + x] = in[y / 2 * w + x / 2];
}

// == rows and columns: those that an argument says

SHAPES(2)
void turned(int channels, int size, bool forward, const float *restrict in,
            float *restrict out)
{
    for (int c = 0; c < channels; c++)
        for (int i = 0; i < size; i++) {
            if (forward)
                out[i * channels + c] = in[c * size + i];
            else
                out[c * size + i] = in[i * channels + c];
        }
}

IN_PART(
    "loop not offloaded: a subscript of 'small' in line here+6 is no affine "
    "function of loop counters and parameters (it has % or / by a number "
    "that is not constant); use sums of counters times constants, and "
    "signed or size_t counters")
void resized(int h, int w, int times, bool forward, float *restrict small,
             float *restrict large)
{
    for (int y = 0; y < h * times; y++)
        for (int x = 0; x < w * times; x++) { // here
            int at = y / times * w + x / times;

            if (forward)
                large[y * w * times + x] = small[at];
            else
                small[at] += large[y * w * times + x];
        }
}

static void run_ways(int channels, int size)
{
    harness_fill(in, MOST, sizeof *in);
    for (int forward = 0; forward < 2; forward++) {
        RUN(out, turned(channels, size, forward, in, out));
        harness_fill(out, MOST, sizeof *out);
        resized(channels, size, 2, forward, in, out);
        dump("resized", in, sizeof in);
        dump("resized", out, sizeof out);
    }
}

static void run_filters(int h, int w, int size)
{
    harness_fill(in, MOST, sizeof *in);
    harness_fill(bias, 64, sizeof *bias);
    for (int i = 0; i < MOST; i++)
        bytes[i] = (unsigned char)(harness_random() * 256);
    RUN(out, pooled(2, h, w, in, out));
    RUN(out, blurred(h, w, size, in, out));
    RUN(out, filtered(h, w, size, in, bias, out));
    RUN(out, shifted(h, w, size / 2, in, out));
    RUN(out, shifted(h, w, -3, in, out));
    RUN(smooth, smoothed(h, w, size / 2, bytes, bias, smooth));
    RUN(out, doubled(h, w, in, out));
}

static void run(int images, int channels, int h, int w)
{
    harness_fill(in, MOST, sizeof *in);
    harness_fill(bias, 64, sizeof *bias);
    RUN(out, scaled(images, channels, h, w, in, bias, out));
    RUN(out, planes((size_t)h, (size_t)w, (size_t)channels, out));
    RUN(sums, averages(images, channels, h, w, in, sums));
    RUN(out, interleaved(channels, h, w, in, out));
    RUN(out, larger(channels, h, w, 2, in, out));
}

int main(int argc, char **argv)
{
    harness_start(argc, argv);
    run(2, 3, 17, 23);
    run(1, 4, 5, 64);
    run(3, 1, 1, 1);
    run(5, 7, 1, 9);
    run(2, 0, 3, 3);
    run(0, 3, 3, 3);
    run_ways(7, 100);
    run_ways(33, 40);
    run_ways(1, 1);
    run_ways(0, 5);
    run_filters(40, 33, 3);
    run_filters(9, 50, 5);
    run_filters(31, 32, 7);
    run_filters(5, 6, 1);
    run_filters(1, 1, 1);
    run_filters(0, 4, 3);
    return harness_end();
}
