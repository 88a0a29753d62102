; Three blocks that all jump to each other.
target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
target triple = "x86_64-pc-linux-gnu"

define void @f(ptr %a, i32 %k) {
entry:
  switch i32 %k, label %x [i32 1, label %y i32 2, label %z]
x:
  %vx = load i32, ptr %a
  switch i32 %vx, label %end [i32 1, label %y i32 2, label %z]
y:
  %py = getelementptr i32, ptr %a, i64 1
  %vy = load i32, ptr %py
  switch i32 %vy, label %end [i32 1, label %x i32 2, label %z]
z:
  %pz = getelementptr i32, ptr %a, i64 2
  store i32 %k, ptr %pz
  %vz = load i32, ptr %pz
  switch i32 %vz, label %end [i32 1, label %x i32 2, label %y]
end:
  br label %i.head
i.head:
  %i = phi i64 [ 0, %end ], [ %i.next, %i.latch ]
  %i.more = icmp slt i64 %i, 100
  br i1 %i.more, label %i.body, label %i.exit
i.body:
  %q1 = getelementptr inbounds i32, ptr %a, i64 %i
  store i32 0, ptr %q1
  br label %i.latch
i.latch:
  %i.next = add nsw i64 %i, 1
  br label %i.head
i.exit:
  ret void
}
