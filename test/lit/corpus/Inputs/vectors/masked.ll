; Masked and compressing accesses, gathers and scatters.
target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
target triple = "x86_64-pc-linux-gnu"

declare <8 x float> @llvm.masked.load.v8f32.p0(ptr, <8 x i1>, <8 x float>)
declare void @llvm.masked.store.v8f32.p0(<8 x float>, ptr, <8 x i1>)
declare <4 x i32> @llvm.masked.gather.v4i32.v4p0(<4 x ptr>, <4 x i1>, <4 x i32>)
declare void @llvm.masked.compressstore.v4i32(<4 x i32>, ptr, <4 x i1>)
define void @f(ptr %a, <8 x i1> %m, i64 %n) {
entry:
  br label %i.head
i.head:
  %i = phi i64 [ 0, %entry ], [ %i.next, %i.latch ]
  %i.more = icmp slt i64 %i, %n
  br i1 %i.more, label %i.body, label %i.exit
i.body:
  %p = getelementptr inbounds <8 x float>, ptr %a, i64 %i
  %x = call <8 x float> @llvm.masked.load.v8f32.p0(ptr %p, <8 x i1> %m, <8 x float> zeroinitializer)
  call void @llvm.masked.store.v8f32.p0(<8 x float> %x, ptr %p, <8 x i1> %m)
  br label %i.latch
i.latch:
  %i.next = add nsw i64 %i, 1
  br label %i.head
i.exit:
  ret void
}
define void @g(ptr %a, <4 x ptr> %b, <4 x i1> %m, i64 %n) {
entry:
  br label %i.head
i.head:
  %i = phi i64 [ 0, %entry ], [ %i.next, %i.latch ]
  %i.more = icmp slt i64 %i, %n
  br i1 %i.more, label %i.body, label %i.exit
i.body:
  %q = getelementptr i32, <4 x ptr> %b, i64 %i
  %x = call <4 x i32> @llvm.masked.gather.v4i32.v4p0(<4 x ptr> %q, <4 x i1> %m, <4 x i32> poison)
  %p = getelementptr inbounds i32, ptr %a, i64 %i
  call void @llvm.masked.compressstore.v4i32(<4 x i32> %x, ptr %p, <4 x i1> %m)
  br label %i.latch
i.latch:
  %i.next = add nsw i64 %i, 1
  br label %i.head
i.exit:
  ret void
}
define void @h(ptr noalias %a, ptr noalias %b, i64 %n) {
entry:
  %last = sub nsw i64 %n, 1
  br label %i.head
i.head:
  %i = phi i64 [ 1, %entry ], [ %i.next, %i.latch ]
  %i.more = icmp slt i64 %i, %last
  br i1 %i.more, label %i.body, label %i.exit
i.body:
  %l = add nsw i64 %i, -1
  %r = add nsw i64 %i, 1
  %x.p = getelementptr inbounds double, ptr %b, i64 %l
  %x = load double, ptr %x.p
  %z.p = getelementptr inbounds double, ptr %b, i64 %r
  %z = load double, ptr %z.p
  %s = fadd double %x, %z
  %q1 = getelementptr inbounds double, ptr %a, i64 %i
  store double %s, ptr %q1
  br label %i.latch
i.latch:
  %i.next = add nsw i64 %i, 1
  br label %i.head
i.exit:
  ret void
}

