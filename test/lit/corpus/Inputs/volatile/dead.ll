; Volatile accesses whose values nobody uses; one of no size.
target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
target triple = "x86_64-pc-linux-gnu"

define void @f(ptr %a, i64 %n) {
entry:
  br label %i.head
i.head:
  %i = phi i64 [ 0, %entry ], [ %i.next, %i.latch ]
  %i.more = icmp slt i64 %i, %n
  br i1 %i.more, label %i.body, label %i.exit
i.body:
  %x = load volatile i8, ptr %a
  store volatile {} undef, ptr %a
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
  %p = getelementptr i8, ptr %a, i64 %j
  %y = load volatile float, ptr %p, align 1
  br label %j.latch
j.latch:
  %j.next = add nsw i64 %j, 1
  br label %j.head
j.exit:
  ret void
}
define void @g(ptr noalias %a, ptr noalias %b, i64 %n) {
entry:
  %last = sub nsw i64 %n, 1
  br label %i.head
i.head:
  %i = phi i64 [ 1, %entry ], [ %i.next, %i.latch ]
  %i.more = icmp slt i64 %i, %last
  br i1 %i.more, label %i.body, label %i.exit
i.body:
  %l = add nsw i64 %i, -1
  %r = add nsw i64 %i, 1
  %x.p = getelementptr inbounds double, ptr %b, i64 %l
  %x = load double, ptr %x.p
  %z.p = getelementptr inbounds double, ptr %b, i64 %r
  %z = load double, ptr %z.p
  %s = fadd double %x, %z
  %q1 = getelementptr inbounds double, ptr %a, i64 %i
  store double %s, ptr %q1
  br label %i.latch
i.latch:
  %i.next = add nsw i64 %i, 1
  br label %i.head
i.exit:
  ret void
}

