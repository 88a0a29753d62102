; Elements that each iteration of a loop loads and stores: they stay in a register,
; are loaded in front of the loop and stored behind it.  Of each pair X_yes and
; X_no, the second differs in the line that says so, and stays as it is.
;
; RUN: %opt -passes=gpu-carry-loads,verify -S %s | %FileCheck %s

declare float @peek(ptr addrspace(1)) memory(argmem: read) nounwind willreturn

; x[i] += a[j] * x[j] for j < i.
; CHECK-LABEL: define void @before_yes(
; CHECK: front:
; CHECK: %first = load float, ptr addrspace(1) %{{.*}}, align 4
; CHECK: loop:
; CHECK: %kept = phi float [ %first, %front ], [ %w, %loop ]
; CHECK-NOT: store
; CHECK: br i1 %more, label %loop, label %end{{.*}}!llvm.loop
; CHECK: end:
; CHECK-NEXT: %last = phi float [ %w, %loop ]
; CHECK-NEXT: store float %last
; CHECK: ret void
define void @before_yes(i32 %n, i32 %i, ptr addrspace(1) noalias readonly %a, ptr addrspace(1) noalias %x) #0 {
entry:
  %some = icmp slt i32 0, %i
  br i1 %some, label %front, label %out
front:
  br label %loop
loop:
  %j = phi i32 [ 0, %front ], [ %next, %loop ]
  %wi = sext i32 %i to i64
  %wj = sext i32 %j to i64
  %pi = getelementptr float, ptr addrspace(1) %x, i64 %wi
  %v = load float, ptr addrspace(1) %pi, align 4
  %pa = getelementptr float, ptr addrspace(1) %a, i64 %wj
  %av = load float, ptr addrspace(1) %pa, align 4
  %pj = getelementptr float, ptr addrspace(1) %x, i64 %wj
  %o = load float, ptr addrspace(1) %pj, align 4
  %w = call float @llvm.fma.f32(float %av, float %o, float %v)
  store float %w, ptr addrspace(1) %pi, align 4
  %next = add nsw i32 %j, 1
  %more = icmp slt i32 %next, %i
  br i1 %more, label %loop, label %end
end:
  br label %out
out:
  ret void
}

; For j <= i; says so: sle.
; CHECK-LABEL: define void @before_no(
; CHECK: loop:
; CHECK: store float %w
; CHECK: br i1 %more
; CHECK-NOT: store
; CHECK: ret void
define void @before_no(i32 %n, i32 %i, ptr addrspace(1) noalias readonly %a, ptr addrspace(1) noalias %x) #0 {
entry:
  %some = icmp slt i32 0, %i
  br i1 %some, label %front, label %out
front:
  br label %loop
loop:
  %j = phi i32 [ 0, %front ], [ %next, %loop ]
  %wi = sext i32 %i to i64
  %wj = sext i32 %j to i64
  %pi = getelementptr float, ptr addrspace(1) %x, i64 %wi
  %v = load float, ptr addrspace(1) %pi, align 4
  %pa = getelementptr float, ptr addrspace(1) %a, i64 %wj
  %av = load float, ptr addrspace(1) %pa, align 4
  %pj = getelementptr float, ptr addrspace(1) %x, i64 %wj
  %o = load float, ptr addrspace(1) %pj, align 4
  %w = call float @llvm.fma.f32(float %av, float %o, float %v)
  store float %w, ptr addrspace(1) %pi, align 4
  %next = add nsw i32 %j, 1
  %more = icmp sle i32 %next, %i
  br i1 %more, label %loop, label %end
end:
  br label %out
out:
  ret void
}

; x[j - 3] is further away,
; CHECK-LABEL: define void @one_less_yes(
; CHECK: front:
; CHECK: %first = load float, ptr addrspace(1) %{{.*}}, align 4
; CHECK: loop:
; CHECK: %kept = phi float [ %first, %front ], [ %w, %loop ]
; CHECK-NOT: store
; CHECK: br i1 %more, label %loop, label %end{{.*}}!llvm.loop
; CHECK: end:
; CHECK-NEXT: %last = phi float [ %w, %loop ]
; CHECK-NEXT: store float %last
; CHECK: ret void
define void @one_less_yes(i32 %n, i32 %i, ptr addrspace(1) noalias readonly %a, ptr addrspace(1) noalias %x) #0 {
entry:
  %some = icmp slt i32 0, %i
  br i1 %some, label %front, label %out
front:
  br label %loop
loop:
  %j = phi i32 [ 0, %front ], [ %next, %loop ]
  %wi = sext i32 %i to i64
  %wj = sext i32 %j to i64
  %pi = getelementptr float, ptr addrspace(1) %x, i64 %wi
  %v = load float, ptr addrspace(1) %pi, align 4
  %pa = getelementptr float, ptr addrspace(1) %a, i64 %wj
  %av = load float, ptr addrspace(1) %pa, align 4
  %k = add nsw i32 %j, -3
  %wk = sext i32 %k to i64
  %pj = getelementptr float, ptr addrspace(1) %x, i64 %wk
  %o = load float, ptr addrspace(1) %pj, align 4
  %w = call float @llvm.fma.f32(float %av, float %o, float %v)
  store float %w, ptr addrspace(1) %pi, align 4
  %next = add nsw i32 %j, 1
  %more = icmp slt i32 %next, %i
  br i1 %more, label %loop, label %end
end:
  br label %out
out:
  ret void
}

; and x[j + 1] may be x[i].
; CHECK-LABEL: define void @one_less_no(
; CHECK: loop:
; CHECK: store float %w
; CHECK: br i1 %more
; CHECK-NOT: store
; CHECK: ret void
define void @one_less_no(i32 %n, i32 %i, ptr addrspace(1) noalias readonly %a, ptr addrspace(1) noalias %x) #0 {
entry:
  %some = icmp slt i32 0, %i
  br i1 %some, label %front, label %out
front:
  br label %loop
loop:
  %j = phi i32 [ 0, %front ], [ %next, %loop ]
  %wi = sext i32 %i to i64
  %wj = sext i32 %j to i64
  %pi = getelementptr float, ptr addrspace(1) %x, i64 %wi
  %v = load float, ptr addrspace(1) %pi, align 4
  %pa = getelementptr float, ptr addrspace(1) %a, i64 %wj
  %av = load float, ptr addrspace(1) %pa, align 4
  %k = add nsw i32 %j, 1
  %wk = sext i32 %k to i64
  %pj = getelementptr float, ptr addrspace(1) %x, i64 %wk
  %o = load float, ptr addrspace(1) %pj, align 4
  %w = call float @llvm.fma.f32(float %av, float %o, float %v)
  store float %w, ptr addrspace(1) %pi, align 4
  %next = add nsw i32 %j, 1
  %more = icmp slt i32 %next, %i
  br i1 %more, label %loop, label %end
end:
  br label %out
out:
  ret void
}

; x[j + 2] as well, although their distance may have either sign.
; CHECK-LABEL: define void @far_no(
; CHECK: loop:
; CHECK: store float %w
; CHECK: br i1 %more
; CHECK-NOT: store
; CHECK: ret void
define void @far_no(i32 %n, i32 %i, ptr addrspace(1) noalias readonly %a, ptr addrspace(1) noalias %x) #0 {
entry:
  %some = icmp slt i32 0, %i
  br i1 %some, label %front, label %out
front:
  br label %loop
loop:
  %j = phi i32 [ 0, %front ], [ %next, %loop ]
  %wi = sext i32 %i to i64
  %wj = sext i32 %j to i64
  %pi = getelementptr float, ptr addrspace(1) %x, i64 %wi
  %v = load float, ptr addrspace(1) %pi, align 4
  %pa = getelementptr float, ptr addrspace(1) %a, i64 %wj
  %av = load float, ptr addrspace(1) %pa, align 4
  %k = add nsw i32 %j, 2
  %wk = sext i32 %k to i64
  %pj = getelementptr float, ptr addrspace(1) %x, i64 %wk
  %o = load float, ptr addrspace(1) %pj, align 4
  %w = call float @llvm.fma.f32(float %av, float %o, float %v)
  store float %w, ptr addrspace(1) %pi, align 4
  %next = add nsw i32 %j, 1
  %more = icmp slt i32 %next, %i
  br i1 %more, label %loop, label %end
end:
  br label %out
out:
  ret void
}

; x[i] += a[j] * x[i + j + 1].
; CHECK-LABEL: define void @behind_yes(
; CHECK: front:
; CHECK: %first = load float, ptr addrspace(1) %{{.*}}, align 4
; CHECK: loop:
; CHECK: %kept = phi float [ %first, %front ], [ %w, %loop ]
; CHECK-NOT: store
; CHECK: br i1 %more, label %loop, label %end{{.*}}!llvm.loop
; CHECK: end:
; CHECK-NEXT: %last = phi float [ %w, %loop ]
; CHECK-NEXT: store float %last
; CHECK: ret void
define void @behind_yes(i32 %n, i32 %i, ptr addrspace(1) noalias readonly %a, ptr addrspace(1) noalias %x) #0 {
entry:
  %some = icmp slt i32 0, %i
  br i1 %some, label %front, label %out
front:
  br label %loop
loop:
  %j = phi i32 [ 0, %front ], [ %next, %loop ]
  %wi = sext i32 %i to i64
  %wj = sext i32 %j to i64
  %pi = getelementptr float, ptr addrspace(1) %x, i64 %wi
  %v = load float, ptr addrspace(1) %pi, align 4
  %pa = getelementptr float, ptr addrspace(1) %a, i64 %wj
  %av = load float, ptr addrspace(1) %pa, align 4
  %k0 = add nsw i32 %i, %j
  %k = add nsw i32 %k0, 1
  %wk = sext i32 %k to i64
  %pj = getelementptr float, ptr addrspace(1) %x, i64 %wk
  %o = load float, ptr addrspace(1) %pj, align 4
  %w = call float @llvm.fma.f32(float %av, float %o, float %v)
  store float %w, ptr addrspace(1) %pi, align 4
  %next = add nsw i32 %j, 1
  %more = icmp slt i32 %next, %i
  br i1 %more, label %loop, label %end
end:
  br label %out
out:
  ret void
}

; x[i + j] may be x[i].
; CHECK-LABEL: define void @behind_no(
; CHECK: loop:
; CHECK: store float %w
; CHECK: br i1 %more
; CHECK-NOT: store
; CHECK: ret void
define void @behind_no(i32 %n, i32 %i, ptr addrspace(1) noalias readonly %a, ptr addrspace(1) noalias %x) #0 {
entry:
  %some = icmp slt i32 0, %i
  br i1 %some, label %front, label %out
front:
  br label %loop
loop:
  %j = phi i32 [ 0, %front ], [ %next, %loop ]
  %wi = sext i32 %i to i64
  %wj = sext i32 %j to i64
  %pi = getelementptr float, ptr addrspace(1) %x, i64 %wi
  %v = load float, ptr addrspace(1) %pi, align 4
  %pa = getelementptr float, ptr addrspace(1) %a, i64 %wj
  %av = load float, ptr addrspace(1) %pa, align 4
  %k0 = add nsw i32 %i, %j
  %k = add nsw i32 %k0, 0
  %wk = sext i32 %k to i64
  %pj = getelementptr float, ptr addrspace(1) %x, i64 %wk
  %o = load float, ptr addrspace(1) %pj, align 4
  %w = call float @llvm.fma.f32(float %av, float %o, float %v)
  store float %w, ptr addrspace(1) %pi, align 4
  %next = add nsw i32 %j, 1
  %more = icmp slt i32 %next, %i
  br i1 %more, label %loop, label %end
end:
  br label %out
out:
  ret void
}

; The element is not stored in each iteration.
; CHECK-LABEL: define void @always_no(
; CHECK: do:
; CHECK-NEXT: store float %w
; CHECK-NOT: store
; CHECK: ret void
define void @always_no(i32 %n, i32 %i, ptr addrspace(1) noalias readonly %a, ptr addrspace(1) noalias %x) #0 {
entry:
  %some = icmp slt i32 0, %i
  br i1 %some, label %front, label %out
front:
  br label %loop
loop:
  %j = phi i32 [ 0, %front ], [ %next, %rest ]
  %wi = sext i32 %i to i64
  %wj = sext i32 %j to i64
  %pi = getelementptr float, ptr addrspace(1) %x, i64 %wi
  %v = load float, ptr addrspace(1) %pi, align 4
  %pa = getelementptr float, ptr addrspace(1) %a, i64 %wj
  %av = load float, ptr addrspace(1) %pa, align 4
  %pj = getelementptr float, ptr addrspace(1) %x, i64 %wj
  %o = load float, ptr addrspace(1) %pj, align 4
  %w = call float @llvm.fma.f32(float %av, float %o, float %v)
  %c = fcmp ogt float %av, 0.0
  br i1 %c, label %do, label %rest
do:
  store float %w, ptr addrspace(1) %pi, align 4
  br label %rest
rest:
  %next = add nsw i32 %j, 1
  %more = icmp slt i32 %next, %i
  br i1 %more, label %loop, label %end
end:
  br label %out
out:
  ret void
}

; A function reads something.
; CHECK-LABEL: define void @reads_no(
; CHECK: loop:
; CHECK: store float %w
; CHECK: br i1 %more
; CHECK-NOT: store
; CHECK: ret void
define void @reads_no(i32 %n, i32 %i, ptr addrspace(1) noalias readonly %a, ptr addrspace(1) noalias %x) #0 {
entry:
  %some = icmp slt i32 0, %i
  br i1 %some, label %front, label %out
front:
  br label %loop
loop:
  %j = phi i32 [ 0, %front ], [ %next, %loop ]
  %wi = sext i32 %i to i64
  %wj = sext i32 %j to i64
  %pi = getelementptr float, ptr addrspace(1) %x, i64 %wi
  %v = load float, ptr addrspace(1) %pi, align 4
  %pa = getelementptr float, ptr addrspace(1) %a, i64 %wj
  %av = load float, ptr addrspace(1) %pa, align 4
  %pj = getelementptr float, ptr addrspace(1) %x, i64 %wj
  %o = load float, ptr addrspace(1) %pj, align 4
  %w = call float @llvm.fma.f32(float %av, float %o, float %v)
  %seen = call float @peek(ptr addrspace(1) %pj)
  store float %w, ptr addrspace(1) %pi, align 4
  %next = add nsw i32 %j, 1
  %more = icmp slt i32 %next, %i
  br i1 %more, label %loop, label %end
end:
  br label %out
out:
  ret void
}

; A load is volatile.
; CHECK-LABEL: define void @volatile_no(
; CHECK: loop:
; CHECK: store float %w
; CHECK: br i1 %more
; CHECK-NOT: store
; CHECK: ret void
define void @volatile_no(i32 %n, i32 %i, ptr addrspace(1) noalias readonly %a, ptr addrspace(1) noalias %x) #0 {
entry:
  %some = icmp slt i32 0, %i
  br i1 %some, label %front, label %out
front:
  br label %loop
loop:
  %j = phi i32 [ 0, %front ], [ %next, %loop ]
  %wi = sext i32 %i to i64
  %wj = sext i32 %j to i64
  %pi = getelementptr float, ptr addrspace(1) %x, i64 %wi
  %v = load float, ptr addrspace(1) %pi, align 4
  %pa = getelementptr float, ptr addrspace(1) %a, i64 %wj
  %av = load float, ptr addrspace(1) %pa, align 4
  %pj = getelementptr float, ptr addrspace(1) %x, i64 %wj
  %o = load volatile float, ptr addrspace(1) %pj, align 4
  %w = call float @llvm.fma.f32(float %av, float %o, float %v)
  store float %w, ptr addrspace(1) %pi, align 4
  %next = add nsw i32 %j, 1
  %more = icmp slt i32 %next, %i
  br i1 %more, label %loop, label %end
end:
  br label %out
out:
  ret void
}

; What is only stored is not loaded in front.
; CHECK-LABEL: define void @written_yes(
; CHECK: front:
; CHECK-NOT: load
; CHECK: loop:
; CHECK-NOT: store
; CHECK: br i1 %more
; CHECK: end:
; CHECK-NEXT: %last = phi float [ %w, %loop ]
; CHECK-NEXT: store float %last
; CHECK: ret void
define void @written_yes(i32 %n, i32 %i, ptr addrspace(1) noalias readonly %a, ptr addrspace(1) noalias %x) #0 {
entry:
  %some = icmp slt i32 0, %i
  br i1 %some, label %front, label %out
front:
  br label %loop
loop:
  %j = phi i32 [ 0, %front ], [ %next, %loop ]
  %wi = sext i32 %i to i64
  %wj = sext i32 %j to i64
  %pi = getelementptr float, ptr addrspace(1) %x, i64 %wi
  %pa = getelementptr float, ptr addrspace(1) %a, i64 %wj
  %av = load float, ptr addrspace(1) %pa, align 4
  %pj = getelementptr float, ptr addrspace(1) %x, i64 %wj
  %o = load float, ptr addrspace(1) %pj, align 4
  %w = call float @llvm.fma.f32(float %av, float %o, float 1.0)
  store float %w, ptr addrspace(1) %pi, align 4
  %next = add nsw i32 %j, 1
  %more = icmp slt i32 %next, %i
  br i1 %more, label %loop, label %end
end:
  br label %out
out:
  ret void
}

; Stored twice, and loaded in between.
; CHECK-LABEL: define void @twice_yes(
; CHECK: front:
; CHECK: %first = load
; CHECK: loop:
; CHECK: %kept = phi float [ %first, %front ], [ %z, %loop ]
; CHECK-NOT: store
; CHECK: %z = fadd float %w, %av
; CHECK: end:
; CHECK-NEXT: %last = phi float [ %z, %loop ]
; CHECK-NEXT: store float %last
; CHECK: ret void
define void @twice_yes(i32 %n, i32 %i, ptr addrspace(1) noalias readonly %a, ptr addrspace(1) noalias %x) #0 {
entry:
  %some = icmp slt i32 0, %i
  br i1 %some, label %front, label %out
front:
  br label %loop
loop:
  %j = phi i32 [ 0, %front ], [ %next, %loop ]
  %wi = sext i32 %i to i64
  %wj = sext i32 %j to i64
  %pi = getelementptr float, ptr addrspace(1) %x, i64 %wi
  %v = load float, ptr addrspace(1) %pi, align 4
  %pa = getelementptr float, ptr addrspace(1) %a, i64 %wj
  %av = load float, ptr addrspace(1) %pa, align 4
  %pj = getelementptr float, ptr addrspace(1) %x, i64 %wj
  %o = load float, ptr addrspace(1) %pj, align 4
  %w = call float @llvm.fma.f32(float %av, float %o, float %v)
  store float %w, ptr addrspace(1) %pi, align 4
  %y = load float, ptr addrspace(1) %pi, align 4
  %z = fadd float %y, %av
  store float %z, ptr addrspace(1) %pi, align 4
  %next = add nsw i32 %j, 1
  %more = icmp slt i32 %next, %i
  br i1 %more, label %loop, label %end
end:
  br label %out
out:
  ret void
}

; Nothing else is in the array: LLVM does it.
; CHECK-LABEL: define void @alone_no(
; CHECK: loop:
; CHECK: store float %w
; CHECK: br i1 %more
; CHECK-NOT: store
; CHECK: ret void
define void @alone_no(i32 %n, i32 %i, ptr addrspace(1) noalias readonly %a, ptr addrspace(1) noalias %x) #0 {
entry:
  %some = icmp slt i32 0, %i
  br i1 %some, label %front, label %out
front:
  br label %loop
loop:
  %j = phi i32 [ 0, %front ], [ %next, %loop ]
  %wi = sext i32 %i to i64
  %wj = sext i32 %j to i64
  %pi = getelementptr float, ptr addrspace(1) %x, i64 %wi
  %v = load float, ptr addrspace(1) %pi, align 4
  %pa = getelementptr float, ptr addrspace(1) %a, i64 %wj
  %av = load float, ptr addrspace(1) %pa, align 4
  %pj = getelementptr float, ptr addrspace(1) %a, i64 %wj
  %o = load float, ptr addrspace(1) %pj, align 4
  %w = call float @llvm.fma.f32(float %av, float %o, float %v)
  store float %w, ptr addrspace(1) %pi, align 4
  %next = add nsw i32 %j, 1
  %more = icmp slt i32 %next, %i
  br i1 %more, label %loop, label %end
end:
  br label %out
out:
  ret void
}

; Arrays are apart, also where other threads write them.
; CHECK-LABEL: define void @arrays_yes(
; CHECK: front:
; CHECK: %first = load float, ptr addrspace(1) %{{.*}}, align 4
; CHECK: loop:
; CHECK: %kept = phi float [ %first, %front ], [ %w, %loop ]
; CHECK-NOT: store
; CHECK: br i1 %more, label %loop, label %end{{.*}}!llvm.loop
; CHECK: end:
; CHECK-NEXT: %last = phi float [ %w, %loop ]
; CHECK-NEXT: store float %last
; CHECK: ret void
define void @arrays_yes(i32 %n, i32 %i, ptr addrspace(1) align 4 %a, ptr addrspace(1) align 4 %x) #0 {
entry:
  %some = icmp slt i32 0, %i
  br i1 %some, label %front, label %out
front:
  br label %loop
loop:
  %j = phi i32 [ 0, %front ], [ %next, %loop ]
  %wi = sext i32 %i to i64
  %wj = sext i32 %j to i64
  %pi = getelementptr float, ptr addrspace(1) %x, i64 %wi
  %v = load float, ptr addrspace(1) %pi, align 4
  %pa = getelementptr float, ptr addrspace(1) %a, i64 %wj
  %av = load float, ptr addrspace(1) %pa, align 4
  %pj = getelementptr float, ptr addrspace(1) %a, i64 %wj
  %o = load float, ptr addrspace(1) %pj, align 4
  %w = call float @llvm.fma.f32(float %av, float %o, float %v)
  store float %w, ptr addrspace(1) %pi, align 4
  %next = add nsw i32 %j, 1
  %more = icmp slt i32 %next, %i
  br i1 %more, label %loop, label %end
end:
  br label %out
out:
  ret void
}

; Not what a pointer in memory points to.
; CHECK-LABEL: define void @arrays_no(
; CHECK: loop:
; CHECK: store float %w
; CHECK: br i1 %more
; CHECK-NOT: store
; CHECK: ret void
define void @arrays_no(i32 %n, i32 %i, ptr addrspace(1) align 8 %a, ptr addrspace(1) align 4 %x) #0 {
entry:
  %some = icmp slt i32 0, %i
  br i1 %some, label %front, label %out
front:
  br label %loop
loop:
  %j = phi i32 [ 0, %front ], [ %next, %loop ]
  %wi = sext i32 %i to i64
  %wj = sext i32 %j to i64
  %pi = getelementptr float, ptr addrspace(1) %x, i64 %wi
  %v = load float, ptr addrspace(1) %pi, align 4
  %p = load ptr addrspace(1), ptr addrspace(1) %a, align 8
  %pa = getelementptr float, ptr addrspace(1) %a, i64 %wj
  %av = load float, ptr addrspace(1) %pa, align 4
  %pj = getelementptr float, ptr addrspace(1) %p, i64 %wj
  %o = load float, ptr addrspace(1) %pj, align 4
  %w = call float @llvm.fma.f32(float %av, float %o, float %v)
  store float %w, ptr addrspace(1) %pi, align 4
  %next = add nsw i32 %j, 1
  %more = icmp slt i32 %next, %i
  br i1 %more, label %loop, label %end
end:
  br label %out
out:
  ret void
}

; x[i][i] += a[j] * x[j][j]: m j + j is less than m i + i.
; CHECK-LABEL: define void @diagonal_yes(
; CHECK: front:
; CHECK: %first = load float, ptr addrspace(1) %{{.*}}, align 4
; CHECK: loop:
; CHECK: %kept = phi float [ %first, %front ], [ %w, %loop ]
; CHECK-NOT: store
; CHECK: br i1 %more, label %loop, label %end{{.*}}!llvm.loop
; CHECK: end:
; CHECK-NEXT: %last = phi float [ %w, %loop ]
; CHECK-NEXT: store float %last
; CHECK: ret void
define void @diagonal_yes(i32 %n, i32 %i, i64 "polygpu-extent" %m, ptr addrspace(1) noalias readonly %a, ptr addrspace(1) noalias %x) #0 {
entry:
  %some = icmp slt i32 0, %i
  br i1 %some, label %front, label %out
front:
  br label %loop
loop:
  %j = phi i32 [ 0, %front ], [ %next, %loop ]
  %wi = sext i32 %i to i64
  %wj = sext i32 %j to i64
  %ri = mul nsw i64 %wi, %m
  %di = add nsw i64 %ri, %wi
  %pi = getelementptr float, ptr addrspace(1) %x, i64 %di
  %v = load float, ptr addrspace(1) %pi, align 4
  %pa = getelementptr float, ptr addrspace(1) %a, i64 %wj
  %av = load float, ptr addrspace(1) %pa, align 4
  %rj = mul nsw i64 %wj, %m
  %dj = add nsw i64 %rj, %wj
  %pj = getelementptr float, ptr addrspace(1) %x, i64 %dj
  %o = load float, ptr addrspace(1) %pj, align 4
  %w = call float @llvm.fma.f32(float %av, float %o, float %v)
  store float %w, ptr addrspace(1) %pi, align 4
  %next = add nsw i32 %j, 1
  %more = icmp slt i32 %next, %i
  br i1 %more, label %loop, label %end
end:
  br label %out
out:
  ret void
}

; Not where m may be -1.
; CHECK-LABEL: define void @diagonal_no(
; CHECK: loop:
; CHECK: store float %w
; CHECK: br i1 %more
; CHECK-NOT: store
; CHECK: ret void
define void @diagonal_no(i32 %n, i32 %i, i64 %m, ptr addrspace(1) noalias readonly %a, ptr addrspace(1) noalias %x) #0 {
entry:
  %some = icmp slt i32 0, %i
  br i1 %some, label %front, label %out
front:
  br label %loop
loop:
  %j = phi i32 [ 0, %front ], [ %next, %loop ]
  %wi = sext i32 %i to i64
  %wj = sext i32 %j to i64
  %ri = mul nsw i64 %wi, %m
  %di = add nsw i64 %ri, %wi
  %pi = getelementptr float, ptr addrspace(1) %x, i64 %di
  %v = load float, ptr addrspace(1) %pi, align 4
  %pa = getelementptr float, ptr addrspace(1) %a, i64 %wj
  %av = load float, ptr addrspace(1) %pa, align 4
  %rj = mul nsw i64 %wj, %m
  %dj = add nsw i64 %rj, %wj
  %pj = getelementptr float, ptr addrspace(1) %x, i64 %dj
  %o = load float, ptr addrspace(1) %pj, align 4
  %w = call float @llvm.fma.f32(float %av, float %o, float %v)
  store float %w, ptr addrspace(1) %pi, align 4
  %next = add nsw i32 %j, 1
  %more = icmp slt i32 %next, %i
  br i1 %more, label %loop, label %end
end:
  br label %out
out:
  ret void
}

attributes #0 = { nounwind }
