! lapack_bits - level 3 of the BLAS and LU on random matrices, a line for each
! call with a number of all bits of what it leaves.
!
! SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

program lapack_bits
  implicit none
  integer, parameter :: sizes(5) = [1, 7, 33, 64, 90], many = 90, rows = 97
  character, parameter :: sides(2) = ['L', 'R'], halves(2) = ['U', 'L']
  character, parameter :: forms(3) = ['N', 'T', 'C'], diagonals(2) = ['U', 'N']
  integer(8) :: state
  integer :: at
  state = 20261128
  print '(a,i0)', 'seed ', state
  do at = 1, size(sizes)
    call real_ones(sizes(at))
    call complex_ones(sizes(at))
  end do

contains

  ! Numbers from -1 to 1.
  real(8) function next()
    state = iand(state * 1103515245_8 + 12345_8, int(z'7fffffff', 8))
    next = real(state, 8) / 1073741824d0 - 1
  end function

  subroutine fill(a)
    real(8), intent(out) :: a(rows, many)
    integer :: i, j
    do j = 1, many
      do i = 1, rows
        a(i, j) = next()
      end do
    end do
  end subroutine

  subroutine fill_z(a)
    complex(8), intent(out) :: a(rows, many)
    real(8) :: re(rows, many), im(rows, many)
    call fill(re)
    call fill(im)
    a = cmplx(re, im, 8)
  end subroutine

  subroutine show(what, n, bits, pivots)
    character(*), intent(in) :: what
    integer, intent(in) :: n
    integer(8), intent(in) :: bits(:)
    integer, intent(in), optional :: pivots(:)
    integer(8) :: sum
    integer :: i
    sum = 0
    do i = 1, size(bits)
      sum = ieor(ishftc(sum, 5), bits(i))
    end do
    if (present(pivots)) then
      do i = 1, size(pivots)
        sum = ieor(ishftc(sum, 5), int(pivots(i), 8))
      end do
    end if
    print '(a,1x,i0,1x,z16.16)', what, n, sum
  end subroutine

  subroutine show_r(what, n, a, pivots)
    character(*), intent(in) :: what
    integer, intent(in) :: n
    real(8), intent(in) :: a(rows, many)
    integer, intent(in), optional :: pivots(:)
    call show(what, n, transfer(a, [0_8]), pivots)
  end subroutine

  subroutine show_z(what, n, a, pivots)
    character(*), intent(in) :: what
    integer, intent(in) :: n
    complex(8), intent(in) :: a(rows, many)
    integer, intent(in), optional :: pivots(:)
    call show(what, n, transfer(a, [0_8]), pivots)
  end subroutine

  subroutine real_ones(n)
    integer, intent(in) :: n
    real(8) :: a(rows, many), b(rows, many), c(rows, many)
    integer :: i, j, k, info, p(many)
    do i = 1, 3
      do j = 1, 3
        call fill(a)
        call fill(b)
        call fill(c)
        call dgemm(forms(i), forms(j), n, n, n, 0.7d0, a, rows, b, rows, 1.3d0, c, rows)
        call show_r('dgemm ' // forms(i) // forms(j), n, c)
      end do
    end do
    do i = 1, 2
      do j = 1, 2
        call fill(a)
        call fill(b)
        call fill(c)
        call dsymm(sides(i), halves(j), n, n, 0.7d0, a, rows, b, rows, 1.3d0, c, rows)
        call show_r('dsymm ' // sides(i) // halves(j), n, c)
        call dsyrk(halves(i), forms(j), n, n, 0.7d0, a, rows, 1.3d0, c, rows)
        call show_r('dsyrk ' // halves(i) // forms(j), n, c)
        call dsyr2k(halves(i), forms(j), n, n, 0.7d0, a, rows, b, rows, 1.3d0, c, rows)
        call show_r('dsyr2k ' // halves(i) // forms(j), n, c)
        do k = 1, 4
          call fill(b)
          call dtrmm(sides(i), halves(j), forms(1 + k / 3), diagonals(1 + mod(k, 2)), &
                     n, n, 0.7d0, a, rows, b, rows)
          call show_r('dtrmm', n, b)
          call dtrsm(sides(i), halves(j), forms(1 + k / 3), diagonals(1 + mod(k, 2)), &
                     n, n, 0.7d0, a, rows, b, rows)
          call show_r('dtrsm', n, b)
        end do
      end do
    end do
    call fill(a)
    c = a
    call dgetf2(n, n, c, rows, p, info)
    call show_r('dgetf2', n, c, p(1:n))
    c = a
    call dgetrf2(n, n, c, rows, p, info)
    call show_r('dgetrf2', n, c, p(1:n))
    c = a
    call dgetrf(n, n, c, rows, p, info)
    call show_r('dgetrf', n, c, p(1:n))
    do i = 1, 2
      call fill(b)
      call dgetrs(forms(i), n, n, c, rows, p, b, rows, info)
      call show_r('dgetrs ' // forms(i), n, b)
      call dlaswp(n, b, rows, 1, n, p, 3 - 2 * i)
      call show_r('dlaswp', n, b)
    end do
  end subroutine

  subroutine complex_ones(n)
    integer, intent(in) :: n
    complex(8), parameter :: alpha = (0.7d0, -0.9d0), beta = (1.3d0, -1.1d0)
    complex(8) :: a(rows, many), b(rows, many), c(rows, many)
    integer :: i, j, k, info, p(many)
    do i = 1, 3
      do j = 1, 3
        call fill_z(a)
        call fill_z(b)
        call fill_z(c)
        call zgemm(forms(i), forms(j), n, n, n, alpha, a, rows, b, rows, beta, c, rows)
        call show_z('zgemm ' // forms(i) // forms(j), n, c)
      end do
    end do
    do i = 1, 2
      do j = 1, 2
        call fill_z(a)
        call fill_z(b)
        call fill_z(c)
        call zsymm(sides(i), halves(j), n, n, alpha, a, rows, b, rows, beta, c, rows)
        call show_z('zsymm ' // sides(i) // halves(j), n, c)
        call zhemm(sides(i), halves(j), n, n, alpha, a, rows, b, rows, beta, c, rows)
        call show_z('zhemm ' // sides(i) // halves(j), n, c)
        call zsyrk(halves(i), forms(j), n, n, alpha, a, rows, beta, c, rows)
        call show_z('zsyrk ' // halves(i) // forms(j), n, c)
        call zsyr2k(halves(i), forms(j), n, n, alpha, a, rows, b, rows, beta, c, rows)
        call show_z('zsyr2k ' // halves(i) // forms(j), n, c)
        call zherk(halves(i), forms(2 * j - 1), n, n, 0.7d0, a, rows, 1.3d0, c, rows)
        call show_z('zherk ' // halves(i) // forms(2 * j - 1), n, c)
        call zher2k(halves(i), forms(2 * j - 1), n, n, alpha, a, rows, b, rows, 1.3d0, c, rows)
        call show_z('zher2k ' // halves(i) // forms(2 * j - 1), n, c)
        do k = 1, 6
          call fill_z(b)
          call ztrmm(sides(i), halves(j), forms((k + 1) / 2), diagonals(1 + mod(k, 2)), &
                     n, n, alpha, a, rows, b, rows)
          call show_z('ztrmm', n, b)
          call ztrsm(sides(i), halves(j), forms((k + 1) / 2), diagonals(1 + mod(k, 2)), &
                     n, n, alpha, a, rows, b, rows)
          call show_z('ztrsm', n, b)
        end do
      end do
    end do
    call fill_z(a)
    c = a
    call zgetf2(n, n, c, rows, p, info)
    call show_z('zgetf2', n, c, p(1:n))
    c = a
    call zgetrf2(n, n, c, rows, p, info)
    call show_z('zgetrf2', n, c, p(1:n))
    c = a
    call zgetrf(n, n, c, rows, p, info)
    call show_z('zgetrf', n, c, p(1:n))
    do i = 1, 3
      call fill_z(b)
      call zgetrs(forms(i), n, n, c, rows, p, b, rows, info)
      call show_z('zgetrs ' // forms(i), n, b)
      call zlaswp(n, b, rows, 1, n, p, 1)
      call show_z('zlaswp', n, b)
    end do
  end subroutine
end program
