// forms.rs - loops over slices in the forms that Rust programs have: what is offloaded
// of them, and what not, is in README.md.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#[no_mangle]
pub fn add_checked(y: &mut [f64], x: &[f64], a: f64) { // == slices by index
    for i in 0..y.len() {
        y[i] += a * x[i];
    }
}

#[no_mangle]
pub fn n_checked(n: usize, y: &mut [f64], x: &[f64], a: f64) { // == slices by index, a length of its own
    for i in 0..n {
        y[i] += a * x[i];
    }
}

#[no_mangle]
pub fn stencil(n: usize, m: usize, b: &mut [f64], a: &[f64]) { // == rows of a matrix, `a[i * m + j]`
    for i in 1..n - 1 {
        for j in 1..m - 1 {
            b[i * m + j] = 0.25
                * (a[i * m + j - 1] + a[i * m + j + 1] + a[(i - 1) * m + j] + a[(i + 1) * m + j]);
        }
    }
}

#[no_mangle]
pub fn product(n: usize, c: &mut [f64], a: &[f64], b: &[f64]) { // == rows of a matrix, a product
    for i in 0..n {
        for j in 0..n {
            let mut sum = 0.0;
            for k in 0..n {
                sum += a[i * n + k] * b[k * n + j];
            }
            c[i * n + j] = sum;
        }
    }
}

#[no_mangle]
pub fn lu(n: usize, a: &mut [f64]) { // == LU in place
    for k in 0..n {
        for i in k + 1..n {
            a[i * n + k] /= a[k * n + k];
        }
        for i in k + 1..n {
            for j in k + 1..n {
                a[i * n + j] -= a[i * n + k] * a[k * n + j];
            }
        }
    }
}

#[no_mangle]
pub fn syrk(n: usize, m: usize, c: &mut [f64], a: &[f64]) { // == triangular loops, `0..=i`
    for i in 0..n {
        for j in 0..=i {
            let mut sum = c[i * n + j];
            for k in 0..m {
                sum += a[i * m + k] * a[j * m + k];
            }
            c[i * n + j] = sum;
        }
    }
}

#[no_mangle]
pub fn chunks(m: usize, y: &mut [f64], a: &[f64]) { // == `chunks_exact(m)` and `zip`
    for (row, y) in a.chunks_exact(m).zip(y.iter_mut()) {
        let mut s = 0.0;
        for v in row {
            s += v;
        }
        *y = s;
    }
}

#[no_mangle]
pub fn chunks_scaled(m: usize, a: &mut [f64], x: &[f64]) { // == `chunks_exact_mut(m)` and `enumerate`
    for (i, row) in a.chunks_exact_mut(m).enumerate() {
        for v in row {
            *v *= x[i];
        }
    }
}

#[no_mangle]
pub fn chunks_backwards(m: usize, a: &mut [f64]) { // == `chunks_exact_mut(m).rev()`
    let mut i = 0.0;
    for row in a.chunks_exact_mut(m).rev() {
        i += 1.0;
        for v in row {
            *v *= i;
        }
    }
}

pub struct Matrix {
    rows: usize,
    cols: usize,
    data: Vec<f64>,
}

impl std::ops::Index<(usize, usize)> for Matrix {
    type Output = f64;
    #[inline]
    fn index(&self, (i, j): (usize, usize)) -> &f64 {
        &self.data[i * self.cols + j]
    }
}

impl std::ops::IndexMut<(usize, usize)> for Matrix {
    #[inline]
    fn index_mut(&mut self, (i, j): (usize, usize)) -> &mut f64 {
        &mut self.data[i * self.cols + j]
    }
}

#[no_mangle]
pub fn transpose(b: &mut Matrix, a: &Matrix) { // == a matrix with `Index<(usize, usize)>`
    for i in 0..a.rows {
        for j in 0..a.cols {
            b[(j, i)] = a[(i, j)];
        }
    }
}

/// Stays on the CPU.
#[no_mangle]
pub fn rows_of_vecs(a: &mut Vec<Vec<f64>>, x: &[f64]) { // == `Vec<Vec<f64>>` by index
    for i in 0..a.len() {
        for j in 0..a[i].len() {
            a[i][j] += x[j];
        }
    }
}

/// The loop over rows stays on the CPU, those along a row are offloaded one by one.
#[no_mangle]
pub fn iterated_vecs(a: &mut Vec<Vec<f64>>, x: &[f64]) { // == `Vec<Vec<f64>>` by `iter_mut()`
    for row in a.iter_mut() {
        for (v, x) in row.iter_mut().zip(x) {
            *v += x;
        }
    }
}

/// Stays on the CPU: data say whether an index is out of bounds.
#[no_mangle]
pub fn gather(y: &mut [f64], x: &[f64], idx: &[u32]) { // == `x[index[i]]`
    for i in 0..y.len() {
        y[i] = x[idx[i] as usize];
    }
}

#[no_mangle]
pub fn reversed(n: usize, y: &mut [f64], x: &[f64]) { // == `(0..n).rev()`
    for i in (0..n).rev() {
        y[i] = x[i] * 2.0;
    }
}

#[no_mangle]
pub fn vecs(y: &mut Vec<f64>, x: &Vec<f64>) { // == `Vec` by index
    for i in 1..x.len() - 1 {
        y[i] = x[i - 1] + x[i + 1];
    }
}

#[no_mangle]
pub fn inclusive(first: usize, last: usize, y: &mut [f64], x: &[f64]) { // == `first..=last`
    for i in first..=last {
        y[i] = x[i] * 0.5;
    }
}

#[no_mangle]
pub fn zipped(y: &mut [f64], x: &[f64], a: f64) { // == `iter_mut()` and `zip`
    for (y, x) in y.iter_mut().zip(x) {
        *y += a * x;
    }
}

#[no_mangle]
pub fn ints(n: i32, y: &mut [i32], x: &[i32]) { // == counters of 32 bits
    for i in 0..n {
        y[i as usize] = x[i as usize].wrapping_mul(3);
    }
}

/// A matrix with strides, like a view of ndarray's.
pub struct View {
    size: [usize; 2],
    stride: [usize; 2],
    data: Vec<f64>,
}

impl std::ops::Index<[usize; 2]> for View {
    type Output = f64;
    #[inline]
    fn index(&self, [i, j]: [usize; 2]) -> &f64 {
        assert!(i < self.size[0] && j < self.size[1]);
        &self.data[i * self.stride[0] + j * self.stride[1]]
    }
}

impl std::ops::IndexMut<[usize; 2]> for View {
    #[inline]
    fn index_mut(&mut self, [i, j]: [usize; 2]) -> &mut f64 {
        assert!(i < self.size[0] && j < self.size[1]);
        &mut self.data[i * self.stride[0] + j * self.stride[1]]
    }
}

#[no_mangle]
pub fn view_scaled(b: &mut View, a: &View, by: f64) { // == a stride for each dimension, as in ndarray
    for i in 0..a.size[0] {
        for j in 0..a.size[1] {
            b[[i, j]] = by * a[[i, j]];
        }
    }
}

#[no_mangle]
pub fn view_product(c: &mut View, a: &View, b: &View) { // == strides, a product
    for i in 0..c.size[0] {
        for j in 0..c.size[1] {
            let mut sum = c[[i, j]];
            for k in 0..a.size[1] {
                sum += a[[i, k]] * b[[k, j]];
            }
            c[[i, j]] = sum;
        }
    }
}
