; A loop in a function with variable arguments.
define void @f(i64 %n, ptr %a, ...) {
entry:
  br label %loop

loop:
  %i = phi i64 [ 0, %entry ], [ %next, %loop ]
  %p = getelementptr inbounds i64, ptr %a, i64 %i
  store i64 %i, ptr %p
  %next = add nsw i64 %i, 1
  %more = icmp slt i64 %next, %n
  br i1 %more, label %loop, label %end

end:
  ret void
}
