// A parser: functions call each other in loops and again, all of them lead to
// the one with loops that are offloaded, and all read tokens by a function that
// is not small.  Their copies for the host, which ask before accesses, have
// little inlined into them, and no function that calls itself.
//
// RUN: %clang_gpu -O1 -mllvm -gpu-offload -S -emit-llvm %s -o %t.ll \
// RUN:   -Rpass=gpu-polyhedral -Rpass-missed=gpu-polyhedral 2>&1 \
// RUN:   | %FileCheck --check-prefix=REMARKS %s
// RUN: %python %S/Inputs/sizes_of_copies.py %t.ll | %FileCheck %s
//
// CHECK: 7 of 8 functions have copies
// CHECK-NEXT: copies have at most 2 times the instructions
enum { MOST = 64 };
struct parser {
    const char *at;
    char word[MOST];
    int kind, length, line, depth, values[MOST];
};

int read_char(void *source);
int sum(struct parser *p);

void set_all(int n, int *to, int value)
{
    // REMARKS: [[#@LINE+1]]:5: remark: loops offloaded as 1 kernel
    for (int i = 0; i < n; i++)
        to[i] = value * i;
}

static void put(struct parser *p, int c)
{
    p->word[p->length] = (char)c;
    if (c == '\n')
        p->line++;
    p->length = p->length < MOST ? p->length + 1 : MOST;
}

static void token(struct parser *p)
{
    p->length = 0;
    while (*p->at == ' ' || *p->at == '\n')
        put(p, *p->at++);
    if (*p->at >= '0' && *p->at <= '9') {
        p->kind = 1;
        while (*p->at >= '0' && *p->at <= '9')
            put(p, *p->at++);
        if (*p->at == '.') {
            put(p, *p->at++);
            while (*p->at >= '0' && *p->at <= '9')
                put(p, *p->at++);
        }
    } else if (*p->at == '"') {
        p->kind = 2;
        put(p, *p->at++);
        while (*p->at && *p->at != '"')
            put(p, *p->at++);
        put(p, *p->at++);
    } else {
        p->kind = *p->at;
        put(p, *p->at++);
    }
}

int atom(struct parser *p)
{
    int value = p->kind;

    if (p->kind == '(') {
        token(p);
        value = sum(p);
        if (p->kind == ')')
            token(p);
    } else if (p->kind == '=') {
        set_all(MOST, p->values, p->length);
        token(p);
    } else {
        token(p);
    }
    return value;
}

#define WORDS(p) token(p), token(p), token(p), token(p)
#define ALL_WORDS(p) WORDS(p), WORDS(p), WORDS(p), WORDS(p)

int power(struct parser *p)
{
    int value = atom(p);

    // REMARKS: [[#@LINE+1]]:5: remark: loop not offloaded: the call of 'token' in line [[#@LINE+2]] is not inlined, since the same loop calls 'atom', which calls itself; move
    while (p->kind == '^') {
        token(p);
        value ^= atom(p);
        p->values[p->depth] = value;
    }
    return value;
}

int product(struct parser *p)
{
    int value = power(p);

    while (p->kind == '*' || p->kind == '/') {
        int kind = p->kind;

        token(p);
        if (kind == '/')
            ALL_WORDS(p);
        value = kind == '*' ? value * power(p) : value - power(p);
        p->values[p->depth] = value;
    }
    return value;
}

int sum(struct parser *p)
{
    int value = product(p);

    while (p->kind == '+' || p->kind == '-') {
        int kind = p->kind;

        token(p);
        if (kind == '-')
            ALL_WORDS(p);
        value = kind == '+' ? value + product(p) : value - product(p);
        p->values[p->depth] = value;
    }
    return value;
}

int statements(struct parser *p, int n)
{
    int value = 0;

    for (int i = 0; i < n; i++) {
        token(p);
        value += sum(p);
        if (p->kind == ';')
            token(p);
    }
    return value;
}
