# sizes.sh SEQUENTIAL TUNED N M: both on random numbers, which have to give the
# same.  t.err has the profile, in lines, t.said what the runtime says.
seed=${POLYGPU_SEED:-$(od -An -N4 -tu4 /dev/urandom | tr -d ' ')}
echo "POLYGPU_SEED=$seed"
rm -f s.out t.out
"$1" "$3" "$4" "$seed" s.out || exit 1
POLYGPU=mandatory POLYGPU_DEVICE=emulated POLYGPU_PROFILE=lines \
    "$2" "$3" "$4" "$seed" t.out 2>t.err || exit 1
cmp s.out t.out
