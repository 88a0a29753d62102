! Complex numbers, extended precision, logicals, integers of each size.
subroutine kinds(n, z, q, l, i1, i2, i8)
  integer, intent(in) :: n
  complex(8) :: z(n)
  real(10) :: q(n)
  logical :: l(n)
  integer(1) :: i1(n)
  integer(2) :: i2(n)
  integer(8) :: i8(n)
  integer :: i
  do i = 1, n
    z(i) = z(i) * (0.0d0, 1.0d0) + conjg(z(i))
    q(i) = q(i) * 2
    l(i) = .not. l(i)
  end do
  do i = 1, n
    i1(i) = int(i, 1)
    i2(i) = int(i, 2)
    i8(i) = int(i, 8)
  end do
end subroutine
