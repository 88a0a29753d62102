; Locations in a loop's metadata, assignment tracking, a heap allocation's type.
target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
target triple = "x86_64-pc-linux-gnu"

declare ptr @malloc(i64)
define ptr @f(i64 %n) !dbg !4 {
entry:
  %m = call ptr @malloc(i64 800), !dbg !10, !heapallocsite !6
  br label %i.head
i.head:
  %i = phi i64 [ 0, %entry ], [ %i.next, %i.latch ]
  %i.more = icmp slt i64 %i, 100
  br i1 %i.more, label %i.body, label %i.exit
i.body:
  %p = getelementptr i64, ptr %m, i64 %i, !dbg !11
  store i64 %i, ptr %p, !dbg !11, !DIAssignID !20
    #dbg_assign(i64 %i, !8, !DIExpression(), !20, ptr %p, !DIExpression(), !11)
  br label %i.latch
i.latch:
  %i.next = add nsw i64 %i, 1
  br label %i.head, !dbg !10, !llvm.loop !21
i.exit:
  ret ptr %m, !dbg !10
}
!llvm.dbg.cu = !{!0}
!llvm.module.flags = !{!2, !3}
!0 = distinct !DICompileUnit(language: DW_LANG_C11, file: !1, emissionKind: FullDebug)
!1 = !DIFile(filename: "assign.c", directory: "/src")
!2 = !{i32 2, !"Debug Info Version", i32 3}
!3 = !{i32 7, !"debug-info-assignment-tracking", i1 true}
!4 = distinct !DISubprogram(name: "f", file: !1, line: 1, type: !5, unit: !0, spFlags: DISPFlagDefinition, retainedNodes: !7)
!5 = !DISubroutineType(types: !{})
!6 = !DIBasicType(name: "long", size: 64, encoding: DW_ATE_signed)
!7 = !{!8}
!8 = !DILocalVariable(name: "x", scope: !4, file: !1, line: 2, type: !6)
!10 = !DILocation(line: 3, column: 1, scope: !4)
!11 = !DILocation(line: 4, column: 1, scope: !4)
!20 = distinct !DIAssignID()
!21 = distinct !{!21, !10, !11, !{!"llvm.loop.mustprogress"}}
