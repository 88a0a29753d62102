# compare.sh SEQUENTIAL TUNED: both on random numbers, at several sizes; what they
# print and write has to be the same.  t.err has the profile of the last run.
seed=${POLYGPU_SEED:-$(od -An -N4 -tu4 /dev/urandom | tr -d ' ')}
echo "POLYGPU_SEED=$seed"
for n in 0 1 7 33 70; do
    rm -f s.out t.out
    "$1" $n "$seed" s.out >s.txt || exit 1
    POLYGPU=mandatory POLYGPU_DEVICE=emulated POLYGPU_PROFILE=lines \
        "$2" $n "$seed" t.out >t.txt 2>t.err || exit 1
    cmp s.out t.out && cmp s.txt t.txt || exit 1
done
