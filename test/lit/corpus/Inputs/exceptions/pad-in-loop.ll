; Invoke, landing pad and handler are inside of the loop, which goes on.
target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
target triple = "x86_64-pc-linux-gnu"

declare void @may_throw(i32)
declare i32 @__gxx_personality_v0(...)
declare ptr @__cxa_begin_catch(ptr)
declare void @__cxa_end_catch()
define i32 @f(ptr %a, i32 %n) personality ptr @__gxx_personality_v0 {
entry:
  br label %i.head
i.head:
  %i = phi i32 [ 0, %entry ], [ %i.next, %i.latch ]
  %i.more = icmp slt i32 %i, %n
  br i1 %i.more, label %i.body, label %i.exit
i.body:
  %w = sext i32 %i to i64
  invoke void @may_throw(i32 %i) to label %i.ok unwind label %pad
pad:
  %lp = landingpad { ptr, i32 } catch ptr null
  %e = extractvalue { ptr, i32 } %lp, 0
  %c = call ptr @__cxa_begin_catch(ptr %e)
  call void @__cxa_end_catch()
  br label %i.join
i.ok:
  %q1 = getelementptr inbounds i32, ptr %a, i64 %w
  store i32 %i, ptr %q1
  br label %i.join
i.join:
  br label %i.latch
i.latch:
  %i.next = add nsw i32 %i, 1
  br label %i.head
i.exit:
  ret i32 %i
}
@g.m = global [40 x [40 x double]] zeroinitializer
define void @g() {
entry:
  br label %i.head
i.head:
  %i = phi i64 [ 0, %entry ], [ %i.next, %i.latch ]
  %i.more = icmp slt i64 %i, 40
  br i1 %i.more, label %i.body, label %i.exit
i.body:
  br label %j.head
j.head:
  %j = phi i64 [ 0, %i.body ], [ %j.next, %j.latch ]
  %j.more = icmp slt i64 %j, %i
  br i1 %j.more, label %j.body, label %j.exit
j.body:
  %p = getelementptr inbounds [40 x [40 x double]], ptr @g.m, i64 0, i64 %i, i64 %j
  %x = load double, ptr %p
  %y = fadd double %x, 1.0
  store double %y, ptr %p
  br label %j.latch
j.latch:
  %j.next = add nsw i64 %j, 1
  br label %j.head
j.exit:
  br label %i.latch
i.latch:
  %i.next = add nsw i64 %i, 1
  br label %i.head
i.exit:
  ret void
}

