; The callee has the irreducible cycle; its caller is affine.
target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
target triple = "x86_64-pc-linux-gnu"

define internal i32 @odd(i32 %x, i1 %c) {
entry:
  br i1 %c, label %l, label %r
l:
  %u = phi i32 [ %x, %entry ], [ %v1, %r ]
  %u1 = lshr i32 %u, 1
  br label %r
r:
  %v = phi i32 [ %x, %entry ], [ %u1, %l ]
  %v1 = add i32 %v, 1
  %d = icmp ugt i32 %v1, 10
  br i1 %d, label %l, label %e
e:
  ret i32 %v1
}
define void @f(ptr %a, i1 %c, i64 %n) {
entry:
  br label %i.head
i.head:
  %i = phi i64 [ 0, %entry ], [ %i.next, %i.latch ]
  %i.more = icmp slt i64 %i, %n
  br i1 %i.more, label %i.body, label %i.exit
i.body:
  %x.p = getelementptr inbounds i32, ptr %a, i64 %i
  %x = load i32, ptr %x.p
  %y = call i32 @odd(i32 %x, i1 %c)
  %q1 = getelementptr inbounds i32, ptr %a, i64 %i
  store i32 %y, ptr %q1
  br label %i.latch
i.latch:
  %i.next = add nsw i64 %i, 1
  br label %i.head
i.exit:
  ret void
}
