; Base pointers: null, poison, a function, an integer, a loaded one, a phi.
target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
target triple = "x86_64-pc-linux-gnu"

@p = global ptr null
define void @f(i64 %n, i64 %k, i1 %c, ptr %a) {
entry:
  br label %i.head
i.head:
  %i = phi i64 [ 0, %entry ], [ %i.next, %i.latch ]
  %i.more = icmp slt i64 %i, %n
  br i1 %i.more, label %i.body, label %i.exit
i.body:
  %q1 = getelementptr inbounds i32, ptr null, i64 %i
  store i32 1, ptr %q1
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
  %q2 = getelementptr inbounds i32, ptr poison, i64 %j
  store i32 1, ptr %q2
  br label %j.latch
j.latch:
  %j.next = add nsw i64 %j, 1
  br label %j.head
j.exit:
  br label %l.head
l.head:
  %l = phi i64 [ 0, %j.exit ], [ %l.next, %l.latch ]
  %l.more = icmp slt i64 %l, %n
  br i1 %l.more, label %l.body, label %l.exit
l.body:
  %q3 = getelementptr inbounds i32, ptr @f, i64 %l
  store i32 1, ptr %q3
  br label %l.latch
l.latch:
  %l.next = add nsw i64 %l, 1
  br label %l.head
l.exit:
  %x = inttoptr i64 %k to ptr
  br label %m.head
m.head:
  %m = phi i64 [ 0, %l.exit ], [ %m.next, %m.latch ]
  %m.more = icmp slt i64 %m, %n
  br i1 %m.more, label %m.body, label %m.exit
m.body:
  %q4 = getelementptr inbounds i32, ptr %x, i64 %m
  store i32 1, ptr %q4
  br label %m.latch
m.latch:
  %m.next = add nsw i64 %m, 1
  br label %m.head
m.exit:
  %y = load ptr, ptr @p
  br label %o.head
o.head:
  %o = phi i64 [ 0, %m.exit ], [ %o.next, %o.latch ]
  %o.more = icmp slt i64 %o, %n
  br i1 %o.more, label %o.body, label %o.exit
o.body:
  %q5 = getelementptr inbounds i32, ptr %y, i64 %o
  store i32 1, ptr %q5
  br label %o.latch
o.latch:
  %o.next = add nsw i64 %o, 1
  br label %o.head
o.exit:
  br i1 %c, label %t, label %join
t:
  br label %join
join:
  %z = phi ptr [ %a, %t ], [ %y, %o.exit ]
  br label %r.head
r.head:
  %r = phi i64 [ 0, %join ], [ %r.next, %r.latch ]
  %r.more = icmp slt i64 %r, %n
  br i1 %r.more, label %r.body, label %r.exit
r.body:
  %q6 = getelementptr inbounds i32, ptr %z, i64 %r
  store i32 1, ptr %q6
  br label %r.latch
r.latch:
  %r.next = add nsw i64 %r, 1
  br label %r.head
r.exit:
  ret void
}
