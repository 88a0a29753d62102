; A namespace, a common block, a lexical block of another file, a module.
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
    #dbg_value(i64 %i, !8, !DIExpression(), !10)
  %q1 = getelementptr inbounds i64, ptr %a, i64 %i
  store i64 %i, ptr %q1,!dbg!10
  br label %i.latch
i.latch:
  %i.next = add nsw i64 %i, 1
  br label %i.head, !dbg !11
i.exit:
  ret void, !dbg !11
}
!llvm.dbg.cu = !{!0}
!llvm.module.flags = !{!2}
!0 = distinct !DICompileUnit(language: DW_LANG_Fortran90, file: !1, emissionKind: FullDebug, sdk: "x")
!1 = !DIFile(filename: "<stdin>", directory: "")
!2 = !{i32 2, !"Debug Info Version", i32 3}
!3 = !DISubroutineType(types: !{})
!4 = distinct !DISubprogram(name: "f", linkageName: "_QMmPf", scope: !12, file: !1, line: 1, type: !3, unit: !0, spFlags: DISPFlagDefinition | DISPFlagRecursive, retainedNodes: !{!8}, thrownTypes: !{!7})
!6 = distinct !DILexicalBlock(scope: !4, file: !1, line: 2, column: 2)
!7 = !DIBasicType(tag: DW_TAG_unspecified_type, name: "none")
!8 = !DILocalVariable(name: "", scope: !9, file: !1, line: 3, type: !7, flags: DIFlagArtificial)
!9 = !DILexicalBlockFile(scope: !6, file: !13, discriminator: 3)
!10 = !DILocation(line: 5, column: 7, scope: !9, isImplicitCode: true)
!11 = !DILocation(line: 2, column: 2, scope: !6)
!12 = !DIModule(scope: null, name: "m", file: !1, line: 1)
!13 = !DIFile(filename: "other.inc", directory: "/elsewhere")
