/* parse.c - from the text of a module to its functions.
 *
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 */
#include "list.h"
#include "machine.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static struct ptx_span span_to(const char *from, const char *to)
{
    return (struct ptx_span){from, (size_t)(to - from)};
}

/* ---- Reading text ------------------------------------------------------- */

/* Comments become blanks, so that lines stay. */
static void remove_comments(char *text)
{
    char *c, *end;

    for (c = text; *c; ++c) {
        if (c[0] != '/' || (c[1] != '/' && c[1] != '*'))
            continue;
        if (c[1] == '/') {
            end = c + strcspn(c, "\n");
        } else {
            end = strstr(c + 2, "*/");
            end = end ? end + 2 : c + strlen(c);
        }
        for (; c < end; ++c)
            if (*c != '\n')
                *c = ' ';
        --c;
    }
}

static void skip_blanks(struct ptx_parser *p)
{
    for (; isspace((unsigned char)*p->at); ++p->at)
        p->line += *p->at == '\n';
}

static void move_to(struct ptx_parser *p, const char *to)
{
    for (; p->at < to; ++p->at)
        p->line += *p->at == '\n';
}

static struct ptx_span next_word(struct ptx_parser *p)
{
    const char *from;

    skip_blanks(p);
    from = p->at;
    while (*p->at && !isspace((unsigned char)*p->at) &&
           !strchr("()[]{},;=\"", *p->at))
        ++p->at;
    return span_to(from, p->at);
}

static bool next_is(struct ptx_parser *p, char c)
{
    skip_blanks(p);
    if (*p->at != c)
        return false;
    ++p->at;
    return true;
}

/* Up to and without "stop", which is passed; quotation marks and brackets in
 * between are whole. */
static struct ptx_span until(struct ptx_parser *p, char stop)
{
    const char *c = p->at, *from = p->at;
    unsigned depth = 0;

    for (; *c && (depth || *c != stop); ++c) {
        if (*c == '"') {
            c = strchr(c + 1, '"');
            if (!c)
                break;
        }
        depth += *c == '{' || *c == '(' || *c == '[';
        depth -= depth && (*c == '}' || *c == ')' || *c == ']');
    }
    if (!c)
        c = from + strlen(from);
    move_to(p, *c ? c + 1 : c);
    return span_to(from, c);
}

static bool number_of(struct ptx_span text, uint64_t *value)
{
    char buffer[32], *end;

    if (!text.size || text.size >= sizeof buffer)
        return false;
    memcpy(buffer, text.text, text.size);
    buffer[text.size] = '\0';
    *value = strtoull(buffer, &end, 0);
    return !*end;
}

/* ---- Variables ---------------------------------------------------------- */

/* Bytes of ".b32" and so on; 0 if it is no type, or that of predicates. */
static unsigned type_bytes(struct ptx_span type)
{
    static const struct {
        const char *digits;
        unsigned bytes;
    } sizes[] = {{"8", 1}, {"16", 2}, {"32", 4}, {"64", 8}};
    size_t k;

    if (type.size < 3 || *type.text != '.' || !strchr("busf", type.text[1]))
        return 0;
    for (k = 0; k < sizeof sizes / sizeof *sizes; ++k)
        if (ptx_span_is((struct ptx_span){type.text + 2, type.size - 2},
                        sizes[k].digits))
            return sizes[k].bytes;
    return 0;
}

/* ".align 8 .b8 name[24]" and ".u64 .ptr .global .align 1 name": all but the
 * address.  The initial value is left in the text. */
static bool declaration(struct ptx_parser *p, struct ptx_variable *v)
{
    struct ptx_span word;
    uint64_t n, count = 1;
    unsigned bytes = 0;

    v->align = 0;
    for (word = next_word(p); word.size && *word.text == '.';
         word = next_word(p)) {
        if (ptx_span_is(word, ".align")) {
            if (!number_of(next_word(p), &n) || !n || (n & (n - 1)))
                return ptx_wrong(p, "wrong alignment");
            if (bytes) /* of what the pointer points to */
                continue;
            v->align = n;
        } else if (type_bytes(word)) {
            bytes = type_bytes(word);
        } else if (!ptx_span_is(word, ".ptr") &&
                   !ptx_span_is(word, ".global") &&
                   !ptx_span_is(word, ".shared")) {
            return ptx_wrong(p, "unknown %.*s", (int)word.size, word.text);
        }
    }
    v->name = word;
    if (!word.size || !bytes)
        return ptx_wrong(p, "wrong declaration");
    if (next_is(p, '[')) {
        word = ptx_trim(until(p, ']'));
        if (!word.size)
            count = 0;
        else if (!number_of(word, &count))
            return ptx_wrong(p, "wrong size");
    }
    v->size = bytes * count;
    if (v->align < bytes)
        v->align = bytes;
    return true;
}

/* "{1, 2, 3}" or "7", in elements of "bytes" bytes. */
static bool initial(struct ptx_parser *p, struct ptx_span text, unsigned bytes,
                    unsigned char *to, size_t size)
{
    struct ptx_span *parts;
    uint64_t value;
    unsigned n, k;
    bool ok = true;

    text = ptx_trim(text);
    if (text.size > 1 && *text.text == '{')
        text = (struct ptx_span){text.text + 1, text.size - 2};
    n = ptx_split(text, NULL, 0);
    parts = malloc((n + 1) * sizeof *parts);
    if (!parts || n * bytes > size) {
        free(parts);
        return ptx_wrong(p, "too many initial values");
    }
    ptx_split(text, parts, n);
    for (k = 0; k < n && ok; ++k) {
        ok = number_of(parts[k], &value);
        memcpy(to + k * bytes, &value, bytes);
    }
    free(parts);
    return ok || ptx_wrong(p, "wrong initial value");
}

static unsigned element_bytes(const char *from, const char *to)
{
    unsigned bytes = 0;

    for (; from < to; ++from)
        if (*from == '.') {
            unsigned n =
                type_bytes(span_to(from, from + strcspn(from, " \t\n")));

            bytes = n ? n : bytes;
        }
    return bytes;
}

/* .global and .const. */
static bool module_variable(struct ptx_parser *p, enum ptx_space space)
{
    struct ptx_variable v = {.space = space};
    struct ptx_module *module = p->module;
    struct ptx_array *array;
    const char *from = p->at;
    unsigned bytes;

    if (!declaration(p, &v))
        return false;
    bytes = element_bytes(from, v.name.text);
    v.address = ptx_array_new(p->machine, v.size);
    array = ptx_array_of(p->machine, v.address, v.size);
    if (!array || !GROW(module->owned, module->n_owned) ||
        !GROW(module->variables, module->n_variables))
        return ptx_wrong(p, "no memory");
    memset(array->host, 0, v.size);
    module->owned[module->n_owned++] = v.address;
    module->variables[module->n_variables++] = v;
    if (next_is(p, '='))
        return initial(p, until(p, ';'), bytes, array->host, v.size);
    return next_is(p, ';') || ptx_wrong(p, "';' is missing");
}

/* Gaps between variables, so that no access beyond one hits another. */
static uint64_t place(size_t *end, const struct ptx_variable *v)
{
    size_t gap = *end ? 64 : 0;
    size_t at = (*end + gap + v->align - 1) / v->align * v->align;

    *end = at + v->size;
    return at;
}

/* .shared, .local and .param inside of a function; .extern .shared. */
static bool function_variable(struct ptx_parser *p, enum ptx_space space)
{
    struct ptx_variable v = {.space = space, .scope = p->scope};
    struct ptx_function *f = p->function;

    if (!declaration(p, &v))
        return false;
    if (space == PTX_SHARED) {
        v.address = place(&f->shared_end, &v);
        f->shared_bytes =
            (f->shared_bytes + v.align - 1) / v.align * v.align + v.size;
    } else if (space == PTX_LOCAL) {
        v.address = place(&p->module->local_bytes, &v);
    } else {
        v.at = ptx_allocate(f, v.size * PTX_LANES);
    }
    if (!GROW(f->variables, f->n_variables))
        return ptx_wrong(p, "no memory");
    f->variables[f->n_variables++] = v;
    return next_is(p, ';') || ptx_wrong(p, "';' is missing");
}

/* Shared memory that the launch gives; where it lies depends on the kernel,
 * so that addresses have a base of their own. */
static bool dynamic_variable(struct ptx_parser *p)
{
    struct ptx_variable v = {.space = PTX_SHARED, .is_dynamic = true};
    struct ptx_module *module = p->module;

    if (!declaration(p, &v))
        return false;
    if (v.size)
        return ptx_wrong(p, "external variables are not known");
    v.address = PTX_WINDOW_SIZE / 2;
    if (!GROW(module->variables, module->n_variables))
        return ptx_wrong(p, "no memory");
    module->variables[module->n_variables++] = v;
    return next_is(p, ';') || ptx_wrong(p, "';' is missing");
}

/* ---- Functions ---------------------------------------------------------- */

/* ".reg .b32 %r<7>;" and ".reg .u32 a, b;". */
static bool registers(struct ptx_parser *p)
{
    struct ptx_span type = next_word(p), names[64];
    struct ptx_function *f = p->function;
    unsigned bytes = type_bytes(type), n, k;

    if (!bytes && !ptx_span_is(type, ".pred"))
        return ptx_wrong(p, "unknown type %.*s", (int)type.size, type.text);
    n = ptx_split(until(p, ';'), names, 64);
    for (k = 0; k < n && k < 64; ++k) {
        struct ptx_register r = {.prefix = names[k],
                                 .bytes = bytes < 2 ? 2 * bytes : bytes,
                                 .scope = p->scope};
        const char *open = memchr(names[k].text, '<', names[k].size);
        uint64_t count = 1;

        if (open) {
            const char *end = names[k].text + names[k].size - 1;

            if (!number_of(span_to(open + 1, end), &count) || count > 1000000)
                return ptx_wrong(p, "wrong number of registers");
            r.prefix.size = (size_t)(open - names[k].text);
            r.count = (unsigned)count;
        }
        r.at = ptx_allocate(
            f, count * (r.bytes ? r.bytes * PTX_LANES : sizeof(ptx_lanes)));
        if (!GROW(f->registers, f->n_registers))
            return ptx_wrong(p, "no memory");
        f->registers[f->n_registers++] = r;
    }
    return n <= 64 || ptx_wrong(p, "too many names");
}

static struct ptx_insn *new_insn(struct ptx_parser *p)
{
    struct ptx_function *f = p->function;
    struct ptx_insn *grown;

    if (f->n_insns >= 8 && !(f->n_insns & (f->n_insns - 1))) {
        grown = realloc(f->insns, 2 * f->n_insns * sizeof *f->insns);
        if (!grown)
            return NULL;
        f->insns = grown;
    } else if (!f->insns && !(f->insns = malloc(8 * sizeof *f->insns))) {
        return NULL;
    }
    memset(&f->insns[f->n_insns], 0, sizeof *f->insns);
    return &f->insns[f->n_insns++];
}

static char *copy_of(const char *text)
{
    size_t size = strlen(text) + 1;
    char *copy = malloc(size);

    return copy ? memcpy(copy, text, size) : NULL;
}

/* What cannot be read is an error when it is executed. */
static void set_unknown(struct ptx_parser *p, struct ptx_insn *i)
{
    i->kind = PTX_UNKNOWN;
    i->why = copy_of(p->why);
    p->why[0] = '\0';
}

/* Another instruction of the statement of "model". */
static struct ptx_insn *new_insn_of(struct ptx_parser *p,
                                    const struct ptx_insn *model)
{
    struct ptx_insn *i = new_insn(p);

    if (!i) {
        ptx_wrong(p, "no memory");
        return NULL;
    }
    i->line = model->line;
    i->text = model->text;
    return i;
}

static bool unknown(struct ptx_parser *p, const struct ptx_insn *model)
{
    struct ptx_insn *i = new_insn_of(p, model);

    if (!i)
        return false;
    set_unknown(p, i);
    return true;
}

/* "setp.eq.u32 _, index, number; @_ bra label;" */
static bool branch_if(struct ptx_parser *p, const struct ptx_insn *model,
                      struct ptx_span index, unsigned number,
                      struct ptx_span label)
{
    char text[12];
    int size = snprintf(text, sizeof text, "%u", number);
    struct ptx_statement test = {
        .opcode = {"setp.eq.u32", 11}, .operands = {{"_", 1}, index}, .n = 3};
    struct ptx_insn *i = new_insn_of(p, model);
    uint32_t guard;

    if (!i)
        return false;
    test.operands[2] = (struct ptx_span){text, (size_t)size};
    if (!ptx_decode(p, &test, i)) {
        set_unknown(p, i);
        return true;
    }
    guard = i->at[0];
    i = new_insn_of(p, model);
    if (!i)
        return false;
    i->kind = PTX_BRANCH;
    i->label = label;
    i->guarded = true;
    i->guard = guard;
    return true;
}

static const struct ptx_targets *targets_of(const struct ptx_function *f,
                                            struct ptx_span name)
{
    size_t k;

    for (k = 0; k < f->n_targets; ++k)
        if (f->targets[k].name.size == name.size &&
            !memcmp(f->targets[k].name.text, name.text, name.size))
            return &f->targets[k];
    return NULL;
}

/* "brx.idx index, name;": a test and a branch for each label of the list. */
static bool branches(struct ptx_parser *p, const struct ptx_insn *model,
                     const struct ptx_statement *s)
{
    const struct ptx_targets *targets =
        s->n == 2 ? targets_of(p->function, s->operands[1]) : NULL;
    struct ptx_span labels[1024];
    unsigned n, k;

    if (!targets || model->guarded) {
        ptx_wrong(p, "a list of labels is expected, and no guard");
        return unknown(p, model);
    }
    n = ptx_split(targets->list, labels, 1024);
    for (k = 0; k < n && k < 1024; ++k)
        if (!branch_if(p, model, s->operands[0], k, labels[k]))
            return false;
    ptx_wrong(p, n > 1024 ? "too many labels"
                          : "there is no label of this number");
    return unknown(p, model);
}

/* After "name: .branchtargets". */
static bool branch_targets(struct ptx_parser *p)
{
    struct ptx_function *f = p->function;

    if (!f->n_labels || f->labels[f->n_labels - 1].insn != f->n_insns)
        return ptx_wrong(p, "a list of labels needs a name");
    if (!GROW(f->targets, f->n_targets))
        return ptx_wrong(p, "no memory");
    f->targets[f->n_targets++] = (struct ptx_targets){
        .name = f->labels[f->n_labels - 1].name, .list = until(p, ';')};
    return true;
}

/* "@!%p3 bra $L;": what cannot be read is an error when it is executed. */
static bool instruction(struct ptx_parser *p)
{
    struct ptx_insn *i = new_insn(p);
    struct ptx_statement s = {0};
    struct ptx_span guard;
    bool ok = true;

    if (!i)
        return ptx_wrong(p, "no memory");
    i->line = p->line;
    i->text.text = p->at;
    if (next_is(p, '@')) {
        i->guarded = true;
        i->negated = next_is(p, '!');
        guard = next_word(p);
        ok = ptx_source(p, guard, 0, &i->guard);
    }
    s.opcode = next_word(p);
    s.n = ptx_split(until(p, ';'), s.operands, PTX_MOST_SPANS);
    i->text.size = (size_t)(p->at - i->text.text);
    if (ok && s.n > PTX_MOST_SPANS)
        ok = ptx_wrong(p, "too many operands");
    if (ok && ptx_span_is(s.opcode, "brx.idx")) {
        struct ptx_insn model = *i;

        --p->function->n_insns;
        return branches(p, &model, &s);
    }
    if (!ok || !ptx_decode(p, &s, i))
        set_unknown(p, i);
    return true;
}

static bool label(struct ptx_parser *p, struct ptx_span name)
{
    struct ptx_function *f = p->function;

    ++p->at;
    if (!GROW(f->labels, f->n_labels))
        return ptx_wrong(p, "no memory");
    f->labels[f->n_labels++] =
        (struct ptx_label){.name = name, .insn = f->n_insns};
    return true;
}

/* Names of a scope that ends are hidden from what follows. */
static void leave_scope(struct ptx_parser *p)
{
    struct ptx_function *f = p->function;

    while (f->n_registers && f->registers[f->n_registers - 1].scope == p->scope)
        --f->n_registers;
    while (f->n_variables > f->n_params + f->n_results &&
           f->variables[f->n_variables - 1].scope == p->scope)
        --f->n_variables;
    --p->scope;
}

static bool statement(struct ptx_parser *p)
{
    const char *from = p->at;
    unsigned line = p->line;
    struct ptx_span word = next_word(p);

    if (word.size && word.text[word.size - 1] == ':') {
        --word.size;
        --p->at;
        return label(p, word);
    }
    if (!word.size || *word.text != '.') {
        p->at = from;
        p->line = line;
        return instruction(p);
    }
    if (ptx_span_is(word, ".loc") || ptx_span_is(word, ".file")) {
        p->at += strcspn(p->at, "\n");
        return true;
    }
    if (ptx_span_is(word, ".pragma")) {
        until(p, ';');
        return true;
    }
    if (ptx_span_is(word, ".branchtargets"))
        return branch_targets(p);
    if (ptx_span_is(word, ".reg"))
        return registers(p);
    if (ptx_span_is(word, ".shared"))
        return function_variable(p, PTX_SHARED);
    if (ptx_span_is(word, ".local"))
        return function_variable(p, PTX_LOCAL);
    if (ptx_span_is(word, ".param"))
        return function_variable(p, PTX_PARAM);
    return ptx_wrong(p, "unknown directive %.*s", (int)word.size, word.text);
}

/* After "{". */
static bool body(struct ptx_parser *p)
{
    p->scope = 1;
    for (;;) {
        skip_blanks(p);
        if (!*p->at)
            return ptx_wrong(p, "'}' is missing");
        if (next_is(p, '{')) {
            ++p->scope;
        } else if (next_is(p, '}')) {
            leave_scope(p);
            if (!p->scope)
                return true;
        } else if (!statement(p)) {
            return false;
        }
    }
}

/* ".param .u64 a, .param .b32 b", in parentheses: those of a kernel lie one
 * behind the other, those of a function in its frame. */
static bool parameters(struct ptx_parser *p, size_t *n)
{
    struct ptx_function *f = p->function;

    while (!next_is(p, ')')) {
        struct ptx_variable v = {.space = PTX_PARAM};

        if (!ptx_span_is(next_word(p), ".param") || !declaration(p, &v))
            return ptx_wrong(p, "wrong parameter");
        f->param_bytes = (f->param_bytes + v.align - 1) / v.align * v.align;
        v.address = f->param_bytes;
        f->param_bytes += v.size;
        v.at = ptx_allocate(f, v.size * PTX_LANES);
        if (!GROW(f->variables, f->n_variables))
            return ptx_wrong(p, "no memory");
        f->variables[f->n_variables++] = v;
        ++*n;
        next_is(p, ',');
    }
    return true;
}

/* What may stand between parameters and body. */
static bool attributes(struct ptx_parser *p)
{
    for (;;) {
        const char *from;
        struct ptx_span word;
        uint64_t n;
        int k;

        skip_blanks(p);
        from = p->at;
        word = next_word(p);
        if (ptx_span_is(word, ".reqntid") || ptx_span_is(word, ".maxntid")) {
            bool required = word.text[1] == 'r';

            for (k = 0; k < 3; ++k) {
                if (!number_of(next_word(p), &n))
                    return ptx_wrong(p, "wrong number of threads");
                if (required)
                    p->function->threads[k] = (uint32_t)n;
                if (!next_is(p, ','))
                    break;
            }
        } else if (ptx_span_is(word, ".minnctapersm") ||
                   ptx_span_is(word, ".maxnreg")) {
            next_word(p);
        } else if (!ptx_span_is(word, ".noreturn")) {
            p->at = from;
            return true;
        }
    }
}

static bool resolve(struct ptx_parser *p);

/* After ".entry" or ".func"; a declaration without body is passed. */
static bool function(struct ptx_parser *p, bool is_entry)
{
    struct ptx_module *module = p->module;
    struct ptx_function *f, *before = p->function;
    bool ok = true;

    if (!GROW(module->functions, module->n_functions))
        return ptx_wrong(p, "no memory");
    f = &module->functions[module->n_functions];
    *f = (struct ptx_function){.is_entry = is_entry, .module = module};
    ++module->n_functions;
    p->function = f;
    if (next_is(p, '('))
        ok = parameters(p, &f->n_results);
    f->name = next_word(p);
    if (ok && next_is(p, '('))
        ok = parameters(p, &f->n_params);
    ok = ok && attributes(p);
    if (ok && next_is(p, ';')) {
        f->name.size = 0; /* never found */
    } else if (ok) {
        ok = next_is(p, '{') ? body(p) : ptx_wrong(p, "'{' is missing");
        ok = ok && resolve(p) && (ptx_joins(f) || ptx_wrong(p, "no memory"));
    }
    p->function = before;
    return ok;
}

/* ---- Branches and calls ------------------------------------------------- */

static int by_name(const void *a, const void *b)
{
    const struct ptx_label *x = a, *y = b;
    size_t size = x->name.size < y->name.size ? x->name.size : y->name.size;
    int order = memcmp(x->name.text, y->name.text, size);

    if (order)
        return order;
    return (x->name.size > y->name.size) - (x->name.size < y->name.size);
}

/* Targets of the branches of the function that was read. */
static bool resolve(struct ptx_parser *p)
{
    struct ptx_function *f = p->function;
    uint32_t k;

    if (f->n_labels)
        qsort(f->labels, f->n_labels, sizeof *f->labels, by_name);
    for (k = 0; k < f->n_insns; ++k) {
        struct ptx_insn *i = &f->insns[k];
        struct ptx_label key = {.name = i->label}, *found;

        if (i->kind != PTX_BRANCH)
            continue;
        found = f->n_labels ? bsearch(&key, f->labels, f->n_labels,
                                      sizeof *f->labels, by_name)
                            : NULL;
        if (!found)
            return ptx_wrong(p, "no label %.*s", (int)i->label.size,
                             i->label.text);
        i->target = found->insn;
    }
    return true;
}

struct ptx_function *ptx_find(struct ptx_module *module, const char *name)
{
    size_t k;

    for (k = 0; k < module->n_functions; ++k)
        if (ptx_span_is(module->functions[k].name, name))
            return &module->functions[k];
    return NULL;
}

/* Callees are known when the whole module is. */
static void find_callees(struct ptx_module *module)
{
    size_t k, n;
    uint32_t j;

    for (k = 0; k < module->n_functions; ++k)
        for (j = 0; j < module->functions[k].n_insns; ++j) {
            struct ptx_insn *i = &module->functions[k].insns[j];

            if (i->kind != PTX_CALL)
                continue;
            for (n = 0; n < module->n_functions; ++n) {
                struct ptx_function *f = &module->functions[n];

                if (f->name.size == i->label.size && !f->is_entry &&
                    !memcmp(f->name.text, i->label.text, f->name.size) &&
                    f->n_params == (i->extra & 255) &&
                    f->n_results == i->extra >> 8)
                    i->call->callee = f;
            }
        }
}

/* ---- Modules ------------------------------------------------------------ */

static bool target(struct ptx_parser *p)
{
    struct ptx_span word = next_word(p);
    const char *c = word.text + 3;

    if (word.size < 5 || strncmp(word.text, "sm_", 3))
        return ptx_wrong(p, "unknown target");
    for (; c < word.text + word.size && isdigit((unsigned char)*c); ++c)
        p->module->arch = p->module->arch * 10 + (unsigned)(*c - '0');
    p->at += strcspn(p->at, "\n");
    return true;
}

static bool directive(struct ptx_parser *p)
{
    struct ptx_span word = next_word(p);
    bool is_extern = false;

    while (ptx_span_is(word, ".visible") || ptx_span_is(word, ".weak") ||
           ptx_span_is(word, ".extern")) {
        is_extern |= ptx_span_is(word, ".extern");
        word = next_word(p);
    }
    if (ptx_span_is(word, ".version") || ptx_span_is(word, ".address_size") ||
        ptx_span_is(word, ".file") || ptx_span_is(word, ".loc")) {
        p->at += strcspn(p->at, "\n");
        return true;
    }
    if (ptx_span_is(word, ".target"))
        return target(p);
    if (ptx_span_is(word, ".section")) {
        until(p, '{');
        until(p, '}');
        return true;
    }
    if (ptx_span_is(word, ".entry") || ptx_span_is(word, ".func"))
        return function(p, ptx_span_is(word, ".entry"));
    if (ptx_span_is(word, ".shared") && is_extern)
        return dynamic_variable(p);
    if (ptx_span_is(word, ".global") && !is_extern)
        return module_variable(p, PTX_GLOBAL);
    if (ptx_span_is(word, ".const") && !is_extern)
        return module_variable(p, PTX_CONST);
    return ptx_wrong(p, "unknown directive %.*s",
                     word.size < 60 ? (int)word.size : 60, word.text);
}

struct ptx_module *ptx_parse(struct ptx_machine *m, const char *text,
                             char *error, size_t size)
{
    struct ptx_module *module = calloc(1, sizeof *module);
    struct ptx_parser p = {.machine = m, .module = module, .line = 1};
    bool ok = module && (module->text = copy_of(text));

    if (ok) {
        module->granule = 4;
        remove_comments(module->text);
        p.at = module->text;
        for (skip_blanks(&p); ok && *p.at; skip_blanks(&p))
            ok = directive(&p);
        if (ok && !module->arch)
            ok = ptx_wrong(&p, "there is no .target");
    }
    if (!ok) {
        snprintf(error, size, "PTX, line %u: %s", p.line,
                 *p.why ? p.why : "no memory");
        ptx_module_free(m, module);
        return NULL;
    }
    find_callees(module);
    return module;
}

static void function_free(struct ptx_function *f)
{
    uint32_t k;

    for (k = 0; k < f->n_insns; ++k) {
        free((void *)(uintptr_t)f->insns[k].why);
        if (f->insns[k].call) {
            free(f->insns[k].call->arguments);
            free(f->insns[k].call);
        }
    }
    free(f->insns);
    free(f->registers);
    free(f->variables);
    free(f->constants);
    free(f->specials);
    free(f->labels);
    free(f->targets);
}

void ptx_module_free(struct ptx_machine *m, struct ptx_module *module)
{
    size_t k;

    if (!module)
        return;
    for (k = 0; k < module->n_functions; ++k)
        function_free(&module->functions[k]);
    for (k = 0; k < module->n_owned; ++k)
        ptx_array_free(m, module->owned[k]);
    free(module->functions);
    free(module->variables);
    free(module->owned);
    free(module->text);
    free(module);
}
