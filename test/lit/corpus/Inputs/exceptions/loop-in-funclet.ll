; An affine loop inside of a catch pad, and one in a cleanup pad.
target triple = "x86_64-pc-windows-msvc"
declare i32 @__CxxFrameHandler3(...)
declare void @may_throw()
declare void @done(ptr)
define void @f(ptr %a) personality ptr @__CxxFrameHandler3 {
entry:
  invoke void @may_throw() to label %next unwind label %dispatch
dispatch:
  %cs = catchswitch within none [label %handler] unwind to caller
handler:
  %cp = catchpad within %cs [ptr null, i32 64, ptr null]
  br label %i.head
i.head:
  %i = phi i64 [ 0, %handler ], [ %i.next, %i.latch ]
  %i.more = icmp slt i64 %i, 50
  br i1 %i.more, label %i.body, label %i.exit
i.body:
  %q1 = getelementptr inbounds i32, ptr %a, i64 %i
  store i32 1, ptr %q1
  br label %i.latch
i.latch:
  %i.next = add nsw i64 %i, 1
  br label %i.head
i.exit:
  catchret from %cp to label %next
next:
  invoke void @may_throw() to label %end unwind label %cleanup
cleanup:
  %cl = cleanuppad within none []
  br label %j.head
j.head:
  %j = phi i64 [ 0, %cleanup ], [ %j.next, %j.latch ]
  %j.more = icmp slt i64 %j, 50
  br i1 %j.more, label %j.body, label %j.exit
j.body:
  %q2 = getelementptr inbounds i32, ptr %a, i64 %j
  store i32 2, ptr %q2
  br label %j.latch
j.latch:
  %j.next = add nsw i64 %j, 1
  br label %j.head
j.exit:
  call void @done(ptr %a) [ "funclet"(token %cl) ]
  cleanupret from %cl unwind to caller
end:
  ret void
}
