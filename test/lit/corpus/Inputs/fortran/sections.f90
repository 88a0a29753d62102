! Sections with strides, vector subscripts, overlapping assignments.
subroutine sections(n, a, b, k)
  integer, intent(in) :: n, k(n)
  real, intent(inout) :: a(n), b(n, n)
  a(1:n:2) = a(2:n:2)
  a(2:n) = a(1:n - 1)
  b(:, 1) = b(1, :)
  a = b(k, 3)
  b(k(1):k(2), ::3) = 0
  a(n:1:-1) = a
end subroutine
