; setjmp before and in a loop.
target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
target triple = "x86_64-pc-linux-gnu"

declare i32 @setjmp(ptr) returns_twice
declare void @longjmp(ptr, i32) noreturn
define void @f(ptr %a, ptr %buf, i64 %n) {
entry:
  %r = call i32 @setjmp(ptr %buf) returns_twice
  %c = icmp eq i32 %r, 5
  br i1 %c, label %end, label %go
go:
  br label %i.head
i.head:
  %i = phi i64 [ 0, %go ], [ %i.next, %i.latch ]
  %i.more = icmp slt i64 %i, %n
  br i1 %i.more, label %i.body, label %i.exit
i.body:
  %q1 = getelementptr inbounds i64, ptr %a, i64 %i
  store i64 1, ptr %q1
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
  %s = call i32 @setjmp(ptr %buf) returns_twice
  %q2 = getelementptr inbounds i32, ptr %a, i64 %j
  store i32 %s, ptr %q2
  br label %j.latch
j.latch:
  %j.next = add nsw i64 %j, 1
  br label %j.head
j.exit:
  call void @longjmp(ptr %buf, i32 5)
  unreachable
end:
  ret void
}
