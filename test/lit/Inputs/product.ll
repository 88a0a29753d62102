; The input of the tests that look at one level each.  From
;
;   1  void product(int n, int m, int k,
;   2               const float A[n][k], const float B[k][m], float C[n][m])
;   3  {
;   4      for (int i = 0; i < n; i++)
;   5          for (int j = 0; j < m; j++) {
;   6              C[i][j] = 0;
;   7              for (int l = 0; l < k; l++)
;   8                  C[i][j] += A[i][l] * B[l][j];
;   9          }
;  10  }
;
; as clang makes it, shortened by hand.

source_filename = "product.c"
target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
target triple = "x86_64-pc-linux-gnu"

define dso_local void @product(i32 noundef %n, i32 noundef %m, i32 noundef %k, ptr noundef %A, ptr noundef %B, ptr noundef %C) #0 !dbg !5 {
entry:
  %row.A = zext i32 %k to i64
  %row.B = zext i32 %m to i64
  %row.C = zext i32 %m to i64
  br label %for.i, !dbg !8

for.i:
  %i = phi i32 [ 0, %entry ], [ %i.next, %inc.i ]
  %cmp.i = icmp slt i32 %i, %n, !dbg !8
  br i1 %cmp.i, label %for.j, label %end, !dbg !8

for.j:
  %j = phi i32 [ 0, %for.i ], [ %j.next, %inc.j ]
  %cmp.j = icmp slt i32 %j, %m, !dbg !9
  br i1 %cmp.j, label %body.j, label %inc.i, !dbg !9

body.j:
  %i.0 = sext i32 %i to i64
  %j.0 = sext i32 %j to i64
  %off.0 = mul nsw i64 %i.0, %row.C
  %C.i = getelementptr inbounds float, ptr %C, i64 %off.0
  %C.ij = getelementptr inbounds float, ptr %C.i, i64 %j.0
  store float 0.0, ptr %C.ij, align 4, !dbg !10
  br label %for.l, !dbg !11

for.l:
  %l = phi i32 [ 0, %body.j ], [ %l.next, %body.l ]
  %cmp.l = icmp slt i32 %l, %k, !dbg !11
  br i1 %cmp.l, label %body.l, label %inc.j, !dbg !11

body.l:
  %i.1 = sext i32 %i to i64
  %l.1 = sext i32 %l to i64
  %off.1 = mul nsw i64 %i.1, %row.A
  %A.i = getelementptr inbounds float, ptr %A, i64 %off.1
  %A.il = getelementptr inbounds float, ptr %A.i, i64 %l.1
  %a = load float, ptr %A.il, align 4, !dbg !12
  %j.1 = sext i32 %j to i64
  %off.2 = mul nsw i64 %l.1, %row.B
  %B.l = getelementptr inbounds float, ptr %B, i64 %off.2
  %B.lj = getelementptr inbounds float, ptr %B.l, i64 %j.1
  %b = load float, ptr %B.lj, align 4, !dbg !12
  %off.3 = mul nsw i64 %i.1, %row.C
  %C.i.1 = getelementptr inbounds float, ptr %C, i64 %off.3
  %C.ij.1 = getelementptr inbounds float, ptr %C.i.1, i64 %j.1
  %c = load float, ptr %C.ij.1, align 4, !dbg !12
  %sum = call float @llvm.fmuladd.f32(float %a, float %b, float %c), !dbg !12
  store float %sum, ptr %C.ij.1, align 4, !dbg !12
  %l.next = add nsw i32 %l, 1, !dbg !11
  br label %for.l, !dbg !11

inc.j:
  %j.next = add nsw i32 %j, 1, !dbg !9
  br label %for.j, !dbg !9

inc.i:
  %i.next = add nsw i32 %i, 1, !dbg !8
  br label %for.i, !dbg !8

end:
  ret void
}

declare float @llvm.fmuladd.f32(float, float, float)

attributes #0 = { nounwind uwtable "target-cpu"="x86-64" }

!llvm.dbg.cu = !{!0}
!llvm.module.flags = !{!2, !3}

!0 = distinct !DICompileUnit(language: DW_LANG_C11, file: !1, isOptimized: true, runtimeVersion: 0, emissionKind: NoDebug, splitDebugInlining: false)
!1 = !DIFile(filename: "product.c", directory: "/src")
!2 = !{i32 2, !"Debug Info Version", i32 3}
!3 = !{i32 8, !"PIC Level", i32 2}
!4 = !DISubroutineType(types: !{})
!5 = distinct !DISubprogram(name: "product", scope: !1, file: !1, line: 1, type: !4, scopeLine: 3, spFlags: DISPFlagDefinition | DISPFlagOptimized, unit: !0)
!8 = !DILocation(line: 4, column: 5, scope: !5)
!9 = !DILocation(line: 5, column: 9, scope: !5)
!10 = !DILocation(line: 6, column: 21, scope: !5)
!11 = !DILocation(line: 7, column: 13, scope: !5)
!12 = !DILocation(line: 8, column: 25, scope: !5)
