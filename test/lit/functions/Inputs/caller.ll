; Calls a function with an offloaded loop in a loop.
target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
target triple = "x86_64-pc-linux-gnu"

declare void @product(i32, i32, i32, ptr, ptr, ptr)

define void @caller(i32 %n, ptr %A, ptr %B, ptr %C) alwaysinline {
entry:
  br label %loop

loop:
  %i = phi i32 [ 0, %entry ], [ %next, %loop ]
  call void @product(i32 %n, i32 %n, i32 %n, ptr %A, ptr %B, ptr %C) alwaysinline
  %next = add nsw i32 %i, 1
  %more = icmp slt i32 %next, 10
  br i1 %more, label %loop, label %end

end:
  ret void
}
