; Loads whose value an iteration before has, by what it stored or loaded: one
; load remains in front of the loop.  Their twins in refused.ll differ in one
; thing each.
;
; RUN: %opt -passes=gpu-carry-loads,verify -S %s | %FileCheck %s

; a[t] = 2 a[t - 1]; alignment and lines stay.
; CHECK-LABEL: define void @before(
; CHECK: entry:
; CHECK: %first = load double, ptr addrspace(1) {{.*}}, align 4, !dbg [[LINE:![0-9]+]]
; CHECK: loop:
; CHECK: %carried = phi double [ %first, %entry ], [ %y, %loop ], !dbg [[LINE]]
; CHECK-NOT: load
; CHECK: %y = fmul double %carried, 2.0
; CHECK: store double %y, ptr addrspace(1) %to, align 4
; CHECK-NOT: load
; CHECK: ret void
define void @before(i64 %n, ptr addrspace(1) noalias %a) !dbg !3 {
entry:
  br label %loop
loop:
  %t = phi i64 [ 1, %entry ], [ %next, %loop ]
  %s = add nsw i64 %t, -1
  %from = getelementptr double, ptr addrspace(1) %a, i64 %s
  %x = load double, ptr addrspace(1) %from, align 4, !dbg !5
  %y = fmul double %x, 2.0
  %to = getelementptr double, ptr addrspace(1) %a, i64 %t
  store double %y, ptr addrspace(1) %to, align 4
  %next = add nsw i64 %t, 1
  %more = icmp slt i64 %next, %n
  br i1 %more, label %loop, label %end
end:
  ret void
}

; a[t] = a[t - 1] + a[t - 2]: the second from the load of the first.
; CHECK-LABEL: define void @two_before(
; CHECK-COUNT-2: %first{{[0-9]*}} = load
; CHECK: loop:
; CHECK-DAG: [[ONE:%carried[0-9]*]] = phi float [ %first{{[0-9]*}}, %entry ], [ %y, %loop ]
; CHECK-DAG: [[TWO:%carried[0-9]*]] = phi float [ %first{{[0-9]*}}, %entry ], [ [[ONE]], %loop ]
; CHECK-NOT: load
; CHECK: fadd float [[ONE]], [[TWO]]
; CHECK-NOT: load
; CHECK: ret void
define void @two_before(i32 %n, ptr addrspace(1) noalias %a) {
entry:
  br label %loop
loop:
  %t = phi i32 [ 2, %entry ], [ %next, %loop ]
  %s1 = sub nsw i32 %t, 1
  %s2 = sub nsw i32 %t, 2
  %i1 = sext i32 %s1 to i64
  %i2 = sext i32 %s2 to i64
  %p1 = getelementptr float, ptr addrspace(1) %a, i64 %i1
  %p2 = getelementptr float, ptr addrspace(1) %a, i64 %i2
  %x1 = load float, ptr addrspace(1) %p1, align 4
  %x2 = load float, ptr addrspace(1) %p2, align 4
  %y = fadd float %x1, %x2
  %i = sext i32 %t to i64
  %p = getelementptr float, ptr addrspace(1) %a, i64 %i
  store float %y, ptr addrspace(1) %p, align 4
  %next = add nsw i32 %t, 1
  %more = icmp slt i32 %next, %n
  br i1 %more, label %loop, label %end
end:
  ret void
}

; The same along a column: rows differ because an extent is positive.
; CHECK-LABEL: define void @column(
; CHECK-COUNT-2: %first{{[0-9]*}} = load
; CHECK: loop:
; CHECK-COUNT-2: %carried{{[0-9]*}} = phi
; CHECK-NOT: load
; CHECK: ret void
define void @column(i32 %n, i32 %j, i64 "polygpu-extent" %m, ptr addrspace(1) noalias %a) {
entry:
  %c = sext i32 %j to i64
  br label %loop
loop:
  %t = phi i32 [ 2, %entry ], [ %next, %loop ]
  %s1 = sub nsw i32 %t, 1
  %s2 = sub nsw i32 %t, 2
  %r1 = sext i32 %s1 to i64
  %r2 = sext i32 %s2 to i64
  %r = sext i32 %t to i64
  %m1 = mul nsw i64 %r1, %m
  %m2 = mul nsw i64 %r2, %m
  %m0 = mul nsw i64 %r, %m
  %i1 = add nsw i64 %m1, %c
  %i2 = add nsw i64 %m2, %c
  %i = add nsw i64 %m0, %c
  %p1 = getelementptr float, ptr addrspace(1) %a, i64 %i1
  %p2 = getelementptr float, ptr addrspace(1) %a, i64 %i2
  %x1 = load float, ptr addrspace(1) %p1, align 4
  %x2 = load float, ptr addrspace(1) %p2, align 4
  %y = fadd float %x1, %x2
  %p = getelementptr float, ptr addrspace(1) %a, i64 %i
  store float %y, ptr addrspace(1) %p, align 4
  %next = add nsw i32 %t, 1
  %more = icmp slt i32 %next, %n
  br i1 %more, label %loop, label %end
end:
  ret void
}

; From the last row to the first, with any stride: also if that were 0, since
; the one store of the loop comes last.
; CHECK-LABEL: define void @backwards(
; CHECK: %first = load
; CHECK: loop:
; CHECK: %carried = phi double [ %first, %entry ], [ %y, %loop ]
; CHECK-NOT: load
; CHECK: ret void
define void @backwards(i32 %n, i64 %m, ptr addrspace(1) noalias %a) {
entry:
  br label %loop
loop:
  %t = phi i32 [ 0, %entry ], [ %next, %loop ]
  %row = sub nsw i32 %n, %t
  %r1 = sub nsw i32 %row, 1
  %r2 = sub nsw i32 %row, 2
  %w1 = sext i32 %r1 to i64
  %w2 = sext i32 %r2 to i64
  %i1 = mul nsw i64 %w1, %m
  %i2 = mul nsw i64 %w2, %m
  %from = getelementptr double, ptr addrspace(1) %a, i64 %i1
  %x = load double, ptr addrspace(1) %from, align 8
  %y = fmul double %x, 2.0
  %to = getelementptr double, ptr addrspace(1) %a, i64 %i2
  store double %y, ptr addrspace(1) %to, align 8
  %next = add nsw i32 %t, 1
  %more = icmp slt i32 %next, %n
  br i1 %more, label %loop, label %end
end:
  ret void
}

; A strip of three steps: two read what the same iteration stored.
; CHECK-LABEL: define void @strip(
; CHECK: %first = load
; CHECK: loop:
; CHECK: %carried = phi double [ %first, %entry ], [ %y2, %loop ]
; CHECK-NOT: load
; CHECK: %y0 = fmul double %carried, 2.0
; CHECK-NOT: load
; CHECK: %y1 = fmul double %y0, 3.0
; CHECK-NOT: load
; CHECK: %y2 = fmul double %y1, 4.0
; CHECK-NOT: load
; CHECK: ret void
define void @strip(i32 %n, i64 %m, ptr addrspace(1) noalias %a) {
entry:
  br label %loop
loop:
  %u = phi i32 [ 0, %entry ], [ %next, %loop ]
  %t0 = mul nsw i32 %u, 3
  %t1 = add nsw i32 %t0, 1
  %t2 = add nsw i32 %t0, 2
  %t3 = add nsw i32 %t0, 3
  %i0 = sext i32 %t0 to i64
  %i1 = sext i32 %t1 to i64
  %i2 = sext i32 %t2 to i64
  %i3 = sext i32 %t3 to i64
  %o0 = mul nsw i64 %i0, %m
  %o1 = mul nsw i64 %i1, %m
  %o2 = mul nsw i64 %i2, %m
  %o3 = mul nsw i64 %i3, %m
  %p0 = getelementptr double, ptr addrspace(1) %a, i64 %o0
  %p1 = getelementptr double, ptr addrspace(1) %a, i64 %o1
  %p2 = getelementptr double, ptr addrspace(1) %a, i64 %o2
  %p3 = getelementptr double, ptr addrspace(1) %a, i64 %o3
  %x0 = load double, ptr addrspace(1) %p0, align 8
  %y0 = fmul double %x0, 2.0
  store double %y0, ptr addrspace(1) %p1, align 8
  %t1b = sub nsw i32 %t2, 1
  %i1b = sext i32 %t1b to i64
  %o1b = mul nsw i64 %i1b, %m
  %p1b = getelementptr double, ptr addrspace(1) %a, i64 %o1b
  %x1 = load double, ptr addrspace(1) %p1b, align 8
  %y1 = fmul double %x1, 3.0
  store double %y1, ptr addrspace(1) %p2, align 8
  %x2 = load double, ptr addrspace(1) %p2, align 8
  %y2 = fmul double %x2, 4.0
  store double %y2, ptr addrspace(1) %p3, align 8
  %next = add nuw nsw i32 %u, 1
  %more = icmp slt i32 %next, %n
  br i1 %more, label %loop, label %end
end:
  ret void
}

; b[t - 1] + b[t] + b[t + 1], of which one is new in each iteration.
; CHECK-LABEL: define void @reads(
; CHECK-COUNT-2: %first{{[0-9]*}} = load
; CHECK: loop:
; CHECK-COUNT-2: %carried{{[0-9]*}} = phi
; CHECK: load float, ptr addrspace(3)
; CHECK-NOT: load
; CHECK: ret void
define void @reads(i64 %n, ptr addrspace(1) noalias %a, ptr addrspace(3) noalias %b) {
entry:
  br label %loop
loop:
  %t = phi i64 [ 1, %entry ], [ %next, %loop ]
  %s = sub nsw i64 %t, 1
  %next = add nsw i64 %t, 1
  %p0 = getelementptr float, ptr addrspace(3) %b, i64 %s
  %p1 = getelementptr float, ptr addrspace(3) %b, i64 %t
  %p2 = getelementptr float, ptr addrspace(3) %b, i64 %next
  %x0 = load float, ptr addrspace(3) %p0, align 4
  %x1 = load float, ptr addrspace(3) %p1, align 4
  %x2 = load float, ptr addrspace(3) %p2, align 4
  %y0 = fadd float %x0, %x1
  %y = fadd float %y0, %x2
  %p = getelementptr float, ptr addrspace(1) %a, i64 %t
  store float %y, ptr addrspace(1) %p, align 4
  %more = icmp slt i64 %next, %n
  br i1 %more, label %loop, label %end
end:
  ret void
}

; if (t + 1 < n) a[t + 1] = b[t]: in each iteration but the last.
; CHECK-LABEL: define void @but_last(
; CHECK: %first = load
; CHECK: loop:
; CHECK: %carried = phi double [ %first, %entry ], [ [[KEPT:%kept[0-9]*]], %join ]
; CHECK-NOT: load double, ptr addrspace(1) %pa
; CHECK: then:
; CHECK: %v = load
; CHECK: join:
; CHECK: [[KEPT]] = phi double
; CHECK-SAME: [ %v, %then ]
; CHECK: ret void
define void @but_last(i32 %n, ptr addrspace(1) noalias %a, ptr addrspace(1) noalias %b, ptr addrspace(1) noalias %c) {
entry:
  br label %loop
loop:
  %t = phi i32 [ 0, %entry ], [ %next, %join ]
  %i = sext i32 %t to i64
  %pa = getelementptr double, ptr addrspace(1) %a, i64 %i
  %x = load double, ptr addrspace(1) %pa, align 8
  %pc = getelementptr double, ptr addrspace(1) %c, i64 %i
  store double %x, ptr addrspace(1) %pc, align 8
  %after = add nsw i32 %t, 2
  %inside = icmp sle i32 %after, %n
  br i1 %inside, label %then, label %join
then:
  %pb = getelementptr double, ptr addrspace(1) %b, i64 %i
  %v = load double, ptr addrspace(1) %pb, align 8
  %t1 = add nsw i32 %t, 1
  %i1 = sext i32 %t1 to i64
  %pa1 = getelementptr double, ptr addrspace(1) %a, i64 %i1
  store double %v, ptr addrspace(1) %pa1, align 8
  br label %join
join:
  %next = add nsw i32 %t, 1
  %more = icmp slt i32 %next, %n
  br i1 %more, label %loop, label %end
end:
  ret void
}

; x to the power of 2^24 as an offset: a variable like others.
; CHECK-LABEL: define void @power(
; CHECK: %first = load double
; CHECK: loop:
; CHECK: %carried = phi double [ %first, %entry ], [ %y, %loop ]
; CHECK-NOT: load
; CHECK: ret void
define void @power(i64 %n, i64 %x0, ptr addrspace(1) noalias %a) {
entry:
  %x1 = mul nsw i64 %x0, %x0
  %x2 = mul nsw i64 %x1, %x1
  %x3 = mul nsw i64 %x2, %x2
  %x4 = mul nsw i64 %x3, %x3
  %x5 = mul nsw i64 %x4, %x4
  %x6 = mul nsw i64 %x5, %x5
  %x7 = mul nsw i64 %x6, %x6
  %x8 = mul nsw i64 %x7, %x7
  %x9 = mul nsw i64 %x8, %x8
  %x10 = mul nsw i64 %x9, %x9
  %x11 = mul nsw i64 %x10, %x10
  %x12 = mul nsw i64 %x11, %x11
  %x13 = mul nsw i64 %x12, %x12
  %x14 = mul nsw i64 %x13, %x13
  %x15 = mul nsw i64 %x14, %x14
  %x16 = mul nsw i64 %x15, %x15
  %x17 = mul nsw i64 %x16, %x16
  %x18 = mul nsw i64 %x17, %x17
  %x19 = mul nsw i64 %x18, %x18
  %x20 = mul nsw i64 %x19, %x19
  %x21 = mul nsw i64 %x20, %x20
  %x22 = mul nsw i64 %x21, %x21
  %x23 = mul nsw i64 %x22, %x22
  %x24 = mul nsw i64 %x23, %x23
  br label %loop
loop:
  %t = phi i64 [ 2, %entry ], [ %next, %loop ]
  %s = sub nsw i64 %t, 1
  %u = add nsw i64 %s, %x24
  %v = add nsw i64 %t, %x24
  %from = getelementptr double, ptr addrspace(1) %a, i64 %u
  %x = load double, ptr addrspace(1) %from, align 8
  %y = fmul double %x, 2.0
  %to = getelementptr double, ptr addrspace(1) %a, i64 %v
  store double %y, ptr addrspace(1) %to, align 8
  %next = add nsw i64 %t, 1
  %more = icmp slt i64 %next, %n
  br i1 %more, label %loop, label %end
end:
  ret void
}

; Things that do not matter: another array, a function without memory, a load
; under a condition, a store of which it is known that it goes elsewhere.
; CHECK-LABEL: define void @beside(
; CHECK: %first = load
; CHECK: loop:
; CHECK: %carried = phi double [ %first, %entry ], [ %y, %join ]
; CHECK: ret void
define void @beside(i64 %n, i64 "polygpu-extent" %m, ptr addrspace(1) noalias %a, ptr addrspace(1) noalias %b) {
entry:
  br label %loop
loop:
  %t = phi i64 [ 1, %entry ], [ %next, %join ]
  %s = sub nsw i64 %t, 1
  %from = getelementptr double, ptr addrspace(1) %a, i64 %s
  %x = load double, ptr addrspace(1) %from, align 8
  %y = call double @pure(double %x)
  %to = getelementptr double, ptr addrspace(1) %a, i64 %t
  store double %y, ptr addrspace(1) %to, align 8
  %i = add nsw i64 %t, %m
  %away = getelementptr double, ptr addrspace(1) %a, i64 %i
  store double 0.0, ptr addrspace(1) %away, align 8
  %other = getelementptr double, ptr addrspace(1) %b, i64 %s
  store double 1.0, ptr addrspace(1) %other, align 8
  %odd = trunc i64 %t to i1
  br i1 %odd, label %then, label %join
then:
  %z = load double, ptr addrspace(1) %other, align 8
  %next1 = getelementptr double, ptr addrspace(1) %b, i64 %t
  store double %z, ptr addrspace(1) %next1, align 8
  br label %join
join:
  %next = add nsw i64 %t, 1
  %more = icmp slt i64 %next, %n
  br i1 %more, label %loop, label %end
end:
  ret void
}

declare double @pure(double) nounwind willreturn memory(none)

!llvm.dbg.cu = !{!0}
!llvm.module.flags = !{!2}
!0 = distinct !DICompileUnit(language: DW_LANG_C99, file: !1, emissionKind: LineTablesOnly)
!1 = !DIFile(filename: "a.c", directory: "/")
!2 = !{i32 2, !"Debug Info Version", i32 3}
!3 = distinct !DISubprogram(name: "before", file: !1, line: 1, type: !4, unit: !0, spFlags: DISPFlagDefinition)
!4 = !DISubroutineType(types: !{})
!5 = !DILocation(line: 7, scope: !3)
