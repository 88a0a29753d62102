; Each block of 32 threads reverses its 32 elements through shared memory, if
; there are so many; twice, so that the second round needs a barrier too.
target datalayout = "e-p6:32:32-i64:64-i128:128-i256:256-v16:16-v32:32-n16:32:64"

@tile = internal addrspace(3) global [40 x float] undef, align 4
@unused = internal addrspace(3) global [100 x double] undef
@copy = internal addrspace(3) global [2 x [16 x float]] undef, align 16

declare i32 @polygpu.thread(i32)
declare i32 @polygpu.block(i32)
declare void @polygpu.barrier() convergent

define void @reverse(ptr addrspace(1) noalias %a, i32 %n) !dbg !4 {
entry:
  %t = call i32 @polygpu.thread(i32 0)
  %b = call i32 @polygpu.block(i32 0)
  %first = mul i32 %b, 32
  %i = add i32 %first, %t
  %guard = icmp slt i32 %i, %n
  %mine = getelementptr float, ptr addrspace(1) %a, i32 %i
  %slot = getelementptr float, ptr addrspace(3) getelementptr (i8, ptr addrspace(3) @tile, i32 32), i32 %t
  %spare = getelementptr float, ptr addrspace(3) @copy, i32 %t
  br label %loop

loop:
  %round = phi i32 [ 0, %entry ], [ %next, %next.round ]
  br i1 %guard, label %in, label %filled

in:
  %x = load float, ptr addrspace(1) %mine, align 4, !dbg !10
  store float %x, ptr addrspace(3) %slot, align 4, !dbg !11
  br label %filled

filled:
  call void @polygpu.barrier(), !dbg !12 ; first barrier
  br i1 %guard, label %out, label %done

out:
  %last = sub i32 31, %t
  %other = getelementptr float, ptr addrspace(3) getelementptr (i8, ptr addrspace(3) @tile, i32 32), i32 %last
  %y = load float, ptr addrspace(3) %other, align 4, !dbg !13
  store float %y, ptr addrspace(1) %mine, align 4, !dbg !14
  store float %y, ptr addrspace(3) %spare, align 4, !dbg !17
  br label %done

done:
  call void @polygpu.barrier(), !dbg !15 ; second barrier
  br label %next.round

next.round:
  %next = add i32 %round, 1
  %again = icmp slt i32 %next, 3
  br i1 %again, label %loop, label %exit

exit:
  ret void
}

!llvm.dbg.cu = !{!0}
!llvm.module.flags = !{!3}
!0 = distinct !DICompileUnit(language: DW_LANG_C11, file: !1, emissionKind: LineTablesOnly)
!1 = !DIFile(filename: "reverse.c", directory: "/")
!3 = !{i32 2, !"Debug Info Version", i32 3}
!4 = distinct !DISubprogram(name: "reverse", file: !1, line: 1, type: !5, unit: !0, spFlags: DISPFlagDefinition)
!5 = !DISubroutineType(types: !6)
!6 = !{}
!10 = !DILocation(line: 10, scope: !4)
!11 = !DILocation(line: 11, scope: !4)
!12 = !DILocation(line: 12, scope: !4)
!13 = !DILocation(line: 13, scope: !4)
!14 = !DILocation(line: 14, scope: !4)
!15 = !DILocation(line: 15, scope: !4)
!17 = !DILocation(line: 17, scope: !4)
