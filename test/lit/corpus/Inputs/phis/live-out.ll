; Three values live on after the loop, with two exits that join.
target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
target triple = "x86_64-pc-linux-gnu"

define i64 @f(ptr %a, i64 %n, i64 %m) {
entry:
  br label %i.head
i.head:
  %i = phi i64 [ 0, %entry ], [ %i.next, %i.latch ]
  %i.more = icmp slt i64 %i, %n
  br i1 %i.more, label %i.body, label %i.exit
i.body:
  %d = icmp eq i64 %i, %m
  br i1 %d, label %out, label %go
go:
  %k = mul nsw i64 %i, 5
  %q1 = getelementptr inbounds i64, ptr %a, i64 %i
  store i64 %k, ptr %q1
  br label %i.latch
i.latch:
  %i.next = add nsw i64 %i, 1
  br label %i.head
i.exit:
  br label %out
out:
  %r = phi i64 [ %i, %i.body ], [ -1, %i.exit ]
  %x = phi i64 [ 0, %i.body ], [ %i, %i.exit ]
  %s = add i64 %r, %x
  ret i64 %s
}
define void @g(ptr %a) {
entry:
  br label %loop
loop:
  %i = phi i64 [ 0, %entry ], [ %next, %loop ]
  %k = mul nuw nsw i64 %i, 3
  %t = trunc i64 %i to i8
  %q1 = getelementptr inbounds i8, ptr %a, i64 %k
  store i8 %t, ptr %q1
  %next = add nuw nsw i64 %i, 1
  %more = icmp ult i64 %next, 200
  br i1 %more, label %loop, label %end
end:
  ret void
}

