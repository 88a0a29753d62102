// Overflow: checked, wrapping, saturating; 128 bits.
#[unsafe(no_mangle)]
pub fn sums(a: &[i32], b: &mut [i32]) -> Option<i32> {
    let mut s = 0i32;
    for i in 0..a.len() {
        b[i] = a[i].wrapping_mul(3);
        s = s.checked_add(a[i])?;
    }
    for x in b.iter_mut() {
        *x = x.saturating_add(7).rotate_left(3);
    }
    Some(s)
}
#[unsafe(no_mangle)]
pub fn wide(a: &mut [u128], n: u128) {
    for i in 0..n {
        a[i as usize] = i * i;
    }
}
