// A pass plugin that only has an option.
#include "llvm/Plugins/PassPlugin.h"
#include "llvm/Support/CommandLine.h"

static llvm::cl::opt<int> Number("other-number");

static void say(llvm::PassBuilder &)
{
    llvm::errs() << "other plugin: " << Number << '\n';
}

extern "C" LLVM_ATTRIBUTE_WEAK llvm::PassPluginLibraryInfo
llvmGetPassPluginInfo()
{
    return {LLVM_PLUGIN_API_VERSION, "other", "1", say};
}
