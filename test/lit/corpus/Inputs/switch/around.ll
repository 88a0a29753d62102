; Each case is an affine loop.
target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
target triple = "x86_64-pc-linux-gnu"

define void @f(ptr %a, ptr %b, i32 %k, i64 %n) {
entry:
  switch i32 %k, label %end [i32 0, label %x i32 1, label %y i32 2, label %z]
x:
  br label %i.head
i.head:
  %i = phi i64 [ 0, %x ], [ %i.next, %i.latch ]
  %i.more = icmp slt i64 %i, %n
  br i1 %i.more, label %i.body, label %i.exit
i.body:
  %q1 = getelementptr inbounds float, ptr %a, i64 %i
  store float 0.0, ptr %q1
  br label %i.latch
i.latch:
  %i.next = add nsw i64 %i, 1
  br label %i.head
i.exit:
  br label %end
y:
  br label %j.head
j.head:
  %j = phi i64 [ 0, %y ], [ %j.next, %j.latch ]
  %j.more = icmp slt i64 %j, %n
  br i1 %j.more, label %j.body, label %j.exit
j.body:
  %q2 = getelementptr inbounds float, ptr %b, i64 %j
  store float 1.0, ptr %q2
  br label %j.latch
j.latch:
  %j.next = add nsw i64 %j, 1
  br label %j.head
j.exit:
  br label %z
z:
  br label %l.head
l.head:
  %l = phi i64 [ 0, %z ], [ %l.next, %l.latch ]
  %l.more = icmp slt i64 %l, %n
  br i1 %l.more, label %l.body, label %l.exit
l.body:
  %x1.p = getelementptr inbounds float, ptr %b, i64 %l
  %x1 = load float, ptr %x1.p
  %q3 = getelementptr inbounds float, ptr %a, i64 %l
  store float %x1, ptr %q3
  br label %l.latch
l.latch:
  %l.next = add nsw i64 %l, 1
  br label %l.head
l.exit:
  br label %end
end:
  ret void
}
