"""The shapes, in the order of their files, and what else programs of shapes may
have."""

# Those that came late are last, whatever they take from the others.
from fuzz import (shape_borders, shape_conditions, shape_indices, shape_memory,
                  shape_orders, shape_parallel, shape_results)
from fuzz import shape_late  # isort: skip

FILES = (shape_borders, shape_conditions, shape_indices, shape_memory,
         shape_orders, shape_parallel, shape_results, shape_late)
PARTS = {
    "refused: array of pointers",
    "refused: stores as often as data say",
    "refused: write through an index",
    "shape borders by || around a store",
    "shape bound that a store changes",
    "shape choice in a value",
    "shape condition in a sparse row",
    "shape condition in an exchange",
    "shape gather in an exchange",
    "shape counter used behind",
    "shape else on data",
    "shape equal pointers",
    "shape exchanged pointer used behind",
    "shape fall through",
    "shape gather under condition",
    "shape in time loop",
    "shape indices computed before",
    "shape nest with variable steps",
    "shape memory moved within a row",
    "shape nested conditions",
    "shape part at a parameter",
    "shape pointer used behind",
    "shape result of each step",
    "shape several results of a list",
    "shape results under a condition",
    "shape rows by their statistics",
    "shape rows in any order",
    "shape scalar that a condition carries on",
    "shape rows normalised",
    "shape several stores under a condition",
    "shape sparse product in memory",
    "shape store into the structure",
    "shape sum in an element",
    "shape three arrays exchanged",
    "shape two conditions",
    "shape two gathers",
    "shape two updates through indices",
    "shape update through an index under a condition",
    "shapes aliased",
    "shapes in one time loop",
    "shapes that share an array",
}
