; sqrt may set errno.  Offloaded loops do not set it, so such loops are
; offloaded unless -gpu-math-errno asks to keep it; calls that cannot set it
; (-fno-math-errno, or the intrinsic) are no obstacle either way.
;
; RUN: %opt -passes=gpu-polyhedral,verify -gpu-targets=ptx,emulated \
; RUN:   -disable-output -pass-remarks=gpu -pass-remarks-missed=gpu %s 2>&1 \
; RUN:   | %FileCheck --check-prefix=FREE --implicit-check-not='not offloaded' %s
; RUN: %opt -passes=gpu-polyhedral,verify -gpu-targets=ptx,emulated -gpu-math-errno \
; RUN:   -disable-output -pass-remarks=gpu -pass-remarks-missed=gpu %s 2>&1 \
; RUN:   | %FileCheck --check-prefix=ERRNO %s
; RUN: %opt -passes='print<gpu-ptx>' -disable-output %s 2>&1 \
; RUN:   | %FileCheck --check-prefix=PTX %s
;
; FREE: errno.c:2:{{.*}}offloaded
; FREE: errno.c:5:{{.*}}offloaded
; FREE: errno.c:8:{{.*}}offloaded
; ERRNO: errno.c:{{.*}}loop not offloaded: {{.*}}'sqrt'
; ERRNO: errno.c:5:{{.*}}: loops offloaded
; ERRNO: errno.c:8:{{.*}}: loops offloaded
; PTX-COUNT-3: sqrt.rn.f64

source_filename = "errno.c"
target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
target triple = "x86_64-pc-linux-gnu"

define void @errno(i64 %n, ptr noalias %a, ptr noalias %r) !dbg !5 {
entry:
  br label %loop, !dbg !6
loop:
  %i = phi i64 [ 0, %entry ], [ %next, %body ]
  %more = icmp slt i64 %i, %n, !dbg !6
  br i1 %more, label %body, label %end, !dbg !6
body:
  %p = getelementptr inbounds double, ptr %a, i64 %i
  %x = load double, ptr %p, !dbg !7
  %y = call double @sqrt(double %x), !dbg !7
  %q = getelementptr inbounds double, ptr %r, i64 %i
  store double %y, ptr %q, !dbg !7
  %next = add nsw i64 %i, 1, !dbg !6
  br label %loop, !dbg !6
end:
  ret void, !dbg !7
}

define void @no_errno(i64 %n, ptr noalias %a, ptr noalias %r) !dbg !8 {
entry:
  br label %loop, !dbg !9
loop:
  %i = phi i64 [ 0, %entry ], [ %next, %body ]
  %more = icmp slt i64 %i, %n, !dbg !9
  br i1 %more, label %body, label %end, !dbg !9
body:
  %p = getelementptr inbounds double, ptr %a, i64 %i
  %x = load double, ptr %p, !dbg !10
  %y = call double @sqrt(double %x) #0, !dbg !10
  %q = getelementptr inbounds double, ptr %r, i64 %i
  store double %y, ptr %q, !dbg !10
  %next = add nsw i64 %i, 1, !dbg !9
  br label %loop, !dbg !9
end:
  ret void, !dbg !10
}

define void @intrinsic(i64 %n, ptr noalias %a, ptr noalias %r) !dbg !11 {
entry:
  br label %loop, !dbg !12
loop:
  %i = phi i64 [ 0, %entry ], [ %next, %body ]
  %more = icmp slt i64 %i, %n, !dbg !12
  br i1 %more, label %body, label %end, !dbg !12
body:
  %p = getelementptr inbounds double, ptr %a, i64 %i
  %x = load double, ptr %p, !dbg !13
  %y = call double @llvm.sqrt.f64(double %x), !dbg !13
  %q = getelementptr inbounds double, ptr %r, i64 %i
  store double %y, ptr %q, !dbg !13
  %next = add nsw i64 %i, 1, !dbg !12
  br label %loop, !dbg !12
end:
  ret void, !dbg !13
}

declare double @sqrt(double)
declare double @llvm.sqrt.f64(double)
attributes #0 = { nounwind willreturn memory(none) }

!llvm.dbg.cu = !{!0}
!llvm.module.flags = !{!2}
!0 = distinct !DICompileUnit(language: DW_LANG_C11, file: !1, isOptimized: true, runtimeVersion: 0, emissionKind: NoDebug)
!1 = !DIFile(filename: "errno.c", directory: "/src")
!2 = !{i32 2, !"Debug Info Version", i32 3}
!4 = !DISubroutineType(types: !{})
!5 = distinct !DISubprogram(name: "errno", scope: !1, file: !1, line: 1, type: !4, scopeLine: 1, spFlags: DISPFlagDefinition, unit: !0)
!6 = !DILocation(line: 2, column: 5, scope: !5)
!7 = !DILocation(line: 3, column: 9, scope: !5)
!8 = distinct !DISubprogram(name: "no_errno", scope: !1, file: !1, line: 4, type: !4, scopeLine: 4, spFlags: DISPFlagDefinition, unit: !0)
!9 = !DILocation(line: 5, column: 5, scope: !8)
!10 = !DILocation(line: 6, column: 9, scope: !8)
!11 = distinct !DISubprogram(name: "intrinsic", scope: !1, file: !1, line: 7, type: !4, scopeLine: 7, spFlags: DISPFlagDefinition, unit: !0)
!12 = !DILocation(line: 8, column: 5, scope: !11)
!13 = !DILocation(line: 9, column: 9, scope: !11)
