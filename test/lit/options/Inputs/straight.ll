; No loop.
define float @straight(ptr %a) {
  %x = load float, ptr %a
  ret float %x
}
