; After instrumentation: calls and shadow memory in the loop.
target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
target triple = "x86_64-pc-linux-gnu"

declare void @__asan_report_load4(i64)
define void @f(ptr %a, i64 %n) sanitize_address nosanitize_bounds {
entry:
  br label %i.head
i.head:
  %i = phi i64 [ 0, %entry ], [ %i.next, %i.latch ]
  %i.more = icmp slt i64 %i, %n
  br i1 %i.more, label %i.body, label %i.exit
i.body:
  %x.p = getelementptr inbounds i32, ptr %a, i64 %i
  %x = load i32, ptr %x.p
  %k = ptrtoint ptr %x.p to i64
  %s = lshr i64 %k, 3
  %t = add i64 %s, 2147450880
  %sp = inttoptr i64 %t to ptr
  %sv = load i8, ptr %sp
  %bad = icmp ne i8 %sv, 0
  br i1 %bad, label %report, label %ok, !prof !0
report:
  call void @__asan_report_load4(i64 %k) noreturn
  unreachable
ok:
  %q1 = getelementptr inbounds i32, ptr %a, i64 %i
  store i32 1, ptr %q1
  br label %i.latch
i.latch:
  %i.next = add nsw i64 %i, 1
  br label %i.head
i.exit:
  ret void
}
declare void @__tsan_write4(ptr)
define void @g(ptr %a, i64 %n) {
entry:
  br label %i.head
i.head:
  %i = phi i64 [ 0, %entry ], [ %i.next, %i.latch ]
  %i.more = icmp slt i64 %i, %n
  br i1 %i.more, label %i.body, label %i.exit
i.body:
  %p = getelementptr i32, ptr %a, i64 %i
  call void @__tsan_write4(ptr %p)
  store i32 0, ptr %p
  br label %i.latch
i.latch:
  %i.next = add nsw i64 %i, 1
  br label %i.head
i.exit:
  ret void
}
!0 = !{!"branch_weights", i32 1, i32 1000}
