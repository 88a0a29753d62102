/* test_library.c - the emulated device's library: where it is looked for, and
 * what is said without one.
 *
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 */
#include "check.h"
#include "core/fallback.h"
#include "tests.h"

/* The CMake target gives FAKE_LIBRARY, another library, and OTHER_LIBRARY, the
 * right one in another version. */
void test_library(void)
{
    static const struct {
        const char *set, *text;
    } cases[] = {
        {"POLYGPU_EMULATED=/nowhere/libpolygpu_emulated.so",
         "POLYGPU_EMULATED is no library that can be loaded: /nowhere/lib"},
        {"POLYGPU_EMULATED=", "POLYGPU_EMULATED=<path of libpolygpu_emulated.so"
                              "> says where it is"},
        {"POLYGPU_EMULATED=" FAKE_LIBRARY,
         "not the library of the emulated device: " FAKE_LIBRARY},
        {"POLYGPU_EMULATED=" OTHER_LIBRARY,
         "libpolygpu_emulated.so has version"},
    };
    size_t i;

    for (i = 0; i < sizeof cases / sizeof *cases; ++i) {
        CHECK(check_run("child-pair", cases[i].set, NULL) == 0);
        CHECK(check_said("results 0 0") == 1);
        CHECK(check_said(cases[i].text) == 1);
        CHECK(check_said("running loops on the CPU") == 1);
        CHECK(check_said("polygpu:") == 1);
        CHECK(check_run("child-pair", cases[i].set, "POLYGPU=mandatory") ==
              POLYGPU_MANDATORY_STATUS);
        CHECK(check_said(cases[i].text) == 1 && check_said("polygpu:") == 1);
    }
}
