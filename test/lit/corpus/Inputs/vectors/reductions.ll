; Reductions of a vector to a number, element by element and over the loop.
target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
target triple = "x86_64-pc-linux-gnu"

declare i32 @llvm.vector.reduce.add.v4i32(<4 x i32>)
declare float @llvm.vector.reduce.fadd.v4f32(float, <4 x float>)
define void @f(ptr noalias %a, ptr noalias %b, i64 %n) {
entry:
  br label %i.head
i.head:
  %i = phi i64 [ 0, %entry ], [ %i.next, %i.latch ]
  %i.more = icmp slt i64 %i, %n
  br i1 %i.more, label %i.body, label %i.exit
i.body:
  %x.p = getelementptr inbounds <4 x i32>, ptr %b, i64 %i
  %x = load <4 x i32>, ptr %x.p
  %s = call i32 @llvm.vector.reduce.add.v4i32(<4 x i32> %x)
  %q1 = getelementptr inbounds i32, ptr %a, i64 %i
  store i32 %s, ptr %q1
  br label %i.latch
i.latch:
  %i.next = add nsw i64 %i, 1
  br label %i.head
i.exit:
  ret void
}
define float @g(ptr %a, i64 %n) {
entry:
  br label %loop
loop:
  %i = phi i64 [ 0, %entry ], [ %next, %loop ]
  %s = phi <4 x float> [ zeroinitializer, %entry ], [ %t, %loop ]
  %x.p = getelementptr inbounds <4 x float>, ptr %a, i64 %i
  %x = load <4 x float>, ptr %x.p
  %t = fadd <4 x float> %s, %x
  %next = add nuw nsw i64 %i, 1
  %c = icmp eq i64 %next, %n
  br i1 %c, label %end, label %loop
end:
  %r = call float @llvm.vector.reduce.fadd.v4f32(float 0.0, <4 x float> %t)
  ret float %r
}
