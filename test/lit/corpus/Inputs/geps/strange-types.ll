; Addresses through structures, packed ones, arrays of no elements.
target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
target triple = "x86_64-pc-linux-gnu"

%s = type { i8, [3 x { i16, float }], double }
%p = type <{ i8, i32, i8 }>
@z = global [0 x i32] zeroinitializer
define void @f(ptr %a, ptr %b, i64 %n) {
entry:
  br label %i.head
i.head:
  %i = phi i64 [ 0, %entry ], [ %i.next, %i.latch ]
  %i.more = icmp slt i64 %i, %n
  br i1 %i.more, label %i.body, label %i.exit
i.body:
  %q = getelementptr inbounds %s, ptr %a, i64 %i, i32 1, i64 2, i32 1
  store float 1.0, ptr %q
  %d = getelementptr inbounds %s, ptr %a, i64 %i, i32 2
  store double 2.0, ptr %d
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
  %r = getelementptr %p, ptr %b, i64 %j, i32 1
  store i32 7, ptr %r, align 1
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
  %t = getelementptr [0 x i32], ptr @z, i64 0, i64 %k
  store i32 7, ptr %t
  br label %k.latch
k.latch:
  %k.next = add nsw i64 %k, 1
  br label %k.head
k.exit:
  ret void
}
