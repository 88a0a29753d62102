; A callee with records of its own is inlined; one without, and into one without.
target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
target triple = "x86_64-pc-linux-gnu"

define internal void @row(ptr %p, i64 %m) !dbg !4 {
entry:
    #dbg_value(ptr %p, !7, !DIExpression(), !10)
  br label %j.head
j.head:
  %j = phi i64 [ 0, %entry ], [ %j.next, %j.latch ]
  %j.more = icmp slt i64 %j, %m
  br i1 %j.more, label %j.body, label %j.exit
j.body:
  %q1 = getelementptr inbounds float, ptr %p, i64 %j
  store float 1.0, ptr %q1,!dbg!10
  br label %j.latch
j.latch:
  %j.next = add nsw i64 %j, 1
  br label %j.head, !dbg !10
j.exit:
  ret void, !dbg !10
}
define internal void @bare(ptr %p, i64 %m) {
entry:
  br label %j.head
j.head:
  %j = phi i64 [ 0, %entry ], [ %j.next, %j.latch ]
  %j.more = icmp slt i64 %j, %m
  br i1 %j.more, label %j.body, label %j.exit
j.body:
  %q1 = getelementptr inbounds float, ptr %p, i64 %j
  store float 2.0, ptr %q1
  br label %j.latch
j.latch:
  %j.next = add nsw i64 %j, 1
  br label %j.head
j.exit:
  ret void
}
define void @f(ptr %a, i64 %n) !dbg !5 {
entry:
  br label %i.head
i.head:
  %i = phi i64 [ 0, %entry ], [ %i.next, %i.latch ]
  %i.more = icmp slt i64 %i, %n
  br i1 %i.more, label %i.body, label %i.exit
i.body:
  %p = getelementptr [50 x float], ptr %a, i64 %i
  call void @row(ptr %p, i64 50), !dbg !11
  call void @bare(ptr %p, i64 50), !dbg !11
  br label %i.latch
i.latch:
  %i.next = add nsw i64 %i, 1
  br label %i.head, !dbg !11
i.exit:
  ret void, !dbg !11
}
define void @g(ptr %a, i64 %n) {
entry:
  br label %i.head
i.head:
  %i = phi i64 [ 0, %entry ], [ %i.next, %i.latch ]
  %i.more = icmp slt i64 %i, %n
  br i1 %i.more, label %i.body, label %i.exit
i.body:
  %p = getelementptr [50 x float], ptr %a, i64 %i
  call void @row(ptr %p, i64 50)
  br label %i.latch
i.latch:
  %i.next = add nsw i64 %i, 1
  br label %i.head
i.exit:
  ret void
}
!llvm.dbg.cu = !{!0}
!llvm.module.flags = !{!2}
!0 = distinct !DICompileUnit(language: DW_LANG_C11, file: !1, emissionKind: FullDebug)
!1 = !DIFile(filename: "inline.c", directory: "/src")
!2 = !{i32 2, !"Debug Info Version", i32 3}
!3 = !DISubroutineType(types: !{})
!4 = distinct !DISubprogram(name: "row", file: !1, line: 1, type: !3, unit: !0, spFlags: DISPFlagDefinition | DISPFlagLocalToUnit, retainedNodes: !6)
!5 = distinct !DISubprogram(name: "f", file: !1, line: 10, type: !3, unit: !0, spFlags: DISPFlagDefinition)
!6 = !{!7}
!7 = !DILocalVariable(name: "p", arg: 1, scope: !4, file: !1, line: 1, type: !8)
!8 = !DIDerivedType(tag: DW_TAG_pointer_type, baseType: null, size: 64)
!10 = !DILocation(line: 3, column: 1, scope: !4)
!11 = !DILocation(line: 12, column: 1, scope: !5)
