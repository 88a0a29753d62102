; A checked callee in an ordinary loop, an ordinary one in a checked loop.
target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
target triple = "x86_64-pc-linux-gnu"

define internal float @checked(float %x) sanitize_address {
  %y = fmul float %x, 3.0
  ret float %y
}
define internal float @plain(float %x) {
  %y = fmul float %x, 3.0
  ret float %y
}
define void @f(ptr %a, i64 %n) {
entry:
  br label %i.head
i.head:
  %i = phi i64 [ 0, %entry ], [ %i.next, %i.latch ]
  %i.more = icmp slt i64 %i, %n
  br i1 %i.more, label %i.body, label %i.exit
i.body:
  %x.p = getelementptr inbounds float, ptr %a, i64 %i
  %x = load float, ptr %x.p
  %y = call float @checked(float %x)
  %q1 = getelementptr inbounds float, ptr %a, i64 %i
  store float %y, ptr %q1
  br label %i.latch
i.latch:
  %i.next = add nsw i64 %i, 1
  br label %i.head
i.exit:
  ret void
}
define void @g(ptr %a, i64 %n) sanitize_address {
entry:
  br label %i.head
i.head:
  %i = phi i64 [ 0, %entry ], [ %i.next, %i.latch ]
  %i.more = icmp slt i64 %i, %n
  br i1 %i.more, label %i.body, label %i.exit
i.body:
  %x.p = getelementptr inbounds float, ptr %a, i64 %i
  %x = load float, ptr %x.p
  %y = call float @plain(float %x)
  %q1 = getelementptr inbounds float, ptr %a, i64 %i
  store float %y, ptr %q1
  br label %i.latch
i.latch:
  %i.next = add nsw i64 %i, 1
  br label %i.head
i.exit:
  ret void
}
