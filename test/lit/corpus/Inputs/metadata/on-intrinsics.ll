; Scope declarations, annotations, probes, expectations.
target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
target triple = "x86_64-pc-linux-gnu"

declare void @llvm.experimental.noalias.scope.decl(metadata)
declare i32 @llvm.annotation.i32.p0(i32, ptr, ptr, i32)
declare void @llvm.pseudoprobe(i64, i64, i32, i64)
declare i1 @llvm.expect.i1(i1, i1)
declare void @llvm.donothing()
declare void @llvm.sideeffect()
declare i1 @llvm.is.constant.i64(i64)
@s = private constant [2 x i8] c"s\00", section "llvm.metadata"
define void @f(ptr %a, i64 %n) {
entry:
  call void @llvm.experimental.noalias.scope.decl(metadata !0)
  br label %i.head
i.head:
  %i = phi i64 [ 0, %entry ], [ %i.next, %i.latch ]
  %i.more = icmp slt i64 %i, %n
  br i1 %i.more, label %i.body, label %i.exit
i.body:
  call void @llvm.pseudoprobe(i64 1, i64 2, i32 0, i64 -1)
  call void @llvm.donothing()
  %q1 = getelementptr inbounds i32, ptr %a, i64 %i
  store i32 1, ptr %q1
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
  call void @llvm.sideeffect()
  %x.p = getelementptr inbounds i32, ptr %a, i64 %j
  %x = load i32, ptr %x.p
  %y = call i32 @llvm.annotation.i32.p0(i32 %x, ptr @s, ptr @s, i32 1)
  %q2 = getelementptr inbounds i32, ptr %a, i64 %j
  store i32 %y, ptr %q2
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
  %c = icmp slt i64 %k, 20
  %e = call i1 @llvm.expect.i1(i1 %c, i1 true)
  br i1 %e, label %yes, label %join
yes:
  call void @llvm.experimental.noalias.scope.decl(metadata !0)
  %q3 = getelementptr inbounds i32, ptr %a, i64 %k
  store i32 3, ptr %q3
  br label %join
join:
  br label %k.latch
k.latch:
  %k.next = add nsw i64 %k, 1
  br label %k.head
k.exit:
  %ic = call i1 @llvm.is.constant.i64(i64 %n)
  ret void
}
!0 = !{!1}
!1 = distinct !{!1, !2}
!2 = distinct !{!2}
