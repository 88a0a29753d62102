; Vectors with gaps after them, of bits, and larger than a register.
target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
target triple = "x86_64-pc-linux-gnu"

define void @three(ptr %a) {
entry:
  br label %i.head
i.head:
  %i = phi i64 [ 0, %entry ], [ %i.next, %i.latch ]
  %i.more = icmp slt i64 %i, 90
  br i1 %i.more, label %i.body, label %i.exit
i.body:
  %x.p = getelementptr inbounds <3 x float>, ptr %a, i64 %i
  %x = load <3 x float>, ptr %x.p
  %y = fmul <3 x float> %x, <float 1.0, float 2.0, float 3.0>
  %q1 = getelementptr inbounds <3 x float>, ptr %a, i64 %i
  store <3 x float> %y, ptr %q1
  br label %i.latch
i.latch:
  %i.next = add nsw i64 %i, 1
  br label %i.head
i.exit:
  ret void
}
define void @bits(ptr %a) {
entry:
  br label %i.head
i.head:
  %i = phi i64 [ 0, %entry ], [ %i.next, %i.latch ]
  %i.more = icmp slt i64 %i, 90
  br i1 %i.more, label %i.body, label %i.exit
i.body:
  %x.p = getelementptr inbounds <8 x i1>, ptr %a, i64 %i
  %x = load <8 x i1>, ptr %x.p
  %y = xor <8 x i1> %x, splat (i1 true)
  %q1 = getelementptr inbounds <8 x i1>, ptr %a, i64 %i
  store <8 x i1> %y, ptr %q1
  br label %i.latch
i.latch:
  %i.next = add nsw i64 %i, 1
  br label %i.head
i.exit:
  ret void
}
define void @wide(ptr %a) {
entry:
  br label %i.head
i.head:
  %i = phi i64 [ 0, %entry ], [ %i.next, %i.latch ]
  %i.more = icmp slt i64 %i, 90
  br i1 %i.more, label %i.body, label %i.exit
i.body:
  %x.p = getelementptr inbounds <64 x i16>, ptr %a, i64 %i
  %x = load <64 x i16>, ptr %x.p
  %y = add <64 x i16> %x, %x
  %q1 = getelementptr inbounds <64 x i16>, ptr %a, i64 %i
  store <64 x i16> %y, ptr %q1
  br label %i.latch
i.latch:
  %i.next = add nsw i64 %i, 1
  br label %i.head
i.exit:
  ret void
}
define void @one(ptr %a) {
entry:
  br label %i.head
i.head:
  %i = phi i64 [ 0, %entry ], [ %i.next, %i.latch ]
  %i.more = icmp slt i64 %i, 90
  br i1 %i.more, label %i.body, label %i.exit
i.body:
  %x.p = getelementptr inbounds <1 x double>, ptr %a, i64 %i
  %x = load <1 x double>, ptr %x.p
  %y = fadd <1 x double> %x, %x
  %q1 = getelementptr inbounds <1 x double>, ptr %a, i64 %i
  store <1 x double> %y, ptr %q1
  br label %i.latch
i.latch:
  %i.next = add nsw i64 %i, 1
  br label %i.head
i.exit:
  ret void
}
