/* operations.c - see operations.h.
 *
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 */
#include "operations.h"

#include <string.h>

static size_t area(int rows, int columns)
{
    return (size_t)rows * (size_t)columns;
}

/* ---- gemm N M K: C = alpha A B + beta C, A is N x K -----------------------
 */

static void gemm_elements(const int *n, size_t *count)
{
    count[0] = area(n[0], n[2]);
    count[1] = area(n[2], n[1]);
    count[2] = area(n[0], n[1]);
}

static int gemm_call(const struct problem *p)
{
    int rows = p->n[0], columns = p->n[1], depth = p->n[2];

    return p->blas->gemm[p->type](
        p->handle, BLAS_N, BLAS_N, columns, rows, depth, p->alpha, p->array[1],
        columns, p->array[0], depth, p->beta, p->array[2], columns);
}

/* ---- syrk-rows N K: C = alpha A A^T + beta C, lower triangle, A is N x K --
 */

static void syrk_elements(const int *n, size_t *count)
{
    count[0] = area(n[0], n[1]);
    count[1] = 0;
    count[2] = area(n[0], n[0]);
}

static int syrk_rows_call(const struct problem *p)
{
    return p->blas->syrk[p->type](p->handle, BLAS_UPPER, BLAS_T, p->n[0],
                                  p->n[1], p->alpha, p->array[0], p->n[1],
                                  p->beta, p->array[2], p->n[0]);
}

/* ---- syrk-columns N K: C = alpha A^T A, upper triangle, A is K x N --------
 */

static int syrk_columns_call(const struct problem *p)
{
    return p->blas->syrk[p->type](p->handle, BLAS_LOWER, BLAS_N, p->n[0],
                                  p->n[1], p->alpha, p->array[0], p->n[0],
                                  p->zero, p->array[2], p->n[0]);
}

/* ---- syr2k N K: C = alpha (A B^T + B A^T) + beta C, lower triangle --------
 */

static void syr2k_elements(const int *n, size_t *count)
{
    count[0] = count[1] = area(n[0], n[1]);
    count[2] = area(n[0], n[0]);
}

static int syr2k_call(const struct problem *p)
{
    return p->blas->syr2k[p->type](
        p->handle, BLAS_UPPER, BLAS_T, p->n[0], p->n[1], p->alpha, p->array[0],
        p->n[1], p->array[1], p->n[1], p->beta, p->array[2], p->n[0]);
}

/* ---- symm M N: C = alpha A B + beta C, A's lower triangle is given --------
 */

static void left_elements(const int *n, size_t *count)
{
    count[0] = area(n[0], n[0]);
    count[1] = count[2] = area(n[0], n[1]);
}

static int symm_call(const struct problem *p)
{
    int m = p->n[0], n = p->n[1];

    return p->blas->symm[p->type](p->handle, BLAS_RIGHT, BLAS_UPPER, n, m,
                                  p->alpha, p->array[0], m, p->array[1], n,
                                  p->beta, p->array[2], n);
}

/* ---- trmm M N: C = alpha A^T B, A lower with a diagonal of 1 --------------
 */

/* Not in place, other than the program, so that numbers do not grow. */
static int trmm_call(const struct problem *p)
{
    int m = p->n[0], n = p->n[1];

    return p->blas->trmm[p->type](p->handle, BLAS_RIGHT, BLAS_UPPER, BLAS_T,
                                  BLAS_UNIT, n, m, p->alpha, p->array[0], m,
                                  p->array[1], n, p->array[2], n);
}

/* ---- gemv-rows R C: y = A x + y; gemv-columns R C: y = A^T x + y ----------
 */

static void rows_elements(const int *n, size_t *count)
{
    count[0] = area(n[0], n[1]);
    count[1] = (size_t)n[1];
    count[2] = (size_t)n[0];
}

static void columns_elements(const int *n, size_t *count)
{
    count[0] = area(n[0], n[1]);
    count[1] = (size_t)n[0];
    count[2] = (size_t)n[1];
}

static int gemv(const struct problem *p, int trans)
{
    return p->blas->gemv[p->type](p->handle, trans, p->n[1], p->n[0], p->one,
                                  p->array[0], p->n[1], p->array[1], 1, p->one,
                                  p->array[2], 1);
}

static int rows_call(const struct problem *p)
{
    return gemv(p, BLAS_T);
}

static int columns_call(const struct problem *p)
{
    return gemv(p, BLAS_N);
}

/* ---- ger R C: A = A + x y^T, x is array 2, of R elements, y is array 1 ----
 */

static int ger_call(const struct problem *p)
{
    return p->blas->ger[p->type](p->handle, p->n[1], p->n[0], p->one,
                                 p->array[1], 1, p->array[2], 1, p->array[0],
                                 p->n[1]);
}

/* ---- geam R C: B = A^T, A is R x C ----------------------------------------
 */

static void geam_elements(const int *n, size_t *count)
{
    count[0] = count[2] = area(n[0], n[1]);
    count[1] = 0;
}

/* What is not added, because of the factor 0, is B itself. */
static int geam_call(const struct problem *p)
{
    return p->blas->geam[p->type](p->handle, BLAS_T, BLAS_N, p->n[0], p->n[1],
                                  p->one, p->array[0], p->n[1], p->zero,
                                  p->array[2], p->n[0], p->array[2], p->n[0]);
}

static const struct operation operations[] = {
    {"gemm", 3, gemm_elements, gemm_call},
    {"syrk-rows", 2, syrk_elements, syrk_rows_call},
    {"syrk-columns", 2, syrk_elements, syrk_columns_call},
    {"syr2k", 2, syr2k_elements, syr2k_call},
    {"symm", 2, left_elements, symm_call},
    {"trmm", 2, left_elements, trmm_call},
    {"gemv-rows", 2, rows_elements, rows_call},
    {"gemv-columns", 2, columns_elements, columns_call},
    {"ger", 2, rows_elements, ger_call},
    {"geam", 2, geam_elements, geam_call},
};

const struct operation *find_operation(const char *name)
{
    for (size_t i = 0; i < sizeof operations / sizeof *operations; i++)
        if (!strcmp(operations[i].name, name))
            return &operations[i];
    return NULL;
}
