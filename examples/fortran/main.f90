! main.f90 - calls the loops of forms.f90 with random arrays and prints what they
! computed, bit for bit: main SEED ROWS COLUMNS
!
! SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
program main
  use forms
  use, intrinsic :: iso_fortran_env, only: int64
  implicit none
  type point
    real(8) :: x, y, z
  end type
  integer(int64) :: state
  integer :: n, m, i, which
  character(20) :: arg
  real(8), allocatable :: a(:,:), b(:,:), c(:,:)
  real(8), allocatable, target :: t(:)
  type(point), allocatable, target :: p(:)
  type(grid) :: s
  complex(8), allocatable :: za(:,:), zb(:,:)
  integer, allocatable :: ints(:)
  real(8), pointer :: pa(:), pb(:)
  call get_command_argument(1, arg); read(arg, *) state
  call get_command_argument(2, arg); read(arg, *) n
  call get_command_argument(3, arg); read(arg, *) m
  allocate(a(n, m), b(n, m)); call fill2(a); call fill2(b)
  call explicit(n, m, a, b); call show('explicit', b)
  call assumed(a, b); call show('assumed', b)
  call assumed(a(1:n:2, :), b(1:n:2, :)); call show('assumed strided', b)
  call assumed(a(:, m:1:-1), b(:, :)); call show('assumed backwards', b)
  call assumed(a(n:1:-1, :), b); call show('assumed back rows', b)
  call assumed(a(2:n-1, 2:m-1), b(2:n-1, 1:m-2)); call show('assumed section', b)
  call assumed(a(:, ::3), b(:, ::2)); call show('assumed columns', b)
  do i = 1, min(n, 2)
    call assumed1(a(i, :), b(i, :)); call show('assumed row', b)
    call assumed1(a(:, min(i, m)), b(:, min(i, m))); call show('assumed column', b)
  end do
  allocate(p(n)); do i = 1, n; p(i)%x = next(); p(i)%y = next(); p(i)%z = next(); end do
  call assumed1(p%x, b(:, 1)); call show('component', b)
  call assumed1(b(:, 1), p%z)
  call assumed1(p(n:1:-1)%y, p%x)
  do i = 1, n; call show1('p', (/p(i)%x, p(i)%y, p(i)%z/)); end do
  block
    real(8) :: q(-3:n-4, 0:n-1), r(-3:n-4, 0:n-1), z(-3:n-4, 0:n-1)
    call fill2(q); call fill2(r)
    call bounds(-3, n - 4, q, r); call show('bounds', r)
    call product3(n, q, r, z); call show('product', z)
    call fill2(r)
    do i = -3, n - 4; r(i, i + 3) = r(i, i + 3) + 10; end do
    call lufact(n, r); call show('lu', r)
  end block
  call contig(a, b); call show('contig', b)
  call contig(a(1:n:2, :), b(1:n:2, :)); call show('contig strided', b)
  call alloc(a, b); call show('alloc', b)
  s%n = n; s%m = m; allocate(s%u(n, m), s%v(n, m)); call fill2(s%u); call fill2(s%v); s%c = 0.5d0
  call component(s); call show('component', s%u)
  allocate(c(m, n)); call fill2(c)
  call concurrent(n, m, a, c); call show('concurrent', c)
  call arrays(n, m, a, b); call show('arrays', b)
  call masked(n, m, a, b); call show('masked', b)
  allocate(w(n, m)); call fill2(w); call modulevar(); call show('module', w)
  allocate(t(3 * n + 5)); call fill1(t)
  call strided(n, 3, t, b(:, 1)); call strided(n, 0, t, b(:, 1)); call show('strided', b)
  pa => t(1:n); pb => t(n+1:2*n); call pointers(pa, pb); call show1('pointers', t)
  pa => t(1:n); pb => t(2:n+1); call pointers(pa, pb); call show1('pointers overlap', t)
  pa => t(1:3*n:3); pb => t(2:3*n+1:3); call pointers(pa, pb); call show1('pointers strided', t)
  pa => t(n:1:-1); pb => t(2*n:n+1:-1); call pointers(pa, pb); call show1('pointers back', t)
  pa => p%x; pb => p%y; call pointers(pa, pb)
  do i = 1, n; call show1('p', (/p(i)%x, p(i)%y, p(i)%z/)); end do
  allocate(za(n, m), zb(n, m)); do i = 1, m; do which = 1, n; za(which, i) = cmplx(next(), next(), 8); end do; end do
  call copies(n, m, za, zb); call show('re', real(zb, 8)); call show('im', aimag(zb))
  allocate(ints(n)); do i = 1, n; ints(i) = int(next() * 1e6); end do
  print '(i0)', total(n, ints)
contains
  real(8) function next()
    state = state * 6364136223846793005_int64 + 1442695040888963407_int64
    next = real(ishft(state, -33), 8) / 1d9 - 1
  end function
  subroutine fill1(x)
    real(8), intent(out) :: x(:)
    integer :: k
    do k = 1, size(x); x(k) = next(); end do
  end subroutine
  subroutine fill2(x)
    real(8), intent(out) :: x(:, :)
    integer :: k, l
    do l = 1, size(x, 2); do k = 1, size(x, 1); x(k, l) = next(); end do; end do
  end subroutine
  subroutine show(name, x)
    character(*), intent(in) :: name
    real(8), intent(in) :: x(:, :)
    integer :: k
    do k = 1, size(x, 2)
      call show1(name, x(:, k))
    end do
  end subroutine
  subroutine show1(name, x)
    character(*), intent(in) :: name
    real(8), intent(in) :: x(:)
    integer(int64) :: h
    integer :: k
    h = 7
    do k = 1, size(x)
      h = ieor(h, transfer(x(k), h)) * 1099511628211_int64
      h = ieor(h, ishft(h, -29))
    end do
    print '(a,1x,z16.16)', name, h
  end subroutine
end program
