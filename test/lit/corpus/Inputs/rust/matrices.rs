// Matrices in flat slices, with steps and reversed ranges.
#[unsafe(no_mangle)]
pub fn gemm(n: usize, a: &[f32], b: &[f32], c: &mut [f32]) {
    for i in 0..n {
        for j in 0..n {
            let mut s = 0.0;
            for k in 0..n {
                s += a[i * n + k] * b[k * n + j];
            }
            c[i * n + j] = s;
        }
    }
}
#[unsafe(no_mangle)]
pub fn steps(a: &mut [i32; 100]) {
    for i in (0..100).step_by(3) {
        a[i] = 1;
    }
    for i in (0..=50).rev() {
        a[i] += 2;
    }
}
