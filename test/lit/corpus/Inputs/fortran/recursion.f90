! Recursive, pure and elemental procedures; internal ones that share variables.
elemental real function twice(x)
  real, intent(in) :: x
  twice = 2 * x
end function
recursive subroutine down(n, a)
  integer, intent(in) :: n
  real, intent(inout) :: a(n)
  interface
    elemental real function twice(x)
      real, intent(in) :: x
    end function
  end interface
  integer :: i
  a = twice(a)
  call inner()
  if (n > 1) call down(n - 1, a)
contains
  subroutine inner()
    do i = 1, n
      a(i) = a(i) + 1
    end do
  end subroutine
end subroutine
