; Chains of getelementptr as optimisers split them, with byte offsets, are read
; as one address with the rows that the chain names.
;
; RUN: %opt -passes='print<gpu-scops>' -disable-output %s 2>&1 | %FileCheck %s
; RUN: %opt -passes=gpu-polyhedral,verify -gpu-targets=ptx,emulated -disable-output %s

target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
target triple = "x86_64-pc-linux-gnu"

; p[i][j] as a row and an element of it.
; CHECK-LABEL: scop "split"
; CHECK: array a "a" float 4 memory 2 {{.*}}[(512)]
; CHECK: write must a "{{.*}} -> a[i0, i1] }"
define void @split(i64 %n, ptr %a) {
entry:
  br label %outer
outer:
  %i = phi i64 [ 0, %entry ], [ %i.next, %latch ]
  %i.more = icmp slt i64 %i, %n
  br i1 %i.more, label %inner, label %end
inner:
  %j = phi i64 [ 0, %outer ], [ %j.next, %body ]
  %j.more = icmp slt i64 %j, 500
  br i1 %j.more, label %body, label %latch
body:
  %row = getelementptr inbounds [512 x float], ptr %a, i64 %i
  %p = getelementptr inbounds float, ptr %row, i64 %j
  store float 1.0, ptr %p
  %j.next = add nsw i64 %j, 1
  br label %inner
latch:
  %i.next = add nsw i64 %i, 1
  br label %outer
end:
  ret void
}

; The last element of each row, in bytes: 4 * 511.
; CHECK-LABEL: scop "bytes"
; CHECK: write must a "{{.*}} -> a[i0, 511] }"
; CHECK: write must a "{{.*}} -> a[1 + i0, 0] }"
define void @bytes(i64 %n, ptr %a) {
entry:
  br label %loop
loop:
  %i = phi i64 [ 0, %entry ], [ %next, %body ]
  %more = icmp slt i64 %i, %n
  br i1 %more, label %body, label %end
body:
  %row = getelementptr inbounds [512 x float], ptr %a, i64 %i
  %p = getelementptr inbounds i8, ptr %row, i64 2044
  store float 1.0, ptr %p
  %q = getelementptr inbounds i8, ptr %row, i64 2048
  store float 2.0, ptr %q
  %next = add nsw i64 %i, 1
  br label %loop
end:
  ret void
}

; The column first, then the row: rows begin at column 3.
; CHECK-LABEL: scop "swapped"
; CHECK: array a "a" float 4 memory 2 live extent 1 "{ [] -> [(35)] }"
; CHECK: write must a "{{.*}} -> a[i0, i1] }"
define void @swapped(i64 %n, ptr %a) {
entry:
  br label %outer
outer:
  %i = phi i64 [ 0, %entry ], [ %i.next, %latch ]
  %i.more = icmp slt i64 %i, %n
  br i1 %i.more, label %inner, label %end
inner:
  %j = phi i64 [ 0, %outer ], [ %j.next, %body ]
  %j.more = icmp slt i64 %j, 30
  br i1 %j.more, label %body, label %latch
body:
  %e = getelementptr inbounds float, ptr %a, i64 %j
  %r = getelementptr inbounds [35 x float], ptr %e, i64 %i
  %p = getelementptr inbounds i8, ptr %r, i64 12
  store float 1.0, ptr %p
  %j.next = add nsw i64 %j, 1
  br label %inner
latch:
  %i.next = add nsw i64 %i, 1
  br label %outer
end:
  ret void
}

; A row that is added and taken away again, and an index that is taken apart.
; CHECK-LABEL: scop "away"
; CHECK: write must h "{ S0[i0, i1] -> h[1 + i0, 3 + i1] }"
@h = internal global [40 x [35 x float]] zeroinitializer
define void @away() {
entry:
  br label %outer
outer:
  %i = phi i64 [ 0, %entry ], [ %i.next, %latch ]
  %i.more = icmp slt i64 %i, 39
  br i1 %i.more, label %inner, label %end
inner:
  %j = phi i64 [ 0, %outer ], [ %j.next, %body ]
  %j.more = icmp slt i64 %j, 30
  br i1 %j.more, label %body, label %latch
body:
  %r = getelementptr inbounds [35 x float], ptr @h, i64 %i
  %back = mul nsw i64 %i, -140
  %s = getelementptr i8, ptr %r, i64 %back
  %row = add nsw i64 %i, 1
  %bytes = mul nsw i64 %row, 140
  %t = getelementptr i8, ptr %s, i64 %bytes
  %column = add nsw i64 %j, 3
  %p = getelementptr float, ptr %t, i64 %column
  store float 1.0, ptr %p
  %j.next = add nsw i64 %j, 1
  br label %inner
latch:
  %i.next = add nsw i64 %i, 1
  br label %outer
end:
  ret void
}

; A diagonal of a global array, as its bytes only.
; CHECK-LABEL: scop "global"
; CHECK: array g "g" double 8 memory 2 {{.*}}[(35)]
; CHECK: write must g "{ S0[i0] -> g[i0, i0] }"
@g = internal global [35 x [35 x double]] zeroinitializer
define void @global() {
entry:
  br label %loop
loop:
  %i = phi i64 [ 0, %entry ], [ %next, %loop ]
  %o = mul nuw nsw i64 %i, 288
  %p = getelementptr inbounds i8, ptr @g, i64 %o
  store double 1.0, ptr %p
  %next = add nuw nsw i64 %i, 1
  %more = icmp slt i64 %next, 35
  br i1 %more, label %loop, label %end
end:
  ret void
}

; Half of an element is not an element: nothing is merged, and the loop stays.
; CHECK-NOT: write must a "{{.*}} -> a[i0, {{[0-9]+}}] }"
define void @misaligned(i64 %n, ptr %a) {
entry:
  br label %loop
loop:
  %i = phi i64 [ 0, %entry ], [ %next, %body ]
  %more = icmp slt i64 %i, %n
  br i1 %more, label %body, label %end
body:
  %row = getelementptr inbounds [512 x float], ptr %a, i64 %i
  %p = getelementptr inbounds i8, ptr %row, i64 6
  store float 1.0, ptr %p, align 2
  %next = add nsw i64 %i, 1
  br label %loop
end:
  ret void
}
