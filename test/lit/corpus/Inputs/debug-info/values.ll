; Variables described by records at each place: constants, expressions, lists,
; killed ones, and one that lives in memory.
target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
target triple = "x86_64-pc-linux-gnu"

define void @f(ptr %a, i64 %n) !dbg !4 {
entry:
  %v = alloca i64
    #dbg_declare(ptr %v, !8, !DIExpression(), !10)
    #dbg_value(ptr %a, !7, !DIExpression(), !10)
  br label %i.head
i.head:
  %i = phi i64 [ 0, %entry ], [ %i.next, %i.latch ]
  %i.more = icmp slt i64 %i, %n
  br i1 %i.more, label %i.body, label %i.exit
i.body:
    #dbg_value(i64 %i, !9, !DIExpression(DW_OP_plus_uconst, 1, DW_OP_stack_value), !11)
    #dbg_value(!DIArgList(i64 %i, i64 %n), !9, !DIExpression(DW_OP_LLVM_arg, 0, DW_OP_LLVM_arg, 1, DW_OP_plus, DW_OP_stack_value), !11)
  store i64 %i, ptr %v, !dbg !11
  %k = load i64, ptr %v, !dbg !11
    #dbg_value(i64 poison, !9, !DIExpression(), !11)
  %q1 = getelementptr inbounds i64, ptr %a, i64 %i
  store i64 %k, ptr %q1,!dbg!11
  br label %i.latch
i.latch:
  %i.next = add nsw i64 %i, 1
  br label %i.head, !dbg !10
i.exit:
    #dbg_value(i64 7, !9, !DIExpression(DW_OP_LLVM_fragment, 0, 32), !10)
  ret void, !dbg !10
}
!llvm.dbg.cu = !{!0}
!llvm.module.flags = !{!2}
!0 = distinct !DICompileUnit(language: DW_LANG_C11, file: !1, emissionKind: FullDebug)
!1 = !DIFile(filename: "values.c", directory: "/src")
!2 = !{i32 2, !"Debug Info Version", i32 3}
!3 = !DISubroutineType(types: !{null})
!4 = distinct !DISubprogram(name: "f", file: !1, line: 1, type: !3, unit: !0, spFlags: DISPFlagDefinition, retainedNodes: !6)
!5 = !DIBasicType(name: "long", size: 64, encoding: DW_ATE_signed)
!6 = !{!7, !8, !9}
!7 = !DILocalVariable(name: "a", arg: 1, scope: !4, file: !1, line: 1, type: !5)
!8 = !DILocalVariable(name: "v", scope: !4, file: !1, line: 2, type: !5)
!9 = !DILocalVariable(name: "i", scope: !12, file: !1, line: 3, type: !5)
!10 = !DILocation(line: 3, column: 1, scope: !4)
!11 = !DILocation(line: 4, column: 9, scope: !12)
!12 = distinct !DILexicalBlock(scope: !4, file: !1, line: 3, column: 3)
