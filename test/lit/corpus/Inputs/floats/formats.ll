; half, bfloat, x86_fp80, fp128 as elements.
target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
target triple = "x86_64-pc-linux-gnu"

define void @f(ptr noalias %a, ptr noalias %b, i64 %n) {
entry:
  br label %i.head
i.head:
  %i = phi i64 [ 0, %entry ], [ %i.next, %i.latch ]
  %i.more = icmp slt i64 %i, %n
  br i1 %i.more, label %i.body, label %i.exit
i.body:
  %x.p = getelementptr inbounds half, ptr %a, i64 %i
  %x = load half, ptr %x.p
  %y = fadd half %x, %x
  %q1 = getelementptr inbounds half, ptr %b, i64 %i
  store half %y, ptr %q1
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
  %u.p = getelementptr inbounds bfloat, ptr %a, i64 %j
  %u = load bfloat, ptr %u.p
  %v = fmul bfloat %u, %u
  %q2 = getelementptr inbounds bfloat, ptr %b, i64 %j
  store bfloat %v, ptr %q2
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
  %s.p = getelementptr inbounds x86_fp80, ptr %a, i64 %k
  %s = load x86_fp80, ptr %s.p
  %q3 = getelementptr inbounds x86_fp80, ptr %b, i64 %k
  store x86_fp80 %s, ptr %q3
  br label %k.latch
k.latch:
  %k.next = add nsw i64 %k, 1
  br label %k.head
k.exit:
  br label %l.head
l.head:
  %l = phi i64 [ 0, %k.exit ], [ %l.next, %l.latch ]
  %l.more = icmp slt i64 %l, %n
  br i1 %l.more, label %l.body, label %l.exit
l.body:
  %t.p = getelementptr inbounds fp128, ptr %a, i64 %l
  %t = load fp128, ptr %t.p
  %q4 = getelementptr inbounds fp128, ptr %b, i64 %l
  store fp128 %t, ptr %q4
  br label %l.latch
l.latch:
  %l.next = add nsw i64 %l, 1
  br label %l.head
l.exit:
  ret void
}
