/* space.c - memory: arrays with gaps between them, a block's shared memory, a
 * thread's local memory.
 *
 * Of global memory it is remembered which block of a launch read and wrote it:
 * blocks run in any order, so none may access what another writes; and what is
 * read by ld.global.nc may not be written in the same launch at all.
 *
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 */
#include "cuda/cuda_driver.h"
#include "list.h"
#include "machine.h"

#include <string.h>

/* ---- Arrays ------------------------------------------------------------- */

/* An array begins at a multiple of 256 and not of 512 bytes, as far as the
 * driver promises, and a multiple of 4 GiB is in its middle, where it is large
 * enough: addresses that lost bits hit nothing. */
enum { STEP = 34, FIRST = 1 << 12, ALIGNMENT = 256 };

uint64_t ptx_array_new(struct ptx_machine *m, size_t size)
{
    struct ptx_array array = {.size = size, .capacity = size};
    uint64_t half = (uint64_t)size / 2 / ALIGNMENT * ALIGNMENT;

    if (!size || size >= (uint64_t)1 << (STEP - 1) ||
        !GROW(m->arrays, m->n_arrays))
        return 0;
    array.host = malloc(size);
    if (!array.host)
        return 0;
    ptx_garbage(m, array.host, size);
    if (half / ALIGNMENT % 2 == 0)
        half += ALIGNMENT;
    if (!m->next_address)
        m->next_address = (uint64_t)FIRST << STEP;
    array.address = m->next_address - half;
    m->next_address += (uint64_t)1 << STEP;
    m->arrays[m->n_arrays++] = array;
    return array.address;
}

/* The array that begins there; NULL if there is none. */
static struct ptx_array *array_at(struct ptx_machine *m, uint64_t address)
{
    size_t k;

    for (k = 0; k < m->n_arrays; ++k)
        if (m->arrays[k].address == address)
            return &m->arrays[k];
    return NULL;
}

bool ptx_array_resize(struct ptx_machine *m, uint64_t address, size_t size)
{
    struct ptx_array *array = array_at(m, address);

    if (!array || size > array->capacity)
        return false;
    free(array->trace);
    array->trace = NULL;
    array->size = size;
    ptx_garbage(m, array->host, size);
    return true;
}

bool ptx_array_free(struct ptx_machine *m, uint64_t address)
{
    struct ptx_array *array = array_at(m, address);
    size_t k;

    if (!array)
        return false;
    free(array->host);
    free(array->trace);
    k = (size_t)(array - m->arrays);
    --m->n_arrays;
    memmove(array, array + 1, (m->n_arrays - k) * sizeof *array);
    m->last = 0;
    return true;
}

static inline bool has(const struct ptx_array *a, uint64_t address, size_t size)
{
    uint64_t offset = address - a->address;

    return offset < a->size && size <= a->size - offset;
}

struct ptx_array *ptx_array_of(struct ptx_machine *m, uint64_t address,
                               size_t size)
{
    size_t low = 0, high = m->n_arrays;

    if (m->last < high && has(&m->arrays[m->last], address, size))
        return &m->arrays[m->last];
    while (low < high) {
        size_t middle = low + (high - low) / 2;

        if (m->arrays[middle].address <= address)
            low = middle + 1;
        else
            high = middle;
    }
    if (!low || !has(&m->arrays[low - 1], address, size))
        return NULL;
    m->last = low - 1;
    return &m->arrays[m->last];
}

bool ptx_array_trace(struct ptx_machine *m, unsigned granule)
{
    size_t k;

    for (k = 0; k < m->n_arrays; ++k) {
        struct ptx_array *a = &m->arrays[k];

        if (a->trace && a->granule <= granule)
            continue;
        free(a->trace);
        a->granule = granule;
        a->trace = calloc(a->size / granule + 1, sizeof *a->trace);
        if (!a->trace)
            return false;
    }
    return true;
}

/* ---- Who accessed what -------------------------------------------------- */

static bool other_block(struct ptx_warp *w, const struct ptx_insn *i,
                        unsigned lane, uint64_t address, uint32_t other,
                        const char *what)
{
    uint32_t x = w->block->grid[0], y = w->block->grid[1], n = other - 1;

    ptx_fault(w, i, lane, CU_LAUNCH_FAILED,
              "address %#llx was %s by block %u,%u,%u in the same launch",
              (unsigned long long)address, what, n % x, n / x % y, n / x / y);
    return false;
}

/* Has no other block updated it by an atomic operation? */
static bool is_own(struct ptx_warp *w, const struct ptx_insn *i, unsigned lane,
                   uint64_t address, const struct ptx_trace *t)
{
    if (t->many_updaters || (t->updater && t->updater != w->block->number))
        return other_block(w, i, lane, address, t->updater, "updated");
    return true;
}

static bool trace_read(struct ptx_warp *w, const struct ptx_insn *i,
                       unsigned lane, uint64_t address, struct ptx_trace *t,
                       bool read_only)
{
    uint32_t self = w->block->number;

    if (t->written && read_only) {
        ptx_fault(w, i, lane, CU_LAUNCH_FAILED,
                  "address %#llx is read as constant, and was written in the "
                  "same launch",
                  (unsigned long long)address);
        return false;
    }
    if (t->writer && t->writer != self)
        return other_block(w, i, lane, address, t->writer, "written");
    if (!is_own(w, i, lane, address, t))
        return false;
    t->many_readers |= t->reader && t->reader != self;
    t->reader = self;
    t->read_only |= read_only;
    return true;
}

static bool trace_write(struct ptx_warp *w, const struct ptx_insn *i,
                        unsigned lane, uint64_t address, struct ptx_trace *t,
                        bool atomic)
{
    uint32_t self = w->block->number;

    if (t->read_only) {
        ptx_fault(w, i, lane, CU_LAUNCH_FAILED,
                  "address %#llx is written, and was read as constant in the "
                  "same launch",
                  (unsigned long long)address);
        return false;
    }
    if (t->writer && t->writer != self)
        return other_block(w, i, lane, address, t->writer, "written");
    if (t->many_readers || (t->reader && t->reader != self))
        return other_block(w, i, lane, address, t->reader, "read");
    if (atomic) {
        t->many_updaters |= t->updater && t->updater != self;
        t->updater = self;
        return true;
    }
    if (!is_own(w, i, lane, address, t))
        return false;
    t->writer = self;
    t->written = true;
    return true;
}

/* What is known of accesses between the same two meetings of all blocks; of
 * constants, in the whole launch. */
static bool bring_up(struct ptx_warp *w, const struct ptx_insn *i,
                     unsigned lane, uint64_t address, struct ptx_trace *t,
                     enum ptx_access access)
{
    const struct ptx_block *b = w->block;
    struct ptx_trace now = {.launch = b->launch};

    if (t->launch > b->launch && access != PTX_ATOMIC) {
        ptx_fault(w, i, lane, CU_LAUNCH_FAILED,
                  "address %#llx was accessed by a block that had met this one "
                  "before it came there",
                  (unsigned long long)address);
        return false;
    }
    if (t->launch >= b->launch)
        return true;
    if (t->launch >= b->first) {
        now.read_only = t->read_only;
        now.written = t->written;
    }
    *t = now;
    return true;
}

static bool trace(struct ptx_warp *w, const struct ptx_insn *i, unsigned lane,
                  struct ptx_array *a, uint64_t address, unsigned bytes,
                  enum ptx_access access)
{
    /* A power of two, as the sizes of accesses are. */
    int shift = __builtin_ctz(a->granule);
    uint64_t from = (address - a->address) >> shift;
    uint64_t to = (address - a->address + bytes - 1) >> shift;

    for (; from <= to; ++from) {
        struct ptx_trace *t = &a->trace[from];

        if (!bring_up(w, i, lane, address, t, access))
            return false;
        if (access == PTX_WRITE || access == PTX_ATOMIC
                ? !trace_write(w, i, lane, address, t, access == PTX_ATOMIC)
                : !trace_read(w, i, lane, address, t, access == PTX_READ_ONLY))
            return false;
    }
    return true;
}

/* ---- Addresses ---------------------------------------------------------- */

static bool aligned(struct ptx_warp *w, const struct ptx_insn *i, unsigned lane,
                    uint64_t address, unsigned bytes)
{
    if (!(address & (bytes - 1)))
        return true;
    ptx_fault(w, i, lane, CU_MISALIGNED_ADDRESS,
              "address %#llx is not aligned to %u bytes",
              (unsigned long long)address, bytes);
    return false;
}

/* cp.async may read fewer bytes than a power of two; it looks at the alignment
 * itself. */
static bool is_access(unsigned bytes)
{
    return (bytes & (bytes - 1)) == 0;
}

void *ptx_global(struct ptx_warp *w, const struct ptx_insn *i, unsigned lane,
                 uint64_t address, unsigned bytes, enum ptx_access access)
{
    struct ptx_array *a = ptx_array_of(w->block->machine, address, bytes);

    if (!a) {
        ptx_fault(w, i, lane, CU_ILLEGAL_ADDRESS,
                  "no array has the %u bytes at %#llx", bytes,
                  (unsigned long long)address);
        return NULL;
    }
    if ((is_access(bytes) && !aligned(w, i, lane, address, bytes)) ||
        !trace(w, i, lane, a, address, bytes, access))
        return NULL;
    return a->host + (address - a->address);
}

/* Variables lie behind each other, and then, at an address of its own, what the
 * launch gave. */
static bool shared_offset(const struct ptx_block *b, uint64_t address,
                          unsigned bytes, uint64_t *offset)
{
    uint64_t fixed = b->kernel->shared_end, given = PTX_WINDOW_SIZE / 2;

    if (address < given) {
        *offset = address;
        return bytes <= fixed && address <= fixed - bytes;
    }
    *offset = fixed + (address - given);
    return bytes <= b->shared_bytes - fixed &&
           address - given <= b->shared_bytes - fixed - bytes;
}

/* Is there a value in any of the bytes?  A compiler may load what it does not
 * need between elements that it does, as LLVM's vectoriser of loads, in one
 * wider number or in a vector. */
static bool any_written(const struct ptx_block *b, uint64_t offset,
                        unsigned bytes)
{
    return b->written[offset] || memchr(b->written + offset, 1, bytes) != NULL;
}

/* memset, but without a call for numbers. */
static inline void set_written(unsigned char *written, unsigned bytes)
{
    if (bytes == 4)
        memset(written, 1, 4);
    else if (bytes == 8)
        memset(written, 1, 8);
    else
        memset(written, 1, bytes);
}

void *ptx_shared(struct ptx_warp *w, const struct ptx_insn *i, unsigned lane,
                 uint64_t address, unsigned bytes, enum ptx_access access)
{
    const struct ptx_block *b = w->block;
    uint64_t offset;

    if (!shared_offset(b, address, bytes, &offset)) {
        ptx_fault(w, i, lane, CU_ILLEGAL_ADDRESS,
                  "shared memory has no %u bytes at %#llx", bytes,
                  (unsigned long long)address);
        return NULL;
    }
    if (!aligned(w, i, lane, address, bytes))
        return NULL;
    if (access == PTX_WRITE || access == PTX_ATOMIC) {
        set_written(b->written + offset, bytes);
    } else if (!any_written(b, offset, bytes) &&
               !b->machine->settings.uninitialised) {
        ptx_fault(w, i, lane, CU_LAUNCH_FAILED,
                  "nobody wrote byte %#llx of shared memory",
                  (unsigned long long)address);
        return NULL;
    }
    return b->shared + offset;
}

void *ptx_local(struct ptx_warp *w, const struct ptx_insn *i, unsigned lane,
                uint64_t address, unsigned bytes, enum ptx_access access)
{
    (void)access;
    if (bytes > w->local_bytes || address > w->local_bytes - bytes) {
        ptx_fault(w, i, lane, CU_ILLEGAL_ADDRESS,
                  "local memory has no %u bytes at %#llx", bytes,
                  (unsigned long long)address);
        return NULL;
    }
    if (!aligned(w, i, lane, address, bytes))
        return NULL;
    return w->local + lane * w->local_bytes + address;
}

void *ptx_param(struct ptx_warp *w, const struct ptx_insn *i, unsigned lane,
                uint64_t address, unsigned bytes, enum ptx_access access)
{
    const struct ptx_function *f = w->block->kernel;
    size_t k;

    (void)access;
    for (k = 0; k < f->n_params; ++k) {
        const struct ptx_variable *v = &f->variables[k];

        if (address >= v->address && bytes <= v->size &&
            address - v->address <= v->size - bytes)
            return aligned(w, i, lane, address, bytes)
                       ? (void *)(uintptr_t)(w->block->params + address)
                       : NULL;
    }
    ptx_fault(w, i, lane, CU_ILLEGAL_ADDRESS,
              "no parameter has the %u bytes at %#llx", bytes,
              (unsigned long long)address);
    return NULL;
}
