! c = a * b, column-major.
subroutine product(n, a, b, c)
  implicit none
  integer :: n, i, j, k
  real(8) :: a(n, n), b(n, n), c(n, n)
  do j = 1, n
    do i = 1, n
      c(i, j) = 0
      do k = 1, n
        c(i, j) = c(i, j) + a(i, k) * b(k, j)
      end do
    end do
  end do
end subroutine

! The sum of squares of each column of an assumed-shape array.
subroutine columns(a, s)
  implicit none
  real(4), intent(in) :: a(:, :)
  real(4), intent(out) :: s(:)
  integer :: j
  do j = 1, size(a, 2)
    s(j) = sum(a(:, j) ** 2)
  end do
end subroutine
