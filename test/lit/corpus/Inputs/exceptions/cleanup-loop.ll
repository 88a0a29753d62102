; A loop of destructors on the way out, as for an array of objects.
target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
target triple = "x86_64-pc-linux-gnu"

declare void @construct(ptr)
declare void @destroy(ptr) nounwind
declare i32 @__gxx_personality_v0(...)
define void @f(ptr %a) personality ptr @__gxx_personality_v0 {
entry:
  %end = getelementptr inbounds i8, ptr %a, i64 800
  br label %make
make:
  %p = phi ptr [ %a, %entry ], [ %p.next, %made ]
  invoke void @construct(ptr %p) to label %made unwind label %pad
made:
  %p.next = getelementptr inbounds i8, ptr %p, i64 8
  %all = icmp eq ptr %p.next, %end
  br i1 %all, label %fill, label %make
pad:
  %lp = landingpad { ptr, i32 } cleanup
  %none = icmp eq ptr %a, %p
  br i1 %none, label %out, label %undo
undo:
  %q = phi ptr [ %p, %pad ], [ %q.next, %undo ]
  %q.next = getelementptr inbounds i8, ptr %q, i64 -8
  call void @destroy(ptr %q.next)
  %stop = icmp eq ptr %q.next, %a
  br i1 %stop, label %out, label %undo
out:
  resume { ptr, i32 } %lp
fill:
  br label %i.head
i.head:
  %i = phi i64 [ 0, %fill ], [ %i.next, %i.latch ]
  %i.more = icmp slt i64 %i, 100
  br i1 %i.more, label %i.body, label %i.exit
i.body:
  %q1 = getelementptr inbounds double, ptr %a, i64 %i
  store double 0.0, ptr %q1
  br label %i.latch
i.latch:
  %i.next = add nsw i64 %i, 1
  br label %i.head
i.exit:
  ret void
}
