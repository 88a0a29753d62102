; A state machine: one loop around one switch that chooses the next state.
target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
target triple = "x86_64-pc-linux-gnu"

define i32 @f(ptr %in, ptr %out) {
entry:
  br label %next
next:
  %state = phi i32 [ 0, %entry ], [ 1, %s0 ], [ 2, %s1 ], [ 0, %s2 ]
  %i = phi i64 [ 0, %entry ], [ %i1, %s0 ], [ %i1, %s1 ], [ %i1, %s2 ]
  %i1 = add i64 %i, 1
  %x.p = getelementptr inbounds i32, ptr %in, i64 %i
  %x = load i32, ptr %x.p
  switch i32 %state, label %end [i32 0, label %s0 i32 1, label %s1 i32 2, label %s2]
s0:
  %q1 = getelementptr inbounds i32, ptr %out, i64 %i
  store i32 %x, ptr %q1
  br label %next
s1:
  %c = icmp eq i32 %x, 0
  br i1 %c, label %end, label %next
s2:
  %q2 = getelementptr inbounds i32, ptr %out, i64 %i
  store i32 0, ptr %q2
  br label %next
end:
  ret i32 %state
}
define void @g(ptr noalias %a, ptr noalias %b, i64 %n) {
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

