; Tiles of AMX carried around a loop.
target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
target triple = "x86_64-pc-linux-gnu"

declare x86_amx @llvm.x86.tilezero.internal(i16, i16)
declare void @llvm.x86.tilestored64.internal(i16, i16, ptr, i64, x86_amx)
define void @f(ptr %a, i64 %n) "target-features"="+amx-int8,+amx-tile" {
entry:
  br label %i.head
i.head:
  %i = phi i64 [ 0, %entry ], [ %i.next, %i.latch ]
  %i.more = icmp slt i64 %i, %n
  br i1 %i.more, label %i.body, label %i.exit
i.body:
  %t = call x86_amx @llvm.x86.tilezero.internal(i16 8, i16 64)
  %p = getelementptr i8, ptr %a, i64 %i
  call void @llvm.x86.tilestored64.internal(i16 8, i16 64, ptr %p, i64 64, x86_amx %t)
  br label %i.latch
i.latch:
  %i.next = add nsw i64 %i, 1
  br label %i.head
i.exit:
  ret void
}
define void @g(ptr %a) {
entry:
  br label %loop
loop:
  %i = phi i64 [ 0, %entry ], [ %next, %loop ]
  %k = mul nuw nsw i64 %i, 3
  %t = trunc i64 %i to i8
  %q1 = getelementptr inbounds i8, ptr %a, i64 %k
  store i8 %t, ptr %q1
  %next = add nuw nsw i64 %i, 1
  %more = icmp ult i64 %next, 200
  br i1 %more, label %loop, label %end
end:
  ret void
}

