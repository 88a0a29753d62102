; Pointers that move along, and buffers that change places each time step.
target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
target triple = "x86_64-pc-linux-gnu"

define void @move(ptr %a, ptr %b, i64 %n) {
entry:
  br label %loop
loop:
  %p = phi ptr [ %a, %entry ], [ %p1, %loop ]
  %q = phi ptr [ %b, %entry ], [ %q1, %loop ]
  %i = phi i64 [ %n, %entry ], [ %i1, %loop ]
  %x = load i32, ptr %q
  store i32 %x, ptr %p
  %p1 = getelementptr inbounds i32, ptr %p, i64 1
  %q1 = getelementptr inbounds i32, ptr %q, i64 2
  %i1 = add nsw i64 %i, -1
  %c = icmp sgt i64 %i1, 0
  br i1 %c, label %loop, label %end
end:
  ret void
}
define void @exchange(ptr noalias %a, ptr noalias %b, i64 %n) {
entry:
  br label %time
time:
  %t = phi i64 [ 0, %entry ], [ %t1, %i.exit ]
  %p = phi ptr [ %a, %entry ], [ %q, %i.exit ]
  %q = phi ptr [ %b, %entry ], [ %p, %i.exit ]
  br label %i.head
i.head:
  %i = phi i64 [ 0, %time ], [ %i.next, %i.latch ]
  %i.more = icmp slt i64 %i, %n
  br i1 %i.more, label %i.body, label %i.exit
i.body:
  %x.p = getelementptr inbounds float, ptr %p, i64 %i
  %x = load float, ptr %x.p
  %q1 = getelementptr inbounds float, ptr %q, i64 %i
  store float %x, ptr %q1
  br label %i.latch
i.latch:
  %i.next = add nsw i64 %i, 1
  br label %i.head
i.exit:
  %t1 = add nsw i64 %t, 1
  %c = icmp slt i64 %t1, 10
  br i1 %c, label %time, label %end
end:
  ret void
}
