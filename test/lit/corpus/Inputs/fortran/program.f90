! A main program with everything in it.
program main
  implicit none
  integer, parameter :: n = 64
  real :: a(n, n), b(n, n), c(n, n)
  integer :: i, j, k
  call random_number(a)
  b = a
  do j = 1, n
    do i = 1, n
      c(i, j) = 0
      do k = 1, n
        c(i, j) = c(i, j) + a(i, k) * b(k, j)
      end do
    end do
  end do
  print *, sum(c)
  if (c(1, 1) < 0) stop 1
end program
