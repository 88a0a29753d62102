; Functions in another space, pointers of 16 bits.
target datalayout = "e-P1-p:16:8-i8:8-i16:8-i32:8-i64:8-f32:8-f64:8-n8:16-a:8"
target triple = "avr"

define void @f(ptr %a, i16 %n) addrspace(1) {
entry:
  br label %i.head
i.head:
  %i = phi i16 [ 0, %entry ], [ %i.next, %i.latch ]
  %i.more = icmp slt i16 %i, %n
  br i1 %i.more, label %i.body, label %i.exit
i.body:
  %p = getelementptr inbounds i8, ptr %a, i16 %i
  store i8 1, ptr %p
  br label %i.latch
i.latch:
  %i.next = add nsw i16 %i, 1
  br label %i.head
i.exit:
  br label %j.head
j.head:
  %j = phi i16 [ 0, %i.exit ], [ %j.next, %j.latch ]
  %j.more = icmp slt i16 %j, %n
  br i1 %j.more, label %j.body, label %j.exit
j.body:
  %q = getelementptr inbounds float, ptr %a, i16 %j
  %x = load float, ptr %q
  %y = fadd float %x, %x
  store float %y, ptr %q
  br label %j.latch
j.latch:
  %j.next = add nsw i16 %j, 1
  br label %j.head
j.exit:
  ret void
}
