; Counters of coverage, control-flow integrity, bounds of the stack.
target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
target triple = "x86_64-pc-linux-gnu"

@__sancov_gen_ = private global [3 x i8] zeroinitializer, section "__sancov_cntrs"
declare i1 @llvm.type.test(ptr, metadata)
define void @f(ptr %a, i64 %n) {
entry:
  br label %i.head
i.head:
  %i = phi i64 [ 0, %entry ], [ %i.next, %i.latch ]
  %i.more = icmp slt i64 %i, %n
  br i1 %i.more, label %i.body, label %i.exit
i.body:
  %c = load i8, ptr @__sancov_gen_, !nosanitize !0
  %c1 = add i8 %c, 1
  store i8 %c1, ptr @__sancov_gen_, !nosanitize !0
  %q1 = getelementptr inbounds i64, ptr %a, i64 %i
  store i64 %i, ptr %q1
  br label %i.latch
i.latch:
  %i.next = add nsw i64 %i, 1
  br label %i.head
i.exit:
  ret void
}
define void @cfi(ptr %a, ptr %fn, i64 %n) safestack sspstrong {
entry:
  br label %i.head
i.head:
  %i = phi i64 [ 0, %entry ], [ %i.next, %i.latch ]
  %i.more = icmp slt i64 %i, %n
  br i1 %i.more, label %i.body, label %i.exit
i.body:
  %t = call i1 @llvm.type.test(ptr %fn, metadata !"type")
  br i1 %t, label %ok, label %bad
bad:
  unreachable
ok:
  %q1 = getelementptr inbounds i64, ptr %a, i64 %i
  store i64 0, ptr %q1
  br label %i.latch
i.latch:
  %i.next = add nsw i64 %i, 1
  br label %i.head
i.exit:
  ret void
}
!0 = !{}
