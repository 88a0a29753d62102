// Raw pointers, volatile and unaligned accesses.
#[unsafe(no_mangle)]
pub unsafe fn raw(a: *mut f32, b: *const f32, n: isize) {
    for i in 0..n {
        *a.offset(i) = *b.offset(i) + 1.0;
    }
    let mut i = 0;
    while i < n {
        *a.offset(i) *= 2.0;
        i += 1;
    }
}
#[unsafe(no_mangle)]
pub unsafe fn volatile(port: *mut u32, a: *const u32, n: usize) {
    for i in 0..n {
        port.write_volatile(a.add(i).read_unaligned());
    }
}
