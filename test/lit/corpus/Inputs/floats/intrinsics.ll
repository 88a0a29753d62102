; Intrinsics of mathematics, known to kernels or not.
target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
target triple = "x86_64-pc-linux-gnu"

declare double @llvm.sqrt.f64(double)
declare double @llvm.powi.f64.i32(double, i32)
declare float @llvm.minimum.f32(float, float)
declare float @llvm.ldexp.f32.i32(float, i32)
declare { float, i32 } @llvm.frexp.f32.i32(float)
declare i1 @llvm.is.fpclass.f64(double, i32)
declare i64 @llvm.llround.i64.f64(double)
declare { double, double } @llvm.sincos.f64(double)
define void @f(ptr %a, ptr %b, ptr %c, i64 %n) {
entry:
  br label %i.head
i.head:
  %i = phi i64 [ 0, %entry ], [ %i.next, %i.latch ]
  %i.more = icmp slt i64 %i, %n
  br i1 %i.more, label %i.body, label %i.exit
i.body:
  %x.p = getelementptr inbounds double, ptr %a, i64 %i
  %x = load double, ptr %x.p
  %s = call double @llvm.sqrt.f64(double %x)
  %p = call double @llvm.powi.f64.i32(double %s, i32 3)
  %q1 = getelementptr inbounds double, ptr %a, i64 %i
  store double %p, ptr %q1
  br label %i.latch
i.latch:
  %i.next = add nsw i64 %i, 1
  br label %i.head
i.exit:
  br label %j.head
j.head:
  %j = phi i64 [ 0, %i.exit ], [ %j.next, %j.latch ]
  %j.more = icmp slt i64 %j, %n
  br i1 %j.more, label %j.body, label %j.exit
j.body:
  %u.p = getelementptr inbounds float, ptr %b, i64 %j
  %u = load float, ptr %u.p
  %m = call float @llvm.minimum.f32(float %u, float 1.0)
  %l = call float @llvm.ldexp.f32.i32(float %m, i32 3)
  %fr = call { float, i32 } @llvm.frexp.f32.i32(float %l)
  %fe = extractvalue { float, i32 } %fr, 1
  %q2 = getelementptr inbounds i32, ptr %b, i64 %j
  store i32 %fe, ptr %q2
  br label %j.latch
j.latch:
  %j.next = add nsw i64 %j, 1
  br label %j.head
j.exit:
  br label %k.head
k.head:
  %k = phi i64 [ 0, %j.exit ], [ %k.next, %k.latch ]
  %k.more = icmp slt i64 %k, %n
  br i1 %k.more, label %k.body, label %k.exit
k.body:
  %v.p = getelementptr inbounds double, ptr %c, i64 %k
  %v = load double, ptr %v.p
  %cl = call i1 @llvm.is.fpclass.f64(double %v, i32 3)
  %r = call i64 @llvm.llround.i64.f64(double %v)
  %sc = call { double, double } @llvm.sincos.f64(double %v)
  %co = extractvalue { double, double } %sc, 1
  %ch = select i1 %cl, double %co, double 0.0
  %q3 = getelementptr inbounds double, ptr %c, i64 %k
  store double %ch, ptr %q3
  br label %k.latch
k.latch:
  %k.next = add nsw i64 %k, 1
  br label %k.head
k.exit:
  ret void
}
