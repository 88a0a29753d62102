; ModuleID = 'FIRModule'
source_filename = "FIRModule"
target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
target triple = "x86_64-pc-linux-gnu"

; Function Attrs: mustprogress nounwind willreturn allockind("free") memory(argmem: readwrite, inaccessiblemem: readwrite)
declare void @free(ptr allocptr noundef captures(none)) local_unnamed_addr #0

; Function Attrs: mustprogress nofree nounwind willreturn allockind("alloc,uninitialized") allocsize(0) memory(inaccessiblemem: readwrite)
declare noalias noundef ptr @malloc(i64 noundef) local_unnamed_addr #1

; Function Attrs: mustprogress nofree norecurse nosync nounwind willreturn memory(argmem: read)
define float @twice_(ptr noalias readonly captures(none) %0) local_unnamed_addr #2 {
  %2 = load float, ptr %0, align 4, !tbaa !4
  %3 = fmul contract float %2, 2.000000e+00
  ret float %3
}

; Function Attrs: nounwind memory(readwrite, target_mem0: none, target_mem1: none)
define void @down_(ptr noalias readonly captures(none) %0, ptr noalias captures(none) %1) local_unnamed_addr #3 {
  %3 = alloca i32, align 4
  %4 = load i32, ptr %0, align 4, !tbaa !10
  %5 = tail call i32 @llvm.smax.i32(i32 %4, i32 0)
  %6 = zext nneg i32 %5 to i64
  %7 = shl nuw nsw i64 %6, 2
  %.not = icmp slt i32 %4, 1
  %8 = select i1 %.not, i64 1, i64 %7
  %9 = tail call ptr @malloc(i64 %8)
  %cond = icmp slt i32 %4, 1
  br i1 %cond, label %._crit_edge, label %.lr.ph

.lr.ph7.preheader:                                ; preds = %.lr.ph
  %10 = shl nuw nsw i64 %6, 2
  tail call void @llvm.memcpy.p0.p0.i64(ptr align 4 %1, ptr align 4 %9, i64 %10, i1 false), !tbaa !16
  br label %._crit_edge

.lr.ph:                                           ; preds = %2, %.lr.ph
  %11 = phi i64 [ %19, %.lr.ph ], [ %6, %2 ]
  %12 = phi i64 [ %18, %.lr.ph ], [ 1, %2 ]
  %13 = add nsw i64 %12, -1
  %14 = getelementptr float, ptr %1, i64 %13
  %15 = load float, ptr %14, align 4, !tbaa !4, !alias.scope !17
  %16 = fmul contract float %15, 2.000000e+00
  %17 = getelementptr float, ptr %9, i64 %13
  store float %16, ptr %17, align 4, !tbaa !20
  %18 = add nuw nsw i64 %12, 1
  %19 = add nsw i64 %11, -1
  %.not3 = icmp eq i64 %19, 0
  br i1 %.not3, label %.lr.ph7.preheader, label %.lr.ph

._crit_edge:                                      ; preds = %.lr.ph7.preheader, %2
  tail call void @free(ptr %9)
  %20 = icmp sgt i32 %4, 0
  br i1 %20, label %.lr.ph.preheader.i, label %_QFdownPinner.exit

.lr.ph.preheader.i:                               ; preds = %._crit_edge
  %narrow = add nuw i32 %4, 1
  %21 = zext i32 %narrow to i64
  br label %.lr.ph.i

.lr.ph.i:                                         ; preds = %.lr.ph.i, %.lr.ph.preheader.i
  %indvars.iv = phi i64 [ %indvars.iv.next, %.lr.ph.i ], [ 1, %.lr.ph.preheader.i ]
  %22 = getelementptr float, ptr %1, i64 %indvars.iv
  %23 = getelementptr i8, ptr %22, i64 -4
  %24 = load float, ptr %23, align 4, !tbaa !23, !noalias !27
  %25 = fadd contract float %24, 1.000000e+00
  store float %25, ptr %23, align 4, !tbaa !23, !noalias !27
  %indvars.iv.next = add nuw nsw i64 %indvars.iv, 1
  %exitcond.not = icmp eq i64 %indvars.iv.next, %21
  br i1 %exitcond.not, label %_QFdownPinner.exit, label %.lr.ph.i

_QFdownPinner.exit:                               ; preds = %.lr.ph.i, %._crit_edge
  %26 = icmp sgt i32 %4, 1
  br i1 %26, label %27, label %29

27:                                               ; preds = %_QFdownPinner.exit
  %28 = add nsw i32 %4, -1
  store i32 %28, ptr %3, align 4, !tbaa !30
  call void @down_(ptr nonnull %3, ptr %1)
  br label %29

29:                                               ; preds = %27, %_QFdownPinner.exit
  ret void
}

; Function Attrs: nocallback nocreateundeforpoison nofree nosync nounwind speculatable willreturn memory(none)
declare i32 @llvm.smax.i32(i32, i32) #4

; Function Attrs: nocallback nofree nounwind willreturn memory(argmem: readwrite)
declare void @llvm.memcpy.p0.p0.i64(ptr noalias writeonly captures(none), ptr noalias readonly captures(none), i64, i1 immarg) #5

attributes #0 = { mustprogress nounwind willreturn allockind("free") memory(argmem: readwrite, inaccessiblemem: readwrite) "alloc-family"="malloc" }
attributes #1 = { mustprogress nofree nounwind willreturn allockind("alloc,uninitialized") allocsize(0) memory(inaccessiblemem: readwrite) "alloc-family"="malloc" }
attributes #2 = { mustprogress nofree norecurse nosync nounwind willreturn memory(argmem: read) "target-cpu"="x86-64" }
attributes #3 = { nounwind memory(readwrite, target_mem0: none, target_mem1: none) "target-cpu"="x86-64" }
attributes #4 = { nocallback nocreateundeforpoison nofree nosync nounwind speculatable willreturn memory(none) }
attributes #5 = { nocallback nofree nounwind willreturn memory(argmem: readwrite) }

!llvm.ident = !{!0}
!llvm.module.flags = !{!1, !2, !3}

!0 = !{!"Debian flang version 22.1.8"}
!1 = !{i32 2, !"Debug Info Version", i32 3}
!2 = !{i32 8, !"PIC Level", i32 2}
!3 = !{i32 7, !"PIE Level", i32 2}
!4 = !{!5, !5, i64 0}
!5 = !{!"dummy arg data/_QFtwiceEx", !6, i64 0}
!6 = !{!"dummy arg data", !7, i64 0}
!7 = !{!"any data access", !8, i64 0}
!8 = !{!"any access", !9, i64 0}
!9 = !{!"Flang function root _QPtwice"}
!10 = !{!11, !11, i64 0}
!11 = !{!"dummy arg data/_QFdownEn", !12, i64 0}
!12 = !{!"dummy arg data", !13, i64 0}
!13 = !{!"any data access", !14, i64 0}
!14 = !{!"any access", !15, i64 0}
!15 = !{!"Flang function root _QPdown"}
!16 = !{!13, !13, i64 0}
!17 = !{!18}
!18 = distinct !{!18, !19, !"twice_: argument 0"}
!19 = distinct !{!19, !"twice_"}
!20 = !{!21, !21, i64 0}
!21 = !{!"allocated data/", !22, i64 0}
!22 = !{!"allocated data", !13, i64 0}
!23 = !{!24, !24, i64 0}
!24 = !{!"any data access", !25, i64 0}
!25 = !{!"any access", !26, i64 0}
!26 = !{!"Flang function root _QFdownPinner"}
!27 = !{!28}
!28 = distinct !{!28, !29, !"_QFdownPinner: argument 0"}
!29 = distinct !{!29, !"_QFdownPinner"}
!30 = !{!22, !22, i64 0}
