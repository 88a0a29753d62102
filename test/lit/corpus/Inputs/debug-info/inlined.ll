; Locations of inlined code at three levels, from another file.
target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
target triple = "x86_64-pc-linux-gnu"

define void @f(ptr %a, i64 %n) !dbg !4 {
entry:
  br label %i.head
i.head:
  %i = phi i64 [ 0, %entry ], [ %i.next, %i.latch ]
  %i.more = icmp slt i64 %i, %n
  br i1 %i.more, label %i.body, label %i.exit
i.body:
  %x.p = getelementptr inbounds float, ptr %a, i64 %i
  %x = load float, ptr %x.p,!dbg!12
  %y = fmul float %x, %x, !dbg !14
  %q1 = getelementptr inbounds float, ptr %a, i64 %i
  store float %y, ptr %q1,!dbg!11
  br label %i.latch
i.latch:
  %i.next = add nsw i64 %i, 1
  br label %i.head, !dbg !10
i.exit:
  ret void, !dbg !10
}
!llvm.dbg.cu = !{!0}
!llvm.module.flags = !{!2}
!0 = distinct !DICompileUnit(language: DW_LANG_C_plus_plus_14, file: !1, emissionKind: LineTablesOnly)
!1 = !DIFile(filename: "a.cpp", directory: "/src")
!2 = !{i32 2, !"Debug Info Version", i32 3}
!3 = !DISubroutineType(types: !{})
!4 = distinct !DISubprogram(name: "f", file: !1, line: 1, type: !3, unit: !0, spFlags: DISPFlagDefinition)
!5 = distinct !DISubprogram(name: "get", file: !6, line: 100, type: !3, unit: !0, spFlags: DISPFlagDefinition)
!6 = !DIFile(filename: "b.h", directory: "/src")
!7 = distinct !DISubprogram(name: "square", file: !6, line: 200, type: !3, unit: !0, spFlags: DISPFlagDefinition)
!10 = !DILocation(line: 3, column: 1, scope: !4)
!11 = !DILocation(line: 4, column: 9, scope: !4)
!12 = !DILocation(line: 101, column: 5, scope: !5, inlinedAt: !11)
!13 = distinct !DILocation(line: 102, column: 5, scope: !5, inlinedAt: !11)
!14 = !DILocation(line: 201, column: 5, scope: !7, inlinedAt: !13)
