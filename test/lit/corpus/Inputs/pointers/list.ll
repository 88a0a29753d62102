; A list walked beside an array; a tree's depth.
target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
target triple = "x86_64-pc-linux-gnu"

%node = type { ptr, ptr, i32 }
define void @f(ptr %a, ptr %l) {
entry:
  br label %head
head:
  %p = phi ptr [ %l, %entry ], [ %next, %body ]
  %i = phi i64 [ 0, %entry ], [ %i1, %body ]
  %z = icmp eq ptr %p, null
  br i1 %z, label %end, label %body
body:
  %v = getelementptr inbounds %node, ptr %p, i64 0, i32 2
  %x = load i32, ptr %v
  %q1 = getelementptr inbounds i32, ptr %a, i64 %i
  store i32 %x, ptr %q1
  %next = load ptr, ptr %p
  %i1 = add i64 %i, 1
  br label %head
end:
  br label %j.head
j.head:
  %j = phi i64 [ 0, %end ], [ %j.next, %j.latch ]
  %j.more = icmp slt i64 %j, %i
  br i1 %j.more, label %j.body, label %j.exit
j.body:
  %q2 = getelementptr inbounds i32, ptr %a, i64 %j
  store i32 0, ptr %q2
  br label %j.latch
j.latch:
  %j.next = add nsw i64 %j, 1
  br label %j.head
j.exit:
  ret void
}
