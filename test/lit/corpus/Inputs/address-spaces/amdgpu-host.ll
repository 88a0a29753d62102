; Ordinary functions for a machine whose stack is in space 5.
target datalayout = "e-p:64:64-p1:64:64-p2:32:32-p3:32:32-p4:64:64-p5:32:32-p6:32:32-p7:160:256:256:32-p8:128:128-i64:64-v16:16-v24:32-v32:32-A5-G1-ni:7:8:9"
target triple = "amdgcn-amd-amdhsa"

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

define i64 @h(ptr %a, i64 %n) {
entry:
  %v = alloca i64, addrspace(5)
  br label %i.head
i.head:
  %i = phi i64 [ 0, %entry ], [ %i.next, %i.latch ]
  %i.more = icmp slt i64 %i, %n
  br i1 %i.more, label %i.body, label %i.exit
i.body:
  %q1 = getelementptr inbounds i64, ptr %a, i64 %i
  store i64 3, ptr %q1
  store i64 %i, ptr addrspace(5) %v
  br label %i.latch
i.latch:
  %i.next = add nsw i64 %i, 1
  br label %i.head
i.exit:
  %r = load i64, ptr addrspace(5) %v
  ret i64 %r
}
