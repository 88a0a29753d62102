; A module with data, aliases and metadata only.
target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
target triple = "x86_64-pc-linux-gnu"

%unused = type opaque
@a = global [10 x i32] zeroinitializer, align 64
@b = alias [10 x i32], ptr @a
@c = external global %unused
declare void @f(ptr, ...) #0
attributes #0 = { "polygpu" }
!named = !{!0, !0}
!0 = distinct !{!"x", i32 1}
