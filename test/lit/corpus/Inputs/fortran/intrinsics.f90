! Whole-array operations and intrinsic functions.
subroutine ops(n, a, b, c)
  implicit none
  integer, intent(in) :: n
  real(8), intent(inout) :: a(n, n), b(n, n), c(n, n)
  c = matmul(a, b)
  a = transpose(c) + sqrt(abs(b))
  b(:, 1) = sum(a, dim=2)
  c(1, 1) = maxval(a) + dot_product(a(:, 1), b(1, :))
end subroutine
