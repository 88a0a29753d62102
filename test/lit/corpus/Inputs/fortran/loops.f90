! Loops of each kind: counted, with a step, while, with cycle and exit.
subroutine loops(n, a)
  integer :: n, i, j
  real :: a(n, n)
  do i = 1, n
    do j = i, n
      a(j, i) = real(i + j)
    end do
  end do
  do i = n, 1, -2
    a(i, 1) = 0
  end do
  outer: do i = 1, n
    do j = 1, n
      if (a(j, i) < 0) cycle outer
      if (a(j, i) > 100) exit outer
      a(j, i) = 1
    end do
  end do outer
  i = 1
  do while (i < n)
    a(i, i) = 2
    i = i * 2
  end do
end subroutine
