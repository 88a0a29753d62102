clang-22 -O3 -mfma -Xclang -disable-llvm-passes -S -emit-llvm -DV$1 v.c -o v.ll
opt-22 -load-pass-plugin=/work/main/build/lib/PolyGPU.so -passes="print<gpu-ptx>" -gpu-arch=${2:-sm_90} -disable-output v.ll 2> v$1.ptx
sh /tmp/regs.sh v$1.ptx 1 2 | grep -v " 0 bytes stack"
