! FLAGS: -fopenmp
! Directives of OpenMP.
subroutine par(n, a, s)
  integer, intent(in) :: n
  real, intent(inout) :: a(n), s
  integer :: i
  !$omp parallel do reduction(+:s)
  do i = 1, n
    s = s + a(i)
  end do
  !$omp simd
  do i = 1, n
    a(i) = a(i) * 2
  end do
end subroutine
