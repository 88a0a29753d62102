; Pointers of 32 bits, counters of 64.
target datalayout = "e-m:e-p:32:32-p270:32:32-p271:32:32-p272:64:64-i128:128-f64:32:64-f80:32-n8:16:32-S128"
target triple = "i686-unknown-linux-gnu"

define void @f(ptr %a, i64 %n) {
entry:
  br label %i.head
i.head:
  %i = phi i64 [ 0, %entry ], [ %i.next, %i.latch ]
  %i.more = icmp slt i64 %i, %n
  br i1 %i.more, label %i.body, label %i.exit
i.body:
  %p = getelementptr inbounds i32, ptr %a, i64 %i
  store i32 1, ptr %p
  br label %i.latch
i.latch:
  %i.next = add nsw i64 %i, 1
  br label %i.head
i.exit:
  ret void
}
@g.m = global [40 x [40 x double]] zeroinitializer
define void @g() {
entry:
  br label %i.head
i.head:
  %i = phi i64 [ 0, %entry ], [ %i.next, %i.latch ]
  %i.more = icmp slt i64 %i, 40
  br i1 %i.more, label %i.body, label %i.exit
i.body:
  br label %j.head
j.head:
  %j = phi i64 [ 0, %i.body ], [ %j.next, %j.latch ]
  %j.more = icmp slt i64 %j, %i
  br i1 %j.more, label %j.body, label %j.exit
j.body:
  %p = getelementptr inbounds [40 x [40 x double]], ptr @g.m, i64 0, i64 %i, i64 %j
  %x = load double, ptr %p
  %y = fadd double %x, 1.0
  store double %y, ptr %p
  br label %j.latch
j.latch:
  %j.next = add nsw i64 %j, 1
  br label %j.head
j.exit:
  br label %i.latch
i.latch:
  %i.next = add nsw i64 %i, 1
  br label %i.head
i.exit:
  ret void
}

define void @h(ptr noalias %a, ptr noalias %b, i64 %n) {
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

