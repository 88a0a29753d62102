; byval, sret, inreg, swiftself, nest and returned arguments of functions with
; loops.
target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
target triple = "x86_64-pc-linux-gnu"

%s = type { [40 x i32] }
define void @sret(ptr sret(%s) %r, i32 %v) {
entry:
  br label %i.head
i.head:
  %i = phi i64 [ 0, %entry ], [ %i.next, %i.latch ]
  %i.more = icmp slt i64 %i, 40
  br i1 %i.more, label %i.body, label %i.exit
i.body:
  %q1 = getelementptr inbounds i32, ptr %r, i64 %i
  store i32 %v, ptr %q1
  br label %i.latch
i.latch:
  %i.next = add nsw i64 %i, 1
  br label %i.head
i.exit:
  ret void
}
define i32 @byval(ptr byval(%s) align 8 %s) {
entry:
  br label %i.head
i.head:
  %i = phi i64 [ 0, %entry ], [ %i.next, %i.latch ]
  %i.more = icmp slt i64 %i, 40
  br i1 %i.more, label %i.body, label %i.exit
i.body:
  %q1 = getelementptr inbounds i32, ptr %s, i64 %i
  store i32 3, ptr %q1
  br label %i.latch
i.latch:
  %i.next = add nsw i64 %i, 1
  br label %i.head
i.exit:
  %x = load i32, ptr %s
  ret i32 %x
}
define ptr @returned(ptr returned %a, i64 inreg %n) {
entry:
  br label %i.head
i.head:
  %i = phi i64 [ 0, %entry ], [ %i.next, %i.latch ]
  %i.more = icmp slt i64 %i, %n
  br i1 %i.more, label %i.body, label %i.exit
i.body:
  %q1 = getelementptr inbounds i32, ptr %a, i64 %i
  store i32 3, ptr %q1
  br label %i.latch
i.latch:
  %i.next = add nsw i64 %i, 1
  br label %i.head
i.exit:
  ret ptr %a
}
define swiftcc void @swift(ptr swiftself %self, ptr swifterror %err, i64 %n) {
entry:
  br label %i.head
i.head:
  %i = phi i64 [ 0, %entry ], [ %i.next, %i.latch ]
  %i.more = icmp slt i64 %i, %n
  br i1 %i.more, label %i.body, label %i.exit
i.body:
  %q1 = getelementptr inbounds i32, ptr %self, i64 %i
  store i32 3, ptr %q1
  br label %i.latch
i.latch:
  %i.next = add nsw i64 %i, 1
  br label %i.head
i.exit:
  store ptr null, ptr %err
  ret void
}
define void @nested(ptr nest %chain, i64 %n) {
entry:
  br label %i.head
i.head:
  %i = phi i64 [ 0, %entry ], [ %i.next, %i.latch ]
  %i.more = icmp slt i64 %i, %n
  br i1 %i.more, label %i.body, label %i.exit
i.body:
  %q1 = getelementptr inbounds i32, ptr %chain, i64 %i
  store i32 3, ptr %q1
  br label %i.latch
i.latch:
  %i.next = add nsw i64 %i, 1
  br label %i.head
i.exit:
  ret void
}
define void @caller(ptr %a, i64 %n) {
entry:
  %l = alloca %s
  br label %i.head
i.head:
  %i = phi i64 [ 0, %entry ], [ %i.next, %i.latch ]
  %i.more = icmp slt i64 %i, %n
  br i1 %i.more, label %i.body, label %i.exit
i.body:
  %x = call i32 @byval(ptr byval(%s) align 8 %l)
  %q1 = getelementptr inbounds i32, ptr %a, i64 %i
  store i32 %x, ptr %q1
  br label %i.latch
i.latch:
  %i.next = add nsw i64 %i, 1
  br label %i.head
i.exit:
  ret void
}
