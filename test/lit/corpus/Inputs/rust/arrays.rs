// Arrays of known size, in two dimensions.
#[unsafe(no_mangle)]
pub fn product(a: &[[f32; 32]; 32], b: &[[f32; 32]; 32], c: &mut [[f32; 32]; 32]) {
    for i in 0..32 {
        for j in 0..32 {
            c[i][j] = 0.0;
            for k in 0..32 {
                c[i][j] += a[i][k] * b[k][j];
            }
        }
    }
}
#[unsafe(no_mangle)]
pub fn table() -> [u64; 100] {
    let mut t = [0; 100];
    for (i, x) in t.iter_mut().enumerate() {
        *x = (i * i) as u64;
    }
    t
}
