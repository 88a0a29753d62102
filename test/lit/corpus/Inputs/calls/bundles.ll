; Operand bundles: assume, deopt, kcfi, an unknown tag.
target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
target triple = "x86_64-pc-linux-gnu"

declare void @llvm.assume(i1)
declare void @g()
define internal i64 @id(i64 %x) {
  ret i64 %x
}
define void @f(ptr %a, ptr %fn, i64 %n) {
entry:
  call void @llvm.assume(i1 true) [ "align"(ptr %a, i64 64), "nonnull"(ptr %a) ]
  br label %i.head
i.head:
  %i = phi i64 [ 0, %entry ], [ %i.next, %i.latch ]
  %i.more = icmp slt i64 %i, %n
  br i1 %i.more, label %i.body, label %i.exit
i.body:
  call void @llvm.assume(i1 true) [ "dereferenceable"(ptr %a, i64 8) ]
  %q1 = getelementptr inbounds i64, ptr %a, i64 %i
  store i64 %i, ptr %q1
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
  call void @g() [ "deopt"(i64 %j, ptr %a) ]
  call void %fn() [ "kcfi"(i32 77) ]
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
  %x = call i64 @id(i64 %k) [ "mine"(i64 3) ]
  %q2 = getelementptr inbounds i64, ptr %a, i64 %k
  store i64 %x, ptr %q2
  br label %k.latch
k.latch:
  %k.next = add nsw i64 %k, 1
  br label %k.head
k.exit:
  ret void
}
