; A function that ends in itself; and one called with musttail in the loop's
; callee, which must not be inlined away wrongly.
target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
target triple = "x86_64-pc-linux-gnu"

define i64 @f(ptr %a, i64 %n) {
entry:
  br label %i.head
i.head:
  %i = phi i64 [ 0, %entry ], [ %i.next, %i.latch ]
  %i.more = icmp slt i64 %i, 64
  br i1 %i.more, label %i.body, label %i.exit
i.body:
  %q1 = getelementptr inbounds i64, ptr %a, i64 %i
  store i64 %n, ptr %q1
  br label %i.latch
i.latch:
  %i.next = add nsw i64 %i, 1
  br label %i.head
i.exit:
  %z = icmp eq i64 %n, 0
  br i1 %z, label %end, label %again
again:
  %m = add i64 %n, -1
  %r = musttail call i64 @f(ptr %a, i64 %m)
  ret i64 %r
end:
  ret i64 0
}
define internal i64 @thunk(ptr %a, i64 %n) {
  %r = musttail call i64 @f(ptr %a, i64 %n)
  ret i64 %r
}
define void @g(ptr %a, ptr %b, i64 %n) {
entry:
  br label %i.head
i.head:
  %i = phi i64 [ 0, %entry ], [ %i.next, %i.latch ]
  %i.more = icmp slt i64 %i, %n
  br i1 %i.more, label %i.body, label %i.exit
i.body:
  %x = call i64 @thunk(ptr %b, i64 %i)
  %q1 = getelementptr inbounds i64, ptr %a, i64 %i
  store i64 %x, ptr %q1
  br label %i.latch
i.latch:
  %i.next = add nsw i64 %i, 1
  br label %i.head
i.exit:
  ret void
}
