/* instances.c - see instances.h.
 *
 * Each copy has an ELF note, which says where its word is.  Notes are found by
 * a walk over what is loaded, whatever a linker or dlopen hides; what another
 * namespace of dlmopen has is not seen.
 *
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 */
#include "support/instances.h"

#include "support/log.h"

#include <link.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

/* The word of each copy; that of the first one that is loaded knows for all
 * whether the line has been printed. */
enum { OPENED = 1, WARNED = 2 };
uint32_t polygpu_instance_word;

/* The note has the word's distance from that place.  Copies of all versions
 * read it: another layout needs another type. */
#define OWNER "PolyGPU"
enum { NOTE_TYPE = 1 };
__asm__(".pushsection .note.polygpu,\"a\",%note\n"
        ".balign 4\n"
        ".long 8, 4, 1\n"
        ".asciz \"" OWNER "\"\n"
        ".long polygpu_instance_word - .\n"
        ".popsection\n");

struct meeting {
    uint32_t *first;
    bool warn;
    char own[256], other[256]; /* files */
};

/* "note" is one of ours, whose word is "word". */
static void visit(struct meeting *meeting, uint32_t *word, const char *file)
{
    bool is_own = word == &polygpu_instance_word;

    if (!meeting->first)
        meeting->first = word;
    if (is_own || __atomic_load_n(word, __ATOMIC_SEQ_CST) & OPENED)
        snprintf(is_own ? meeting->own : meeting->other, sizeof meeting->own,
                 "%s", *file ? file : "the program");
    if (!is_own && __atomic_load_n(word, __ATOMIC_SEQ_CST) & OPENED)
        meeting->warn |=
            !(__atomic_fetch_or(meeting->first, WARNED, __ATOMIC_SEQ_CST) &
              WARNED);
}

static size_t aligned(size_t size, size_t alignment)
{
    return (size + alignment - 1) / alignment * alignment;
}

/* Look at the notes of one segment. */
static void read_notes(struct meeting *meeting, const char *at, size_t bytes,
                       size_t alignment, const char *file)
{
    const char *end = at + bytes;
    ElfW(Nhdr) note;

    while ((size_t)(end - at) >= sizeof note) {
        const char *name = at + sizeof note, *value;
        size_t size;

        memcpy(&note, at, sizeof note);
        value = at + aligned(sizeof note + note.n_namesz, alignment);
        size = aligned((size_t)(value - at) + note.n_descsz, alignment);
        if (size > (size_t)(end - at))
            return;
        if (note.n_type == NOTE_TYPE && note.n_namesz == sizeof OWNER &&
            note.n_descsz == sizeof(int32_t) &&
            !memcmp(name, OWNER, sizeof OWNER)) {
            int32_t distance;

            memcpy(&distance, value, sizeof distance);
            visit(meeting, (uint32_t *)(uintptr_t)(value + distance), file);
        }
        at += size;
    }
}

/* Of a loaded file.  The C library's lock is held: none is unloaded. */
static int look_at_file(struct dl_phdr_info *info, size_t size, void *user)
{
    int i;

    (void)size;
    for (i = 0; i < info->dlpi_phnum; ++i) {
        const ElfW(Phdr) *segment = &info->dlpi_phdr[i];

        if (segment->p_type == PT_NOTE)
            read_notes(user, (const char *)(info->dlpi_addr + segment->p_vaddr),
                       segment->p_memsz, segment->p_align == 8 ? 8 : 4,
                       info->dlpi_name);
    }
    return 0;
}

void polygpu_instance_opened(void)
{
    struct meeting meeting = {.own = "", .other = ""};

    __atomic_fetch_or(&polygpu_instance_word, OPENED, __ATOMIC_SEQ_CST);
    dl_iterate_phdr(look_at_file, &meeting);
    if (meeting.warn)
        polygpu_message(
            "%s and %s have copies of the runtime, each with memory of the "
            "device and arrays there of its own; linked with libpolygpu_rt.so "
            "they share one (docs/using.md)",
            meeting.other, meeting.own);
}
