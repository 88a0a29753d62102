; Functions that only throw, and one that reaches its loop only by unwinding.
target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
target triple = "x86_64-pc-linux-gnu"

declare void @throw() noreturn
declare i32 @__gcc_personality_v0(...)
define void @f(ptr %a) personality ptr @__gcc_personality_v0 {
entry:
  invoke void @throw() to label %never unwind label %pad
never:
  unreachable
pad:
  %lp = landingpad { ptr, i32 } cleanup
  br label %i.head
i.head:
  %i = phi i64 [ 0, %pad ], [ %i.next, %i.latch ]
  %i.more = icmp slt i64 %i, 30
  br i1 %i.more, label %i.body, label %i.exit
i.body:
  %q1 = getelementptr inbounds i64, ptr %a, i64 %i
  store i64 %i, ptr %q1
  br label %i.latch
i.latch:
  %i.next = add nsw i64 %i, 1
  br label %i.head
i.exit:
  resume { ptr, i32 } %lp
}
define void @g(ptr %a) personality ptr @__gcc_personality_v0 {
entry:
  br label %i.head
i.head:
  %i = phi i64 [ 0, %entry ], [ %i.next, %i.latch ]
  %i.more = icmp slt i64 %i, 30
  br i1 %i.more, label %i.body, label %i.exit
i.body:
  %q1 = getelementptr inbounds i64, ptr %a, i64 %i
  store i64 %i, ptr %q1
  br label %i.latch
i.latch:
  %i.next = add nsw i64 %i, 1
  br label %i.head
i.exit:
  call void @throw()
  unreachable
}
