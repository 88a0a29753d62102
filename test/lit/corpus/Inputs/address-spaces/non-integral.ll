; Pointers that are no integers, as garbage collectors have them.
target datalayout = "e-i64:64-n8:16:32:64-ni:1"
target triple = "x86_64-pc-linux-gnu"

define void @f(ptr addrspace(1) %a, i64 %n) gc "statepoint-example" {
entry:
  br label %i.head
i.head:
  %i = phi i64 [ 0, %entry ], [ %i.next, %i.latch ]
  %i.more = icmp slt i64 %i, %n
  br i1 %i.more, label %i.body, label %i.exit
i.body:
  %p = getelementptr inbounds i64, ptr addrspace(1) %a, i64 %i
  store i64 %i, ptr addrspace(1) %p
  br label %i.latch
i.latch:
  %i.next = add nsw i64 %i, 1
  br label %i.head
i.exit:
  ret void
}
define void @refs(ptr addrspace(1) %a, ptr addrspace(1) %b, i64 %n) gc "statepoint-example" {
entry:
  br label %i.head
i.head:
  %i = phi i64 [ 0, %entry ], [ %i.next, %i.latch ]
  %i.more = icmp slt i64 %i, %n
  br i1 %i.more, label %i.body, label %i.exit
i.body:
  %p = getelementptr inbounds ptr addrspace(1), ptr addrspace(1) %a, i64 %i
  store ptr addrspace(1) %b, ptr addrspace(1) %p
  br label %i.latch
i.latch:
  %i.next = add nsw i64 %i, 1
  br label %i.head
i.exit:
  ret void
}
