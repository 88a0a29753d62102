; Copies, moves and sets of blocks in, beside and around loops.
target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
target triple = "x86_64-pc-linux-gnu"

declare void @llvm.memcpy.p0.p0.i64(ptr, ptr, i64, i1)
declare void @llvm.memmove.p0.p0.i64(ptr, ptr, i64, i1)
declare void @llvm.memset.p0.i64(ptr, i8, i64, i1)
declare void @llvm.memcpy.inline.p0.p0.i64(ptr, ptr, i64, i1)
declare void @llvm.experimental.memset.pattern.p0.i32.i64(ptr, i32, i64, i1)
define void @f(ptr %a, ptr %b, i64 %n) {
entry:
  call void @llvm.memset.p0.i64(ptr %a, i8 0, i64 %n, i1 false)
  br label %i.head
i.head:
  %i = phi i64 [ 0, %entry ], [ %i.next, %i.latch ]
  %i.more = icmp slt i64 %i, %n
  br i1 %i.more, label %i.body, label %i.exit
i.body:
  %q1 = getelementptr inbounds i8, ptr %a, i64 %i
  store i8 1, ptr %q1
  br label %i.latch
i.latch:
  %i.next = add nsw i64 %i, 1
  br label %i.head
i.exit:
  call void @llvm.memcpy.p0.p0.i64(ptr %b, ptr %a, i64 %n, i1 false)
  br label %j.head
j.head:
  %j = phi i64 [ 0, %i.exit ], [ %j.next, %j.latch ]
  %j.more = icmp slt i64 %j, %n
  br i1 %j.more, label %j.body, label %j.exit
j.body:
  %p = getelementptr i8, ptr %a, i64 %j
  call void @llvm.memmove.p0.p0.i64(ptr %p, ptr %b, i64 16, i1 false)
  call void @llvm.memcpy.inline.p0.p0.i64(ptr %p, ptr %b, i64 8, i1 false)
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
  %q = getelementptr [16 x i32], ptr %a, i64 %k
  call void @llvm.experimental.memset.pattern.p0.i32.i64(ptr %q, i32 7, i64 16, i1 false)
  br label %k.latch
k.latch:
  %k.next = add nsw i64 %k, 1
  br label %k.head
k.exit:
  ret void
}
