; Requests to vectorise, unroll, distribute; a loop marked as done.
target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
target triple = "x86_64-pc-linux-gnu"

define void @f(ptr noalias %a, ptr noalias %b, i64 %n) {
entry:
  br label %i.head
i.head:
  %i = phi i64 [ 0, %entry ], [ %i.next, %i.latch ]
  %i.more = icmp slt i64 %i, %n
  br i1 %i.more, label %i.body, label %i.exit
i.body:
  %q1 = getelementptr inbounds float, ptr %a, i64 %i
  store float 1.0, ptr %q1
  br label %i.latch
i.latch:
  %i.next = add nsw i64 %i, 1
  br label %i.head, !llvm.loop !0
i.exit:
  br label %j.head
j.head:
  %j = phi i64 [ 0, %i.exit ], [ %j.next, %j.latch ]
  %j.more = icmp slt i64 %j, %n
  br i1 %j.more, label %j.body, label %j.exit
j.body:
  br label %k.head
k.head:
  %k = phi i64 [ 0, %j.body ], [ %k.next, %k.latch ]
  %k.more = icmp slt i64 %k, 50
  br i1 %k.more, label %k.body, label %k.exit
k.body:
  %s = add nsw i64 %j, %k
  %q2 = getelementptr inbounds float, ptr %b, i64 %s
  store float 1.0, ptr %q2
  br label %k.latch
k.latch:
  %k.next = add nsw i64 %k, 1
  br label %k.head, !llvm.loop !4
k.exit:
  br label %j.latch
j.latch:
  %j.next = add nsw i64 %j, 1
  br label %j.head, !llvm.loop !6
j.exit:
  ret void
}
!0 = distinct !{!0, !1, !2, !3}
!1 = !{!"llvm.loop.vectorize.width", i32 8}
!2 = !{!"llvm.loop.unroll.full"}
!3 = !{!"llvm.loop.distribute.enable", i1 true}
!4 = distinct !{!4, !5}
!5 = !{!"llvm.loop.isvectorized", i32 1}
!6 = distinct !{!6, !7}
!7 = !{!"llvm.loop.unroll_and_jam.count", i32 4}
