//===- KernelContext.h - What all parts of a kernel's generator know -----===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef POLYGPU_KERNELCONTEXT_H
#define POLYGPU_KERNELCONTEXT_H

#include "Remarks.h"
#include "kernel/CodeLength.h"
#include "scop/Import.h"
#include "target/DeviceModule.h"
#include "llvm/IR/DebugInfoMetadata.h"
#include "llvm/IR/IRBuilder.h"

namespace polygpu {

/// The kernel that is being generated.
struct KernelContext {
  llvm::IRBuilder<> &B;
  llvm::Module &M; ///< of the device
  const pg_plan &Plan;
  const pg_kernel &K;
  const ImportedScop &Imported;
  polly::Scop &S;
  llvm::DISubprogram *SP = nullptr;          ///< for lines, or null
  std::optional<Refusal> Why = std::nullopt; ///< the first refusal
  bool TooLong = false;  ///< it is that there is too much code
  unsigned Pieces = 0;   ///< of code until now
  bool ForHost = false;  ///< the code is for the CPU that the loops are for
  bool Readable = false; ///< the code is to be printed for people,
  bool Ahead = true;     ///< with copies that run ahead

  void refuse(const llvm::Instruction *I, const char *Name,
              const std::string &Text) {
    if (!Why)
      Why = Refusal{Name, Text, I ? I->getDebugLoc() : llvm::DebugLoc(),
                    const_cast<llvm::Instruction *>(I)};
  }

  /// Before one more piece of code, a node of the AST or a round of a copy: has
  /// the kernel become so long that there is no use in going on?
  bool hasBecomeTooLong() {
    enum { LookAgain = 64 };
    if (TooLong || ++Pieces % LookAgain ||
        B.GetInsertBlock()->getParent()->getInstructionCount() <= MaxGenerated)
      return TooLong;
    TooLong = !Why;
    refuse(nullptr, "CodeSize", "");
    return true;
  }

  /// The scope of \p Loc in the kernel: code that was inlined may be of another
  /// file.
  llvm::DILocalScope *scopeOf(const llvm::DILocation &Loc) const {
    if (Loc.getFilename() == SP->getFilename() &&
        Loc.getDirectory() == SP->getDirectory())
      return SP;
    llvm::LLVMContext &Ctx = B.getContext();
    return llvm::DILexicalBlockFile::get(
        Ctx, SP, llvm::DIFile::get(Ctx, Loc.getFilename(), Loc.getDirectory()),
        0);
  }

  void setDebugLoc(const llvm::DebugLoc &Loc) {
    if (SP && Loc)
      B.SetCurrentDebugLocation(llvm::DILocation::get(
          B.getContext(), Loc.getLine(), Loc.getCol(), scopeOf(*Loc)));
  }
};

} // namespace polygpu

#endif
