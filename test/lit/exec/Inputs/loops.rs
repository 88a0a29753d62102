// Loops as Rust programs write them.

#[no_mangle]
pub fn scale(n: usize, a: &[f32], b: &mut [f32]) {
    for i in 0..n {
        b[i] = a[i] * 2.0;
    }
}

/// # Safety
/// Both pointers are those of `n` elements.
#[no_mangle]
pub unsafe fn raw(n: usize, a: *const f32, b: *mut f32) {
    let mut i = 0;
    while i < n {
        *b.add(i) = *a.add(i) * 2.0;
        i += 1;
    }
}

#[no_mangle]
pub fn zip(a: &[f64], b: &mut [f64]) {
    for (x, y) in a.iter().zip(b.iter_mut()) {
        *y += x.sqrt() % 3.0;
    }
}

#[no_mangle]
pub fn product(a: &[[f64; 40]; 40], b: &[[f64; 40]; 40], c: &mut [[f64; 40]; 40]) {
    for i in 0..40 {
        for j in 0..40 {
            let mut sum = 0.0;
            for k in 0..40 {
                sum += a[i][k] * b[k][j];
            }
            c[i][j] = sum;
        }
    }
}

pub fn words(text: &str) -> Vec<String> {
    let mut all: Vec<String> = text.split(' ').map(|w| w.to_uppercase()).collect();
    all.sort();
    all.dedup();
    all
}

pub fn wrapping(a: &mut [u8], b: &[i128]) -> i128 {
    for (i, x) in a.iter_mut().enumerate() {
        *x = x.wrapping_mul(i as u8).rotate_left(3);
    }
    b.iter().fold(1, |x, y| x.wrapping_mul(*y))
}
