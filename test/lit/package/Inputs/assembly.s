    .globl from_assembly
from_assembly:
    ret
    .section .note.GNU-stack,"",@progbits
