/* ptx.h - what the files of the PTX machine share.
 *
 * The machine executes the PTX that LLVM makes for our kernels.  A module is
 * parsed once: each statement becomes a struct ptx_insn with the function that
 * executes it and the places of its operands.  A warp is up to 32 threads in
 * lockstep; where they take different ways, they meet again at the branch's
 * immediate post-dominator.
 *
 * A function's frame has a row for each register and for each constant of its
 * text, with an element for each lane of the warp: 2, 4 or 8 bytes of it.  The
 * row of a predicate is one set of lanes.
 *
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 */
#ifndef PTX_H
#define PTX_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { PTX_LANES = 32, PTX_OPERANDS = 6 };

/* Lane n is bit n. */
typedef uint32_t ptx_lanes;
#define PTX_ALL (~(ptx_lanes)0)

struct ptx_insn;
struct ptx_machine;
struct ptx_warp;

typedef void ptx_execute(struct ptx_warp *w, const struct ptx_insn *i,
                         ptx_lanes active);

enum ptx_kind {
    PTX_PLAIN,
    PTX_BRANCH,
    PTX_RETURN,
    PTX_BARRIER,
    PTX_CALL,
    PTX_UNKNOWN /* an error when it is executed */
};

/* An instruction with all its modifiers.  "operands" has a letter for each:
 * p, h, r, l for a predicate and for 16, 32 and 64 bits, q for two predicates
 * "p|q", of which the second is in the last place.  The first is what is
 * written. */
struct ptx_opcode {
    const char *name, *operands;
    ptx_execute *execute;
};

/* A part of the module's text. */
struct ptx_span {
    const char *text;
    size_t size;
};

struct ptx_insn {
    ptx_execute *execute;
    enum ptx_kind kind;
    uint32_t at[PTX_OPERANDS]; /* places in the frame */
    int64_t offset[2];         /* of addresses */
    uint64_t extra;            /* by instruction */
    uint8_t bytes, elements;   /* of an access: of one element; how many */
    uint8_t wide; /* bytes of a register that is wider than the element */
    bool is_signed;
    bool guarded, negated; /* @p, @!p */
    uint32_t guard;
    uint32_t target, join; /* of branches: instructions; join may be the end */
    struct ptx_call *call;
    unsigned line;
    struct ptx_span text, label;
    const char *why; /* PTX_UNKNOWN: what is wrong with it */
};

enum ptx_space {
    PTX_GENERIC,
    PTX_GLOBAL,
    PTX_SHARED,
    PTX_LOCAL,
    PTX_PARAM,
    PTX_CONST,
    PTX_SPACES
};

/* A register, or numbered ones: %r<7> are 7 of prefix "%r". */
struct ptx_register {
    struct ptx_span prefix;
    unsigned count; /* 0: not numbered */
    unsigned bytes; /* of a lane; 0: predicate */
    uint32_t at;
    unsigned scope;
};

struct ptx_variable {
    struct ptx_span name;
    enum ptx_space space;
    uint64_t address;
    size_t size, align;
    bool is_dynamic; /* .extern .shared */
    unsigned scope;
    uint32_t at; /* .param of a call: its place in the frame, lane by lane */
};

struct ptx_constant {
    uint32_t at;
    unsigned bytes;
    uint64_t value;
};

/* "name: .branchtargets a, b;" */
struct ptx_targets {
    struct ptx_span name, list;
};

/* A special register that a function reads. */
struct ptx_special {
    uint32_t at;
    unsigned number; /* in ptx_specials */
};

struct ptx_label {
    struct ptx_span name;
    uint32_t insn;
};

struct ptx_function {
    struct ptx_span name;
    bool is_entry;
    struct ptx_insn *insns;
    uint32_t n_insns;
    size_t frame_size;
    struct ptx_register *registers;
    size_t n_registers;
    struct ptx_variable *variables; /* parameters first */
    size_t n_variables, n_params, n_results;
    struct ptx_constant *constants;
    size_t n_constants;
    struct ptx_special *specials;
    size_t n_specials;
    struct ptx_label *labels;
    size_t n_labels;
    struct ptx_targets *targets;
    size_t n_targets;
    size_t param_bytes, shared_bytes, shared_end;
    bool uses_dynamic;
    uint32_t threads[3];     /* .reqntid; 0 if not given */
    unsigned used_registers; /* of a thread, by ptxas; 0 if nobody asked it */
    struct ptx_module *module;
};

struct ptx_call {
    const struct ptx_function *callee;
    uint32_t *arguments, *results; /* places in the caller's frame */
};

struct ptx_module {
    char *text;
    unsigned arch;
    struct ptx_function *functions;
    size_t n_functions;
    struct ptx_variable *variables;
    size_t n_variables;
    uint64_t *owned; /* addresses of variables */
    size_t n_owned;
    size_t local_bytes; /* of all functions, one behind the other */
    unsigned granule;   /* bytes of the smallest access to global memory */
    char error[256];
};

/* ---- parse.c ------------------------------------------------------------ */

/* NULL with a line in "error" if it cannot be read at all; what is wrong with
 * a single instruction is said when it is executed. */
struct ptx_module *ptx_parse(struct ptx_machine *m, const char *text,
                             char *error, size_t size);
void ptx_module_free(struct ptx_machine *m, struct ptx_module *module);
struct ptx_function *ptx_find(struct ptx_module *module, const char *name);

/* ---- operands.c --------------------------------------------------------- */

struct ptx_parser {
    struct ptx_machine *machine;
    struct ptx_module *module;
    struct ptx_function *function;
    const char *at; /* in the module's text */
    unsigned line, scope;
    char why[160]; /* what is wrong with the current statement */
};

enum { PTX_MOST_SPANS = 16 };

/* The current statement: opcode and operands. */
struct ptx_statement {
    struct ptx_span opcode;
    struct ptx_span operands[PTX_MOST_SPANS];
    unsigned n;
};

bool ptx_span_is(struct ptx_span span, const char *text);
struct ptx_span ptx_trim(struct ptx_span span);
/* Split at commas outside of brackets; the number of parts, at most "most". */
unsigned ptx_split(struct ptx_span list, struct ptx_span *parts, unsigned most);
/* False with the reason in p->why. */
bool ptx_wrong(struct ptx_parser *p, const char *format, ...)
    __attribute__((format(printf, 2, 3)));
uint32_t ptx_allocate(struct ptx_function *f, size_t bytes);
struct ptx_register *ptx_register_of(struct ptx_function *f,
                                     struct ptx_span name, uint32_t *at);
struct ptx_variable *ptx_variable_of(struct ptx_parser *p,
                                     struct ptx_span name);
/* A parameter of the kernel: its address is the number of bytes before it. */
bool ptx_is_of_kernel(const struct ptx_function *f,
                      const struct ptx_variable *v);
/* The place of an operand of "bytes" bytes a lane, 0 for a predicate. */
bool ptx_source(struct ptx_parser *p, struct ptx_span text, unsigned bytes,
                uint32_t *at);
bool ptx_destination(struct ptx_parser *p, struct ptx_span text, unsigned bytes,
                     uint32_t *at);
/* "[base+offset]"; the place of the base. */
bool ptx_address(struct ptx_parser *p, struct ptx_span text, uint32_t *at,
                 int64_t *offset);
/* The parts of "{a, b}", or the one operand itself; 0 if too many. */
unsigned ptx_group(struct ptx_span text, struct ptx_span *parts, unsigned most);

extern const char *const ptx_specials[];

/* ---- decode.c ----------------------------------------------------------- */

/* Fill in "i" from the statement; false with the reason in p->why. */
bool ptx_decode(struct ptx_parser *p, struct ptx_statement *s,
                struct ptx_insn *i);
/* All opcodes of tables, sorted by name. */
const struct ptx_opcode *const *ptx_opcodes(size_t *n);

/* Classes of instructions, each ended by a name that is NULL. */
extern const struct ptx_opcode ptx_integer[], ptx_bits[], ptx_compare[],
    ptx_float[], ptx_half[], ptx_convert[], ptx_async[];

bool ptx_decode_move(struct ptx_parser *p, struct ptx_statement *s,
                     struct ptx_insn *i);
bool ptx_decode_memory(struct ptx_parser *p, struct ptx_statement *s,
                       struct ptx_insn *i);
bool ptx_decode_atomic(struct ptx_parser *p, struct ptx_statement *s,
                       struct ptx_insn *i);
bool ptx_decode_async(struct ptx_parser *p, struct ptx_statement *s,
                      struct ptx_insn *i);
bool ptx_decode_convert(struct ptx_parser *p, struct ptx_statement *s,
                        struct ptx_insn *i);

/* ---- flow.c ------------------------------------------------------------- */

/* Set the join of each branch; false without memory. */
bool ptx_joins(struct ptx_function *f);

#endif
