/* internal.h - what the files of the polyhedral core share.
 *
 * Nothing here is visible outside lib/Polyhedral.
 *
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 */
#ifndef POLYGPU_POLYHEDRAL_INTERNAL_H
#define POLYGPU_POLYHEDRAL_INTERNAL_H

#include "polygpu/polyhedral.h"

#include <isl/aff.h>
#include <isl/schedule_node.h>
#include <isl/val.h>
#include <stdarg.h>

/* ---- text.c: a string that grows --------------------------------------- */

struct pg_text {
    char *data; /* always terminated; NULL while empty */
    size_t length, size;
};

void pg_text_add(struct pg_text *text, const char *format, ...)
    __attribute__((format(printf, 2, 3)));
void pg_text_add_v(struct pg_text *text, const char *format, va_list args);
void pg_text_add_indented(struct pg_text *text, const char *lines,
                          unsigned columns);
char *pg_text_take(struct pg_text *text);
char *pg_format(const char *format, ...) __attribute__((format(printf, 1, 2)));
char *pg_strdup(const char *string);
double pg_val_to_double(__isl_keep isl_val *value);
void *pg_alloc(size_t n, size_t size);
void *pg_grow(void *list, unsigned n, size_t size);

/* ---- phase.c: one step under its quota ---------------------------------- */

struct pg_phase {
    isl_ctx *ctx;
    const char *what;
    struct pg_report *report;
    unsigned long limit; /* operations; 0: no limit */
    double seconds;      /* of processor time, a net */
    struct pg_budget *budget;
    bool explained; /* the report has a reason from this phase */
    bool quota;     /* an attempt ran out of operations */
    bool late;      /* or of seconds */
};

/* budget.c */
unsigned long pg_budget_operations(const struct pg_budget *budget,
                                   unsigned long most);
double pg_budget_seconds(const struct pg_budget *budget, double most);
void pg_budget_is_late(struct pg_budget *budget);

/* work.c */
unsigned long pg_work_done(void);
double pg_work_seconds(void);
void pg_work_begin(isl_ctx *ctx, unsigned long operations, double seconds);
bool pg_work_end(bool *late);

void pg_phase_begin(struct pg_phase *phase, isl_ctx *ctx, const char *what,
                    const struct pg_options *options, struct pg_report *report);
void pg_phase_fail(struct pg_phase *phase, enum pg_code code, const char *stmt,
                   const char *format, ...)
    __attribute__((format(printf, 4, 5)));
bool pg_phase_erred(const struct pg_phase *phase);
void pg_phase_claim(struct pg_phase *phase);
void pg_phase_retry(struct pg_phase *phase);
void pg_phase_restart(struct pg_phase *phase);
void pg_phase_forget(struct pg_phase *phase);
isl_stat pg_phase_end(struct pg_phase *phase, isl_stat result);

/* ---- coalesce.c -----------------------------------------------------------
 */

__isl_give isl_set *pg_coalesce(__isl_take isl_set *set);
__isl_give isl_map *pg_coalesce_map(__isl_take isl_map *map);
__isl_give isl_union_set *pg_coalesce_union(__isl_take isl_union_set *sets);

/* ---- scop.c ------------------------------------------------------------- */

__isl_give isl_union_set *pg_scop_domain(const struct pg_scop *scop);
__isl_give isl_union_map *pg_scop_accesses(const struct pg_scop *scop,
                                           bool write);
__isl_give isl_union_map *pg_scop_accesses_of(const struct pg_scop *scop,
                                              unsigned array, bool write);
__isl_give isl_union_map *pg_scop_order(const struct pg_scop *scop);
int pg_scop_find_stmt(const struct pg_scop *scop, const char *name);
int pg_scop_find_array(const struct pg_scop *scop, const char *name);
bool pg_array_stays(const struct pg_array *array);
struct pg_array *pg_scop_add_array(struct pg_scop *scop);
struct pg_array *pg_scop_add_temporary(struct pg_scop *scop, unsigned origin,
                                       const char *suffix, unsigned n_more,
                                       isl_pw_aff **extents);
struct pg_stmt *pg_scop_add_stmt(struct pg_scop *scop);

/* ---- dependences.c ------------------------------------------------------ */

__isl_give isl_union_map *pg_value_flow(__isl_take isl_union_map *sink,
                                        __isl_take isl_union_map *source,
                                        __isl_take isl_schedule *schedule,
                                        __isl_give isl_union_set **no_source);

__isl_give isl_union_map *
pg_anti_dependences(__isl_take isl_union_map *reads,
                    __isl_take isl_union_map *writes,
                    __isl_take isl_schedule *schedule);

/* ---- expand.c ------------------------------------------------------------ */

struct pg_scop *pg_scop_expand(const struct pg_scop *scop);
isl_pw_aff **pg_set_extents(__isl_keep isl_set *set);

/* ---- save.c -------------------------------------------------------------- */

struct pg_scop *pg_scop_save(const struct pg_scop *scop);

/* ---- split.c ------------------------------------------------------------- */

struct pg_scop *pg_scop_split(const struct pg_scop *scop);
bool pg_stmt_is_large(const struct pg_scop *scop, const struct pg_stmt *stmt);

/* ---- sizes.c ------------------------------------------------------------ */

enum {
    PG_MAX_SIZES = 16,
    PG_MAX_GRID = 2,
    PG_MAX_BLOCK = 3,
    PG_MAX_MAPPED = 3
};

struct pg_size_list {
    unsigned n; /* 0: the user gave none */
    long long v[PG_MAX_SIZES];
};

struct pg_kernel_sizes {
    struct pg_size_list tile, grid, block, vector, stages;
};

char *pg_sizes_get(const char *sizes, unsigned kernel,
                   struct pg_kernel_sizes *result);

/* ---- tree.c: schedule trees built anew ---------------------------------- */

__isl_give isl_multi_union_pw_aff *
pg_tree_join(__isl_take isl_union_pw_aff_list *members);
__isl_give isl_union_pw_aff_list *
pg_tree_some(__isl_keep isl_union_pw_aff_list *list, unsigned first,
             unsigned n);
__isl_give isl_union_pw_aff *pg_mod(__isl_take isl_union_pw_aff *value,
                                    long long size);
__isl_give isl_schedule *pg_tree_band(__isl_take isl_schedule *body,
                                      __isl_take isl_union_pw_aff_list *members,
                                      bool permutable, const bool *coincident);
__isl_give isl_schedule *pg_tree_subtree(__isl_keep isl_schedule_node *node,
                                         __isl_take isl_union_set *domain);
__isl_give isl_schedule *pg_tree_ordered(__isl_keep isl_schedule_node *node,
                                         __isl_take isl_union_set *domain);
__isl_give isl_schedule *pg_tree_annotate(__isl_keep isl_schedule_node *node,
                                          __isl_take isl_union_set *domain,
                                          __isl_take isl_union_map *order);
__isl_give isl_union_pw_aff_list *
pg_tree_members(__isl_keep isl_schedule_node *band);
__isl_give isl_schedule_node *
pg_tree_child_with(__isl_keep isl_schedule_node *node,
                   __isl_keep isl_union_set *stmts);
isl_bool pg_tree_is_legal(__isl_keep isl_schedule_node *node,
                          __isl_take isl_union_map *order);
isl_bool pg_tree_is_compact(__isl_keep isl_schedule *schedule, long limit);
int pg_tree_parallel(__isl_keep isl_schedule_node *node);
bool pg_tree_all_nested(__isl_keep isl_schedule_node *node);
int pg_tree_nested(__isl_keep isl_schedule_node *node);
__isl_give isl_schedule *pg_tree_scan(__isl_take isl_set *set);
__isl_give isl_union_map *
pg_equal_at(__isl_take isl_union_map *relation,
            __isl_keep isl_union_pw_aff_list *members);

/* ---- cover.c ------------------------------------------------------------- */

isl_bool pg_schedule_covers(const struct pg_scop *scop,
                            __isl_keep isl_schedule *schedule, char **gap);
char *pg_schedule_difference(const struct pg_scop *scop,
                             __isl_keep isl_schedule *schedule);

/* ---- kernel.c: one kernel ------------------------------------------------ */

/* What leads from the root to a kernel: loops of the host and positions in
 * sequences.  Lives on the stack of the walk; "outer" is one level up. */
struct pg_prefix {
    const struct pg_prefix *outer;
    isl_union_pw_aff *value; /* NULL: the constant "position" */
    long position;
};

/* What a kernel is to be made of: a band of "members", the first "n_parallel"
 * of them coincident, around the tree "inner", for the instances "domain".
 */
struct pg_body {
    isl_union_pw_aff_list *members;
    unsigned n_parallel;
    bool permutable;
    isl_schedule_node *inner;
    isl_union_set *domain;
};

__isl_give isl_val *pg_largest_value(__isl_take isl_set *values);
isl_stat pg_kernel_create(struct pg_plan *plan, struct pg_phase *phase,
                          const struct pg_options *options,
                          const struct pg_prefix *prefix, struct pg_body *body);

/* Which tiles a block has, by dimension of the grid: block b has those for
 * which floor(member / tile) mod grid = b. */
struct pg_tiling {
    isl_union_pw_aff *member[3]; /* { S[i] -> [v] } */
    long long tile[3], grid[3];
};

__isl_give isl_multi_pw_aff *pg_tiling_members(const struct pg_tiling *tiling,
                                               unsigned n,
                                               __isl_keep isl_set *set);

/* How a kernel is mapped: what changes when it is mapped another way. */
struct pg_mapping {
    isl_schedule *schedule;
    isl_pw_aff *blocks[3]; /* { kernel[h] -> [n] }; NULL: 1 */
    unsigned n_grid, n_block, block[3], grid_limit[3];
    unsigned n_buffer;
    struct pg_buffer *buffers;
    struct pg_promotion *promotion;
    struct pg_tiling tiling;
};

/* What the host needs to know of a kernel beyond pg_kernel. */
struct pg_launch {
    isl_map *schedule;              /* { kernel[h] -> [v] } */
    isl_pw_aff *blocks[3];          /* { kernel[h] -> [n] }; NULL: 1 */
    struct pg_promotion *promotion; /* how buffers are used; NULL: none */
    struct pg_tiling tiling;        /* no members where there is no grid */
    /* The mapping without threads for inner loops and without buffers, to fall
     * back on; schedule is NULL if the kernel has no other mapping. */
    struct pg_mapping plain;
};

void pg_mapping_clear(struct pg_mapping *mapping);
void pg_kernel_use(struct pg_kernel *kernel, struct pg_launch *launch,
                   struct pg_mapping *mapping);
struct pg_mapping pg_kernel_mapping(struct pg_kernel *kernel,
                                    struct pg_launch *launch);
__isl_give isl_union_set *
pg_fix_to_parameter(__isl_take isl_union_set *domain,
                    __isl_take isl_union_pw_aff *value, const char *name);

/* ---- nest.c: threads for the loops inside of a parallel loop --------------
 */

/* A parallel loop below the one that goes to blocks, with all in it. */
struct pg_nest {
    isl_union_set *domain;       /* its instances */
    isl_union_pw_aff *thread;    /* { S[i] -> [v] }: the parallel loop */
    isl_union_pw_aff_list *time; /* the loops and positions outside of it */
    isl_union_map *barrier; /* { [outer] -> barrier[] } in front of it, NULL: */
                            /* none is needed */
};

struct pg_nests {
    unsigned n;
    struct pg_nest *nest;
    bool complete; /* every instance is in one of them */
    int score;     /* as of pg_shape_rate, of all together */
};

__isl_give isl_schedule *pg_nests_find(struct pg_nests *nests,
                                       const struct pg_scop *scop,
                                       __isl_take isl_schedule *tree,
                                       __isl_keep isl_union_pw_aff_list *time);
__isl_give isl_union_pw_aff *pg_nests_thread(const struct pg_nests *nests);
isl_bool pg_nests_separate(struct pg_nests *nests,
                           __isl_take isl_union_map *order);
__isl_give isl_schedule *pg_nests_map(struct pg_nests *nests,
                                      __isl_take isl_schedule *schedule,
                                      __isl_keep isl_union_pw_aff *number);
void pg_nests_clear(struct pg_nests *nests);

/* A plan with what is not for others to see. */
struct pg_plan_private {
    struct pg_plan plan;
    struct pg_launch *launches; /* one for each kernel */
};

/* ---- shape.c: which way a kernel's loops are mapped -----------------------
 */

/* One loop that goes to the tiles, blocks and threads of a kernel. */
struct pg_shape {
    unsigned n_tile;  /* leading members that are tiled */
    unsigned n_grid;  /* the first ones go to blocks: member i to dimension */
                      /* n_grid - 1 - i */
    unsigned n_block; /* the ones from first_thread on go to threads */
    unsigned first_thread;
    long long tile[PG_MAX_SIZES], grid[3], block[3]; /* by member, by order */
    long long n_inner; /* threads in x for the loops inside; 0: none, and */
                       /* then n_block counts */
};

isl_stat pg_shape_choose(struct pg_shape *shape, struct pg_phase *phase,
                         const char *sizes, unsigned kernel, unsigned n_member,
                         unsigned n_parallel, bool permutable);
isl_stat pg_shape_inner(struct pg_shape *shape, struct pg_phase *phase,
                        const char *sizes, unsigned kernel, long long most);
int pg_shape_rate(const struct pg_scop *scop,
                  __isl_keep isl_union_pw_aff_list *outer,
                  __isl_keep isl_union_pw_aff_list *members, int member,
                  __isl_keep isl_schedule_node *inner,
                  __isl_keep isl_union_set *domain);
__isl_give isl_union_pw_aff_list *
pg_shape_order(const struct pg_scop *scop,
               __isl_take isl_union_pw_aff_list *members, unsigned n_parallel,
               __isl_keep isl_schedule_node *inner,
               __isl_keep isl_union_set *domain);

/* ---- parts.c: the loops inside of the parallel ones, apart ----------------
 */

/* Statements that depend on each other in a cycle, or one alone, with their
 * loops inside of the parallel ones.  The space V of a part is [p..., o..., k]:
 * the values of the parallel members, of the sequential loops but the
 * innermost, and of that one if there is a sequential loop. */
struct pg_part {
    isl_union_set *domain;
    isl_union_pw_aff_list *loops; /* the sequential ones, { S[i] -> [v] } */
    unsigned n_loop;
    isl_schedule *rest; /* what is below them */
};

/* A statement in its part. */
struct pg_placed {
    unsigned stmt, part;
    isl_set *domain; /* of the kernel */
    isl_map *point;  /* { S[i] -> V }; without bounds if "free" */
    bool free;       /* every point of V is one tuple S[i] of this map's domain,
                        which are more than the instances */
};

struct pg_parts {
    unsigned n_parallel, n, n_placed;
    struct pg_part *part; /* in the order in which they run */
    struct pg_placed *placed;
};

isl_stat pg_parts_find(struct pg_parts *parts, const struct pg_scop *scop,
                       __isl_keep isl_union_pw_aff_list *members,
                       unsigned n_parallel, __isl_keep isl_schedule_node *inner,
                       __isl_keep isl_union_set *domain,
                       __isl_take isl_union_map *order);
__isl_give isl_multi_aff *pg_only_piece(__isl_keep isl_map *relation);
const struct pg_placed *pg_parts_placed(const struct pg_parts *parts,
                                        unsigned stmt);
void pg_parts_clear(struct pg_parts *parts);

/* ---- levels.c: tiles of blocks and of threads -----------------------------
 */

enum { PG_RESERVED_SHARED = 1024 }; /* bytes of each block, the system's */

/* Member d of the parallel loops: a block has tile[d] values of it, a thread
 * vector[d] that are next to each other, as often as the block's threads[d]
 * threads times that go into the tile.  The last one is the x direction. */
struct pg_levels {
    unsigned n;
    long long tile[PG_MAX_MAPPED], vector[PG_MAX_MAPPED],
        threads[PG_MAX_MAPPED];
    long long more;   /* times as many threads copy as compute */
    long long k_tile; /* of the innermost sequential loop */
    long long grid;   /* blocks at most in each dimension */
    long long stages; /* copies of a box in shared memory, if there is room */
    bool async;       /* the device can copy asynchronously */
    unsigned long shared; /* bytes of a block at most */
    unsigned blocks;      /* that shall be on a multiprocessor, by registers */
    bool reuse;           /* points of a thread share what they read */
    bool scarce;          /* a thread has fewer points for want of registers */
    bool small;           /* the same, for want of tiles */
    bool given;           /* the points of a thread are the user's choice */
};

/* ---- groups.c: which accesses share a buffer ------------------------------
 */

/* An access as a function of V: subscript e is sum over d of
 * factor[e][d] * v[d] + something of the parameters. */
struct pg_reference {
    unsigned placed, access; /* by number */
    unsigned array, n_dim, n_v;
    bool write;
    isl_map *element; /* { V -> A[x] }; NULL: is no such function */
    long (*factor)[PG_MAX_SIZES];
};

/* References of one part to one array that are read from one buffer. */
struct pg_group {
    unsigned part, array, n_ref, *ref;
    bool inner; /* filled in each tile of the innermost sequential loop, else
                   once in each tile of the parallel ones */
    isl_multi_aff *offset; /* its smallest element, { [c] -> A[x] } */
    /* In dimension d it has extent[d] elements, each stride[d] behind the one
     * before. */
    unsigned n_dim, *extent, *stride;
};

struct pg_groups {
    unsigned n_ref, n;
    struct pg_reference *ref;
    struct pg_group *group;
};

isl_stat pg_references_find(struct pg_groups *groups,
                            const struct pg_parts *parts,
                            const struct pg_scop *scop);
isl_stat pg_groups_find(struct pg_groups *groups, const struct pg_parts *parts,
                        const struct pg_scop *scop,
                        const struct pg_levels *levels);
void pg_groups_clear(struct pg_groups *groups);
__isl_give isl_map *pg_levels_tiles(const struct pg_levels *levels,
                                    __isl_take isl_space *space,
                                    unsigned n_loop);

/* ---- registers.c: elements that belong to a thread ------------------------
 */

/* References to an array, its members, that access the same element at each
 * point of the parallel loops, and each element at one point only: it stays in
 * a register from the first use to the last. */
struct pg_register {
    unsigned array, n_ref, *ref;
    isl_map *element; /* { [p] -> A[x] } */
    isl_set *points;  /* { [p] } at which it is accessed */
    isl_set *loaded;  /* those where its value from before is needed */
    isl_set *stored;  /* those where its value is the last one */
};

struct pg_registers {
    unsigned n;
    struct pg_register *reg;
};

isl_stat pg_registers_find(struct pg_registers *registers,
                           const struct pg_parts *parts,
                           const struct pg_groups *groups,
                           const struct pg_scop *scop);
void pg_registers_clear(struct pg_registers *registers);

/* ---- levels.c -------------------------------------------------------------
 */

const struct pg_machine *pg_machine_of(const struct pg_options *options);
/* ---- model.c --------------------------------------------------------------
 */

/* A product's loops: extents of the two innermost parallel ones, 0 if they
 * depend on parameters, and of all others together. */
struct pg_product {
    long long extent[2], batch;
    unsigned operands[2]; /* that are different from row to row, and from */
                          /* column to column */
    unsigned elem_size;
    bool is_double;
    bool in_cache; /* the operands fit into the L2 cache */
};

/* The tile of a block: rows first. */
struct pg_product_tile {
    unsigned threads[2], side[2]; /* threads, and points of each */
    unsigned k_tile;
    unsigned vector_bytes; /* that a thread reads at once */
    unsigned registers;    /* of a thread; 0: not known */
};

unsigned pg_model_blocks(const struct pg_machine *machine,
                         const struct pg_product_tile *tile);
double pg_model_product(const struct pg_machine *machine,
                        const struct pg_product *product,
                        const struct pg_product_tile *tile);
unsigned pg_model_stages(const struct pg_machine *machine, unsigned long bytes);

/* ---- levels.c ------------------------------------------------------------
 */

bool pg_levels_choose(struct pg_levels *levels, const struct pg_parts *parts,
                      const struct pg_groups *groups,
                      const struct pg_registers *registers,
                      const struct pg_scop *scop,
                      const struct pg_options *options, unsigned kernel);
bool pg_levels_pays(const struct pg_levels *levels,
                    const struct pg_parts *parts,
                    const struct pg_groups *groups,
                    const struct pg_group *group);
void pg_levels_layout(const struct pg_levels *levels,
                      const struct pg_groups *groups,
                      const struct pg_group *group, unsigned elem_size,
                      struct pg_buffer *buffer);

/* ---- full.c: full and partial tiles ---------------------------------------
 */

__isl_give isl_set *pg_full_tiles(const struct pg_parts *parts, unsigned p,
                                  const struct pg_levels *levels);
__isl_give isl_set *pg_full_outer(const struct pg_levels *levels,
                                  __isl_keep isl_set *tiles);
__isl_give isl_set *pg_full_used(const struct pg_parts *parts);
__isl_give isl_set *pg_full_find(const struct pg_parts *parts, unsigned p,
                                 const struct pg_levels *levels,
                                 __isl_keep isl_set *tiles,
                                 __isl_keep isl_set *used, const bool *beyond);
__isl_give isl_set *
pg_full_instances(const struct pg_parts *parts, const struct pg_placed *placed,
                  const struct pg_levels *levels, __isl_keep isl_set *tiles,
                  __isl_keep isl_set *used, bool full, bool beyond);

/* ---- promote.c ------------------------------------------------------------
 */

/* What is to be made closer, from what. */
struct pg_promoting {
    const struct pg_scop *scop;
    struct pg_phase *phase;
    const struct pg_options *options;
    struct pg_kernel *kernel;
    unsigned number;                /* of the kernel */
    isl_union_pw_aff_list *members; /* the parallel ones first */
    unsigned n_parallel;
    isl_schedule_node *inner;
    isl_union_map *order; /* the dependences within a launch */
};

/* How the AST of a kernel says which element of a buffer it means. */
struct pg_promotion {
    unsigned n_stmt;
    int **buffer; /* by statement and access, or -1 */
    unsigned n_buffer;
    struct pg_home {
        isl_multi_aff *offset; /* SHARED: { [c] -> A[x] } of tiles c */
        isl_set *whole;        /* SHARED: { [c] } where all of it is readable */
        isl_set *readable;     /* SHARED: { A[x] } */
        bool always;           /* whole is everywhere */
    } *home;                   /* by buffer */
    unsigned n_point;          /* parallel loops */
    /* { S[i] -> [c..., r...] } for statements, loads and stores: the tile of
     * the parallel and the sequential loops, and which of the thread's points
     * it is in each of the "n_point" parallel loops. */
    isl_union_map *place;
    isl_union_map *element; /* { load0[p] -> A[x]; store0[p] -> A[x] } */
};

__isl_give isl_union_pw_aff_list *
pg_promote_members(const struct pg_promoting *what);
isl_bool pg_promote(const struct pg_promoting *what, struct pg_shape *shape,
                    struct pg_promotion **promotion);
void pg_promotion_free(struct pg_promotion *promotion);
void pg_buffers_free(struct pg_buffer *buffers, unsigned n);

/* ---- local.c ------------------------------------------------------------- */

void pg_local_find(struct pg_plan *plan, struct pg_phase *phase);

/* ---- count.c ------------------------------------------------------------ */

void pg_counts_clear(struct pg_plan *plan);

/* ---- ast.c, copies.c, bounds.c, unrolled.c ------------------------------- */

struct pg_user *pg_user_alloc(enum pg_user_kind kind, unsigned index,
                              unsigned n);
void pg_user_free(void *user);
__isl_give isl_ast_node *pg_user_attach(__isl_take isl_ast_node *node,
                                        struct pg_user *user);
struct pg_user *pg_user_of(__isl_keep isl_ast_node *node);

/* Faults that are planted: "n" added to an expression; the filter of parameter
 * "name" left out of a kernel, and all ASTs made anew.  An error if there is
 * none. */
void pg_plant_shift(isl_ast_expr **expr, int n);
isl_stat pg_plant_filter(struct pg_plan *plan, unsigned kernel,
                         const char *name, const struct pg_options *options,
                         struct pg_report *report);

__isl_give isl_id *pg_barrier_id(isl_ctx *ctx, unsigned number);
__isl_give isl_id *pg_user_id(isl_ctx *ctx, enum pg_user_kind kind,
                              unsigned number);
bool pg_user_arguments(struct pg_user *user, __isl_keep isl_ast_node *node);

__isl_give isl_set *pg_kernel_params(const struct pg_scop *scop,
                                     const struct pg_kernel *kernel);
__isl_give isl_ast_node *pg_copies_ast(struct pg_scop *scop,
                                       __isl_keep isl_union_set *elements);
isl_stat pg_bounds(struct pg_plan *plan, struct pg_phase *phase);
bool pg_unrolled_known(const struct pg_kernel *kernel);

#endif
