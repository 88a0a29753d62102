// Images of several channels, gone through pixel by pixel: rows of h * w elements.
//
// RUN: %gpu_cc -mfma %record %s %harness -o %t.gpu
// RUN: %ref_cc %s %harness -o %t.ref
// RUN: %run_ref %t.ref
// RUN: %run_gpu %t.gpu > %t.out 2>&1
// RUN: %shapes
// RUN: cmp %t.ref.dump %t.gpu.dump
#include "reach.h"

enum { MOST = 6000 };

static float in[MOST], out[MOST], sums[64], bias[64];

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
    return harness_end();
}
