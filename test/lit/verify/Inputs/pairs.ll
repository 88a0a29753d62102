; Pairs of functions for polygpu-verify: two executions that do the same, and
; others that do not, each in one way.
source_filename = "pairs"

declare void @seen(i32)
declare double @fma(double, double, double)
declare i32 @rand()
@counter = global i32 0

define double @sum(ptr %a, i32 %n) {
entry:
  %more = icmp sgt i32 %n, 0
  br i1 %more, label %loop, label %exit
loop:
  %i = phi i32 [ 0, %entry ], [ %next, %loop ]
  %s = phi double [ 0.0, %entry ], [ %t, %loop ]
  %p = getelementptr double, ptr %a, i32 %i
  %x = load double, ptr %p
  %t = fadd double %s, %x
  %next = add nsw i32 %i, 1
  %go = icmp slt i32 %next, %n
  br i1 %go, label %loop, label %exit
exit:
  %r = phi double [ 0.0, %entry ], [ %t, %loop ]
  ret double %r
}

; The first element twice.
define double @sum.wrong(ptr %a, i32 %n) {
  %s = call double @sum(ptr %a, i32 %n)
  %some = icmp sgt i32 %n, 3
  br i1 %some, label %yes, label %no
yes:
  %x = load double, ptr %a
  %t = fadd double %s, %x
  ret double %t
no:
  ret double %s
}

define void @fill(ptr %a, i32 %n, float %x) {
entry:
  %more = icmp sgt i32 %n, 0
  br i1 %more, label %loop, label %exit
loop:
  %i = phi i32 [ 0, %entry ], [ %next, %loop ]
  %p = getelementptr float, ptr %a, i32 %i
  store float %x, ptr %p
  %next = add nsw i32 %i, 1
  %go = icmp slt i32 %next, %n
  br i1 %go, label %loop, label %exit
exit:
  ret void
}

; One element more.
define void @fill.wrong(ptr %a, i32 %n, float %x) {
  %m = add i32 %n, 1
  call void @fill(ptr %a, i32 %m, float %x)
  ret void
}

; NaN and another NaN, in memory.
define void @nan(ptr %a) {
  store float 0x7FF8000000000000, ptr %a
  ret void
}
define void @nan.other(ptr %a) {
  store float 0xFFF8000020000000, ptr %a
  ret void
}

; Zero and negative zero.
define void @zero(ptr %a) {
  store float 0.0, ptr %a
  ret void
}
define void @zero.wrong(ptr %a) {
  store float -0.0, ptr %a
  ret void
}

define void @calls(i32 %x) {
  %y = add i32 %x, 1
  call void @seen(i32 %x)
  call void @seen(i32 %y)
  ret void
}
define void @calls.wrong(i32 %x) {
  %y = add i32 %x, 1
  call void @seen(i32 %y)
  call void @seen(i32 %x)
  ret void
}

define void @count() {
  %c = load i32, ptr @counter
  %d = add i32 %c, 1
  store i32 %d, ptr @counter
  ret void
}
define void @count.wrong() {
  %c = load i32, ptr @counter
  %d = add i32 %c, 2
  store i32 %d, ptr @counter
  ret void
}

; The pointer in memory leads somewhere, too.
define void @far(ptr %a) {
  %p = load ptr, ptr %a
  %q = getelementptr double, ptr %p, i64 7
  %x = load double, ptr %q
  %y = fmul double %x, 2.0
  store double %y, ptr %q
  ret void
}
define void @far.wrong(ptr %a) {
  %p = load ptr, ptr %a
  %q = getelementptr double, ptr %p, i64 7
  %r = getelementptr double, ptr %p, i64 8
  %x = load double, ptr %q
  %y = fmul double %x, 2.0
  store double %y, ptr %r
  ret void
}

; Only wrong where both lead to the same memory.
define void @both(ptr %a, ptr %b) {
  store double 1.0, ptr %a
  store double 2.0, ptr %b
  ret void
}
define void @both.wrong(ptr %a, ptr %b) {
  store double 2.0, ptr %b
  store double 1.0, ptr %a
  ret void
}

; What a function that is not executed returns is the same both times.
define i32 @answer() {
  %r = call i32 @rand()
  ret i32 %r
}
define i32 @answer.same() {
  %r = call i32 @rand()
  ret i32 %r
}

; May be fused, and is, on both sides.
declare double @llvm.fmuladd.f64(double, double, double)
define double @fused(double %a, double %b, double %c) {
  %r = call double @llvm.fmuladd.f64(double %a, double %b, double %c)
  ret double %r
}
define double @fused.same(double %a, double %b, double %c) {
  %r = call double @fma(double %a, double %b, double %c)
  ret double %r
}

define void @crash(ptr %a) {
  store i32 1, ptr %a
  ret void
}
define void @crash.wrong(ptr %a) {
  store i32 1, ptr null
  ret void
}

; Not defined: far away from what a points to.
define void @wild(ptr %a) {
  %p = getelementptr i8, ptr %a, i64 100000000
  store i32 1, ptr %p
  ret void
}
define void @endless(ptr %a) {
entry:
  br label %loop
loop:
  store volatile i32 1, ptr %a
  br label %loop
}

; A call that has no effect may be made once.
declare ptr @__errno_location() memory(none)
declare double @weight(i32) memory(none)
define double @twice(i32 %n) {
  %e = call ptr @__errno_location()
  store i32 0, ptr %e
  %x = call double @weight(i32 %n)
  %y = call double @weight(i32 %n)
  %f = call ptr @__errno_location()
  store i32 %n, ptr %f
  %s = fadd double %x, %y
  ret double %s
}
define double @twice.same(i32 %n) {
  %x = call double @weight(i32 %n)
  %s = fadd double %x, %x
  ret double %s
}

; Behind the end of a variable there may be another one.
@few = global [4 x i32] zeroinitializer
@more = global [4 x i32] zeroinitializer
define i32 @beyond() {
  %p = getelementptr i32, ptr @few, i64 5
  %x = load i32, ptr %p
  ret i32 %x
}

; What was freed cannot be looked at, but both have to free it.
declare ptr @malloc(i64)
declare void @free(ptr)
define void @scratch(i32 %n) {
  %p = call ptr @malloc(i64 8)
  store i32 %n, ptr %p
  call void @free(ptr %p)
  ret void
}
define void @scratch.same(i32 %n) {
  %p = call ptr @malloc(i64 8)
  store i32 5, ptr %p
  call void @free(ptr %p)
  ret void
}
define void @scratch.wrong(i32 %n) {
  %p = call ptr @malloc(i64 8)
  store i32 %n, ptr %p
  ret void
}

; What stands behind the variable is the beginning of its lifetime.
define void @lifetime(ptr %p) {
  %a = alloca [8 x i32]
  call void @llvm.lifetime.start.p0(ptr %a)
  %v = load i32, ptr %p
  store i32 %v, ptr %a
  %w = load i32, ptr %a
  store i32 %w, ptr %p
  call void @llvm.lifetime.end.p0(ptr %a)
  ret void
}

; Poison that is used: from an addition, through a loop, by a branch.
define void @overflow(i32 %n, ptr %a) {
  %some = or i32 %n, 1
  %small = and i32 %some, 7
  %sum = add nsw i32 %small, 2147483647
  store i32 %sum, ptr %a
  ret void
}

define void @carried(i32 %n, ptr %a) {
entry:
  %some = or i32 %n, 1
  %small = and i32 %some, 7
  %sum = add nsw i32 %small, 2147483647
  br label %loop
loop:
  %i = phi i32 [ 0, %entry ], [ %next, %loop ]
  %last = phi i32 [ 1, %entry ], [ %kept, %loop ]
  %kept = phi i32 [ 1, %entry ], [ %sum, %loop ]
  %next = add i32 %i, 1
  %more = icmp ult i32 %next, 4
  br i1 %more, label %loop, label %end
end:
  store i32 %last, ptr %a
  ret void
}

define void @branch(i32 %n, ptr %a) {
  %width = or i32 %n, 32
  %shifted = shl i32 1, %width
  %is = icmp eq i32 %shifted, 0
  br i1 %is, label %yes, label %no
yes:
  store i32 1, ptr %a
  ret void
no:
  ret void
}

; Poison that nobody uses.
define void @unused(i32 %n, ptr %a) {
  %some = or i32 %n, 1
  %small = and i32 %some, 7
  %sum = add nsw i32 %small, 2147483647
  %never = icmp eq i32 %small, 0
  %chosen = select i1 %never, i32 %sum, i32 1
  store i32 %chosen, ptr %a
  ret void
}
