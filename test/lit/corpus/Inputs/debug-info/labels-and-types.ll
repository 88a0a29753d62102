; Labels, a structure's description, a global's, an imported entity.
target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
target triple = "x86_64-pc-linux-gnu"

@g = global [10 x i32] zeroinitializer, !dbg !20
define i32 @f(i64 %n) !dbg !4 {
entry:
    #dbg_label(!7, !10)
  br label %i.head
i.head:
  %i = phi i64 [ 0, %entry ], [ %i.next, %i.latch ]
  %i.more = icmp slt i64 %i, 10
  br i1 %i.more, label %i.body, label %i.exit
i.body:
  %q1 = getelementptr inbounds i32, ptr @g, i64 %i
  store i32 1, ptr %q1,!dbg!10
  br label %i.latch
i.latch:
  %i.next = add nsw i64 %i, 1
  br label %i.head
i.exit:
    #dbg_label(!8, !10)
  ret i32 0, !dbg !10
}
!llvm.dbg.cu = !{!0}
!llvm.module.flags = !{!2, !3}
!0 = distinct !DICompileUnit(language: DW_LANG_C11, file: !1, emissionKind: FullDebug, globals: !{!20}, imports: !{!24}, nameTableKind: GNU)
!1 = !DIFile(filename: "labels.c", directory: "/src", checksumkind: CSK_MD5, checksum: "0123456789abcdef0123456789abcdef")
!2 = !{i32 2, !"Debug Info Version", i32 3}
!3 = !{i32 7, !"Dwarf Version", i32 5}
!4 = distinct !DISubprogram(name: "f", file: !1, line: 1, type: !5, unit: !0, spFlags: DISPFlagDefinition | DISPFlagOptimized, retainedNodes: !6)
!5 = !DISubroutineType(types: !{!22})
!6 = !{!7, !8}
!7 = !DILabel(scope: !4, name: "start", file: !1, line: 2)
!8 = !DILabel(scope: !4, name: "end", file: !1, line: 9)
!10 = !DILocation(line: 3, column: 1, scope: !4)
!20 = !DIGlobalVariableExpression(var: !21, expr: !DIExpression())
!21 = distinct !DIGlobalVariable(name: "g", scope: !0, file: !1, line: 1, type: !23, isDefinition: true)
!22 = !DIBasicType(name: "int", size: 32, encoding: DW_ATE_signed)
!23 = !DICompositeType(tag: DW_TAG_array_type, baseType: !22, size: 320, elements: !{!25})
!24 = !DIImportedEntity(tag: DW_TAG_imported_declaration, name: "h", scope: !0, entity: !4, file: !1, line: 5)
!25 = !DISubrange(count: 10)
