/* fake_cublas.c - a FAKE libcublas.so.13, to test operations.c where there is
 * no GPU.
 *
 * Nothing is computed: each call takes 2 ms by the clock of fake_cuda.c, and
 * writes a line with all its arguments to the file FAKE_LOG, arrays as numbers.
 * Status 7 where an array is smaller than its arguments say.  FAKE_CUBLAS is a
 * function that fails: create, or the name of an operation.
 *
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 */
#include "fakes.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { WRONG = 7, FAILED = 13 };

static cu_stream chosen;
static int the_handle;

static int told(const char *what)
{
    const char *value = getenv("FAKE_CUBLAS");

    return value && !strcmp(value, what);
}

FAKE(int) cublasCreate_v2(void **handle)
{
    *handle = &the_handle;
    return told("create") ? 1 : 0;
}

FAKE(int) cublasGetVersion_v2(void *handle, int *version)
{
    *version = 120501;
    return handle == &the_handle ? 0 : 1;
}

FAKE(int) cublasSetStream_v2(void *handle, cu_stream stream)
{
    chosen = stream;
    return handle == &the_handle ? 0 : 1;
}

/* ---- Calls ----------------------------------------------------------------
 */

struct call {
    char line[240];
    int length, is_double, wrong;
};

static struct call begin(void *handle, const char *name, int is_double)
{
    struct call call = {.is_double = is_double, .wrong = told(name)};

    call.wrong |= handle != &the_handle || !chosen;
    call.length = snprintf(call.line, sizeof call.line, "%s type=%s", name,
                           is_double ? "double" : "float");
    return call;
}

static void number(struct call *call, const char *name, int value)
{
    call->length += snprintf(call->line + call->length,
                             sizeof call->line - (size_t)call->length, " %s=%d",
                             name, value);
}

static void factor(struct call *call, const char *name, const void *value)
{
    double found =
        call->is_double ? *(const double *)value : *(const float *)value;

    call->length += snprintf(call->line + call->length,
                             sizeof call->line - (size_t)call->length, " %s=%g",
                             name, found);
}

/* An array of columns of "rows" elements, "step" apart. */
static void matrix(struct call *call, const char *name, cu_address at, int rows,
                   int columns, int step)
{
    size_t each = call->is_double ? sizeof(double) : sizeof(float);
    size_t last = (size_t)(columns - 1) * (size_t)step + (size_t)rows;

    if (rows < 1 || columns < 1 || step < rows || fake_room(at) < last * each)
        call->wrong = WRONG;
    number(call, name, (int)(at >> 40));
}

static int end(struct call *call)
{
    fake_log(call->line);
    fake_advance(2);
    return call->wrong == WRONG ? WRONG : call->wrong ? FAILED : 0;
}

#define BOTH(name, parameters, arguments)                                      \
    static int name##_call(void *handle, int is_double, unpack parameters);    \
    FAKE(int) cublasS##name##_v2(void *handle, unpack parameters)              \
    {                                                                          \
        return name##_call(handle, 0, unpack arguments);                       \
    }                                                                          \
    FAKE(int) cublasD##name##_v2(void *handle, unpack parameters)              \
    {                                                                          \
        return name##_call(handle, 1, unpack arguments);                       \
    }                                                                          \
    static int name##_call(void *handle, int is_double, unpack parameters)

#define unpack(...) __VA_ARGS__

/* Without a version in its name. */
#define cublasSgeam_v2 cublasSgeam
#define cublasDgeam_v2 cublasDgeam

BOTH(gemm,
     (int ta, int tb, int m, int n, int k, const void *alpha, cu_address a,
      int lda, cu_address b, int ldb, const void *beta, cu_address c, int ldc),
     (ta, tb, m, n, k, alpha, a, lda, b, ldb, beta, c, ldc))
{
    struct call call = begin(handle, "gemm", is_double);

    number(&call, "ta", ta);
    number(&call, "tb", tb);
    number(&call, "m", m);
    number(&call, "n", n);
    number(&call, "k", k);
    factor(&call, "alpha", alpha);
    number(&call, "lda", lda);
    number(&call, "ldb", ldb);
    factor(&call, "beta", beta);
    number(&call, "ldc", ldc);
    matrix(&call, "a", a, ta ? k : m, ta ? m : k, lda);
    matrix(&call, "b", b, tb ? n : k, tb ? k : n, ldb);
    matrix(&call, "c", c, m, n, ldc);
    return end(&call);
}

BOTH(gemv,
     (int ta, int m, int n, const void *alpha, cu_address a, int lda,
      cu_address x, int incx, const void *beta, cu_address y, int incy),
     (ta, m, n, alpha, a, lda, x, incx, beta, y, incy))
{
    struct call call = begin(handle, "gemv", is_double);

    number(&call, "ta", ta);
    number(&call, "m", m);
    number(&call, "n", n);
    factor(&call, "alpha", alpha);
    number(&call, "lda", lda);
    number(&call, "incx", incx);
    factor(&call, "beta", beta);
    number(&call, "incy", incy);
    matrix(&call, "a", a, m, n, lda);
    matrix(&call, "x", x, ta ? m : n, 1, ta ? m : n);
    matrix(&call, "y", y, ta ? n : m, 1, ta ? n : m);
    return end(&call);
}

BOTH(ger,
     (int m, int n, const void *alpha, cu_address x, int incx, cu_address y,
      int incy, cu_address a, int lda),
     (m, n, alpha, x, incx, y, incy, a, lda))
{
    struct call call = begin(handle, "ger", is_double);

    number(&call, "m", m);
    number(&call, "n", n);
    factor(&call, "alpha", alpha);
    number(&call, "incx", incx);
    number(&call, "incy", incy);
    number(&call, "lda", lda);
    matrix(&call, "a", a, m, n, lda);
    matrix(&call, "x", x, m, 1, m);
    matrix(&call, "y", y, n, 1, n);
    return end(&call);
}

BOTH(syrk,
     (int fill, int ta, int n, int k, const void *alpha, cu_address a, int lda,
      const void *beta, cu_address c, int ldc),
     (fill, ta, n, k, alpha, a, lda, beta, c, ldc))
{
    struct call call = begin(handle, "syrk", is_double);

    number(&call, "fill", fill);
    number(&call, "ta", ta);
    number(&call, "n", n);
    number(&call, "k", k);
    factor(&call, "alpha", alpha);
    number(&call, "lda", lda);
    factor(&call, "beta", beta);
    number(&call, "ldc", ldc);
    matrix(&call, "a", a, ta ? k : n, ta ? n : k, lda);
    matrix(&call, "c", c, n, n, ldc);
    return end(&call);
}

BOTH(syr2k,
     (int fill, int ta, int n, int k, const void *alpha, cu_address a, int lda,
      cu_address b, int ldb, const void *beta, cu_address c, int ldc),
     (fill, ta, n, k, alpha, a, lda, b, ldb, beta, c, ldc))
{
    struct call call = begin(handle, "syr2k", is_double);

    number(&call, "fill", fill);
    number(&call, "ta", ta);
    number(&call, "n", n);
    number(&call, "k", k);
    factor(&call, "alpha", alpha);
    number(&call, "lda", lda);
    number(&call, "ldb", ldb);
    factor(&call, "beta", beta);
    number(&call, "ldc", ldc);
    matrix(&call, "a", a, ta ? k : n, ta ? n : k, lda);
    matrix(&call, "b", b, ta ? k : n, ta ? n : k, ldb);
    matrix(&call, "c", c, n, n, ldc);
    return end(&call);
}

BOTH(symm,
     (int side, int fill, int m, int n, const void *alpha, cu_address a,
      int lda, cu_address b, int ldb, const void *beta, cu_address c, int ldc),
     (side, fill, m, n, alpha, a, lda, b, ldb, beta, c, ldc))
{
    struct call call = begin(handle, "symm", is_double);
    int order = side ? n : m;

    number(&call, "side", side);
    number(&call, "fill", fill);
    number(&call, "m", m);
    number(&call, "n", n);
    factor(&call, "alpha", alpha);
    number(&call, "lda", lda);
    number(&call, "ldb", ldb);
    factor(&call, "beta", beta);
    number(&call, "ldc", ldc);
    matrix(&call, "a", a, order, order, lda);
    matrix(&call, "b", b, m, n, ldb);
    matrix(&call, "c", c, m, n, ldc);
    return end(&call);
}

BOTH(trmm,
     (int side, int fill, int ta, int unit, int m, int n, const void *alpha,
      cu_address a, int lda, cu_address b, int ldb, cu_address c, int ldc),
     (side, fill, ta, unit, m, n, alpha, a, lda, b, ldb, c, ldc))
{
    struct call call = begin(handle, "trmm", is_double);
    int order = side ? n : m;

    number(&call, "side", side);
    number(&call, "fill", fill);
    number(&call, "ta", ta);
    number(&call, "unit", unit);
    number(&call, "m", m);
    number(&call, "n", n);
    factor(&call, "alpha", alpha);
    number(&call, "lda", lda);
    number(&call, "ldb", ldb);
    number(&call, "ldc", ldc);
    matrix(&call, "a", a, order, order, lda);
    matrix(&call, "b", b, m, n, ldb);
    matrix(&call, "c", c, m, n, ldc);
    return end(&call);
}

BOTH(geam,
     (int ta, int tb, int m, int n, const void *alpha, cu_address a, int lda,
      const void *beta, cu_address b, int ldb, cu_address c, int ldc),
     (ta, tb, m, n, alpha, a, lda, beta, b, ldb, c, ldc))
{
    struct call call = begin(handle, "geam", is_double);

    number(&call, "ta", ta);
    number(&call, "tb", tb);
    number(&call, "m", m);
    number(&call, "n", n);
    factor(&call, "alpha", alpha);
    number(&call, "lda", lda);
    factor(&call, "beta", beta);
    number(&call, "ldb", ldb);
    number(&call, "ldc", ldc);
    matrix(&call, "a", a, ta ? n : m, ta ? m : n, lda);
    matrix(&call, "b", b, tb ? n : m, tb ? m : n, ldb);
    matrix(&call, "c", c, m, n, ldc);
    return end(&call);
}
