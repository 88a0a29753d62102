"""Tests of scripts/layers: circles and arrows upwards are found.

SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""

import importlib.util
import unittest
from collections import defaultdict
from importlib.machinery import SourceFileLoader
from pathlib import Path

LOADER = SourceFileLoader("layers", str(Path(__file__).with_name("layers")))
layers = importlib.util.module_from_spec(
    importlib.util.spec_from_loader("layers", LOADER))
LOADER.exec_module(layers)


def graph(**arrows):
    return defaultdict(set, {name: set(others.split())
                             for name, others in arrows.items()})


class Layers(unittest.TestCase):
    def test_no_circle(self):
        self.assertEqual(layers.circles(graph(a="b c", b="c", c="")), [])

    def test_circles(self):
        found = layers.circles(graph(a="b", b="c", c="b d", d="e", e="d"))
        self.assertEqual(sorted(found), [["b", "c"], ["d", "e"]])

    def test_single_files_stand_apart(self):
        promote = layers.layer(layers.CORE, "promote/promote")
        self.assertLess(layers.layer(layers.CORE, "map/shape"), promote)
        self.assertLess(promote, layers.layer(layers.CORE, "map/kernel"))

    def test_files_beside_folders(self):
        target = layers.layer(layers.PLUGIN, "target/Target")
        self.assertLess(layers.layer(layers.PLUGIN, "Options"), target)
        self.assertLess(target, layers.layer(layers.PLUGIN, "OffloadScop"))

    def test_the_picture_leaves_detours_out(self):
        arrows = graph(**{"map/shape": "scop/scop support/text",
                          "scop/scop": "support/text scop/scop_read",
                          "support/text": "", "scop/scop_read": ""})
        self.assertEqual(layers.groups(layers.CORE, arrows),
                         {"map": {"scop"}, "scop": {"support"},
                          "support": set()})
        picture = layers.draw([(layers.CORE, arrows)])
        self.assertIn('"core map" -> "core scop";', picture)
        self.assertNotIn('"core map" -> "core support";', picture)

    def test_unknown_folder(self):
        with self.assertRaises(SystemExit):
            layers.layer(layers.CORE, "elsewhere/file")

    def test_the_core_includes_downwards(self):
        arrows = layers.includes(layers.CORE)
        self.assertIn("support/text", arrows["scop/scop"])
        self.assertGreater(len(arrows), 50)

    def test_the_plugin_includes_downwards(self):
        arrows = layers.includes(layers.PLUGIN)
        self.assertIn("adaptor/PollyAdaptor", arrows["scop/Detection"])
        self.assertGreater(len(arrows), 50)


if __name__ == "__main__":
    unittest.main()
