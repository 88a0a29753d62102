; Memory from the heap: in front, per round, freed in the loop.
target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
target triple = "x86_64-pc-linux-gnu"

declare noalias ptr @malloc(i64) allockind("alloc,uninitialized") allocsize(0)
declare void @free(ptr allocptr) allockind("free")
define void @f(i64 %n) {
entry:
  %b = mul i64 %n, 4
  %p = call ptr @malloc(i64 %b)
  br label %i.head
i.head:
  %i = phi i64 [ 0, %entry ], [ %i.next, %i.latch ]
  %i.more = icmp slt i64 %i, %n
  br i1 %i.more, label %i.body, label %i.exit
i.body:
  %q1 = getelementptr inbounds i32, ptr %p, i64 %i
  store i32 1, ptr %q1
  br label %i.latch
i.latch:
  %i.next = add nsw i64 %i, 1
  br label %i.head
i.exit:
  call void @free(ptr %p)
  br label %k.head
k.head:
  %k = phi i64 [ 0, %i.exit ], [ %k.next, %k.latch ]
  %k.more = icmp slt i64 %k, %n
  br i1 %k.more, label %k.body, label %k.exit
k.body:
  %q = call ptr @malloc(i64 400)
  br label %l.head
l.head:
  %l = phi i64 [ 0, %k.body ], [ %l.next, %l.latch ]
  %l.more = icmp slt i64 %l, 100
  br i1 %l.more, label %l.body, label %l.exit
l.body:
  %q2 = getelementptr inbounds i32, ptr %q, i64 %l
  store i32 1, ptr %q2
  br label %l.latch
l.latch:
  %l.next = add nsw i64 %l, 1
  br label %l.head
l.exit:
  call void @free(ptr %q)
  br label %k.latch
k.latch:
  %k.next = add nsw i64 %k, 1
  br label %k.head
k.exit:
  ret void
}
