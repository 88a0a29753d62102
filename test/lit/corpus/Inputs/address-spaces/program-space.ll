; Loops of an ordinary kind where functions are in space 1.
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
  ret void
}
@t = global [30 x float] zeroinitializer
define void @g() addrspace(1) {
entry:
  br label %i.head
i.head:
  %i = phi i16 [ 0, %entry ], [ %i.next, %i.latch ]
  %i.more = icmp slt i16 %i, 30
  br i1 %i.more, label %i.body, label %i.exit
i.body:
  %p = getelementptr inbounds float, ptr @t, i16 %i
  store float 1.0, ptr %p
  br label %i.latch
i.latch:
  %i.next = add nsw i16 %i, 1
  br label %i.head
i.exit:
  ret void
}
