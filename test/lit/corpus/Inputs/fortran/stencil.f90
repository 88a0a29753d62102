! A heat equation with time steps and a reduction for its error.
subroutine heat(n, steps, u, v, err)
  integer, intent(in) :: n, steps
  real(8), intent(inout) :: u(0:n + 1, 0:n + 1), v(0:n + 1, 0:n + 1)
  real(8), intent(out) :: err
  integer :: i, j, t
  do t = 1, steps
    do j = 1, n
      do i = 1, n
        v(i, j) = 0.25d0 * (u(i - 1, j) + u(i + 1, j) + u(i, j - 1) + u(i, j + 1))
      end do
    end do
    err = 0
    do j = 1, n
      do i = 1, n
        err = max(err, abs(u(i, j) - v(i, j)))
        u(i, j) = v(i, j)
      end do
    end do
  end do
end subroutine
