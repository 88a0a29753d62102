! Allocatable arrays, pointers, targets, reallocation by assignment.
module data
  implicit none
  real, allocatable :: field(:, :)
  real, pointer :: view(:)
contains
  subroutine start(n)
    integer, intent(in) :: n
    integer :: i
    allocate (field(n, n))
    field = 1
    do i = 1, n
      field(i, i) = real(i)
    end do
    field = field(1:n / 2, :)
    allocate (view(n))
    view(:) = 2
  end subroutine
  subroutine stop_it()
    deallocate (field, view)
  end subroutine
end module
