// Inline assembly, infinite loops, labels.
use std::arch::asm;
#[unsafe(no_mangle)]
pub fn ticks(a: &mut [u64]) {
    for x in a.iter_mut() {
        let (lo, hi): (u32, u32);
        unsafe { asm!("rdtsc", out("eax") lo, out("edx") hi) };
        *x = (hi as u64) << 32 | lo as u64;
    }
}
#[unsafe(no_mangle)]
pub fn forever(a: &mut [f32; 16], f: fn() -> bool) {
    'outer: loop {
        for x in a.iter_mut() {
            *x += 1.0;
        }
        loop {
            if f() {
                continue 'outer;
            }
            if !f() {
                break;
            }
        }
    }
}
