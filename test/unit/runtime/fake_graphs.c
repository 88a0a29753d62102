/* fake_graphs.c - graphs of the fake driver, which one before CUDA 12 has not.
 *
 * A graph that is launched does its nodes one after the other, in the order
 * furthest from that in which they were added: a node is behind those only that
 * it was said to be behind.
 *
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 */
#include "fake_cuda.h"
#include "flights.h"

#include <stdlib.h>
#include <string.h>

struct cu_graph_node_object {
    struct cu_graph_node_object *behind; /* NULL: nothing */
    struct flight flight;
    unsigned shared_bytes;
    int done;
    struct cu_graph_node_object *before; /* added before it */
};
struct cu_graph_object {
    struct cu_graph_node_object *last; /* that was added */
    size_t n;
};
struct cu_graph_exec_object {
    struct {
        struct flight flight;
        unsigned shared_bytes;
    } *nodes; /* in the order in which they are done */
    size_t n;
    unsigned long long context;
};

static int graph_launches, nodes_launched, most_nodes, nodes;

int fake_cuda_graph_launches(void);
int fake_cuda_graph_launches(void)
{
    return __atomic_load_n(&graph_launches, __ATOMIC_SEQ_CST);
}

/* Launches by graphs. */
int fake_cuda_nodes_launched(void);
int fake_cuda_nodes_launched(void)
{
    return __atomic_load_n(&nodes_launched, __ATOMIC_SEQ_CST);
}

/* Nodes of the graphs that can be launched, and the most there were. */
int fake_cuda_nodes(void);
int fake_cuda_nodes(void)
{
    return __atomic_load_n(&nodes, __ATOMIC_SEQ_CST);
}

__attribute__((constructor)) static void tell_nodes(void)
{
    fake_nodes = fake_cuda_nodes;
}

int fake_cuda_most_nodes(void);
int fake_cuda_most_nodes(void)
{
    return most_nodes;
}

#pragma GCC diagnostic ignored "-Wmissing-prototypes"

FAKE cuGraphCreate(cu_graph *graph, unsigned flags)
{
    cu_result result;

    CALL();
    result = flags ? 1 : fake_make((void **)graph, sizeof **graph);
    if (result == CU_OK)
        memset(*graph, 0, sizeof **graph);
    return result;
}

FAKE cuGraphAddKernelNode_v2(cu_graph_node *node, cu_graph graph,
                             const cu_graph_node *behind, size_t n_behind,
                             const struct cu_kernel_node *kernel)
{
    cu_graph_node made;
    cu_result result;

    CALL();
    if (n_behind > 1 || kernel->extra || kernel->kernel || kernel->context)
        return 1;
    made = calloc(1, sizeof *made);
    if (!made)
        return CU_OUT_OF_MEMORY;
    result = fake_prepare(kernel->function, kernel->grid, kernel->block,
                          kernel->shared_bytes, kernel->args, &made->flight);
    if (result != CU_OK) {
        free(made);
        return result;
    }
    made->behind = n_behind ? *behind : NULL;
    made->shared_bytes = kernel->shared_bytes;
    made->before = graph->last;
    graph->last = made;
    ++graph->n;
    *node = made;
    return CU_OK;
}

/* The node added last that is behind nothing, or what is done. */
static cu_graph_node next(cu_graph graph)
{
    cu_graph_node node = graph->last;

    while (node->done || (node->behind && !node->behind->done))
        node = node->before;
    node->done = 1;
    return node;
}

static void count_nodes(int more)
{
    int now = __atomic_add_fetch(&nodes, more, __ATOMIC_SEQ_CST);
    int most = __atomic_load_n(&most_nodes, __ATOMIC_SEQ_CST);

    while (now > most &&
           !__atomic_compare_exchange_n(&most_nodes, &most, now, false,
                                        __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST))
        ;
}

FAKE cuGraphInstantiateWithFlags(cu_graph_exec *exec, cu_graph graph,
                                 unsigned long long flags)
{
    cu_result result;
    size_t i;

    CALL();
    result = flags ? 1 : fake_make((void **)exec, sizeof **exec);
    if (result != CU_OK)
        return result;
    (*exec)->n = graph->n;
    (*exec)->context = fake_context();
    (*exec)->nodes = calloc(graph->n + 1, sizeof *(*exec)->nodes);
    if (!(*exec)->nodes)
        abort();
    for (i = 0; i < graph->n; ++i) {
        cu_graph_node node = next(graph);

        (*exec)->nodes[i].flight = node->flight;
        (*exec)->nodes[i].shared_bytes = node->shared_bytes;
    }
    count_nodes((int)graph->n);
    return CU_OK;
}

/* Done, even where an error is told. */
FAKE cuGraphDestroy(cu_graph graph)
{
    while (graph->last) {
        cu_graph_node node = graph->last;

        graph->last = node->before;
        free(node);
    }
    return fake_destroy(graph);
}

FAKE cuGraphLaunch(cu_graph_exec exec, cu_stream stream)
{
    cu_result result = CU_OK;
    size_t i;

    CALL();
    if (!stream || fake_usable() != CU_OK)
        return stream ? fake_usable() : 1;
    if (exec->context != fake_context())
        abort();
    __atomic_fetch_add(&graph_launches, 1, __ATOMIC_SEQ_CST);
    __atomic_fetch_add(&nodes_launched, (int)exec->n, __ATOMIC_SEQ_CST);
    for (i = 0; fake_told("slow-graphs") && i < exec->n; ++i)
        fake_wait();
    for (i = 0; result == CU_OK && i < exec->n; ++i)
        result = fake_fly(stream, &exec->nodes[i].flight,
                          exec->nodes[i].shared_bytes);
    return result;
}

FAKE cuGraphExecDestroy(cu_graph_exec exec)
{
    if (exec->context != fake_context())
        abort();
    __atomic_fetch_sub(&nodes, (int)exec->n, __ATOMIC_SEQ_CST);
    free(exec->nodes);
    return fake_destroy(exec);
}
