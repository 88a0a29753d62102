; Profiles of functions, sections, associated data, kernels' types.
target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
target triple = "x86_64-pc-linux-gnu"

define void @f(ptr %a, i64 %n) !prof !0 !section_prefix !1 !kcfi_type !2 !my.kind !3 {
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
  br label %i.head
i.exit:
  ret void
}
define void @g(ptr %a, i64 %n) !type !4 !prof !5 {
entry:
  br label %i.head
i.head:
  %i = phi i64 [ 0, %entry ], [ %i.next, %i.latch ]
  %i.more = icmp slt i64 %i, %n
  br i1 %i.more, label %i.body, label %i.exit
i.body:
  %c = icmp slt i64 %i, 7
  br i1 %c, label %y, label %join, !prof !6, !unpredictable !7
y:
  %q1 = getelementptr inbounds float, ptr %a, i64 %i
  store float 1.0, ptr %q1
  br label %join
join:
  br label %i.latch
i.latch:
  %i.next = add nsw i64 %i, 1
  br label %i.head
i.exit:
  ret void
}
!llvm.ident = !{!8}
!llvm.module.flags = !{!9, !10}
!0 = !{!"function_entry_count", i64 100}
!1 = !{!"section_prefix", !"hot"}
!2 = !{i32 17}
!3 = !{!"anything", ptr @g}
!4 = !{i64 0, !"t"}
!5 = !{!"synthetic_function_entry_count", i64 0}
!6 = !{!"branch_weights", !"expected", i32 1, i32 99}
!7 = !{}
!8 = !{!"nobody"}
!9 = !{i32 1, !"wchar_size", i32 4}
!10 = !{i32 1, !"ThinLTO", i32 0}
