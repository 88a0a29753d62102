/* What another LLVM says of itself. */
void LLVMGetVersion(unsigned *major, unsigned *minor, unsigned *patch)
{
    *major = 22;
    *minor = 1;
    *patch = 99;
}
