; Every flag of getelementptr, and constant expressions as bases.
target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
target triple = "x86_64-pc-linux-gnu"

@v = constant { [3 x ptr] } { [3 x ptr] [ptr null, ptr @f, ptr @w] }
@w = global [100 x i32] zeroinitializer
define void @f(i64 %n) {
entry:
  br label %i.head
i.head:
  %i = phi i64 [ 0, %entry ], [ %i.next, %i.latch ]
  %i.more = icmp slt i64 %i, 50
  br i1 %i.more, label %i.body, label %i.exit
i.body:
  %p = getelementptr nuw i32, ptr getelementptr inbounds (i8, ptr @w, i64 40), i64 %i
  store i32 1, ptr %p
  %q = getelementptr nusw i32, ptr @w, i64 %i
  store i32 2, ptr %q
  br label %i.latch
i.latch:
  %i.next = add nsw i64 %i, 1
  br label %i.head
i.exit:
  br label %j.head
j.head:
  %j = phi i64 [ 0, %i.exit ], [ %j.next, %j.latch ]
  %j.more = icmp slt i64 %j, 3
  br i1 %j.more, label %j.body, label %j.exit
j.body:
  %r = getelementptr inbounds ptr, ptr getelementptr inrange(-16, 8) ({ [3 x ptr] }, ptr @v, i64 0, i32 0, i64 2), i64 %j
  %s = load ptr, ptr %r
  br label %j.latch
j.latch:
  %j.next = add nsw i64 %j, 1
  br label %j.head
j.exit:
  ret void
}
