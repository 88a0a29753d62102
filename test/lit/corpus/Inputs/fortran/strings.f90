! Characters and output in loops.
subroutine text(n, names)
  integer :: n, i
  character(16) :: names(n)
  do i = 1, n
    names(i) = trim(names(i)) // 'x'
    write (*, '(a, i4)') names(i), i
  end do
end subroutine
