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

! Every second element of y becomes three times the others of x.
subroutine sections(n, x, y)
  implicit none
  integer :: n
  real(8) :: x(2 * n), y(2 * n)
  y(1:2 * n:2) = 3 * x(2:2 * n:2)
end subroutine

! y = x + x(n:1:-1) / 2, by way of an allocatable array.
subroutine allocated(n, x, y)
  implicit none
  integer :: n, i
  real(8) :: x(n), y(n)
  real(8), allocatable :: t(:)
  allocate(t(n))
  do i = 1, n
    t(i) = x(n + 1 - i) / 2
  end do
  do i = 1, n
    y(i) = x(i) + t(i)
  end do
  deallocate(t)
end subroutine
