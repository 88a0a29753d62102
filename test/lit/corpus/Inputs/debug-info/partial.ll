; Locations only here and there; a subprogram without any; two units.
target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
target triple = "x86_64-pc-linux-gnu"

define void @some(ptr %a, i64 %n) !dbg !4 {
entry:
  br label %i.head
i.head:
  %i = phi i64 [ 0, %entry ], [ %i.next, %i.latch ]
  %i.more = icmp slt i64 %i, %n
  br i1 %i.more, label %i.body, label %i.exit
i.body:
  %q1 = getelementptr inbounds i64, ptr %a, i64 %i
  store i64 %i, ptr %q1,!dbg!10
  br label %i.latch
i.latch:
  %i.next = add nsw i64 %i, 1
  br label %i.head
i.exit:
  ret void
}
define void @none(ptr %a, i64 %n) !dbg !5 {
entry:
  br label %i.head
i.head:
  %i = phi i64 [ 0, %entry ], [ %i.next, %i.latch ]
  %i.more = icmp slt i64 %i, %n
  br i1 %i.more, label %i.body, label %i.exit
i.body:
  %q1 = getelementptr inbounds i64, ptr %a, i64 %i
  store i64 %i, ptr %q1
  br label %i.latch
i.latch:
  %i.next = add nsw i64 %i, 1
  br label %i.head
i.exit:
  ret void
}
define void @without(ptr %a, i64 %n) {
entry:
  br label %i.head
i.head:
  %i = phi i64 [ 0, %entry ], [ %i.next, %i.latch ]
  %i.more = icmp slt i64 %i, %n
  br i1 %i.more, label %i.body, label %i.exit
i.body:
  %q1 = getelementptr inbounds i64, ptr %a, i64 %i
  store i64 %i, ptr %q1
  br label %i.latch
i.latch:
  %i.next = add nsw i64 %i, 1
  br label %i.head
i.exit:
  ret void
}
define void @zero(ptr %a, i64 %n) !dbg !6 {
entry:
  br label %i.head
i.head:
  %i = phi i64 [ 0, %entry ], [ %i.next, %i.latch ]
  %i.more = icmp slt i64 %i, %n
  br i1 %i.more, label %i.body, label %i.exit
i.body:
  %q1 = getelementptr inbounds i64, ptr %a, i64 %i
  store i64 %i, ptr %q1,!dbg!11
  br label %i.latch
i.latch:
  %i.next = add nsw i64 %i, 1
  br label %i.head, !dbg !11
i.exit:
  ret void
}
!llvm.dbg.cu = !{!0, !7}
!llvm.module.flags = !{!2}
!0 = distinct !DICompileUnit(language: DW_LANG_C11, file: !1, emissionKind: FullDebug)
!1 = !DIFile(filename: "partial.c", directory: "/src")
!2 = !{i32 2, !"Debug Info Version", i32 3}
!3 = !DISubroutineType(types: !{})
!4 = distinct !DISubprogram(name: "some", file: !1, line: 1, type: !3, unit: !0, spFlags: DISPFlagDefinition)
!5 = distinct !DISubprogram(name: "none", file: !1, line: 11, type: !3, unit: !7, spFlags: DISPFlagDefinition)
!6 = distinct !DISubprogram(name: "zero", file: !1, line: 21, type: !3, unit: !7, spFlags: DISPFlagDefinition)
!7 = distinct !DICompileUnit(language: DW_LANG_Rust, file: !1, emissionKind: DebugDirectivesOnly)
!10 = !DILocation(line: 3, column: 1, scope: !4)
!11 = !DILocation(line: 0, column: 0, scope: !6)
