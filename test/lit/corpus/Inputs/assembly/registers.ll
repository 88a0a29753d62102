; Named registers read and written as metadata names them.
target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
target triple = "x86_64-pc-linux-gnu"

declare i64 @llvm.read_register.i64(metadata)
declare void @llvm.write_register.i64(metadata, i64)
define void @f(ptr %a, i64 %n) {
entry:
  br label %i.head
i.head:
  %i = phi i64 [ 0, %entry ], [ %i.next, %i.latch ]
  %i.more = icmp slt i64 %i, %n
  br i1 %i.more, label %i.body, label %i.exit
i.body:
  %x = call i64 @llvm.read_register.i64(metadata !0)
  %q1 = getelementptr inbounds i64, ptr %a, i64 %i
  store i64 %x, ptr %q1
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
  call void @llvm.write_register.i64(metadata !0, i64 %j)
  br label %j.latch
j.latch:
  %j.next = add nsw i64 %j, 1
  br label %j.head
j.exit:
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

!0 = !{!"rsp"}
