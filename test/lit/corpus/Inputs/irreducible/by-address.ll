; An indirect jump makes the cycle.
target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
target triple = "x86_64-pc-linux-gnu"

@t = constant [2 x ptr] [ptr blockaddress(@f, %one), ptr blockaddress(@f, %two)]
define void @f(ptr %a, i64 %k) {
entry:
  %p0 = getelementptr [2 x ptr], ptr @t, i64 0, i64 %k
  %d0 = load ptr, ptr %p0
  indirectbr ptr %d0, [label %one, label %two]
one:
  br label %i.head
i.head:
  %i = phi i64 [ 0, %one ], [ %i.next, %i.latch ]
  %i.more = icmp slt i64 %i, 10
  br i1 %i.more, label %i.body, label %i.exit
i.body:
  %q1 = getelementptr inbounds i64, ptr %a, i64 %i
  store i64 1, ptr %q1
  br label %i.latch
i.latch:
  %i.next = add nsw i64 %i, 1
  br label %i.head
i.exit:
  br label %two
two:
  %v = load i64, ptr %a
  %p = getelementptr [2 x ptr], ptr @t, i64 0, i64 %v
  %d = load ptr, ptr %p
  indirectbr ptr %d, [label %one, label %end]
end:
  ret void
}
define void @g(ptr noalias %a, ptr noalias %b, i64 %n) {
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

