; An irreducible cycle in another, with an affine loop at the bottom.
target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
target triple = "x86_64-pc-linux-gnu"

define void @f(ptr %a, i1 %c, i1 %d, i64 %n) {
entry:
  br i1 %c, label %o1, label %o2
o1:
  br i1 %d, label %i1, label %i2
i1:
  br label %k.head
k.head:
  %k = phi i64 [ 0, %i1 ], [ %k.next, %k.latch ]
  %k.more = icmp slt i64 %k, %n
  br i1 %k.more, label %k.body, label %k.exit
k.body:
  %q1 = getelementptr inbounds i64, ptr %a, i64 %k
  store i64 %k, ptr %q1
  br label %k.latch
k.latch:
  %k.next = add nsw i64 %k, 1
  br label %k.head
k.exit:
  br label %i2
i2:
  %x = load volatile i64, ptr %a
  %e = icmp eq i64 %x, 3
  br i1 %e, label %i1, label %o2
o2:
  %y = load volatile i64, ptr %a
  %g = icmp eq i64 %y, 4
  br i1 %g, label %o1, label %end
end:
  ret void
}
