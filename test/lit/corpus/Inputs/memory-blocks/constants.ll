; Reads of constants, writes to constants, a global without a definition.
target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
target triple = "x86_64-pc-linux-gnu"

@c = constant [50 x i32] zeroinitializer
@x = external global [50 x i32]
@w = extern_weak global [50 x i32]
@e = external global { i32, [0 x float] }
define void @f() {
entry:
  br label %i.head
i.head:
  %i = phi i64 [ 0, %entry ], [ %i.next, %i.latch ]
  %i.more = icmp slt i64 %i, 50
  br i1 %i.more, label %i.body, label %i.exit
i.body:
  %v.p = getelementptr inbounds i32, ptr @c, i64 %i
  %v = load i32, ptr %v.p
  %q1 = getelementptr inbounds i32, ptr @x, i64 %i
  store i32 %v, ptr %q1
  br label %i.latch
i.latch:
  %i.next = add nsw i64 %i, 1
  br label %i.head
i.exit:
  br label %j.head
j.head:
  %j = phi i64 [ 0, %i.exit ], [ %j.next, %j.latch ]
  %j.more = icmp slt i64 %j, 50
  br i1 %j.more, label %j.body, label %j.exit
j.body:
  %q2 = getelementptr inbounds i32, ptr @c, i64 %j
  store i32 1, ptr %q2
  br label %j.latch
j.latch:
  %j.next = add nsw i64 %j, 1
  br label %j.head
j.exit:
  %there = icmp ne ptr @w, null
  br i1 %there, label %yes, label %end
yes:
  br label %k.head
k.head:
  %k = phi i64 [ 0, %yes ], [ %k.next, %k.latch ]
  %k.more = icmp slt i64 %k, 50
  br i1 %k.more, label %k.body, label %k.exit
k.body:
  %q3 = getelementptr inbounds i32, ptr @w, i64 %k
  store i32 1, ptr %q3
  br label %k.latch
k.latch:
  %k.next = add nsw i64 %k, 1
  br label %k.head
k.exit:
  br label %l.head
l.head:
  %l = phi i64 [ 0, %k.exit ], [ %l.next, %l.latch ]
  %l.more = icmp slt i64 %l, 50
  br i1 %l.more, label %l.body, label %l.exit
l.body:
  %p = getelementptr { i32, [0 x float] }, ptr @e, i64 0, i32 1, i64 %l
  store float 1.0, ptr %p
  br label %l.latch
l.latch:
  %l.next = add nsw i64 %l, 1
  br label %l.head
l.exit:
  br label %end
end:
  ret void
}
