/* test_numbers.c - isl's numbers and rows of them: what replaces isl's
 * functions does the same, with small numbers, large ones and both.
 *
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 */
#include "polygpu/polyhedral.h"
#include "support/small.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

/* As in numbers.c, rows.c and work.c. */
#define REPLACED(type, name, ...)                                              \
    type __real_##name(__VA_ARGS__);                                           \
    type name(__VA_ARGS__);

REPLACED(void, isl_sioimath_add, uint64_t *, uint64_t, uint64_t)
REPLACED(void, isl_sioimath_sub, uint64_t *, uint64_t, uint64_t)
REPLACED(void, isl_sioimath_mul, uint64_t *, uint64_t, uint64_t)
REPLACED(void, isl_sioimath_gcd, uint64_t *, uint64_t, uint64_t)
REPLACED(void, isl_sioimath_tdiv_q, uint64_t *, uint64_t, uint64_t)
REPLACED(void, isl_seq_clr, uint64_t *, unsigned)
REPLACED(void, isl_seq_cpy, uint64_t *, const uint64_t *, unsigned)
REPLACED(void, isl_seq_neg, uint64_t *, const uint64_t *, unsigned)
REPLACED(int, isl_seq_eq, const uint64_t *, const uint64_t *, unsigned)
REPLACED(int, isl_seq_first_non_zero, const uint64_t *, unsigned)
REPLACED(int, isl_seq_last_non_zero, const uint64_t *, unsigned)
REPLACED(void, isl_seq_combine, uint64_t *, const uint64_t *, const uint64_t *,
         const uint64_t *, const uint64_t *, unsigned)
REPLACED(void, isl_seq_inner_product, const uint64_t *, const uint64_t *,
         unsigned, uint64_t *)
REPLACED(uint32_t, isl_seq_get_hash_bits, const uint64_t *, unsigned, unsigned)
REPLACED(void, isl_seq_gcd, uint64_t *, unsigned, uint64_t *)
REPLACED(void, isl_seq_normalize, isl_ctx *, uint64_t *, unsigned)
void isl_sioimath_clear(uint64_t *number);
void isl_sioimath_set(uint64_t *to, uint64_t from);
int isl_sioimath_cmp(uint64_t a, uint64_t b);

enum { N = 9, TIMES = 40000 };

static unsigned failures;

static void check(bool ok, const char *what)
{
    if (ok)
        return;
    printf("FAIL %s\n", what);
    failures++;
}

static unsigned below(unsigned n)
{
    return (unsigned)rand() % n;
}

/* A number of at most 31 bits. */
static int64_t small_number(void)
{
    static const int64_t special[] = {0, 0,  1, -1, 2,         -2,
                                      6, -6, 4, 12, INT32_MAX, -INT32_MAX};
    int64_t any = (int64_t)rand() & INT32_MAX;

    switch (below(4)) {
    case 0:
        return below(2) ? any : -any;
    case 1:
        return any >> below(31);
    default:
        return special[below(sizeof(special) / sizeof(*special))];
    }
}

/* Set the number "*to", which is one; one of "large" of 16 is of several
 * digits.
 */
static void set_any(uint64_t *to, unsigned large)
{
    uint64_t a, b;

    isl_sioimath_clear(to);
    (void)pg_small_set(to, small_number());
    if (below(16) >= large)
        return;
    for (unsigned i = 0; i <= below(3); i++) {
        a = *to;
        (void)pg_small_set(&b, small_number());
        *to = pg_small_zero;
        __real_isl_sioimath_mul(to, a, b);
        isl_sioimath_clear(&a);
    }
}

/* The same number in the same form: large ones need not be the same object. */
static bool same(uint64_t a, uint64_t b)
{
    return a == b ||
           (!pg_is_small(a) && !pg_is_small(b) && isl_sioimath_cmp(a, b) == 0);
}

struct row {
    uint64_t number[N];
};

static void init_rows(struct row *rows, unsigned n)
{
    for (unsigned r = 0; r < n; r++)
        for (unsigned i = 0; i < N; i++)
            rows[r].number[i] = pg_small_zero;
}

static void clear_rows(struct row *rows, unsigned n)
{
    for (unsigned r = 0; r < n; r++)
        for (unsigned i = 0; i < N; i++)
            isl_sioimath_clear(&rows[r].number[i]);
}

static void set_row(struct row *row, unsigned large)
{
    for (unsigned i = 0; i < N; i++)
        set_any(&row->number[i], large);
}

static void copy_row(struct row *to, const struct row *from)
{
    for (unsigned i = 0; i < N; i++)
        isl_sioimath_set(&to->number[i], from->number[i]);
}

static bool same_rows(const struct row *a, const struct row *b)
{
    for (unsigned i = 0; i < N; i++)
        if (!same(a->number[i], b->number[i]))
            return false;
    return true;
}

typedef void (*binary)(uint64_t *, uint64_t, uint64_t);

static const struct {
    const char *name;
    binary ours, isls;
} binaries[] = {
    {"sum", &isl_sioimath_add, &__real_isl_sioimath_add},
    {"difference", &isl_sioimath_sub, &__real_isl_sioimath_sub},
    {"product", &isl_sioimath_mul, &__real_isl_sioimath_mul},
    {"divisor", &isl_sioimath_gcd, &__real_isl_sioimath_gcd},
    {"quotient", &isl_sioimath_tdiv_q, &__real_isl_sioimath_tdiv_q},
};

/* Numbers: the result may be one of both, too. */
static void check_numbers(struct row *rows, unsigned large)
{
    uint64_t *at = rows[0].number, *real = rows[1].number;
    unsigned to = below(3);

    set_row(&rows[0], large);
    for (unsigned k = 0; k < sizeof(binaries) / sizeof(*binaries); k++) {
        copy_row(&rows[1], &rows[0]);
        if ((binaries[k].isls == &__real_isl_sioimath_tdiv_q &&
             at[1] == pg_small_zero) ||
            (binaries[k].isls == &__real_isl_sioimath_gcd &&
             at[0] == pg_small_zero && at[1] == pg_small_zero))
            continue;
        binaries[k].ours(&at[to], at[0], at[1]);
        binaries[k].isls(&real[to], real[0], real[1]);
        check(same_rows(&rows[0], &rows[1]), binaries[k].name);
    }
}

/* Rows to rows. */
static void check_rows(struct row *rows, unsigned large)
{
    unsigned n = below(N + 1), alias = below(3);
    struct row *to = &rows[alias ? alias - 1 : 2], *real = &rows[3];

    for (unsigned r = 0; r < 3; r++)
        set_row(&rows[r], large);
    copy_row(real, to);
    isl_seq_neg(to->number, to->number, n);
    __real_isl_seq_neg(real->number, real->number, n);
    check(same_rows(to, real), "isl_seq_neg");
    copy_row(&rows[4], &rows[below(2)]);
    isl_seq_cpy(to->number, rows[4].number, n);
    __real_isl_seq_cpy(real->number, rows[4].number, n);
    check(same_rows(to, real), "isl_seq_cpy");
    isl_seq_clr(to->number, n);
    __real_isl_seq_clr(real->number, n);
    check(same_rows(to, real), "isl_seq_clr");
}

/* to = p a + q b, where "to" may be one of both. */
static void check_combination(struct row *rows, unsigned large)
{
    unsigned n = below(N + 1), to = below(3);
    struct row *at = rows, *real = rows + 3;
    uint64_t factor[2] = {pg_small_zero, pg_small_zero};

    for (unsigned r = 0; r < 3; r++) {
        set_row(&at[r], large);
        copy_row(&real[r], &at[r]);
    }
    set_any(&factor[0], large);
    set_any(&factor[1], large);
    isl_seq_combine(at[to].number, &factor[0], at[0].number, &factor[1],
                    at[1].number, n);
    __real_isl_seq_combine(real[to].number, &factor[0], real[0].number,
                           &factor[1], real[1].number, n);
    for (unsigned r = 0; r < 3; r++)
        check(same_rows(&at[r], &real[r]), "isl_seq_combine");
    isl_sioimath_clear(&factor[0]);
    isl_sioimath_clear(&factor[1]);
}

/* What is asked of rows. */
static void check_questions(struct row *rows, unsigned large)
{
    unsigned n = below(N + 1);
    uint64_t *a = rows[0].number, *b = rows[1].number;
    uint64_t found[2] = {pg_small_zero, pg_small_zero};

    set_row(&rows[0], large);
    copy_row(&rows[1], &rows[0]);
    if (below(2))
        set_any(&b[below(N)], large);
    check(isl_seq_eq(a, b, n) == __real_isl_seq_eq(a, b, n), "isl_seq_eq");
    isl_seq_clr(a, below(N));
    check(isl_seq_first_non_zero(a, n) == __real_isl_seq_first_non_zero(a, n),
          "isl_seq_first_non_zero");
    isl_seq_clr(b + 1, below(N - 1));
    check(isl_seq_last_non_zero(b, n) == __real_isl_seq_last_non_zero(b, n),
          "isl_seq_last_non_zero");
    if (n > 0) {
        isl_seq_inner_product(a, b, n, &found[0]);
        __real_isl_seq_inner_product(a, b, n, &found[1]);
        check(same(found[0], found[1]), "isl_seq_inner_product");
    }
    isl_seq_gcd(a, n, &found[0]);
    __real_isl_seq_gcd(a, n, &found[1]);
    check(same(found[0], found[1]), "isl_seq_gcd");
    isl_sioimath_clear(&found[0]);
    isl_sioimath_clear(&found[1]);
}

/* Hashes in any number of bits, of rows with and without zeros. */
static void check_hash(struct row *rows, unsigned large)
{
    unsigned n = below(N + 1), bits = below(8) ? 1 + below(31) : 32;
    uint64_t *a = rows[0].number;

    set_row(&rows[0], large);
    for (unsigned i = 0; i < N; i++)
        if (below(2))
            isl_seq_clr(&a[i], 1);
    check(isl_seq_get_hash_bits(a, n, bits) ==
              __real_isl_seq_get_hash_bits(a, n, bits),
          "isl_seq_get_hash_bits");
}

/* Rows with a common factor are divided by it. */
static void check_normalize(isl_ctx *ctx, struct row *rows, unsigned large)
{
    unsigned n = below(N + 1);
    uint64_t factor = pg_small_zero;

    set_row(&rows[0], large);
    set_any(&factor, large);
    for (unsigned i = 0; i < N; i++)
        __real_isl_sioimath_mul(&rows[0].number[i], rows[0].number[i], factor);
    copy_row(&rows[1], &rows[0]);
    isl_seq_normalize(ctx, rows[0].number, n);
    __real_isl_seq_normalize(ctx, rows[1].number, n);
    check(same_rows(&rows[0], &rows[1]), "isl_seq_normalize");
    isl_sioimath_clear(&factor);
}

int main(void)
{
    const char *given = getenv("POLYGPU_SEED");
    unsigned seed = given ? (unsigned)atoi(given) : (unsigned)time(NULL);
    isl_ctx *ctx = pg_ctx_alloc();
    struct row rows[6];

    srand(seed);
    init_rows(rows, 6);
    for (unsigned i = 0; i < TIMES; i++) {
        // No large numbers, few, and half of them.
        unsigned large = i % 3 == 2 ? 8 : i % 3;

        check_numbers(rows, large);
        check_rows(rows, large);
        check_combination(rows, large);
        check_questions(rows, large);
        check_hash(rows, large);
        check_normalize(ctx, rows, large);
    }
    clear_rows(rows, 6);
    pg_ctx_free(ctx);
    if (failures)
        printf("POLYGPU_SEED=%u\n", seed);
    return failures != 0;
}
