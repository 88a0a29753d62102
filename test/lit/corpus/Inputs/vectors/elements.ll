; Arrays of short vectors: arithmetic, shuffles, elements.
target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
target triple = "x86_64-pc-linux-gnu"

define void @f(ptr noalias %a, ptr noalias %b, i64 %n) {
entry:
  br label %i.head
i.head:
  %i = phi i64 [ 0, %entry ], [ %i.next, %i.latch ]
  %i.more = icmp slt i64 %i, %n
  br i1 %i.more, label %i.body, label %i.exit
i.body:
  %x.p = getelementptr inbounds <4 x float>, ptr %b, i64 %i
  %x = load <4 x float>, ptr %x.p
  %y = shufflevector <4 x float> %x, <4 x float> poison, <4 x i32> <i32 3, i32 2, i32 1, i32 0>
  %z = fadd <4 x float> %x, %y
  %e = extractelement <4 x float> %z, i32 2
  %w = insertelement <4 x float> %z, float %e, i32 0
  %q1 = getelementptr inbounds <4 x float>, ptr %a, i64 %i
  store <4 x float> %w, ptr %q1
  br label %i.latch
i.latch:
  %i.next = add nsw i64 %i, 1
  br label %i.head
i.exit:
  ret void
}
