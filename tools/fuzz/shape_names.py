"""The shapes, in the order of their files, and what else programs of shapes may
have."""

from fuzz import (shape_borders, shape_conditions, shape_indices, shape_memory,
                  shape_orders, shape_results)

FILES = (shape_borders, shape_conditions, shape_indices, shape_memory,
         shape_orders, shape_results)
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
    "shape nested conditions",
    "shape pointer used behind",
    "shape result of each step",
    "shape results under a condition",
    "shape rows in any order",
    "shape rows normalised",
    "shape several stores under a condition",
    "shape sparse product in memory",
    "shape store into the structure",
    "shape sum in an element",
    "shape three arrays exchanged",
    "shape two conditions",
    "shape two gathers",
    "shapes aliased",
    "shapes in one time loop",
    "shapes that share an array",
}
