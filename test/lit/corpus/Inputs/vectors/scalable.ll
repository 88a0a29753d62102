; Vectors whose length is not known.
target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i8:8:32-i16:16:32-i64:64-i128:128-n32:64-S128-Fn32"
target triple = "aarch64-unknown-linux-gnu"

define void @f(ptr %a, i64 %n) "target-features"="+sve" {
entry:
  %vs = call i64 @llvm.vscale.i64()
  %step = mul i64 %vs, 4
  br label %i.head
i.head:
  %i = phi i64 [ 0, %entry ], [ %i.next, %i.latch ]
  %i.more = icmp slt i64 %i, %n
  br i1 %i.more, label %i.body, label %i.exit
i.body:
  %x.p = getelementptr inbounds <vscale x 4 x i32>, ptr %a, i64 %i
  %x = load <vscale x 4 x i32>, ptr %x.p
  %y = add <vscale x 4 x i32> %x, splat (i32 1)
  %q1 = getelementptr inbounds <vscale x 4 x i32>, ptr %a, i64 %i
  store <vscale x 4 x i32> %y, ptr %q1
  br label %i.latch
i.latch:
  %i.next = add nsw i64 %i, 1
  br label %i.head
i.exit:
  br label %loop
loop:
  %j = phi i64 [ 0, %i.exit ], [ %j.next, %loop ]
  %p = getelementptr inbounds i32, ptr %a, i64 %j
  store <vscale x 4 x i32> zeroinitializer, ptr %p
  %j.next = add nuw i64 %j, %step
  %c = icmp ult i64 %j.next, %n
  br i1 %c, label %loop, label %end
end:
  ret void
}
declare i64 @llvm.vscale.i64()
define void @g(ptr noalias %a, ptr noalias %b, i64 %n) {
entry:
  br label %i.head
i.head:
  %i = phi i64 [ 0, %entry ], [ %i.next, %i.latch ]
  %i.more = icmp slt i64 %i, %n
  br i1 %i.more, label %i.body, label %i.exit
i.body:
  %x.p = getelementptr inbounds float, ptr %b, i64 %i
  %x = load float, ptr %x.p
  %y = fmul float %x, 2.0
  %q1 = getelementptr inbounds float, ptr %a, i64 %i
  store float %y, ptr %q1
  br label %i.latch
i.latch:
  %i.next = add nsw i64 %i, 1
  br label %i.head
i.exit:
  ret void
}

