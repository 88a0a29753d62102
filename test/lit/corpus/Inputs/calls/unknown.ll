; Calls of unknown functions: pure, reading, of argument memory only, or any.
target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
target triple = "x86_64-pc-linux-gnu"

declare float @pure(float) memory(none) nounwind willreturn
declare float @reads(ptr) memory(read) nounwind willreturn
declare void @args(ptr) memory(argmem: readwrite) nounwind willreturn
declare void @any(ptr)
define void @f(ptr noalias %a, ptr noalias %b, i64 %n) {
entry:
  br label %i.head
i.head:
  %i = phi i64 [ 0, %entry ], [ %i.next, %i.latch ]
  %i.more = icmp slt i64 %i, %n
  br i1 %i.more, label %i.body, label %i.exit
i.body:
  %x.p = getelementptr inbounds float, ptr %b, i64 %i
  %x = load float, ptr %x.p
  %y = call float @pure(float %x)
  %q1 = getelementptr inbounds float, ptr %a, i64 %i
  store float %y, ptr %q1
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
  %z = call float @reads(ptr %b)
  %q2 = getelementptr inbounds float, ptr %a, i64 %j
  store float %z, ptr %q2
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
  %p = getelementptr float, ptr %b, i64 %k
  call void @args(ptr %p)
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
  call void @any(ptr %a)
  br label %l.latch
l.latch:
  %l.next = add nsw i64 %l, 1
  br label %l.head
l.exit:
  br label %m.head
m.head:
  %m = phi i64 [ 0, %l.exit ], [ %m.next, %m.latch ]
  %m.more = icmp slt i64 %m, %n
  br i1 %m.more, label %m.body, label %m.exit
m.body:
  %q3 = getelementptr inbounds float, ptr %a, i64 %m
  store float 0.0, ptr %q3
  br label %m.latch
m.latch:
  %m.next = add nsw i64 %m, 1
  br label %m.head
m.exit:
  ret void
}
