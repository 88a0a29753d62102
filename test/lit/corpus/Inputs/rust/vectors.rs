// Vec: growth, two dimensions, sorting, strings.
#[unsafe(no_mangle)]
pub fn grow(n: i32) -> Vec<i32> {
    let mut v = Vec::new();
    for i in 0..n {
        v.push(i * i);
    }
    v.sort_unstable_by(|a, b| b.cmp(a));
    v
}
#[unsafe(no_mangle)]
pub fn rows(m: &mut Vec<Vec<f64>>) -> f64 {
    for row in m.iter_mut() {
        for x in row.iter_mut() {
            *x *= 0.5;
        }
    }
    m.iter().map(|r| r.iter().sum::<f64>()).sum()
}
#[unsafe(no_mangle)]
pub fn text(n: usize) -> String {
    (0..n).map(|i| i.to_string()).collect::<Vec<_>>().join(",")
}
