; Structured exceptions: a filter as a function, loops in the protected part.
target triple = "x86_64-pc-windows-msvc"
declare i32 @__C_specific_handler(...)
declare i32 @filter(ptr, ptr)
declare void @touch(ptr)
define i32 @f(ptr %a, i64 %n) personality ptr @__C_specific_handler {
entry:
  br label %i.head
i.head:
  %i = phi i64 [ 0, %entry ], [ %i.next, %i.latch ]
  %i.more = icmp slt i64 %i, %n
  br i1 %i.more, label %i.body, label %i.exit
i.body:
  %q1 = getelementptr inbounds float, ptr %a, i64 %i
  store float 0.0, ptr %q1
  br label %i.latch
i.latch:
  %i.next = add nsw i64 %i, 1
  br label %i.head
i.exit:
  invoke void @touch(ptr %a) to label %ok unwind label %dispatch
dispatch:
  %cs = catchswitch within none [label %except] unwind to caller
except:
  %cp = catchpad within %cs [ptr @filter]
  catchret from %cp to label %ok
ok:
  %r = phi i32 [ 0, %i.exit ], [ 1, %except ]
  br label %j.head
j.head:
  %j = phi i64 [ 0, %ok ], [ %j.next, %j.latch ]
  %j.more = icmp slt i64 %j, %n
  br i1 %j.more, label %j.body, label %j.exit
j.body:
  %q2 = getelementptr inbounds float, ptr %a, i64 %j
  store float 1.0, ptr %q2
  br label %j.latch
j.latch:
  %j.next = add nsw i64 %j, 1
  br label %j.head
j.exit:
  ret i32 %r
}
