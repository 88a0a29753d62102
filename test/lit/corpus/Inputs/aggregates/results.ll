; Results of two values, and an aggregate carried around the loop.
target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
target triple = "x86_64-pc-linux-gnu"

declare { i64, i64 } @pair()
define { i64, float } @f(ptr %a, i64 %n) {
entry:
  %p = call { i64, i64 } @pair()
  %m = extractvalue { i64, i64 } %p, 0
  br label %i.head
i.head:
  %i = phi i64 [ 0, %entry ], [ %i.next, %i.latch ]
  %i.more = icmp slt i64 %i, %m
  br i1 %i.more, label %i.body, label %i.exit
i.body:
  %q1 = getelementptr inbounds i64, ptr %a, i64 %i
  store i64 %i, ptr %q1
  br label %i.latch
i.latch:
  %i.next = add nsw i64 %i, 1
  br label %i.head
i.exit:
  br label %loop
loop:
  %s = phi { i64, float } [ zeroinitializer, %i.exit ], [ %s2, %loop ]
  %k = extractvalue { i64, float } %s, 0
  %k1 = add i64 %k, 1
  %s2 = insertvalue { i64, float } %s, i64 %k1, 0
  %q2 = getelementptr inbounds i64, ptr %a, i64 %k
  store i64 %k, ptr %q2
  %c = icmp slt i64 %k1, %n
  br i1 %c, label %loop, label %end
end:
  ret { i64, float } %s2
}
