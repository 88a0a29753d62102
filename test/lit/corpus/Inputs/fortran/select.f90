! select case, arithmetic if and computed goto in loops.
subroutine choose(n, k, a)
  integer :: n, k(n), i
  real :: a(n)
  do i = 1, n
    select case (k(i))
    case (:0)
      a(i) = 0
    case (1, 3, 5:9)
      a(i) = 1
    case default
      a(i) = a(i) / 2
    end select
  end do
  do i = 1, n
    goto (10, 20, 30), k(i)
10  a(i) = 1
20  a(i) = a(i) + 2
30  continue
  end do
end subroutine
