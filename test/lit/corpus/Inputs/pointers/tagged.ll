; Bits of pointers masked; provenance intrinsics; pointers of integers.
target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
target triple = "x86_64-pc-linux-gnu"

declare ptr @llvm.ptrmask.p0.i64(ptr, i64)
declare ptr @llvm.launder.invariant.group.p0(ptr)
declare ptr @llvm.ssa.copy.p0(ptr)
define void @f(ptr %a, i64 %n) {
entry:
  %m = call ptr @llvm.ptrmask.p0.i64(ptr %a, i64 -64)
  br label %i.head
i.head:
  %i = phi i64 [ 0, %entry ], [ %i.next, %i.latch ]
  %i.more = icmp slt i64 %i, %n
  br i1 %i.more, label %i.body, label %i.exit
i.body:
  %q1 = getelementptr inbounds i32, ptr %m, i64 %i
  store i32 1, ptr %q1
  br label %i.latch
i.latch:
  %i.next = add nsw i64 %i, 1
  br label %i.head
i.exit:
  br label %j.head
j.head:
  %j = phi i64 [ 0, %i.exit ], [ %j.next, %j.latch ]
  %j.more = icmp slt i64 %j, %n
  br i1 %j.more, label %j.body, label %j.exit
j.body:
  %g = call ptr @llvm.launder.invariant.group.p0(ptr %a)
  %q2 = getelementptr inbounds i32, ptr %g, i64 %j
  store i32 2, ptr %q2
  br label %j.latch
j.latch:
  %j.next = add nsw i64 %j, 1
  br label %j.head
j.exit:
  br label %k.head
k.head:
  %k = phi i64 [ 0, %j.exit ], [ %k.next, %k.latch ]
  %k.more = icmp slt i64 %k, %n
  br i1 %k.more, label %k.body, label %k.exit
k.body:
  %x = ptrtoint ptr %a to i64
  %y = shl i64 %k, 2
  %z = add i64 %x, %y
  %p = inttoptr i64 %z to ptr
  store i32 3, ptr %p
  br label %k.latch
k.latch:
  %k.next = add nsw i64 %k, 1
  br label %k.head
k.exit:
  ret void
}
