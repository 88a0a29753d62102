// Loops over slices: by index, by iterator, in pairs.
#[unsafe(no_mangle)]
pub fn by_index(a: &mut [f32], b: &[f32]) {
    for i in 0..a.len() {
        a[i] = b[i] * 2.0;
    }
}
#[unsafe(no_mangle)]
pub fn by_iterator(a: &mut [f32], b: &[f32]) {
    for (x, y) in a.iter_mut().zip(b) {
        *x += *y;
    }
}
#[unsafe(no_mangle)]
pub fn windows(a: &[f64], b: &mut [f64]) {
    for (w, x) in a.windows(3).zip(b.iter_mut()) {
        *x = w[0] + w[1] + w[2];
    }
    for c in b.chunks_exact_mut(4) {
        c.swap(0, 3);
    }
}
