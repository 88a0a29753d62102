subroutine scale(n, a)
  integer, intent(in) :: n
  real(8), intent(inout) :: a(n)
  integer :: i
  do i = 1, n
    a(i) = 2 * a(i) + 1
  end do
end subroutine

program main
  integer, parameter :: n = 1000
  real(8) :: a(n) = 0
  a(n) = 20
  call scale(n, a)
  print '(i0,1x,i0)', nint(a(1)), nint(a(n))
end program
