! Derived types with arrays, type-bound procedures, polymorphism.
module shapes
  type :: point
    real :: x(3)
    integer :: id
  contains
    procedure :: move
  end type
  type, extends(point) :: named
    character(8) :: name
  end type
contains
  subroutine move(self, by)
    class(point), intent(inout) :: self
    real, intent(in) :: by
    integer :: i
    do i = 1, 3
      self%x(i) = self%x(i) + by
    end do
  end subroutine
  subroutine move_all(p, n)
    integer, intent(in) :: n
    type(named), intent(inout) :: p(n)
    class(point), allocatable :: q
    integer :: i
    do i = 1, n
      p(i)%id = i
      p(i)%x = 0
      call p(i)%move(1.0)
    end do
    allocate (named :: q)
    select type (q)
    type is (named)
      q%name = 'x'
    end select
  end subroutine
end module
