! forms.f90 - loops over Fortran's arrays in all their forms: what is offloaded of
! them, and what not, is in README.md.
!
! SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
module forms
  implicit none
  type grid
    integer :: n, m
    real(8), allocatable :: u(:,:), v(:,:)
    real(8) :: c(40)
  end type
  real(8), allocatable :: w(:,:)
contains
  subroutine explicit(n, m, a, b) ! == explicit shape
    integer, intent(in) :: n, m
    real(8), intent(in) :: a(n, m)
    real(8), intent(out) :: b(n, m)
    integer :: i, j
    do j = 2, m - 1
      do i = 2, n - 1
        b(i, j) = 0.25d0 * (a(i-1, j) + a(i+1, j) + a(i, j-1) + a(i, j+1))
      end do
    end do
  end subroutine
  subroutine assumed(a, b) ! == assumed shape, two dimensions
    real(8), intent(in) :: a(:, :)
    real(8), intent(inout) :: b(:, :)
    integer :: i, j
    do j = 2, size(a, 2) - 1
      do i = 2, size(a, 1) - 1
        b(i, j) = 0.25d0 * (a(i-1, j) + a(i+1, j) + a(i, j-1) + a(i, j+1))
      end do
    end do
  end subroutine
  subroutine assumed1(x, y) ! == assumed shape, one dimension
    real(8), intent(in) :: x(:)
    real(8), intent(inout) :: y(:)
    integer :: i
    do i = 1, size(x)
      y(i) = y(i) + 2 * x(i)
    end do
  end subroutine
  subroutine bounds(lo, hi, a, b) ! == lower bounds other than 1
    integer, intent(in) :: lo, hi
    real(8), intent(in) :: a(lo:hi, 0:hi-lo)
    real(8), intent(out) :: b(lo:hi, 0:hi-lo)
    integer :: i, j
    do j = 0, hi - lo
      do i = lo, hi
        b(i, j) = a(i, j) * i
      end do
    end do
  end subroutine
  subroutine contig(a, b) ! == `contiguous`
    real(8), intent(in), contiguous :: a(:, :)
    real(8), intent(inout), contiguous :: b(:, :)
    integer :: i, j
    do j = 1, size(a, 2)
      do i = 1, size(a, 1)
        b(i, j) = b(i, j) + a(i, j)
      end do
    end do
  end subroutine
  subroutine alloc(a, b) ! == allocatable
    real(8), allocatable, intent(in) :: a(:, :)
    real(8), allocatable, intent(inout) :: b(:, :)
    integer :: i, j
    do j = lbound(a, 2), ubound(a, 2)
      do i = lbound(a, 1), ubound(a, 1)
        b(i, j) = b(i, j) + a(i, j)
      end do
    end do
  end subroutine
  subroutine component(s) ! == components, `s%u(i, j)`
    type(grid), intent(inout) :: s
    integer :: i, j
    do j = 2, s%m - 1
      do i = 2, s%n - 1
        s%u(i, j) = s%v(i, j) + s%c(1) * (s%v(i+1, j) - s%v(i, j+1))
      end do
    end do
  end subroutine
  subroutine concurrent(n, m, a, b) ! == `do concurrent`
    integer, intent(in) :: n, m
    real(8), intent(in) :: a(n, m)
    real(8), intent(out) :: b(m, n)
    integer :: i, j
    do concurrent (i = 1:n, j = 1:m)
      b(j, i) = a(i, j)
    end do
  end subroutine
  subroutine arrays(n, m, a, b) ! == expressions of whole arrays and sections
    integer, intent(in) :: n, m
    real(8), intent(in) :: a(n, m)
    real(8), intent(inout) :: b(n, m)
    b = b + 2 * a
    b(2:n-1, :) = a(1:n-2, :) - a(3:n, :)
  end subroutine
  subroutine masked(n, m, a, b) ! == `where` that reads what it assigns
    integer, intent(in) :: n, m
    real(8), intent(in) :: a(n, m)
    real(8), intent(inout) :: b(n, m)
    where (a > 0) b = b * 2
  end subroutine
  subroutine product3(n, a, b, c) ! == `matmul`
    integer, intent(in) :: n
    real(8), intent(in) :: a(n, n), b(n, n)
    real(8), intent(out) :: c(n, n)
    c = matmul(a, b)
  end subroutine
  subroutine modulevar() ! == an array of a module
    integer :: i, j
    do j = 1, size(w, 2)
      do i = 1, size(w, 1)
        w(i, j) = w(i, j) * 3
      end do
    end do
  end subroutine
  subroutine lufact(n, a) ! == LU in place
    integer, intent(in) :: n
    real(8), intent(inout) :: a(n, n)
    integer :: i, j, k
    do k = 1, n - 1
      do i = k + 1, n
        a(i, k) = a(i, k) / a(k, k)
      end do
      do j = k + 1, n
        do i = k + 1, n
          a(i, j) = a(i, j) - a(i, k) * a(k, j)
        end do
      end do
    end do
  end subroutine
  subroutine strided(n, inc, x, y) ! == assumed size with a variable step
    integer, intent(in) :: n, inc
    real(8), intent(in) :: x(*)
    real(8), intent(inout) :: y(n)
    integer :: i
    do i = 1, n
      y(i) = y(i) + x(1 + (i - 1) * inc)
    end do
  end subroutine
  subroutine pointers(a, b) ! == pointers
    real(8), pointer, intent(in) :: a(:)
    real(8), pointer, intent(in) :: b(:)
    integer :: i
    do i = 1, size(a)
      b(i) = a(i) + 1
    end do
  end subroutine
  subroutine copies(n, m, a, b) ! == complex numbers
    integer, intent(in) :: n, m
    complex(8), intent(in) :: a(n, m)
    complex(8), intent(out) :: b(n, m)
    integer :: i, j
    do j = 1, m
      do i = 1, n
        b(i, j) = a(i, j) * (2.0d0, 1.0d0)
      end do
    end do
  end subroutine
  function total(n, a) result(s) ! == `sum` of integers
    integer, intent(in) :: n
    integer, intent(in) :: a(n)
    integer :: s
    s = sum(a)
  end function
end module
