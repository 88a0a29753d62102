/* Loops of which the pass notes something at its instructions: updates through
 * indices, a sum beside a store, a maximum with its place and one without. */

void count(int n, const int *restrict index, int *restrict counts) {
  for (int i = 0; i < n; ++i)
    counts[index[i]] += 1;
}

void raise(int n, const int *restrict index, const int *restrict a,
           int *restrict most) {
  for (int i = 0; i < n; ++i)
    if (a[i] > most[index[i]])
      most[index[i]] = a[i];
}

float product(int n, const float *restrict a, float *restrict b) {
  float sum = 0;
  for (int i = 0; i < n; ++i) {
    b[i] = 2 * a[i];
    sum += a[i] * b[i];
  }
  return sum;
}

int place(int n, const float *a) {
  float most = a[0];
  int at = 0;
  for (int i = 1; i < n; ++i)
    if (a[i] > most) {
      most = a[i];
      at = i;
    }
  return at;
}

float largest(int n, const float *a) {
  float most = a[0];
  for (int i = 1; i < n; ++i)
    if (a[i] > most)
      most = a[i];
  return most;
}
