/* memory.c - see memory.h.
 *
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 */
#include "memory.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

enum { MOST_OBJECTS = 4096, MOST_NOTES = 1 << 16, MOST_LOCALS = 4096 };

/* Bytes that are kept together if one of them was changed; of noise; and of a
 * piece of it, which begins at any page of the first half. */
enum { PAGE = 4096, NOISE = 1 << 20, PIECE = NOISE / 2 };

/* A region or a variable, byte by byte. */
struct object {
    char *live;
    size_t size;
    char *before;   /* what both executions find */
    char *after;    /* what the first one left, where that is something else */
    bool *changed;  /* pages: is it? */
    uint8_t *types; /* of the last access */
    bool known;     /* contents are not chosen at the first load */
    bool forbidden;
    bool region;   /* which is pointed to behind its front */
    bool freed[2]; /* by each execution: nobody can look at it any more */
};

/* A local variable of a function of the first execution, or of one that has
 * returned. */
struct local {
    const char *begin, *end;
};

static struct object objects[MOST_OBJECTS];
static const struct verify_constant *constants;
static size_t n_constants;
static struct local locals[MOST_LOCALS];
static unsigned n_locals;
static unsigned n_objects, n_regions;
static void *regions[MOST_OBJECTS]; /* in the order of calls */
static uint64_t notes[MOST_NOTES];
static unsigned n_notes, n_noted; /* of the first, of the current execution */
static bool notes_differ;
static uint64_t state;
static unsigned scale_of_integers, multiple_of = 1;
static struct verify_limits limits;
static unsigned long accesses;
static bool left_early;
static const uint32_t *exits;
static size_t n_exits;
static bool is_second;
static int no_errno; /* stands for errno, which offloaded loops do not set */

/* Steele and Vigna's SplitMix64. */
uint64_t verify_random(void)
{
    uint64_t z = state += UINT64_C(0x9e3779b97f4a7c15);

    z = (z ^ (z >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
    z = (z ^ (z >> 27)) * UINT64_C(0x94d049bb133111eb);
    return z ^ (z >> 31);
}

/* Mostly a possible size or subscript. */
int64_t verify_integer(unsigned bits)
{
    uint64_t kind = verify_random() % 16;

    if (bits < 8)
        return (int64_t)(verify_random() & ((1u << bits) - 1));
    if (bits == 8)
        return (int64_t)(int8_t)verify_random();
    if (multiple_of > 1)
        return (
            int64_t)((verify_random() % (scale_of_integers / multiple_of) + 1) *
                     multiple_of);
    if (kind == 0)
        return -(int64_t)(verify_random() % 5);
    return (int64_t)(verify_random() % (scale_of_integers + 1));
}

/* Of many magnitudes, never zero. */
double verify_real(void)
{
    double value = (double)(verify_random() >> 11) * 0x1p-53 + 0x1p-60;
    uint64_t kind = verify_random() % 32;

    if (kind == 0)
        value = ldexp(value, (int)(verify_random() % 40) - 20);
    return verify_random() % 2 ? value : -value;
}

void verify_memory_start(uint64_t seed, unsigned scale, unsigned multiple,
                         const struct verify_limits *most)
{
    state = seed;
    scale_of_integers = scale;
    multiple_of = multiple;
    limits = *most;
}

/* Bytes of a region below the address that is given out. */
static size_t front(void)
{
    return limits.region / 4;
}

static void fill(char *bytes, size_t size)
{
    size_t i;

    for (i = 0; i + 8 <= size; i += 8) {
        uint64_t noise = verify_random();

        memcpy(bytes + i, &noise, 8);
    }
    for (; i < size; ++i)
        bytes[i] = (char)verify_random();
}

static void *reserve(size_t size)
{
    void *memory = mmap(NULL, size, PROT_READ | PROT_WRITE,
                        MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);

    if (memory == MAP_FAILED)
        _exit(VERIFY_LONG);
    return memory;
}

static struct object *new_object(char *live, char *before, size_t size,
                                 bool known)
{
    struct object *o;

    if (n_objects == MOST_OBJECTS)
        _exit(VERIFY_LONG);
    o = &objects[n_objects++];
    o->live = live;
    o->before = before;
    o->size = size;
    o->known = known;
    o->types = reserve(size);
    return o;
}

/* A file of noise, of which most pages of regions need no copies. */
static int noise_file(void)
{
    static int file = -1;
    static char noise[NOISE];

    if (file >= 0)
        return file;
    fill(noise, NOISE);
    file = memfd_create("noise", MFD_CLOEXEC);
    if (file < 0 || write(file, noise, NOISE) != NOISE)
        _exit(VERIFY_LONG);
    return file;
}

/* Noise at "at", the same for the same "choice". */
static void map_noise(char *at, size_t size, uint64_t choice)
{
    size_t done, n;

    for (done = 0; done < size; done += n, ++choice) {
        off_t offset = (off_t)(choice % (PIECE / PAGE)) * PAGE;

        n = size - done < PIECE ? size - done : PIECE;
        if (mmap(at + done, n, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_FIXED,
                 noise_file(), offset) == MAP_FAILED)
            _exit(VERIFY_LONG);
    }
}

void *verify_region(void)
{
    /* Nothing is mapped on either side. */
    size_t bytes = limits.region;
    char *memory = reserve(3 * bytes), *before = reserve(bytes);
    uint64_t choice = verify_random();

    mprotect(memory, bytes, PROT_NONE);
    mprotect(memory + 2 * bytes, bytes, PROT_NONE);
    map_noise(memory + bytes, bytes, choice);
    map_noise(before, bytes, choice);
    new_object(memory + bytes, before, bytes, false)->region = true;
    return memory + bytes + front();
}

/* The region that a call returns: the same one in the second execution. */
static void *region_of_call(void)
{
    if (n_regions == MOST_OBJECTS)
        _exit(VERIFY_LONG);
    if (!regions[n_regions])
        regions[n_regions] = verify_region();
    return regions[n_regions++];
}

static struct object *new_variable(char *address, size_t size, bool keep)
{
    struct object *o = new_object(address, reserve(size), size, keep);

    if (!keep)
        fill(address, size);
    memcpy(o->before, address, size);
    return o;
}

void verify_variable(void *address, size_t size, bool keep)
{
    if (size > 0)
        new_variable(address, size, keep);
}

void verify_guard(void *address, size_t size)
{
    new_variable(address, size, true)->forbidden = true;
}

void verify_constants(const struct verify_constant *sorted, size_t n)
{
    constants = sorted;
    n_constants = n;
}

static bool is_constant(const char *address, uint64_t size)
{
    const struct verify_constant *c;
    size_t first = 0, end = n_constants;

    /* How many do not begin behind the address? */
    while (first < end) {
        size_t middle = first + (end - first) / 2;

        if (constants[middle].address <= address)
            first = middle + 1;
        else
            end = middle;
    }
    if (first == 0)
        return false;
    c = &constants[first - 1];
    return address - c->address < (ptrdiff_t)c->size &&
           size <= c->size - (size_t)(address - c->address);
}

static bool is_in(const struct object *o, const char *address)
{
    return address >= o->live && address < o->live + o->size;
}

static struct object *find(const char *address)
{
    /* Who was found for an address not far from this one. */
    static struct object *known[64];
    struct object **last = &known[((uintptr_t)address >> 16) % 64];
    unsigned i;

    if (*last && is_in(*last, address))
        return *last;
    for (i = 0; i < n_objects; ++i)
        if (is_in(&objects[i], address))
            return *last = &objects[i];
    return NULL;
}

static enum verify_type kind_of(uint32_t type)
{
    return (enum verify_type)(type & ((1u << VERIFY_SIZE_SHIFT) - 1));
}

/* Bytes of a value of type "type" for memory that is read before anybody wrote
 * it. */
static void choose(char *bytes, size_t size, enum verify_type type)
{
    int64_t integer;
    double real;
    float single;
    void *pointer;

    switch (type) {
    case VERIFY_INTEGER:
        integer = verify_integer((unsigned)(8 * size));
        memcpy(bytes, &integer, size < 8 ? size : 8);
        break;
    case VERIFY_FLOAT:
        single = (float)verify_real();
        memcpy(bytes, &single, 4);
        break;
    case VERIFY_DOUBLE:
        real = verify_real();
        memcpy(bytes, &real, 8);
        break;
    case VERIFY_POINTER:
        pointer = verify_region();
        memcpy(bytes, &pointer, 8);
        break;
    default:
        break;
    }
}

/* Is the address on the stack, more or less? */
static bool is_on_stack(const char *address)
{
    char here;
    intptr_t distance = address - &here;

    return distance > -65536 && distance < (8 << 20);
}

/* May memory that was taken for "old" be accessed as "type"?  The compiler
 * takes variables of different types for different ones, but for bytes. */
static bool fits(uint8_t old, uint32_t type)
{
    return old == type || old == VERIFY_UNKNOWN || old == VERIFY_OTHER ||
           type == VERIFY_OTHER || old == VERIFY_INTEGER ||
           type == VERIFY_INTEGER;
}

/* The pointer behind another one may be the end of what that one begins. */
static bool choose_end(const struct object *o, size_t at)
{
    char *begin;

    if (at < 8 || o->types[at - 8] != VERIFY_POINTER || verify_random() % 2)
        return false;
    memcpy(&begin, o->live + at - 8, 8);
    begin += 8 * (verify_random() % (scale_of_integers + 1));
    memcpy(o->live + at, &begin, 8);
    return true;
}

static void read_object(struct object *o, size_t at, uint64_t size,
                        uint32_t type)
{
    bool fresh = !o->known;
    uint64_t i;

    for (i = 0; i < size; ++i) {
        fresh = fresh && o->types[at + i] == VERIFY_UNKNOWN;
        if (!fits(o->types[at + i], type))
            _exit(VERIFY_UNDEFINED);
    }
    if (fresh && size <= 16) {
        if (type != VERIFY_POINTER || !choose_end(o, at))
            choose(o->live + at, size, kind_of(type));
        memcpy(o->before + at, o->live + at, size);
    }
    for (i = 0; i < size; ++i)
        if (o->types[at + i] == VERIFY_UNKNOWN)
            o->types[at + i] = (uint8_t)type;
}

static void write_object(struct object *o, size_t at, uint64_t size,
                         uint32_t type)
{
    uint64_t i;

    for (i = 0; i < size; ++i)
        if (!fits(o->types[at + i], type))
            _exit(VERIFY_UNDEFINED);
    memset(o->types + at, (int)type, size);
}

/* A local variable of a function that was entered: where it lies there are none
 * of functions that have returned. */
void verify_local(void *address, uint64_t size)
{
    const char *begin = address, *end = begin + size;
    unsigned i, n = 0;

    if (is_second)
        return;
    for (i = 0; i < n_locals; ++i)
        if (locals[i].end <= begin || locals[i].begin >= end)
            locals[n++] = locals[i];
    if (n == MOST_LOCALS)
        _exit(VERIFY_LONG);
    locals[n++] = (struct local){begin, end};
    n_locals = n;
}

static bool is_local(const char *address, uint64_t size)
{
    unsigned i;

    for (i = n_locals; i-- > 0;)
        if (address >= locals[i].begin && address < locals[i].end)
            return size <= (uint64_t)(locals[i].end - address);
    return false;
}

/* Were all bytes accessed as this type before? */
static bool is_known_as(const uint8_t *types, uint64_t size, uint32_t type)
{
    uint64_t wanted = UINT64_C(0x0101010101010101) * type, found = 0;

    if (size != 4 && size != 8)
        return false;
    memcpy(&found, types, size);
    return found == wanted >> (64 - 8 * size);
}

/* A load or store of the first execution. */
void verify_access(void *address, uint64_t size, uint32_t write, uint32_t type)
{
    struct object *o;
    size_t at;

    if (is_second)
        return;
    if (++accesses > limits.accesses)
        _exit(VERIFY_LONG);
    o = find(address);
    if (!o && size == 0)
        return;
    if (!o && is_on_stack(address)) {
        if (!is_local(address, size))
            _exit(VERIFY_UNDEFINED);
        return;
    }
    if (!o && (address == (char *)&no_errno ||
               (!write && is_constant(address, size))))
        return;
    if (!o || o->forbidden)
        _exit(VERIFY_UNDEFINED);
    at = (size_t)((char *)address - o->live);
    if (size > o->size - at)
        _exit(VERIFY_UNDEFINED);
    if (is_known_as(o->types + at, size, type))
        return;
    if (write)
        write_object(o, at, size, type);
    else
        read_object(o, at, size, type);
}

void verify_poison(uint32_t is)
{
    if (is && !is_second)
        _exit(VERIFY_POISON);
}

void verify_copied(void *first, uint64_t count, uint64_t size, uint32_t type)
{
    uint64_t i;

    for (i = 0; i < count; ++i)
        verify_access((char *)first + i * size, size, 0, type);
}

static size_t page_size(const struct object *o, size_t at)
{
    return o->size - at < PAGE ? o->size - at : PAGE;
}

void verify_memory_restart(void)
{
    unsigned i;
    size_t at;

    for (i = 0; i < n_objects; ++i) {
        struct object *o = &objects[i];

        o->after = reserve(o->size);
        o->changed = reserve(o->size / PAGE + 1);
        for (at = 0; at < o->size; at += PAGE) {
            size_t n = page_size(o, at);

            if (memcmp(o->live + at, o->before + at, n) == 0)
                continue;
            o->changed[at / PAGE] = true;
            memcpy(o->after + at, o->live + at, n);
            memcpy(o->live + at, o->before + at, n);
        }
    }
    no_errno = 0;
    n_notes = n_noted;
    n_noted = n_regions = 0;
    is_second = true;
}

/* What the first execution left from byte "at" of a page on. */
static const char *left(const struct object *o, size_t at)
{
    return (o->changed[at / PAGE] ? o->after : o->before) + at;
}

/* Is a value of this type, from "bytes" on, no number? */
static bool is_nan(const char *bytes, uint8_t type)
{
    double real;
    float single;
    uint16_t half;

    switch (type) {
    case VERIFY_DOUBLE:
        memcpy(&real, bytes, sizeof real);
        return isnan(real);
    case VERIFY_FLOAT:
        memcpy(&single, bytes, sizeof single);
        return isnan(single);
    default:
        memcpy(&half, bytes, sizeof half);
        return (half & 0x7fff) > 0x7c00;
    }
}

/* Are the values around byte "at" two NaNs? */
static bool are_nans(const struct object *o, size_t at)
{
    static const uint8_t sizes[] = {[VERIFY_HALF] = 2,
                                    [VERIFY_FLOAT] = 4,
                                    [VERIFY_DOUBLE] = 8,
                                    [VERIFY_OTHER] = 0};
    size_t size = sizes[kind_of(o->types[at])];

    if (size == 0)
        return false;
    at -= at % size;
    return is_nan(o->live + at, o->types[at]) &&
           is_nan(left(o, at), o->types[at]);
}

/* Is it in both executions the address of a local variable, which has another
 * place in each and is gone? */
static bool are_locals(const struct object *o, size_t at)
{
    const char *one, *other;

    if (o->types[at] != VERIFY_POINTER)
        return false;
    at -= at % sizeof one;
    memcpy(&one, left(o, at), sizeof one);
    memcpy(&other, o->live + at, sizeof other);
    return is_on_stack(one) && is_on_stack(other);
}

/* Is the value around byte "at" one of variables that were not set, as where a
 * structure is copied as a whole?  The second execution may leave anything. */
static bool are_unset(const struct object *o, size_t at)
{
    static const char unset[] = {VERIFY_UNSET, VERIFY_UNSET, VERIFY_UNSET,
                                 VERIFY_UNSET};

    at -= at % sizeof unset;
    return o->size - at >= sizeof unset &&
           memcmp(left(o, at), unset, sizeof unset) == 0;
}

/* Perhaps, that is. */
static bool is_floating(uint8_t type)
{
    return type == VERIFY_HALF || type == VERIFY_FLOAT ||
           type == VERIFY_DOUBLE || type == VERIFY_OTHER;
}

/* The first of "n" bytes from "at" on that differs, or at + n. */
static size_t first_difference(const struct object *o, size_t at, size_t n,
                               bool loosely)
{
    size_t end = at + n;
    const char *other = left(o, at);

    if (memcmp(o->live + at, other, n) == 0)
        return end;
    for (; at < end; ++at, ++other)
        if (o->live[at] != *other && !are_nans(o, at) && !are_locals(o, at) &&
            !are_unset(o, at) && !(loosely && is_floating(o->types[at])))
            break;
    return at;
}

bool verify_memory_compare(bool loosely, char *text, size_t size)
{
    unsigned i;
    size_t at;

    for (i = 0; i < n_objects; ++i) {
        const struct object *o = &objects[i];

        if (o->freed[0] != o->freed[1]) {
            snprintf(text, size, "memory object %u is freed by one only", i);
            return false;
        }
        if (o->freed[0])
            continue;
        for (at = 0; at < o->size; at += PAGE) {
            size_t n = page_size(o, at), found;

            found = first_difference(o, at, n, loosely);
            if (found == at + n)
                continue;
            snprintf(text, size,
                     "byte %ld of memory object %u differs (last written as "
                     "type %u)",
                     (long)found - (o->region ? (long)front() : 0), i,
                     (unsigned)kind_of(o->types[found]));
            return false;
        }
    }
    if (notes_differ || n_noted != n_notes) {
        snprintf(text, size, "calls outside of the loops differ");
        return false;
    }
    return true;
}

/* A function that is not executed was called, with this argument. */
void verify_note(uint64_t what, uint64_t value)
{
    uint64_t note = (what << 56 | what >> 8) ^ value;

    if (n_noted == MOST_NOTES)
        _exit(VERIFY_LONG);
    if (!is_second)
        notes[n_noted] = note;
    else if (n_noted >= n_notes || notes[n_noted] != note)
        notes_differ = true;
    ++n_noted;
}

void verify_note_pointer(uint64_t what, void *value)
{
    verify_note(what, find(value) ? (uintptr_t)value : 0);
}

/* A value that depends on "seed" only. */
static uint64_t value_of(uint64_t seed, uint32_t type, uint32_t bits)
{
    uint64_t saved = state, result = 0;
    double real;
    float single;

    state = seed;
    switch (type) {
    case VERIFY_FLOAT:
        single = (float)verify_real();
        memcpy(&result, &single, 4);
        break;
    case VERIFY_DOUBLE:
        real = verify_real();
        memcpy(&result, &real, 8);
        break;
    default:
        result = (uint64_t)verify_integer(bits);
    }
    state = saved;
    return result;
}

/* What it returns: the same for the same call in the order of calls. */
uint64_t verify_result(uint64_t what, uint32_t type, uint32_t bits)
{
    if (type == VERIFY_POINTER)
        return (uintptr_t)region_of_call();
    return value_of(what * UINT64_C(0x9e3779b97f4a7c15) + n_noted, type, bits);
}

/* What a function returns that has no effect, may be called any number of times
 * and at other places: "arguments" stands for the function and these. */
uint64_t verify_pure(uint64_t arguments, uint32_t type, uint32_t bits)
{
    static uint64_t known[64];
    static void *pointers[64];
    unsigned i;

    if (type != VERIFY_POINTER)
        return value_of(arguments, type, bits);
    for (i = 0; i < 64 && pointers[i] && known[i] != arguments; ++i)
        ;
    if (i == 64)
        _exit(VERIFY_LONG);
    if (!pointers[i]) {
        known[i] = arguments;
        pointers[i] = verify_region();
    }
    return (uintptr_t)pointers[i];
}

int *verify_errno(void)
{
    return &no_errno;
}

/* A function that does not return. */
void verify_stop(void)
{
    _exit(VERIFY_ENDED);
}

/* Instructions that nobody can look into: what they do to memory is unknown. */
void verify_assembly(void)
{
    _exit(VERIFY_ASSEMBLY);
}

void verify_exits(const uint32_t *numbers, size_t n)
{
    exits = numbers;
    n_exits = n;
}

/* Is a loop to be left whose exit of that number is asked that many times? */
bool verify_leave(uint32_t times, uint32_t number)
{
    size_t i = 0;

    while (i < n_exits && exits[i] != number)
        ++i;
    if (times <= limits.rounds || i == n_exits)
        return false;
    left_early = true;
    return true;
}

bool verify_left_early(void)
{
    return left_early;
}

void *verify_malloc(uint64_t size)
{
    if (size > limits.region - front())
        _exit(VERIFY_LONG);
    return region_of_call();
}

void *verify_calloc(uint64_t count, uint64_t size)
{
    char *memory;

    if (size && count > (limits.region - front()) / size)
        _exit(VERIFY_LONG);
    memory = region_of_call();
    verify_access(memory, count * size, 1, VERIFY_OTHER);
    memset(memory, 0, count * size);
    return memory;
}

uint64_t verify_strlen(const char *text)
{
    uint64_t n = 0;

    for (;; ++n) {
        verify_access((void *)(text + n), 1, 0, VERIFY_INTEGER);
        if (!text[n])
            return n;
    }
}

/* Byte "at" of "bytes", which the program reads. */
static unsigned char byte_of(const void *bytes, uint64_t at)
{
    const unsigned char *byte = (const unsigned char *)bytes + at;

    verify_access((void *)byte, 1, 0, VERIFY_INTEGER);
    return *byte;
}

/* "most" bytes, or less where the two end or differ before. */
static int compare(const void *one, const void *other, uint64_t most, bool text)
{
    uint64_t i;

    for (i = 0; i < most; ++i) {
        unsigned char a = byte_of(one, i), b = byte_of(other, i);

        if (a != b)
            return a < b ? -1 : 1;
        if (text && !a)
            break;
    }
    return 0;
}

int verify_memcmp(const void *one, const void *other, uint64_t size)
{
    return compare(one, other, size, false);
}

int verify_strcmp(const char *one, const char *other)
{
    return compare(one, other, UINT64_MAX, true);
}

int verify_strncmp(const char *one, const char *other, uint64_t most)
{
    return compare(one, other, most, true);
}

void *verify_memchr(const void *bytes, int value, uint64_t size)
{
    uint64_t i;

    for (i = 0; i < size; ++i)
        if (byte_of(bytes, i) == (unsigned char)value)
            return (char *)bytes + i;
    return NULL;
}

void verify_free(void *address)
{
    struct object *o = find(address);

    if (o)
        o->freed[is_second] = true;
}
