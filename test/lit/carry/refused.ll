; Loops in which no load is carried, each one thing away from one in which it
; is: X_no differs from X_yes in the lines that say so.
;
; RUN: %opt -passes=gpu-carry-loads,verify -S %s | %FileCheck %s

; A store behind the one that is carried may go to the same place.
; CHECK-LABEL: define void @alias_yes(
; CHECK-COUNT-1: = phi double
; CHECK: ret void
define void @alias_yes(i64 %n, ptr addrspace(1) noalias %a, ptr addrspace(1) noalias %b) {
entry:
  br label %loop
loop:
  %t = phi i64 [ 2, %entry ], [ %next, %loop ]
  %s = sub nsw i64 %t, 1
  %from = getelementptr double, ptr addrspace(1) %a, i64 %s
  %x = load double, ptr addrspace(1) %from, align 8
  %y = fmul double %x, 2.0
  %to = getelementptr double, ptr addrspace(1) %a, i64 %t
  store double %y, ptr addrspace(1) %to, align 8
  %q = getelementptr double, ptr addrspace(1) %b, i64 %s
  store double 0.0, ptr addrspace(1) %q, align 8 ; says so
  %next = add nsw i64 %t, 1
  %more = icmp slt i64 %next, %n
  br i1 %more, label %loop, label %end
end:
  ret void
}

; CHECK-LABEL: define void @alias_no(
; CHECK-NOT: = phi double
; CHECK: ret void
define void @alias_no(i64 %n, ptr addrspace(1) %a, ptr addrspace(1) %b) {
entry:
  br label %loop
loop:
  %t = phi i64 [ 2, %entry ], [ %next, %loop ]
  %s = sub nsw i64 %t, 1
  %from = getelementptr double, ptr addrspace(1) %a, i64 %s
  %x = load double, ptr addrspace(1) %from, align 8
  %y = fmul double %x, 2.0
  %to = getelementptr double, ptr addrspace(1) %a, i64 %t
  store double %y, ptr addrspace(1) %to, align 8
  %q = getelementptr double, ptr addrspace(1) %b, i64 %s
  store double 0.0, ptr addrspace(1) %q, align 8 ; says so
  %next = add nsw i64 %t, 1
  %more = icmp slt i64 %next, %n
  br i1 %more, label %loop, label %end
end:
  ret void
}

; A store in front of the load may.
; CHECK-LABEL: define void @alias_before_yes(
; CHECK-COUNT-1: = phi double
; CHECK: ret void
define void @alias_before_yes(i64 %n, ptr addrspace(1) noalias %a, ptr addrspace(1) noalias %b) {
entry:
  br label %loop
loop:
  %t = phi i64 [ 2, %entry ], [ %next, %loop ]
  %s = sub nsw i64 %t, 1
  %from = getelementptr double, ptr addrspace(1) %a, i64 %s
  %q = getelementptr double, ptr addrspace(1) %b, i64 %s
  store double 0.0, ptr addrspace(1) %q, align 8 ; says so
  %x = load double, ptr addrspace(1) %from, align 8
  %y = fmul double %x, 2.0
  %to = getelementptr double, ptr addrspace(1) %a, i64 %t
  store double %y, ptr addrspace(1) %to, align 8
  %next = add nsw i64 %t, 1
  %more = icmp slt i64 %next, %n
  br i1 %more, label %loop, label %end
end:
  ret void
}

; CHECK-LABEL: define void @alias_before_no(
; CHECK-NOT: = phi double
; CHECK: ret void
define void @alias_before_no(i64 %n, ptr addrspace(1) %a, ptr addrspace(1) %b) {
entry:
  br label %loop
loop:
  %t = phi i64 [ 2, %entry ], [ %next, %loop ]
  %s = sub nsw i64 %t, 1
  %from = getelementptr double, ptr addrspace(1) %a, i64 %s
  %q = getelementptr double, ptr addrspace(1) %b, i64 %s
  store double 0.0, ptr addrspace(1) %q, align 8 ; says so
  %x = load double, ptr addrspace(1) %from, align 8
  %y = fmul double %x, 2.0
  %to = getelementptr double, ptr addrspace(1) %a, i64 %t
  store double %y, ptr addrspace(1) %to, align 8
  %next = add nsw i64 %t, 1
  %more = icmp slt i64 %next, %n
  br i1 %more, label %loop, label %end
end:
  ret void
}

; A narrower store behind it overlaps.
; CHECK-LABEL: define void @overlap_yes(
; CHECK-COUNT-1: = phi double
; CHECK: ret void
define void @overlap_yes(i64 %n, ptr addrspace(1) noalias %a, ptr addrspace(1) noalias %b) {
entry:
  br label %loop
loop:
  %t = phi i64 [ 2, %entry ], [ %next, %loop ]
  %s = sub nsw i64 %t, 1
  %from = getelementptr double, ptr addrspace(1) %a, i64 %s
  %x = load double, ptr addrspace(1) %from, align 8
  %y = fmul double %x, 2.0
  %to = getelementptr double, ptr addrspace(1) %a, i64 %t
  store double %y, ptr addrspace(1) %to, align 8
  %near = getelementptr i8, ptr addrspace(1) %to, i64 8 ; says so
  store float 0.0, ptr addrspace(1) %near, align 4
  %next = add nsw i64 %t, 1
  %more = icmp slt i64 %next, %n
  br i1 %more, label %loop, label %end
end:
  ret void
}

; CHECK-LABEL: define void @overlap_no(
; CHECK-NOT: = phi double
; CHECK: ret void
define void @overlap_no(i64 %n, ptr addrspace(1) noalias %a, ptr addrspace(1) noalias %b) {
entry:
  br label %loop
loop:
  %t = phi i64 [ 2, %entry ], [ %next, %loop ]
  %s = sub nsw i64 %t, 1
  %from = getelementptr double, ptr addrspace(1) %a, i64 %s
  %x = load double, ptr addrspace(1) %from, align 8
  %y = fmul double %x, 2.0
  %to = getelementptr double, ptr addrspace(1) %a, i64 %t
  store double %y, ptr addrspace(1) %to, align 8
  %near = getelementptr i8, ptr addrspace(1) %to, i64 4 ; says so
  store float 0.0, ptr addrspace(1) %near, align 4
  %next = add nsw i64 %t, 1
  %more = icmp slt i64 %next, %n
  br i1 %more, label %loop, label %end
end:
  ret void
}

; A store that begins before it overlaps.
; CHECK-LABEL: define void @overlap_before_yes(
; CHECK-COUNT-1: = phi double
; CHECK: ret void
define void @overlap_before_yes(i64 %n, ptr addrspace(1) noalias %a, ptr addrspace(1) noalias %b) {
entry:
  br label %loop
loop:
  %t = phi i64 [ 2, %entry ], [ %next, %loop ]
  %s = sub nsw i64 %t, 1
  %from = getelementptr double, ptr addrspace(1) %a, i64 %s
  %x = load double, ptr addrspace(1) %from, align 8
  %y = fmul double %x, 2.0
  %to = getelementptr double, ptr addrspace(1) %a, i64 %t
  store double %y, ptr addrspace(1) %to, align 8
  %near = getelementptr i8, ptr addrspace(1) %to, i64 -8 ; says so
  store double 0.0, ptr addrspace(1) %near, align 4
  %next = add nsw i64 %t, 1
  %more = icmp slt i64 %next, %n
  br i1 %more, label %loop, label %end
end:
  ret void
}

; CHECK-LABEL: define void @overlap_before_no(
; CHECK-NOT: = phi double
; CHECK: ret void
define void @overlap_before_no(i64 %n, ptr addrspace(1) noalias %a, ptr addrspace(1) noalias %b) {
entry:
  br label %loop
loop:
  %t = phi i64 [ 2, %entry ], [ %next, %loop ]
  %s = sub nsw i64 %t, 1
  %from = getelementptr double, ptr addrspace(1) %a, i64 %s
  %x = load double, ptr addrspace(1) %from, align 8
  %y = fmul double %x, 2.0
  %to = getelementptr double, ptr addrspace(1) %a, i64 %t
  store double %y, ptr addrspace(1) %to, align 8
  %near = getelementptr i8, ptr addrspace(1) %to, i64 -4 ; says so
  store double 0.0, ptr addrspace(1) %near, align 4
  %next = add nsw i64 %t, 1
  %more = icmp slt i64 %next, %n
  br i1 %more, label %loop, label %end
end:
  ret void
}

; The load is not in each iteration.
; CHECK-LABEL: define void @some_load_yes(
; CHECK-COUNT-1: = phi double
; CHECK: ret void
define void @some_load_yes(i64 %n, ptr addrspace(1) noalias %a, ptr addrspace(1) noalias %b) {
entry:
  br label %loop
loop:
  %t = phi i64 [ 2, %entry ], [ %next, %join ]
  %s = sub nsw i64 %t, 1
  %from = getelementptr double, ptr addrspace(1) %a, i64 %s
  %x = load double, ptr addrspace(1) %from, align 8
  %odd = trunc i64 %t to i1
  br i1 %odd, label %then, label %join
then:
  br label %join
join:
  %w = phi float [ 0.0, %loop ], [ 1.0, %then ]
  %y = fmul double %x, 2.0
  %to = getelementptr double, ptr addrspace(1) %a, i64 %t
  store double %y, ptr addrspace(1) %to, align 8
  %next = add nsw i64 %t, 1
  %more = icmp slt i64 %next, %n
  br i1 %more, label %loop, label %end
end:
  ret void
}

; CHECK-LABEL: define void @some_load_no(
; CHECK-NOT: %carried
; CHECK: ret void
define void @some_load_no(i64 %n, ptr addrspace(1) noalias %a, ptr addrspace(1) noalias %b) {
entry:
  br label %loop
loop:
  %t = phi i64 [ 2, %entry ], [ %next, %join ]
  %s = sub nsw i64 %t, 1
  %from = getelementptr double, ptr addrspace(1) %a, i64 %s
  %odd = trunc i64 %t to i1
  br i1 %odd, label %then, label %join
then:
  %x = load double, ptr addrspace(1) %from, align 8 ; says so
  br label %join
join:
  %w = phi double [ 0.0, %loop ], [ %x, %then ]
  %y = fmul double %w, 2.0
  %to = getelementptr double, ptr addrspace(1) %a, i64 %t
  store double %y, ptr addrspace(1) %to, align 8
  %next = add nsw i64 %t, 1
  %more = icmp slt i64 %next, %n
  br i1 %more, label %loop, label %end
end:
  ret void
}

; The store is not in each iteration.
; CHECK-LABEL: define void @some_store_yes(
; CHECK-COUNT-1: = phi double
; CHECK: ret void
define void @some_store_yes(i64 %n, ptr addrspace(1) noalias %a, ptr addrspace(1) noalias %b) {
entry:
  br label %loop
loop:
  %t = phi i64 [ 2, %entry ], [ %next, %join ]
  %s = sub nsw i64 %t, 1
  %from = getelementptr double, ptr addrspace(1) %a, i64 %s
  %x = load double, ptr addrspace(1) %from, align 8
  %y = fmul double %x, 2.0
  %to = getelementptr double, ptr addrspace(1) %a, i64 %t
  store double %y, ptr addrspace(1) %to, align 8
  %odd = trunc i64 %t to i1
  br i1 %odd, label %then, label %join
then:
  br label %join
join:
  %next = add nsw i64 %t, 1
  %more = icmp slt i64 %next, %n
  br i1 %more, label %loop, label %end
end:
  ret void
}

; CHECK-LABEL: define void @some_store_no(
; CHECK-NOT: = phi double
; CHECK: ret void
define void @some_store_no(i64 %n, ptr addrspace(1) noalias %a, ptr addrspace(1) noalias %b) {
entry:
  br label %loop
loop:
  %t = phi i64 [ 2, %entry ], [ %next, %join ]
  %s = sub nsw i64 %t, 1
  %from = getelementptr double, ptr addrspace(1) %a, i64 %s
  %x = load double, ptr addrspace(1) %from, align 8
  %y = fmul double %x, 2.0
  %to = getelementptr double, ptr addrspace(1) %a, i64 %t
  %odd = trunc i64 %t to i1
  br i1 %odd, label %then, label %join
then:
  store double %y, ptr addrspace(1) %to, align 8 ; says so
  br label %join
join:
  %next = add nsw i64 %t, 1
  %more = icmp slt i64 %next, %n
  br i1 %more, label %loop, label %end
end:
  ret void
}

; Its condition is another one than that of the next iteration.
; CHECK-LABEL: define void @other_condition_yes(
; CHECK-COUNT-1: = phi double
; CHECK: ret void
define void @other_condition_yes(i64 %n, ptr addrspace(1) noalias %a, ptr addrspace(1) noalias %b) {
entry:
  br label %loop
loop:
  %t = phi i64 [ 2, %entry ], [ %next, %join ]
  %s = sub nsw i64 %t, 1
  %from = getelementptr double, ptr addrspace(1) %a, i64 %s
  %x = load double, ptr addrspace(1) %from, align 8
  %y = fmul double %x, 2.0
  %to = getelementptr double, ptr addrspace(1) %a, i64 %t
  %limit = icmp slt i64 %t, %n ; says so
  br i1 %limit, label %then, label %join
then:
  store double %y, ptr addrspace(1) %to, align 8
  br label %join
join:
  %next = add nsw i64 %t, 1
  %more = icmp slt i64 %next, %n
  br i1 %more, label %loop, label %end
end:
  ret void
}

; CHECK-LABEL: define void @other_condition_no(
; CHECK-NOT: = phi double
; CHECK: ret void
define void @other_condition_no(i64 %n, ptr addrspace(1) noalias %a, ptr addrspace(1) noalias %b) {
entry:
  br label %loop
loop:
  %t = phi i64 [ 2, %entry ], [ %next, %join ]
  %s = sub nsw i64 %t, 1
  %from = getelementptr double, ptr addrspace(1) %a, i64 %s
  %x = load double, ptr addrspace(1) %from, align 8
  %y = fmul double %x, 2.0
  %to = getelementptr double, ptr addrspace(1) %a, i64 %t
  %limit = icmp slt i64 %t, 100 ; says so
  br i1 %limit, label %then, label %join
then:
  store double %y, ptr addrspace(1) %to, align 8
  br label %join
join:
  %next = add nsw i64 %t, 1
  %more = icmp slt i64 %next, %n
  br i1 %more, label %loop, label %end
end:
  ret void
}

; A loop may end before the load: in front of it, nothing would have been read.
; CHECK-LABEL: define void @ends_yes(
; CHECK-COUNT-1: = phi double
; CHECK: ret void
define void @ends_yes(i64 %n, ptr addrspace(1) noalias %a, ptr addrspace(1) noalias %b) {
entry:
  br label %loop
loop:
  %t = phi i64 [ 2, %entry ], [ %next, %rest ]
  %s = sub nsw i64 %t, 1
  %from = getelementptr double, ptr addrspace(1) %a, i64 %s
  %x = load double, ptr addrspace(1) %from, align 8
  %last = icmp eq i64 %t, 7
  br i1 %last, label %end, label %rest
rest:
  %y = fmul double %x, 2.0
  %to = getelementptr double, ptr addrspace(1) %a, i64 %t
  store double %y, ptr addrspace(1) %to, align 8
  %next = add nsw i64 %t, 1
  %more = icmp slt i64 %next, %n
  br i1 %more, label %loop, label %end
end:
  ret void
}

; CHECK-LABEL: define void @ends_no(
; CHECK-NOT: = phi double
; CHECK: ret void
define void @ends_no(i64 %n, ptr addrspace(1) noalias %a, ptr addrspace(1) noalias %b) {
entry:
  br label %loop
loop:
  %t = phi i64 [ 2, %entry ], [ %next, %rest ]
  %s = sub nsw i64 %t, 1
  %from = getelementptr double, ptr addrspace(1) %a, i64 %s
  %last = icmp eq i64 %t, 7
  br i1 %last, label %end, label %rest
rest:
  %x = load double, ptr addrspace(1) %from, align 8 ; says so
  %y = fmul double %x, 2.0
  %to = getelementptr double, ptr addrspace(1) %a, i64 %t
  store double %y, ptr addrspace(1) %to, align 8
  %next = add nsw i64 %t, 1
  %more = icmp slt i64 %next, %n
  br i1 %more, label %loop, label %end
end:
  ret void
}

; A call may write, or let others write: memory that only this thread has a
; pointer to in this function is not its own.
; CHECK-LABEL: define void @call_yes(
; CHECK-COUNT-1: = phi double
; CHECK: ret void
define void @call_yes(i64 %n, ptr addrspace(1) noalias %a, ptr addrspace(1) noalias %b) {
entry:
  br label %loop
loop:
  %t = phi i64 [ 2, %entry ], [ %next, %loop ]
  %s = sub nsw i64 %t, 1
  %from = getelementptr double, ptr addrspace(1) %a, i64 %s
  %x = load double, ptr addrspace(1) %from, align 8
  %y = fmul double %x, 2.0
  %to = getelementptr double, ptr addrspace(1) %a, i64 %t
  store double %y, ptr addrspace(1) %to, align 8
  call void @polygpu.position() ; says so
  %next = add nsw i64 %t, 1
  %more = icmp slt i64 %next, %n
  br i1 %more, label %loop, label %end
end:
  ret void
}

; CHECK-LABEL: define void @call_no(
; CHECK-NOT: = phi double
; CHECK: ret void
define void @call_no(i64 %n, ptr addrspace(1) noalias %a, ptr addrspace(1) noalias %b) {
entry:
  br label %loop
loop:
  %t = phi i64 [ 2, %entry ], [ %next, %loop ]
  %s = sub nsw i64 %t, 1
  %from = getelementptr double, ptr addrspace(1) %a, i64 %s
  %x = load double, ptr addrspace(1) %from, align 8
  %y = fmul double %x, 2.0
  %to = getelementptr double, ptr addrspace(1) %a, i64 %t
  store double %y, ptr addrspace(1) %to, align 8
  call void @polygpu.barrier() ; says so
  %next = add nsw i64 %t, 1
  %more = icmp slt i64 %next, %n
  br i1 %more, label %loop, label %end
end:
  ret void
}

; So may an atomic operation.
; CHECK-LABEL: define void @atomic_yes(
; CHECK-COUNT-1: = phi double
; CHECK: ret void
define void @atomic_yes(i64 %n, ptr addrspace(1) noalias %a, ptr addrspace(1) noalias %b) {
entry:
  br label %loop
loop:
  %t = phi i64 [ 2, %entry ], [ %next, %loop ]
  %s = sub nsw i64 %t, 1
  %from = getelementptr double, ptr addrspace(1) %a, i64 %s
  %x = load double, ptr addrspace(1) %from, align 8
  %y = fmul double %x, 2.0
  %to = getelementptr double, ptr addrspace(1) %a, i64 %t
  store double %y, ptr addrspace(1) %to, align 8
  %old = load double, ptr addrspace(1) %b, align 8 ; says so
  %next = add nsw i64 %t, 1
  %more = icmp slt i64 %next, %n
  br i1 %more, label %loop, label %end
end:
  ret void
}

; CHECK-LABEL: define void @atomic_no(
; CHECK-NOT: = phi double
; CHECK: ret void
define void @atomic_no(i64 %n, ptr addrspace(1) noalias %a, ptr addrspace(1) noalias %b) {
entry:
  br label %loop
loop:
  %t = phi i64 [ 2, %entry ], [ %next, %loop ]
  %s = sub nsw i64 %t, 1
  %from = getelementptr double, ptr addrspace(1) %a, i64 %s
  %x = load double, ptr addrspace(1) %from, align 8
  %y = fmul double %x, 2.0
  %to = getelementptr double, ptr addrspace(1) %a, i64 %t
  store double %y, ptr addrspace(1) %to, align 8
  %old = atomicrmw fadd ptr addrspace(1) %b, double 1.0 monotonic ; says so
  %next = add nsw i64 %t, 1
  %more = icmp slt i64 %next, %n
  br i1 %more, label %loop, label %end
end:
  ret void
}

; What is stored by an atomic operation stays in memory.
; CHECK-LABEL: define void @atomic_store_yes(
; CHECK-COUNT-1: = phi double
; CHECK: ret void
define void @atomic_store_yes(i64 %n, ptr addrspace(1) noalias %a, ptr addrspace(1) noalias %b) {
entry:
  br label %loop
loop:
  %t = phi i64 [ 2, %entry ], [ %next, %loop ]
  %s = sub nsw i64 %t, 1
  %from = getelementptr double, ptr addrspace(1) %a, i64 %s
  %x = load double, ptr addrspace(1) %from, align 8
  %y = fmul double %x, 2.0
  %to = getelementptr double, ptr addrspace(1) %a, i64 %t
  store double %y, ptr addrspace(1) %to, align 8
  %next = add nsw i64 %t, 1
  %more = icmp slt i64 %next, %n
  br i1 %more, label %loop, label %end
end:
  ret void
}

; CHECK-LABEL: define void @atomic_store_no(
; CHECK-NOT: = phi double
; CHECK: ret void
define void @atomic_store_no(i64 %n, ptr addrspace(1) noalias %a, ptr addrspace(1) noalias %b) {
entry:
  br label %loop
loop:
  %t = phi i64 [ 2, %entry ], [ %next, %loop ]
  %s = sub nsw i64 %t, 1
  %from = getelementptr double, ptr addrspace(1) %a, i64 %s
  %x = load double, ptr addrspace(1) %from, align 8
  %y = fmul double %x, 2.0
  %to = getelementptr double, ptr addrspace(1) %a, i64 %t
  store atomic double %y, ptr addrspace(1) %to monotonic, align 8 ; says so
  %next = add nsw i64 %t, 1
  %more = icmp slt i64 %next, %n
  br i1 %more, label %loop, label %end
end:
  ret void
}

; A volatile load stays.
; CHECK-LABEL: define void @volatile_load_yes(
; CHECK-COUNT-1: = phi double
; CHECK: ret void
define void @volatile_load_yes(i64 %n, ptr addrspace(1) noalias %a, ptr addrspace(1) noalias %b) {
entry:
  br label %loop
loop:
  %t = phi i64 [ 2, %entry ], [ %next, %loop ]
  %s = sub nsw i64 %t, 1
  %from = getelementptr double, ptr addrspace(1) %a, i64 %s
  %x = load double, ptr addrspace(1) %from, align 8
  %y = fmul double %x, 2.0
  %to = getelementptr double, ptr addrspace(1) %a, i64 %t
  store double %y, ptr addrspace(1) %to, align 8
  %next = add nsw i64 %t, 1
  %more = icmp slt i64 %next, %n
  br i1 %more, label %loop, label %end
end:
  ret void
}

; CHECK-LABEL: define void @volatile_load_no(
; CHECK-NOT: = phi double
; CHECK: ret void
define void @volatile_load_no(i64 %n, ptr addrspace(1) noalias %a, ptr addrspace(1) noalias %b) {
entry:
  br label %loop
loop:
  %t = phi i64 [ 2, %entry ], [ %next, %loop ]
  %s = sub nsw i64 %t, 1
  %from = getelementptr double, ptr addrspace(1) %a, i64 %s
  %x = load volatile double, ptr addrspace(1) %from, align 8
  %y = fmul double %x, 2.0
  %to = getelementptr double, ptr addrspace(1) %a, i64 %t
  store double %y, ptr addrspace(1) %to, align 8
  %next = add nsw i64 %t, 1
  %more = icmp slt i64 %next, %n
  br i1 %more, label %loop, label %end
end:
  ret void
}

; A volatile store elsewhere is a sign to others.
; CHECK-LABEL: define void @volatile_store_yes(
; CHECK-COUNT-1: = phi double
; CHECK: ret void
define void @volatile_store_yes(i64 %n, ptr addrspace(1) noalias %a, ptr addrspace(1) noalias %b) {
entry:
  br label %loop
loop:
  %t = phi i64 [ 2, %entry ], [ %next, %loop ]
  %s = sub nsw i64 %t, 1
  %from = getelementptr double, ptr addrspace(1) %a, i64 %s
  %x = load double, ptr addrspace(1) %from, align 8
  %y = fmul double %x, 2.0
  %to = getelementptr double, ptr addrspace(1) %a, i64 %t
  store double %y, ptr addrspace(1) %to, align 8
  %q = getelementptr double, ptr addrspace(1) %b, i64 %s
  store double 0.0, ptr addrspace(1) %q, align 8 ; says so
  %next = add nsw i64 %t, 1
  %more = icmp slt i64 %next, %n
  br i1 %more, label %loop, label %end
end:
  ret void
}

; CHECK-LABEL: define void @volatile_store_no(
; CHECK-NOT: = phi double
; CHECK: ret void
define void @volatile_store_no(i64 %n, ptr addrspace(1) noalias %a, ptr addrspace(1) noalias %b) {
entry:
  br label %loop
loop:
  %t = phi i64 [ 2, %entry ], [ %next, %loop ]
  %s = sub nsw i64 %t, 1
  %from = getelementptr double, ptr addrspace(1) %a, i64 %s
  %x = load double, ptr addrspace(1) %from, align 8
  %y = fmul double %x, 2.0
  %to = getelementptr double, ptr addrspace(1) %a, i64 %t
  store double %y, ptr addrspace(1) %to, align 8
  %q = getelementptr double, ptr addrspace(1) %b, i64 %s
  store volatile double 0.0, ptr addrspace(1) %q, align 8 ; says so
  %next = add nsw i64 %t, 1
  %more = icmp slt i64 %next, %n
  br i1 %more, label %loop, label %end
end:
  ret void
}

; The store is of another type.
; CHECK-LABEL: define void @type_yes(
; CHECK-COUNT-1: = phi double
; CHECK: ret void
define void @type_yes(i64 %n, ptr addrspace(1) noalias %a, ptr addrspace(1) noalias %b) {
entry:
  br label %loop
loop:
  %t = phi i64 [ 2, %entry ], [ %next, %loop ]
  %s = sub nsw i64 %t, 1
  %from = getelementptr double, ptr addrspace(1) %a, i64 %s
  %x = load double, ptr addrspace(1) %from, align 8
  %y = fmul double %x, 2.0
  %to = getelementptr double, ptr addrspace(1) %a, i64 %t
  store double %y, ptr addrspace(1) %to, align 8
  %next = add nsw i64 %t, 1
  %more = icmp slt i64 %next, %n
  br i1 %more, label %loop, label %end
end:
  ret void
}

; CHECK-LABEL: define void @type_no(
; CHECK-NOT: = phi double
; CHECK: ret void
define void @type_no(i64 %n, ptr addrspace(1) noalias %a, ptr addrspace(1) noalias %b) {
entry:
  br label %loop
loop:
  %t = phi i64 [ 2, %entry ], [ %next, %loop ]
  %s = sub nsw i64 %t, 1
  %from = getelementptr double, ptr addrspace(1) %a, i64 %s
  %x = load double, ptr addrspace(1) %from, align 8
  %y0 = fmul double %x, 2.0
  %y = bitcast double %y0 to i64
  %to = getelementptr double, ptr addrspace(1) %a, i64 %t
  store i64 %y, ptr addrspace(1) %to, align 8 ; says so
  %next = add nsw i64 %t, 1
  %more = icmp slt i64 %next, %n
  br i1 %more, label %loop, label %end
end:
  ret void
}

; Two iterations before, without one: in the second, a[t - 2] would have to have
; been read in front of the loop, which may have one iteration only.
; CHECK-LABEL: define void @two_alone_yes(
; CHECK-COUNT-2: = phi double
; CHECK: ret void
define void @two_alone_yes(i64 %n, ptr addrspace(1) noalias %a, ptr addrspace(1) noalias %b) {
entry:
  br label %loop
loop:
  %t = phi i64 [ 2, %entry ], [ %next, %loop ]
  %s = sub nsw i64 %t, 1
  %from = getelementptr double, ptr addrspace(1) %a, i64 %s
  %x = load double, ptr addrspace(1) %from, align 8
  %s2 = sub nsw i64 %t, 2
  %from2 = getelementptr double, ptr addrspace(1) %a, i64 %s2
  %x2 = load double, ptr addrspace(1) %from2, align 8
  %y = fadd double %x, %x2
  %to = getelementptr double, ptr addrspace(1) %a, i64 %t
  store double %y, ptr addrspace(1) %to, align 8
  %next = add nsw i64 %t, 1
  %more = icmp slt i64 %next, %n
  br i1 %more, label %loop, label %end
end:
  ret void
}

; CHECK-LABEL: define void @two_alone_no(
; CHECK-NOT: = phi double
; CHECK: ret void
define void @two_alone_no(i64 %n, ptr addrspace(1) noalias %a, ptr addrspace(1) noalias %b) {
entry:
  br label %loop
loop:
  %t = phi i64 [ 2, %entry ], [ %next, %loop ]
  %s2 = sub nsw i64 %t, 2
  %from2 = getelementptr double, ptr addrspace(1) %a, i64 %s2
  %x2 = load double, ptr addrspace(1) %from2, align 8
  %y = fmul double %x2, 2.0
  %to = getelementptr double, ptr addrspace(1) %a, i64 %t
  store double %y, ptr addrspace(1) %to, align 8
  %next = add nsw i64 %t, 1
  %more = icmp slt i64 %next, %n
  br i1 %more, label %loop, label %end
end:
  ret void
}

; A stride that may be 0: then the store goes to what is to be read two
; iterations later.  One before is carried all the same.
; CHECK-LABEL: define void @stride_yes(
; CHECK-COUNT-2: = phi double
; CHECK: ret void
define void @stride_yes(i64 %n, i64 "polygpu-extent" %m, ptr addrspace(1) noalias %a) {
entry:
  br label %loop
loop:
  %t = phi i64 [ 2, %entry ], [ %next, %loop ]
  %s = sub nsw i64 %t, 1
  %s2 = sub nsw i64 %t, 2
  %i0 = mul nsw i64 %t, %m
  %p0 = getelementptr double, ptr addrspace(1) %a, i64 %i0
  %i1 = mul nsw i64 %s, %m
  %p1 = getelementptr double, ptr addrspace(1) %a, i64 %i1
  %i2 = mul nsw i64 %s2, %m
  %p2 = getelementptr double, ptr addrspace(1) %a, i64 %i2
  %x1 = load double, ptr addrspace(1) %p1, align 8
  %x2 = load double, ptr addrspace(1) %p2, align 8
  %y = fadd double %x1, %x2
  store double %y, ptr addrspace(1) %p0, align 8
  %next = add nsw i64 %t, 1
  %more = icmp slt i64 %next, %n
  br i1 %more, label %loop, label %end
end:
  ret void
}

; CHECK-LABEL: define void @stride_no(
; CHECK-COUNT-1: = phi double
; CHECK-NOT: = phi double
; CHECK: ret void
define void @stride_no(i64 %n, i64 %m, ptr addrspace(1) noalias %a) {
entry:
  br label %loop
loop:
  %t = phi i64 [ 2, %entry ], [ %next, %loop ]
  %s = sub nsw i64 %t, 1
  %s2 = sub nsw i64 %t, 2
  %i0 = mul nsw i64 %t, %m
  %p0 = getelementptr double, ptr addrspace(1) %a, i64 %i0
  %i1 = mul nsw i64 %s, %m
  %p1 = getelementptr double, ptr addrspace(1) %a, i64 %i1
  %i2 = mul nsw i64 %s2, %m
  %p2 = getelementptr double, ptr addrspace(1) %a, i64 %i2
  %x1 = load double, ptr addrspace(1) %p1, align 8
  %x2 = load double, ptr addrspace(1) %p2, align 8
  %y = fadd double %x1, %x2
  store double %y, ptr addrspace(1) %p0, align 8
  %next = add nsw i64 %t, 1
  %more = icmp slt i64 %next, %n
  br i1 %more, label %loop, label %end
end:
  ret void
}

; A product that may overflow and be 0.
; CHECK-LABEL: define void @overflowing_stride_yes(
; CHECK-COUNT-2: = phi double
; CHECK: ret void
define void @overflowing_stride_yes(i64 %n, i64 "polygpu-extent" %m, ptr addrspace(1) noalias %a) {
entry:
  br label %loop
loop:
  %t = phi i64 [ 2, %entry ], [ %next, %loop ]
  %s = sub nsw i64 %t, 1
  %s2 = sub nsw i64 %t, 2
  %i0 = mul nsw i64 %t, %m
  %p0 = getelementptr double, ptr addrspace(1) %a, i64 %i0
  %i1 = mul nsw i64 %s, %m
  %p1 = getelementptr double, ptr addrspace(1) %a, i64 %i1
  %i2 = mul nsw i64 %s2, %m
  %p2 = getelementptr double, ptr addrspace(1) %a, i64 %i2
  %x1 = load double, ptr addrspace(1) %p1, align 8
  %x2 = load double, ptr addrspace(1) %p2, align 8
  %y = fadd double %x1, %x2
  store double %y, ptr addrspace(1) %p0, align 8
  %next = add nsw i64 %t, 1
  %more = icmp slt i64 %next, %n
  br i1 %more, label %loop, label %end
end:
  ret void
}

; CHECK-LABEL: define void @overflowing_stride_no(
; CHECK-COUNT-1: = phi double
; CHECK-NOT: = phi double
; CHECK: ret void
define void @overflowing_stride_no(i64 %n, i64 "polygpu-extent" %m, ptr addrspace(1) noalias %a) {
entry:
  br label %loop
loop:
  %t = phi i64 [ 2, %entry ], [ %next, %loop ]
  %s = sub nsw i64 %t, 1
  %s2 = sub nsw i64 %t, 2
  %i0 = mul i64 %t, %m
  %p0 = getelementptr double, ptr addrspace(1) %a, i64 %i0
  %i1 = mul i64 %s, %m
  %p1 = getelementptr double, ptr addrspace(1) %a, i64 %i1
  %i2 = mul i64 %s2, %m
  %p2 = getelementptr double, ptr addrspace(1) %a, i64 %i2
  %x1 = load double, ptr addrspace(1) %p1, align 8
  %x2 = load double, ptr addrspace(1) %p2, align 8
  %y = fadd double %x1, %x2
  store double %y, ptr addrspace(1) %p0, align 8
  %next = add nsw i64 %t, 1
  %more = icmp slt i64 %next, %n
  br i1 %more, label %loop, label %end
end:
  ret void
}

; An index of 32 bits that may wrap around.
; CHECK-LABEL: define void @wrap_yes(
; CHECK-COUNT-1: = phi double
; CHECK: ret void
define void @wrap_yes(i64 %n, ptr addrspace(1) noalias %a, ptr addrspace(1) noalias %b) {
entry:
  br label %loop
loop:
  %t = phi i64 [ 2, %entry ], [ %next, %loop ]
  %c32 = phi i32 [ 2, %entry ], [ %n32, %loop ]
  %s = sub nsw i32 %c32, 1
  %w = sext i32 %s to i64
  %from = getelementptr double, ptr addrspace(1) %a, i64 %w
  %x = load double, ptr addrspace(1) %from, align 8
  %y = fmul double %x, 2.0
  %w0 = sext i32 %c32 to i64
  %to = getelementptr double, ptr addrspace(1) %a, i64 %w0
  store double %y, ptr addrspace(1) %to, align 8
  %n32 = add nsw i32 %c32, 1
  %next = add nsw i64 %t, 1
  %more = icmp slt i64 %next, %n
  br i1 %more, label %loop, label %end
end:
  ret void
}

; CHECK-LABEL: define void @wrap_no(
; CHECK-NOT: = phi double
; CHECK: ret void
define void @wrap_no(i64 %n, ptr addrspace(1) noalias %a, ptr addrspace(1) noalias %b) {
entry:
  br label %loop
loop:
  %t = phi i64 [ 2, %entry ], [ %next, %loop ]
  %c32 = phi i32 [ 2, %entry ], [ %n32, %loop ]
  %s = sub i32 %c32, 1
  %w = sext i32 %s to i64
  %from = getelementptr double, ptr addrspace(1) %a, i64 %w
  %x = load double, ptr addrspace(1) %from, align 8
  %y = fmul double %x, 2.0
  %w0 = sext i32 %c32 to i64
  %to = getelementptr double, ptr addrspace(1) %a, i64 %w0
  store double %y, ptr addrspace(1) %to, align 8
  %n32 = add i32 %c32, 1
  %next = add nsw i64 %t, 1
  %more = icmp slt i64 %next, %n
  br i1 %more, label %loop, label %end
end:
  ret void
}

; Another step: every second element is stored.
; CHECK-LABEL: define void @step_yes(
; CHECK-COUNT-1: = phi double
; CHECK: ret void
define void @step_yes(i64 %n, ptr addrspace(1) noalias %a, ptr addrspace(1) noalias %b) {
entry:
  br label %loop
loop:
  %t = phi i64 [ 2, %entry ], [ %next, %loop ]
  %s = sub nsw i64 %t, 1
  %from = getelementptr double, ptr addrspace(1) %a, i64 %s
  %x = load double, ptr addrspace(1) %from, align 8
  %y = fmul double %x, 2.0
  %to = getelementptr double, ptr addrspace(1) %a, i64 %t
  store double %y, ptr addrspace(1) %to, align 8
  %next = add nsw i64 %t, 1
  %more = icmp slt i64 %next, %n
  br i1 %more, label %loop, label %end
end:
  ret void
}

; CHECK-LABEL: define void @step_no(
; CHECK-NOT: = phi double
; CHECK: ret void
define void @step_no(i64 %n, ptr addrspace(1) noalias %a, ptr addrspace(1) noalias %b) {
entry:
  br label %loop
loop:
  %t = phi i64 [ 2, %entry ], [ %next, %loop ]
  %s = sub nsw i64 %t, 1
  %from = getelementptr double, ptr addrspace(1) %a, i64 %s
  %x = load double, ptr addrspace(1) %from, align 8
  %y = fmul double %x, 2.0
  %d = mul nsw i64 %t, 2 ; says so
  %to = getelementptr double, ptr addrspace(1) %a, i64 %d
  store double %y, ptr addrspace(1) %to, align 8
  %next = add nsw i64 %t, 1
  %more = icmp slt i64 %next, %n
  br i1 %more, label %loop, label %end
end:
  ret void
}

; A cycle with two entries, which is no loop: the store may come after the load.
; CHECK-LABEL: define void @cycle_yes(
; CHECK-COUNT-1: = phi double
; CHECK: ret void
; CHECK-LABEL: define void @cycle_no(
; CHECK-NOT: = phi double
; CHECK: ret void
define void @cycle_yes(i64 %n, ptr addrspace(1) noalias %a, i1 %c, i1 %d) {
entry:
  br label %loop
loop:
  %t = phi i64 [ 2, %entry ], [ %next, %latch ]
  br i1 %c, label %left, label %right
left:
  br label %right
right:
  %s = sub nsw i64 %t, 1
  %from = getelementptr double, ptr addrspace(1) %a, i64 %s
  %x = load double, ptr addrspace(1) %from, align 8
  %y = fmul double %x, 2.0
  %to = getelementptr double, ptr addrspace(1) %a, i64 %t
  store double %y, ptr addrspace(1) %to, align 8
  br i1 %d, label %latch, label %latch ; says so
latch:
  %next = add nsw i64 %t, 1
  %more = icmp slt i64 %next, %n
  br i1 %more, label %loop, label %end
end:
  ret void
}

define void @cycle_no(i64 %n, ptr addrspace(1) noalias %a, i1 %c, i1 %d) {
entry:
  br label %loop
loop:
  %t = phi i64 [ 2, %entry ], [ %next, %latch ]
  br i1 %c, label %left, label %right
left:
  br label %right
right:
  %s = sub nsw i64 %t, 1
  %from = getelementptr double, ptr addrspace(1) %a, i64 %s
  %x = load double, ptr addrspace(1) %from, align 8
  %y = fmul double %x, 2.0
  %to = getelementptr double, ptr addrspace(1) %a, i64 %t
  store double %y, ptr addrspace(1) %to, align 8
  br i1 %d, label %left, label %latch ; says so
latch:
  %next = add nsw i64 %t, 1
  %more = icmp slt i64 %next, %n
  br i1 %more, label %loop, label %end
end:
  ret void
}

declare void @polygpu.position() nounwind willreturn memory(none)
declare void @polygpu.barrier() nounwind willreturn
