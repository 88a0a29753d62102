; Phis of expressions, undef, poison and blocks' own values.
target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
target triple = "x86_64-pc-linux-gnu"

@g = global [8 x i32] zeroinitializer
define void @f(ptr %a, i1 %c, i64 %n) {
entry:
  br label %i.head
i.head:
  %i = phi i64 [ 0, %entry ], [ %i.next, %i.latch ]
  %i.more = icmp slt i64 %i, %n
  br i1 %i.more, label %i.body, label %i.exit
i.body:
  br i1 %c, label %x, label %y
x:
  br label %join
y:
  br label %join
join:
  %p = phi ptr [ getelementptr (i8, ptr @g, i64 4), %x ], [ %a, %y ]
  %v = phi i32 [ undef, %x ], [ ptrtoint (ptr @g to i32), %y ]
  %w = phi i64 [ poison, %x ], [ %i, %y ]
  %q1 = getelementptr inbounds i32, ptr %p, i64 %w
  store i32 %v, ptr %q1
  br label %i.latch
i.latch:
  %i.next = add nsw i64 %i, 1
  br label %i.head
i.exit:
  ret void
}
define void @h(ptr noalias %a, ptr noalias %b, i64 %n) {
entry:
  br label %i.head
i.head:
  %i = phi i64 [ 0, %entry ], [ %i.next, %i.latch ]
  %i.more = icmp slt i64 %i, %n
  br i1 %i.more, label %i.body, label %i.exit
i.body:
  %x.p = getelementptr inbounds float, ptr %b, i64 %i
  %x = load float, ptr %x.p
  %y = fmul float %x, 2.0
  %q1 = getelementptr inbounds float, ptr %a, i64 %i
  store float %y, ptr %q1
  br label %i.latch
i.latch:
  %i.next = add nsw i64 %i, 1
  br label %i.head
i.exit:
  ret void
}

