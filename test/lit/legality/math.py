"""Every function of the C math library that a loop may call, as a call of the
library and, where there is one, as an intrinsic.

  math.py PLUGIN libdevice   all are offloaded when CUDA is installed
  math.py PLUGIN none        without CUDA those that need libdevice are refused
  math.py PLUGIN emulated    and for the emulated device they are not
  math.py PLUGIN PTXAS       ptxas takes them
"""

import os
import sys

sys.path.insert(0, os.path.join(os.path.dirname(__file__), "..", "Inputs"))
import gpu_ir
from gpu_ir import statement

LIBRARY = {  # needs libdevice: number of operands
    "acos": 1, "acosh": 1, "asin": 1, "asinh": 1, "atan": 1, "atan2": 2,
    "atanh": 1, "cbrt": 1, "cos": 1, "cosh": 1, "erf": 1, "erfc": 1, "exp": 1,
    "exp2": 1, "expm1": 1, "fdim": 2, "fmod": 2, "hypot": 2, "log": 1,
    "log10": 1, "log1p": 1, "log2": 1, "pow": 2, "sin": 1, "sinh": 1,
    "tan": 1, "tanh": 1, "tgamma": 1, "lgamma": 1}
EXACT = {"sqrt": 1, "fabs": 1, "floor": 1, "ceil": 1, "trunc": 1,
         "copysign": 2, "fmin": 2, "fmax": 2, "rint": 1, "nearbyint": 1,
         "fma": 3}
INTRINSICS = {"exp": 1, "exp2": 1, "log": 1, "log2": 1, "log10": 1, "sin": 1,
              "cos": 1, "tan": 1, "pow": 2}
NO_LIBDEVICE = "NoLibdevice: .*{}.*needs NVIDIA's libdevice, which was not found"


def call(name, symbol, ty, count, refusal=""):
    arguments = ", ".join(f"{ty} %{v}" for v in "xyz"[:count])
    return statement(
        name, [ty] * count, f"  %v = call {ty} @{symbol}({arguments})", ty,
        declares=[f"declare {ty} @{symbol}({', '.join([ty] * count)})"],
        refusal=refusal)


def good():
    for ty, suffix, overload in (("float", "f", "f32"),
                                 ("double", "", "f64")):
        for name, count in LIBRARY.items():
            yield call(f"call_{name}{suffix}", name + suffix, ty, count,
                       NO_LIBDEVICE.format(f"'{name}{suffix}'"))
        for name, count in EXACT.items():
            yield call(f"call_{name}{suffix}", name + suffix, ty, count)
        for name, count in INTRINSICS.items():
            yield call(f"intrinsic_{name}_{ty}", f"llvm.{name}.{overload}",
                       ty, count,
                       NO_LIBDEVICE.format(rf"'llvm\.{name}\.{overload}'"))
        yield statement(f"frem_{ty}", [ty, ty], f"  %v = frem {ty} %x, %y", ty,
                        refusal=NO_LIBDEVICE.format("remainder"))


def bad():
    """Refused everywhere."""
    yield statement("frem_half", ["half", "half"], "  %v = frem half %x, %y",
                    "half", refusal="Type: .*remainder|NoLibdevice")
    yield statement("frem_vector", ["<4 x float>"] * 2,
                    "  %v = frem <4 x float> %x, %y", "<4 x float>",
                    refusal="Type: .*remainder|NoLibdevice")
    yield call("exp_vector", "llvm.exp.v4f32", "<4 x float>", 1,
               r"Call: .*'exp'")
    yield call("exp_half", "llvm.exp.f16", "half", 1,
               r"Call: .*'exp'")
    yield call("sincos_like", "llvm.sinh.f32", "float", 1, r"Call: .*sinh")
    # The name alone does not make it the math function.
    yield call("other_type", "logb", "float", 1, "'logb'")
    yield call("exp_of_float", "log1p", "float", 1, "'log1p'")._replace(
        declares=("declare float @log1p(float)",))
    yield call("unknown", "frobnicate", "double", 1, "'frobnicate'")
    # Its own code, not the library's; too hidden to be inlined.
    yield call("own_erf", "erff", "float", 1, "'erff'")._replace(declares=(
        "define float @erff(float %x) noinline { ret float %x }",))


def main():
    plugin, what = sys.argv[1:]
    table = list(good())
    cuda = ["-gpu-cuda-path="] if what in ("none", "emulated") else []
    if what == "none":
        wrong = gpu_ir.check_remarks(
            plugin, table, ["-gpu-targets=ptx,emulated", *cuda])
    elif what in ("libdevice", "emulated"):
        targets = "emulated" if what == "emulated" else "ptx,emulated"
        wrong = gpu_ir.check_remarks(plugin, table,
                                     [f"-gpu-targets={targets}", *cuda],
                                     lambda case: "")
        # log1p and erff clash with the good ones in one module.
        table += (rest := list(bad()))
        wrong += gpu_ir.check_remarks(plugin, rest,
                                      [f"-gpu-targets={targets}", *cuda])
    else:
        modules = gpu_ir.ptx_modules(plugin, gpu_ir.module(table)) or []
        wrong = abs(len(table) - len(modules))
        wrong += gpu_ir.check_ptxas(what, modules)
    gpu_ir.finish(len(table), wrong)


if __name__ == "__main__":
    main()
