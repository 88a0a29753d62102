; Loops behind branches that nest, and join in odd ways.
target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
target triple = "x86_64-pc-linux-gnu"

define void @f(ptr %a, i1 %c, i1 %d, i64 %n) {
entry:
  br i1 %c, label %one, label %two
one:
  br label %i.head
i.head:
  %i = phi i64 [ 0, %one ], [ %i.next, %i.latch ]
  %i.more = icmp slt i64 %i, %n
  br i1 %i.more, label %i.body, label %i.exit
i.body:
  %q1 = getelementptr inbounds float, ptr %a, i64 %i
  store float 1.0, ptr %q1
  br label %i.latch
i.latch:
  %i.next = add nsw i64 %i, 1
  br label %i.head
i.exit:
  br i1 %d, label %two, label %three
two:
  br label %j.head
j.head:
  %j = phi i64 [ 0, %two ], [ %j.next, %j.latch ]
  %j.more = icmp slt i64 %j, %n
  br i1 %j.more, label %j.body, label %j.exit
j.body:
  %q2 = getelementptr inbounds float, ptr %a, i64 %j
  store float 2.0, ptr %q2
  br label %j.latch
j.latch:
  %j.next = add nsw i64 %j, 1
  br label %j.head
j.exit:
  br i1 %c, label %end, label %three
three:
  br label %k.head
k.head:
  %k = phi i64 [ 0, %three ], [ %k.next, %k.latch ]
  %k.more = icmp slt i64 %k, %n
  br i1 %k.more, label %k.body, label %k.exit
k.body:
  %q3 = getelementptr inbounds float, ptr %a, i64 %k
  store float 3.0, ptr %q3
  br label %k.latch
k.latch:
  %k.next = add nsw i64 %k, 1
  br label %k.head
k.exit:
  br label %end
end:
  ret void
}
