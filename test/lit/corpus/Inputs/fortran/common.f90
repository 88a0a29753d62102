! Common blocks, equivalence, saved variables, entry points, data.
subroutine old
  common /block/ x(100), y(100)
  real z(100)
  equivalence (z(1), x(51))
  integer, save :: count = 0
  data y /100 * 1.0/
  do 10 i = 1, 100
10 x(i) = y(i) + 1
  do i = 1, 40
    z(i) = 2
  end do
  count = count + 1
end subroutine
