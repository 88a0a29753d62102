#ifdef V1
void f(int n,int m,int l,float C[n][m],float A[n][l],float B[l][m],float alpha,float beta){for(int i=0;i<n;i++)for(int j=0;j<m;j++){C[i][j]*=beta;for(int k=0;k<l;k++)C[i][j]+=A[i][k]*B[k][j];}}
#elif defined V2
void f(int n,int m,int l,float C[n][m],float A[n][l],float B[l][m],float alpha,float beta){for(int i=0;i<n;i++)for(int j=0;j<m;j++){C[i][j]=0;for(int k=0;k<l;k++)C[i][j]+=A[i][k]*B[k][j];}}
#elif defined V3
void f(int n,int m,int l,float C[n][m],float A[n][l],float B[l][m],float alpha,float beta){for(int i=0;i<n;i++)for(int j=0;j<m;j++){C[i][j]=0;for(int k=0;k<l;k++)C[i][j]+=alpha*A[i][k]*B[k][j];}}
#elif defined V4
void f(int n,int m,int l,float C[n][m],float A[n][l],float B[l][m],float alpha,float beta){for(int i=0;i<n;i++)for(int j=0;j<m;j++){for(int k=0;k<l;k++)C[i][j]+=A[i][k]*B[k][j];}}
#elif defined V5
#define n 4096
void f(float C[n][n],float A[n][n],float B[n][n]){for(int i=0;i<n;i++)for(int j=0;j<n;j++){C[i][j]=0;for(int k=0;k<n;k++)C[i][j]+=A[i][k]*B[k][j];}}
#endif
