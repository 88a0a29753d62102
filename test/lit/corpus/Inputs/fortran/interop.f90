! Procedures for C, with values, pointers and volatile variables.
subroutine scale(n, a, p) bind(c)
  use iso_c_binding
  integer(c_int), value :: n
  real(c_float), intent(inout) :: a(n)
  type(c_ptr), value :: p
  real(c_double), pointer :: d(:)
  integer, volatile :: tick
  integer :: i
  call c_f_pointer(p, d, [n])
  do i = 1, n
    d(i) = a(i)
  end do
  do i = 1, n
    tick = i
    a(i) = 1
  end do
end subroutine
