; The bound and a value of the loop are results of invokes.
target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
target triple = "x86_64-pc-linux-gnu"

declare i64 @size(ptr)
declare float @next(ptr)
declare i32 @__gxx_personality_v0(...)
define void @f(ptr %a, ptr %b) personality ptr @__gxx_personality_v0 {
entry:
  %n = invoke i64 @size(ptr %b) to label %ok unwind label %pad
ok:
  br label %i.head
i.head:
  %i = phi i64 [ 0, %ok ], [ %i.next, %i.latch ]
  %i.more = icmp slt i64 %i, %n
  br i1 %i.more, label %i.body, label %i.exit
i.body:
  %x.p = getelementptr inbounds float, ptr %a, i64 %i
  %x = load float, ptr %x.p
  %y = fneg float %x
  %q1 = getelementptr inbounds float, ptr %a, i64 %i
  store float %y, ptr %q1
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
  %v = invoke float @next(ptr %b) to label %j.ok unwind label %pad
j.ok:
  %q2 = getelementptr inbounds float, ptr %a, i64 %j
  store float %v, ptr %q2
  br label %j.latch
j.latch:
  %j.next = add nsw i64 %j, 1
  br label %j.head
j.exit:
  ret void
pad:
  %at = phi i64 [ -1, %entry ], [ %j, %j.body ]
  %lp = landingpad { ptr, i32 } catch ptr null catch ptr @type
  resume { ptr, i32 } %lp
}
@type = external constant ptr
