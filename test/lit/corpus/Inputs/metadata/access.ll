; Metadata of accesses: types, scopes, ranges, invariance, groups.
target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
target triple = "x86_64-pc-linux-gnu"

define void @f(ptr %a, ptr %b, i64 %n) {
entry:
  br label %i.head
i.head:
  %i = phi i64 [ 0, %entry ], [ %i.next, %i.latch ]
  %i.more = icmp slt i64 %i, %n
  br i1 %i.more, label %i.body, label %i.exit
i.body:
  %x.p = getelementptr inbounds i32, ptr %b, i64 %i
  %x = load i32, ptr %x.p,!tbaa!0,!range!3,!alias.scope!5,!llvm.access.group!8
  %q1 = getelementptr inbounds i32, ptr %a, i64 %i
  store i32 %x, ptr %q1,!tbaa!0,!noalias!5,!nontemporal!7,!llvm.access.group!8
  br label %i.latch
i.latch:
  %i.next = add nsw i64 %i, 1
  br label %i.head, !llvm.loop !9
i.exit:
  br label %j.head
j.head:
  %j = phi i64 [ 0, %i.exit ], [ %j.next, %j.latch ]
  %j.more = icmp slt i64 %j, %n
  br i1 %j.more, label %j.body, label %j.exit
j.body:
  %p.p = getelementptr inbounds ptr, ptr %b, i64 %j
  %p = load ptr, ptr %p.p,!nonnull!4,!dereferenceable!11,!invariant.load!4
  %y.p = getelementptr inbounds i32, ptr %a, i64 %j
  %y = load i32, ptr %y.p,!noundef!4,!invariant.group!4
  %q2 = getelementptr inbounds i32, ptr %p, i64 %j
  store i32 %y, ptr %q2
  br label %j.latch
j.latch:
  %j.next = add nsw i64 %j, 1
  br label %j.head
j.exit:
  ret void
}
!0 = !{!1, !1, i64 0}
!1 = !{!"int", !2}
!2 = !{!"root"}
!3 = !{i32 0, i32 100}
!4 = !{}
!5 = !{!6}
!6 = distinct !{!6, !12}
!7 = !{i32 1}
!8 = distinct !{}
!9 = distinct !{!9, !10}
!10 = !{!"llvm.loop.parallel_accesses", !8}
!11 = !{i64 8}
!12 = distinct !{!12}
