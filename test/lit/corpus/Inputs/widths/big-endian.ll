; The other byte order.
target datalayout = "E-m:e-Fn32-i64:64-i128:128-n32:64-S128-v256:256:256-v512:512:512"
target triple = "powerpc64-unknown-linux-gnu"

define void @f(ptr noalias %a, ptr noalias %b, i64 %n) {
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

define void @g(ptr %a, i32 %n) {
entry:
  br label %i.head
i.head:
  %i = phi i32 [ 0, %entry ], [ %i.next, %i.latch ]
  %i.more = icmp slt i32 %i, %n
  br i1 %i.more, label %i.body, label %i.exit
i.body:
  br label %j.head
j.head:
  %j = phi i32 [ 0, %i.body ], [ %j.next, %j.latch ]
  %j.more = icmp slt i32 %j, 64
  br i1 %j.more, label %j.body, label %j.exit
j.body:
  %i.w = sext i32 %i to i64
  %j.w = sext i32 %j to i64
  %row = getelementptr inbounds [64 x i32], ptr %a, i64 %i.w
  %q1 = getelementptr inbounds i32, ptr %row, i64 %j.w
  store i32 %j, ptr %q1
  br label %j.latch
j.latch:
  %j.next = add nsw i32 %j, 1
  br label %j.head
j.exit:
  br label %i.latch
i.latch:
  %i.next = add nsw i32 %i, 1
  br label %i.head
i.exit:
  ret void
}

define void @h(ptr %a, ptr %b, i64 %n) {
entry:
  br label %i.head
i.head:
  %i = phi i64 [ 0, %entry ], [ %i.next, %i.latch ]
  %i.more = icmp slt i64 %i, %n
  br i1 %i.more, label %i.body, label %i.exit
i.body:
  %x.p = getelementptr inbounds ppc_fp128, ptr %a, i64 %i
  %x = load ppc_fp128, ptr %x.p
  %y = fadd ppc_fp128 %x, %x
  %q1 = getelementptr inbounds ppc_fp128, ptr %b, i64 %i
  store ppc_fp128 %y, ptr %q1
  br label %i.latch
i.latch:
  %i.next = add nsw i64 %i, 1
  br label %i.head
i.exit:
  ret void
}
