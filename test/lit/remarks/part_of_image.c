// A part of an array that begins at another place in each iteration of a loop, by
// % and /, is no pointer that is read again: the remark of that loop says what
// it is.  The loops inside are offloaded.  A pointer that is read again is told so.
//
// RUN: %clang_gpu -O3 -mllvm -gpu-offload -mllvm -gpu-targets=emulated \
// RUN:   -Rpass=gpu-polyhedral -Rpass-missed=gpu-polyhedral -c %s -o %t.o 2>&1 \
// RUN:   | %FileCheck %s

static float pixel(const float *image, int h, int w, int y, int x, int c)
{
    if (y < 0 || x < 0 || y >= h || x >= w)
        return 0;
    return image[x + w * (y + h * c)];
}

// CHECK-DAG: part_of_image.c:[[#@LINE+4]]:5: remark: loop not offloaded: a subscript of 'image' in line [[#@LINE-3]] is no affine function of loop counters and parameters (it has % or / by a number that is not constant);
// CHECK-DAG: part_of_image.c:[[#@LINE+6]]:9: remark: loops offloaded as 1 kernel
void patches(int channels, int h, int w, int size, int step, const float *image, float *rows)
{
    for (int c = 0; c < channels * size * size; c++) {
        int right = c % size, down = c / size % size, of = c / size / size;

        for (int y = 0; y < h; y++)
            for (int x = 0; x < w; x++)
                rows[(c * h + y) * w + x] =
                    pixel(image, h, w, y * step + down, x * step + right, of);
    }
}

// CHECK-DAG: part_of_image.c:[[#@LINE+4]]:9: remark: loop not offloaded: a pointer, bound or subscript is read from 'a' in line [[#@LINE+5]] again
void pointers(int n, char ***a)
{
    for (int i = 0; i < n; i++)
        for (int j = 0; j < i; j++)
            a[i][j][0] = a[j][i][0];
}
