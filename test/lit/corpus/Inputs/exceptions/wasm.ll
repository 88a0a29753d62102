; WebAssembly's exceptions in a loop, 32-bit pointers.
target datalayout = "e-m:e-p:32:32-p10:8:8-p20:8:8-i64:64-i128:128-n32:64-S128-ni:1:10:20"
target triple = "wasm32-unknown-unknown"

declare i32 @__gxx_wasm_personality_v0(...)
declare void @may_throw(i32)
declare ptr @llvm.wasm.get.exception(token)
declare i32 @llvm.wasm.get.ehselector(token)
define void @f(ptr %a, i32 %n) personality ptr @__gxx_wasm_personality_v0 {
entry:
  br label %i.head
i.head:
  %i = phi i32 [ 0, %entry ], [ %i.next, %i.latch ]
  %i.more = icmp slt i32 %i, %n
  br i1 %i.more, label %i.body, label %i.exit
i.body:
  %p = getelementptr inbounds i32, ptr %a, i32 %i
  store i32 %i, ptr %p
  br label %i.latch
i.latch:
  %i.next = add nsw i32 %i, 1
  br label %i.head
i.exit:
  br label %j.head
j.head:
  %j = phi i32 [ 0, %i.exit ], [ %j.next, %j.latch ]
  %j.more = icmp slt i32 %j, %n
  br i1 %j.more, label %j.body, label %j.exit
j.body:
  invoke void @may_throw(i32 %j) to label %j.ok unwind label %dispatch
dispatch:
  %cs = catchswitch within none [label %start] unwind to caller
start:
  %cp = catchpad within %cs [ptr null]
  %x = call ptr @llvm.wasm.get.exception(token %cp)
  %s = call i32 @llvm.wasm.get.ehselector(token %cp)
  catchret from %cp to label %j.ok
j.ok:
  br label %j.latch
j.latch:
  %j.next = add nsw i32 %j, 1
  br label %j.head
j.exit:
  ret void
}
