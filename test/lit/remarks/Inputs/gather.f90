! Arguments that are written are no others.
subroutine g(n, idx, x, y)
  integer :: n, idx(n), i
  real :: x(*), y(n)
  do i = 1, n
    y(i) = 2 * x(idx(i))
  end do
end subroutine
