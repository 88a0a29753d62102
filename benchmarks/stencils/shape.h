/* shape.h - the grid of a stencil, and what one point of it becomes.  A program
 * of this folder serves several shapes; each is chosen with
 *
 *   DIMS    dimensions of the grid, 1 to 3, each of n points
 *   SHAPE   STAR (along the axes), BOX (all around), HEXAGON or GRADIENT (2-D)
 *   RADIUS  how far it reaches, 1 (usual) to 4; as wide is the border that
 * stays SUM     of a star or box: MEAN of the points (usual); QUOTIENT, a sum
 * with weights and one division; PRODUCTS, a sum with weights alone
 *
 * Weights fall with the distance and their sum is at most one, so that values
 * do not grow.
 *
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 */
#ifndef SHAPE_H
#define SHAPE_H

#include "bench.h"

#define STAR 1
#define BOX 2
#define HEXAGON 3
#define GRADIENT 4

#define MEAN 1
#define QUOTIENT 2
#define PRODUCTS 3

#ifndef RADIUS
#define RADIUS 1
#endif
#ifndef SUM
#define SUM MEAN
#endif

/* ---- The grid ------------------------------------------------------------ */

#define INSIDE(i) for (I i = RADIUS; i < n - RADIUS; i++)

/* GRID: an array parameter.  SWEEP: a statement for each point inside of the
 * border.  ELEMENT: of X, (a, b, c) away from that point. */
#if DIMS == 1
#define GRID(X) ARRAY1(X, n)
#define GRID_POINTS (n)
#define SWEEP(statement) INSIDE(j) statement
#define ELEMENT(X, a, b, c) X[j + (c)]
#elif DIMS == 2
#define GRID(X) ARRAY2(X, n, n)
#define GRID_POINTS (n * n)
#define SWEEP(statement) INSIDE(i) INSIDE(j) statement
#define ELEMENT(X, a, b, c) AT(X, i + (b), j + (c), n)
#else
#define GRID(X) ARRAY3(X, n, n, n)
#define GRID_POINTS (n * n * n)
#define SWEEP(statement) INSIDE(h) INSIDE(i) INSIDE(j) statement
#define ELEMENT(X, a, b, c) AT3(X, h + (a), i + (b), j + (c), n, n)
#endif
#define HERE(X) ELEMENT(X, 0, 0, 0)

/* ---- Weights ------------------------------------------------------------- */

#define WEIGHT(a, b, c) (1.0 / (1 + (a) * (a) + (b) * (b) + (c) * (c)))

#if SUM == MEAN
#define TERM(X, a, b, c) ELEMENT(X, a, b, c)
#elif SUM == QUOTIENT
#define TERM(X, a, b, c) ((T)WEIGHT(a, b, c) * ELEMENT(X, a, b, c))
#else
#define TERM(X, a, b, c) ((T)(WEIGHT(a, b, c) / COUNT) * ELEMENT(X, a, b, c))
#endif

#if SUM == PRODUCTS
#define WHOLE(sum) (sum)
#else
#define WHOLE(sum) ((sum) / COUNT)
#endif

/* ---- Stars --------------------------------------------------------------- */

/* The points in distance d on each axis. */
#define ON_C(X, d) TERM(X, 0, 0, -d) + TERM(X, 0, 0, d)
#define ON_B(X, d) TERM(X, 0, -d, 0) + TERM(X, 0, d, 0)
#define ON_A(X, d) TERM(X, -d, 0, 0) + TERM(X, d, 0, 0)
#if DIMS == 1
#define TIPS(X, d) ON_C(X, d)
#elif DIMS == 2
#define TIPS(X, d) ON_C(X, d) + ON_B(X, d)
#else
#define TIPS(X, d) ON_C(X, d) + ON_B(X, d) + ON_A(X, d)
#endif

#define STAR1(X) TERM(X, 0, 0, 0) + TIPS(X, 1)
#define STAR2(X) STAR1(X) + TIPS(X, 2)
#define STAR3(X) STAR2(X) + TIPS(X, 3)
#define STAR4(X) STAR3(X) + TIPS(X, 4)

/* ---- Boxes --------------------------------------------------------------- */

#define ROW1(X, a, b) TERM(X, a, b, -1) + TERM(X, a, b, 0) + TERM(X, a, b, 1)
#define ROW2(X, a, b) ROW1(X, a, b) + TERM(X, a, b, -2) + TERM(X, a, b, 2)
#define ROW3(X, a, b) ROW2(X, a, b) + TERM(X, a, b, -3) + TERM(X, a, b, 3)
#define ROW4(X, a, b) ROW3(X, a, b) + TERM(X, a, b, -4) + TERM(X, a, b, 4)

#define PLANE1(X, a) ROW(X, a, -1) + ROW(X, a, 0) + ROW(X, a, 1)
#define PLANE2(X, a) PLANE1(X, a) + ROW(X, a, -2) + ROW(X, a, 2)
#define PLANE3(X, a) PLANE2(X, a) + ROW(X, a, -3) + ROW(X, a, 3)
#define PLANE4(X, a) PLANE3(X, a) + ROW(X, a, -4) + ROW(X, a, 4)

#define CUBE1(X) PLANE(X, -1) + PLANE(X, 0) + PLANE(X, 1)
#define CUBE2(X) CUBE1(X) + PLANE(X, -2) + PLANE(X, 2)
#define CUBE3(X) CUBE2(X) + PLANE(X, -3) + PLANE(X, 3)
#define CUBE4(X) CUBE3(X) + PLANE(X, -4) + PLANE(X, 4)

#if RADIUS == 1
#define STARRED STAR1
#define ROW ROW1
#define PLANE PLANE1
#define CUBE CUBE1
#elif RADIUS == 2
#define STARRED STAR2
#define ROW ROW2
#define PLANE PLANE2
#define CUBE CUBE2
#elif RADIUS == 3
#define STARRED STAR3
#define ROW ROW3
#define PLANE PLANE3
#define CUBE CUBE3
#else
#define STARRED STAR4
#define ROW ROW4
#define PLANE PLANE4
#define CUBE CUBE4
#endif

#define SIDE (2 * RADIUS + 1)

/* ---- What a point becomes ------------------------------------------------ */

#define SQUARE(x) ((x) * (x))
#define AGAINST(X, b, c) SQUARE(HERE(X) - ELEMENT(X, 0, b, c))

#if SHAPE == STAR
#define COUNT (2 * DIMS * RADIUS + 1)
#define VALUE(X) WHOLE(STARRED(X))
#elif SHAPE == BOX && DIMS == 2
#define COUNT (SIDE * SIDE)
#define VALUE(X) WHOLE(PLANE(X, 0))
#elif SHAPE == BOX
#define COUNT (SIDE * SIDE * SIDE)
#define VALUE(X) WHOLE(CUBE(X))
#elif SHAPE == HEXAGON
/* Heat on a triangular mesh in sheared coordinates: six neighbours. */
#define VALUE(X)                                                               \
    (HERE(X) + (T)0.125 * (ON_C(X, 1) + ON_B(X, 1) + ELEMENT(X, 0, -1, 1) +    \
                           ELEMENT(X, 0, 1, -1) - 6 * HERE(X)))
#else
#define VALUE(X)                                                               \
    (HERE(X) / 2 + 1 / sqrt(1 + AGAINST(X, 0, -1) + AGAINST(X, 0, 1) +         \
                            AGAINST(X, -1, 0) + AGAINST(X, 1, 0)))
#endif

#endif
