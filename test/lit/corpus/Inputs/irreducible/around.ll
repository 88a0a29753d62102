; Affine loops as parts of an irreducible cycle.
target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
target triple = "x86_64-pc-linux-gnu"

define void @f(ptr %a, ptr %b, i64 %n, i1 %c) {
entry:
  br i1 %c, label %first, label %second
first:
  br label %i.head
i.head:
  %i = phi i64 [ 0, %first ], [ %i.next, %i.latch ]
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
  br label %second
second:
  br label %j.head
j.head:
  %j = phi i64 [ 0, %second ], [ %j.next, %j.latch ]
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
  %x = load i64, ptr %a
  %d = icmp eq i64 %x, 0
  br i1 %d, label %first, label %end
end:
  ret void
}
