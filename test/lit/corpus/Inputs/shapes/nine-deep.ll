; More loops in each other than the analysis takes, with a small one beside.
target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
target triple = "x86_64-pc-linux-gnu"

define void @f(ptr %a, i64 %n) {
entry:
  br label %i1.head
i1.head:
  %i1 = phi i64 [ 0, %entry ], [ %i1.next, %i1.latch ]
  %i1.more = icmp slt i64 %i1, %n
  br i1 %i1.more, label %i1.body, label %i1.exit
i1.body:
  br label %i2.head
i2.head:
  %i2 = phi i64 [ 0, %i1.body ], [ %i2.next, %i2.latch ]
  %i2.more = icmp slt i64 %i2, %n
  br i1 %i2.more, label %i2.body, label %i2.exit
i2.body:
  br label %i3.head
i3.head:
  %i3 = phi i64 [ 0, %i2.body ], [ %i3.next, %i3.latch ]
  %i3.more = icmp slt i64 %i3, %n
  br i1 %i3.more, label %i3.body, label %i3.exit
i3.body:
  br label %i4.head
i4.head:
  %i4 = phi i64 [ 0, %i3.body ], [ %i4.next, %i4.latch ]
  %i4.more = icmp slt i64 %i4, %n
  br i1 %i4.more, label %i4.body, label %i4.exit
i4.body:
  br label %i5.head
i5.head:
  %i5 = phi i64 [ 0, %i4.body ], [ %i5.next, %i5.latch ]
  %i5.more = icmp slt i64 %i5, %n
  br i1 %i5.more, label %i5.body, label %i5.exit
i5.body:
  br label %i6.head
i6.head:
  %i6 = phi i64 [ 0, %i5.body ], [ %i6.next, %i6.latch ]
  %i6.more = icmp slt i64 %i6, %n
  br i1 %i6.more, label %i6.body, label %i6.exit
i6.body:
  br label %i7.head
i7.head:
  %i7 = phi i64 [ 0, %i6.body ], [ %i7.next, %i7.latch ]
  %i7.more = icmp slt i64 %i7, %n
  br i1 %i7.more, label %i7.body, label %i7.exit
i7.body:
  br label %i8.head
i8.head:
  %i8 = phi i64 [ 0, %i7.body ], [ %i8.next, %i8.latch ]
  %i8.more = icmp slt i64 %i8, %n
  br i1 %i8.more, label %i8.body, label %i8.exit
i8.body:
  br label %i9.head
i9.head:
  %i9 = phi i64 [ 0, %i8.body ], [ %i9.next, %i9.latch ]
  %i9.more = icmp slt i64 %i9, %n
  br i1 %i9.more, label %i9.body, label %i9.exit
i9.body:
  %q1 = getelementptr inbounds float, ptr %a, i64 %i9
  store float 1.0, ptr %q1
  br label %i9.latch
i9.latch:
  %i9.next = add nsw i64 %i9, 1
  br label %i9.head
i9.exit:
  br label %i8.latch
i8.latch:
  %i8.next = add nsw i64 %i8, 1
  br label %i8.head
i8.exit:
  br label %i7.latch
i7.latch:
  %i7.next = add nsw i64 %i7, 1
  br label %i7.head
i7.exit:
  br label %i6.latch
i6.latch:
  %i6.next = add nsw i64 %i6, 1
  br label %i6.head
i6.exit:
  br label %i5.latch
i5.latch:
  %i5.next = add nsw i64 %i5, 1
  br label %i5.head
i5.exit:
  br label %i4.latch
i4.latch:
  %i4.next = add nsw i64 %i4, 1
  br label %i4.head
i4.exit:
  br label %i3.latch
i3.latch:
  %i3.next = add nsw i64 %i3, 1
  br label %i3.head
i3.exit:
  br label %i2.latch
i2.latch:
  %i2.next = add nsw i64 %i2, 1
  br label %i2.head
i2.exit:
  br label %i1.latch
i1.latch:
  %i1.next = add nsw i64 %i1, 1
  br label %i1.head
i1.exit:
  br label %j.head
j.head:
  %j = phi i64 [ 0, %i1.exit ], [ %j.next, %j.latch ]
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
  ret void
}
