! Assumed shape, assumed size, explicit lower bounds, optional arguments.
subroutine assumed(a, b, m)
  real, intent(inout) :: a(:, :)
  real, intent(in), optional :: b(:)
  integer :: m(*)
  real :: local(-5:5)
  integer :: i, j
  do j = lbound(a, 2), ubound(a, 2)
    do i = 1, size(a, 1)
      a(i, j) = a(i, j) * 2
    end do
  end do
  if (present(b)) a(:, 1) = b
  do i = -5, 5
    local(i) = real(i)
  end do
  do i = 1, 10
    m(i) = int(local(mod(i, 5)))
  end do
end subroutine
