// A matrix with an operator for its elements.
template <class T, int N> class matrix {
    T data[N * N];

public:
    T &operator()(int i, int j) { return data[i * N + j]; }
    T operator()(int i, int j) const { return data[i * N + j]; }
    matrix &operator+=(const matrix &o)
    {
        for (int i = 0; i < N; i++)
            for (int j = 0; j < N; j++)
                (*this)(i, j) += o(i, j);
        return *this;
    }
};
void add(matrix<float, 20> &a, const matrix<float, 20> &b) { a += b; }
void transpose(matrix<double, 8> &a, const matrix<double, 8> &b)
{
    for (int i = 0; i < 8; i++)
        for (int j = 0; j < 8; j++)
            a(i, j) = b(j, i);
}
