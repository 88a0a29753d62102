! do concurrent, forall and where.
subroutine masks(n, a, b)
  integer, intent(in) :: n
  real, intent(inout) :: a(n), b(n)
  integer :: i
  do concurrent (i = 1:n)
    a(i) = b(i) * 2
  end do
  forall (i = 2:n - 1) b(i) = a(i - 1) + a(i + 1)
  where (a > 0)
    a = log(a)
  elsewhere
    a = 0
  end where
end subroutine
