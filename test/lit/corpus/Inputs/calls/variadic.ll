; Variable arguments read in a loop, and functions with them called in one.
target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
target triple = "x86_64-pc-linux-gnu"

declare void @llvm.va_start.p0(ptr)
declare void @llvm.va_end.p0(ptr)
declare i32 @printf(ptr, ...)
@s = constant [3 x i8] c"%d\00"
define i32 @sum(i32 %n, ...) {
entry:
  %ap = alloca [24 x i8]
  %t = alloca [8 x i32]
  call void @llvm.va_start.p0(ptr %ap)
  br label %i.head
i.head:
  %i = phi i32 [ 0, %entry ], [ %i.next, %i.latch ]
  %i.more = icmp slt i32 %i, %n
  br i1 %i.more, label %i.body, label %i.exit
i.body:
  %x = va_arg ptr %ap, i32
  %w = sext i32 %i to i64
  %q1 = getelementptr inbounds i32, ptr %t, i64 %w
  store i32 %x, ptr %q1
  br label %i.latch
i.latch:
  %i.next = add nsw i32 %i, 1
  br label %i.head
i.exit:
  call void @llvm.va_end.p0(ptr %ap)
  br label %j.head
j.head:
  %j = phi i64 [ 0, %i.exit ], [ %j.next, %j.latch ]
  %j.more = icmp slt i64 %j, 8
  br i1 %j.more, label %j.body, label %j.exit
j.body:
  %q2 = getelementptr inbounds i32, ptr %t, i64 %j
  store i32 0, ptr %q2
  br label %j.latch
j.latch:
  %j.next = add nsw i64 %j, 1
  br label %j.head
j.exit:
  ret i32 0
}
define void @f(ptr %a, i64 %n) {
entry:
  br label %i.head
i.head:
  %i = phi i64 [ 0, %entry ], [ %i.next, %i.latch ]
  %i.more = icmp slt i64 %i, %n
  br i1 %i.more, label %i.body, label %i.exit
i.body:
  %x.p = getelementptr inbounds i32, ptr %a, i64 %i
  %x = load i32, ptr %x.p
  %r = call i32 (ptr, ...) @printf(ptr @s, i32 %x)
  %q1 = getelementptr inbounds i32, ptr %a, i64 %i
  store i32 %r, ptr %q1
  br label %i.latch
i.latch:
  %i.next = add nsw i64 %i, 1
  br label %i.head
i.exit:
  ret void
}
