! The lower triangle of a matrix whose columns have room for more.
subroutine lower(n, ld, c)
  integer :: n, ld, i, j
  real :: c(ld, *)
  do j = 1, n
    do i = j, n
      c(i, j) = 0.5 * c(i, j)
    end do
  end do
end subroutine
