# ccache.sh - which changes are found in ccache, and which have to miss it.
#
#   ccache.sh PREFIX CLANG SOURCE   in an empty folder
set -e
prefix=$1 clang=$2 source=$3
CCACHE_DIR=$PWD/cache
CCACHE_TEMPDIR=$PWD/tmp
export CCACHE_DIR CCACHE_TEMPDIR

# try NAME COMMAND... - compiles, and says whether ccache had the result.
try() {
    name=$1
    shift
    rm -f a.o
    ccache --zero-stats >/dev/null
    "$@" -O2 -c "$source" -o a.o
    ccache --print-stats | awk -v name="$name" '
        $1 ~ /^(direct|preprocessed)_cache_hit$/ { hits += $2 }
        $1 == "cache_miss" { misses = $2 }
        END { print name ": " (hits ? "hit" : misses ? "miss" : "not cached") }'
}

POLYGPU_CLANG=$clang POLYGPU_CCACHE=ccache
export POLYGPU_CLANG POLYGPU_CCACHE
cc=$prefix/bin/polygpu-clang
try first "$cc"
try again "$cc"
nm a.o | grep -q polygpu || echo "not offloaded"
try checked "$cc" -mllvm -gpu-targets=emulated-checked
echo >>"$prefix/share/polygpu/polygpu.cfg"
try "changed configuration" "$cc"
echo >>"$prefix/lib/polygpu/PolyGPU.so"
try "changed plugin" "$cc"
try again "$cc"

echo "block_shared = 49152" >machine
try machine "$cc" -mllvm -gpu-machine=machine
try again "$cc" -mllvm -gpu-machine=machine
echo "block_shared = 40000" >machine
try "changed machine" "$cc" -mllvm -gpu-machine=machine
echo "-mllvm -gpu-machine=machine" >arguments
try "file of arguments" "$cc" @arguments
echo "block_shared = 30000" >machine
try "changed machine" "$cc" @arguments
try "written file" "$cc" -mllvm -gpu-save-schedule=schedule
[ -s schedule ] && echo "schedule is there"

# The way without the command.
unset POLYGPU_CCACHE
cc="ccache $clang --config=$prefix/share/polygpu/polygpu-compile.cfg"
CCACHE_EXTRAFILES=$prefix/lib/polygpu/PolyGPU.so:$prefix/share/polygpu/polygpu-compile.cfg
export CCACHE_EXTRAFILES
try first $cc
try again $cc
echo >>"$prefix/lib/polygpu/PolyGPU.so"
try "changed plugin" $cc
