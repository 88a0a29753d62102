//===- FunctionText.cpp - A function as text of C ------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "cuda/FunctionText.h"
#include "kernel/AstBuilder.h"
#include "llvm/ADT/PostOrderIterator.h"
#include "llvm/IR/CFG.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/Metadata.h"

using namespace llvm;

namespace polygpu {

static LoopInfo loopsOf(DominatorTree &DT) {
  LoopInfo LI;
  LI.analyze(DT);
  return LI;
}

FunctionText::FunctionText(Function &F, bool OnHost)
    : F(F), DT(F), LI(loopsOf(DT)), PDT(F), Text(F, LI, OnHost) {}

void FunctionText::line(const std::string &S) {
  Body += std::string(2 * Depth, ' ') + S + "\n";
}

//===-- Names -------------------------------------------------------------===//

/// What \p I is to be called.
std::string FunctionText::wish(const Instruction &I) {
  if (const MDNode *Name = I.getMetadata(PrintedName))
    return cast<MDString>(Name->getOperand(0))->getString().str();
  if (I.hasName() && isa<AllocaInst>(I))
    return I.getName().str();
  return "v" + std::to_string(++Numbered);
}

/// Is \p I used where the text of its loop has ended?
bool FunctionText::escapes(const Instruction &I) const {
  const Loop *L = LI.getLoopFor(I.getParent());
  return L && any_of(I.uses(), [&](const Use &U) {
           const auto *User = cast<Instruction>(U.getUser());
           const BasicBlock *At = User->getParent();
           if (const auto *Phi = dyn_cast<PHINode>(User))
             At = Phi->getIncomingBlock(U);
           return !L->contains(At);
         });
}

/// What variables are at first, so that no compiler says that they are not set.
static std::string zero(const Type &Ty) {
  if (Ty.isVectorTy())
    return "";
  return Ty.isHalfTy() ? " = __float2half_rn(0.0f)" : " = 0";
}

void FunctionText::declareTop(const Value &V) {
  if (!Declared.insert(&V).second)
    return;
  std::string Type = cudaType(V.getType());
  if (Type.empty())
    Text.Problem = "a value has a type that the text has no word for (an "
                   "unusual width)";
  Top += "  " + Type + " " + Text.nameOf(&V) + zero(*V.getType()) + ";\n";
}

/// Names for all that is a variable.  Counters have theirs from their loops,
/// and share it with those of other loops.
void FunctionText::nameAll() {
  for (const Loop *L : LI.getLoopsInPreorder())
    if (const PHINode *Counter = Labels ? nullptr : counter(*L))
      Counters[L] = Counter;
  for (Instruction &I : instructions(F)) {
    const Loop *L = LI.getLoopFor(I.getParent());
    bool IsCounter = L && Counters.lookup(L) == &I;
    if (I.getType()->isVoidTy() || Text.isUnused(I) || Text.isInline(I) ||
        (IsCounter && !escapes(I)))
      continue;
    if (isa<CallInst, AtomicRMWInst>(I) && I.use_empty())
      continue;
    Text.name(&I, Scope.take(wish(I)));
    if (auto *Alloca = dyn_cast<AllocaInst>(&I)) {
      std::string Declaration =
          declarationText(Alloca->getAllocatedType(), Text.nameOf(&I));
      if (Declaration.empty())
        Text.Problem = "a variable has a type that the text has no word for";
      Top += "  " + Declaration + ";\n";
    } else if (Labels || escapes(I)) {
      declareTop(I);
    }
  }
}

//===-- Statements --------------------------------------------------------===//

void FunctionText::assign(const Instruction &I, const std::string &Value) {
  std::string Declaration = Text.nameOf(&I) + " = " + Value + ";";
  if (Declared.insert(&I).second)
    Declaration = cudaType(I.getType()) + " " + Declaration;
  line(Declaration);
}

void FunctionText::statement(const Instruction &I) {
  if (isa<PHINode, AllocaInst>(I) || I.isTerminator() || Text.isUnused(I) ||
      Text.isInline(I) || I.isDebugOrPseudoInst())
    return;
  if (const auto *Store = dyn_cast<StoreInst>(&I)) {
    std::string To = Text.element(Store->getPointerOperand(),
                                  Store->getValueOperand()->getType());
    if (Store->isAtomic()) // of what others write, too
      To = "*(volatile " + cudaType(Store->getValueOperand()->getType()) +
           " *)&" + To;
    return line(To + " = " + Text.text(Store->getValueOperand()) + ";");
  }
  if (const auto *Call = dyn_cast<CallInst>(&I)) {
    if (std::string S = (*Calls)(*Call); !S.empty()) {
      while (!S.empty()) {
        auto [First, Rest] = StringRef(S).split('\n');
        line(First.str());
        S = Rest.str();
      }
      return;
    }
    if (I.getType()->isVoidTy()) {
      Text.Problem = "a call that the text has no word for";
      return;
    }
  }
  if (I.getType()->isVoidTy()) {
    Text.Problem =
        std::string("the operation ") + I.getOpcodeName() + " has no text";
    return;
  }
  std::string Value = Text.operation(I);
  if (!Text.isNamed(&I))
    return line((Value[0] == '(' ? "(void)" : "") + Value + ";");
  assign(I, Value);
}

void FunctionText::statements(const BasicBlock &BB) {
  for (const Instruction &I : BB)
    statement(I);
}

/// Declare the variables that are assigned on the ways to \p BB.
void FunctionText::declarePhis(const BasicBlock &BB) {
  for (const PHINode &Phi : BB.phis())
    if (Text.isNamed(&Phi) && Declared.insert(&Phi).second) {
      bool Any = any_of(Phi.incoming_values(),
                        [](const Use &U) { return isa<UndefValue>(U); });
      line(cudaType(Phi.getType()) + " " + Text.nameOf(&Phi) +
           (Any ? zero(*Phi.getType()) : "") + ";");
    }
}

/// Does the text of \p V have one of \p Phis in it?
bool FunctionText::dependsOn(const Value *V,
                             const SmallPtrSetImpl<const Value *> &Phis) const {
  if (Phis.contains(V))
    return true;
  const auto *I = dyn_cast<Instruction>(V);
  return I && Text.isInline(*I) && any_of(I->operands(), [&](const Use &U) {
           return dependsOn(U, Phis);
         });
}

/// What the step from \p From to \p To makes of variables, all at once.
void FunctionText::assignPhis(const BasicBlock &From, const BasicBlock &To) {
  const Loop *L = LI.getLoopFor(&To);
  const PHINode *Counter =
      L && L->getHeader() == &To ? Counters.lookup(L) : nullptr;
  SmallPtrSet<const Value *, 4> Assigned;
  bool Exchanged = false;
  SmallVector<std::pair<const PHINode *, std::string>, 4> Later;
  for (const PHINode &Phi : To.phis()) {
    const Value *V = Phi.getIncomingValueForBlock(&From);
    if (&Phi == Counter || Text.isUnused(Phi) || isa<UndefValue>(V) ||
        V == &Phi)
      continue;
    Exchanged |= dependsOn(V, Assigned); // it is the value before that counts
    Later.push_back({&Phi, Text.text(V)});
    Assigned.insert(&Phi);
  }
  if (Exchanged)
    for (auto &[Phi, Value] : Later) {
      std::string Name = Scope.take("next");
      std::string Type = cudaType(Phi->getType());
      if (Labels)
        Top += "  " + Type + " " + Name + ";\n";
      line((Labels ? "" : Type + " ") + Name + " = " + Value + ";");
      Value = Name;
    }
  for (auto &[Phi, Value] : Later)
    assign(*Phi, Value);
}

//===-- Control flow ------------------------------------------------------===//

/// The counter of \p L, if that is a loop as C's for is one.
const PHINode *FunctionText::counter(const Loop &L) const {
  BasicBlock *Header = L.getHeader(), *Latch = L.getLoopLatch();
  auto *Br = dyn_cast<BranchInst>(Header->getTerminator());
  if (!Latch || Latch == Header || !L.getLoopPredecessor() || !Br ||
      Br->isUnconditional() || L.getExitingBlock() != Header ||
      !cast<BranchInst>(Latch->getTerminator())->isUnconditional())
    return nullptr;
  for (Instruction &I : *Header)
    if (!isa<PHINode>(I) && !I.isTerminator() && !Text.isInline(I) &&
        !Text.isUnused(I))
      return nullptr;
  for (PHINode &Phi : Header->phis()) {
    auto *Next = dyn_cast<BinaryOperator>(Phi.getIncomingValueForBlock(Latch));
    if (Phi.getMetadata(PrintedName) && Next &&
        Next->getOpcode() == Instruction::Add && Next->hasNoSignedWrap() &&
        Next->getOperand(0) == &Phi && Text.isInline(*Next) &&
        isa<Constant>(Next->getOperand(1)))
      return &Phi;
  }
  return nullptr;
}

void FunctionText::forHeader(const Loop &L, const PHINode &Counter) {
  const BasicBlock *Header = L.getHeader();
  const auto *Next =
      cast<BinaryOperator>(Counter.getIncomingValueForBlock(L.getLoopLatch()));
  std::string First =
      Text.loose(Counter.getIncomingValueForBlock(L.getLoopPredecessor()));
  std::string Type;
  if (!Text.isNamed(&Counter)) {
    Type = cudaType(Counter.getType()) + " ";
    Text.name(&Counter, Scope.take(wish(Counter)));
  }
  const std::string &Name = Text.nameOf(&Counter);
  const auto *Br = cast<BranchInst>(Header->getTerminator());
  std::string Test = Text.text(Br->getCondition());
  if (!L.contains(Br->getSuccessor(0)))
    Test = Text.negated(Br->getCondition());
  std::string Step = Text.loose(Next->getOperand(1));
  if (MDNode *Properties = L.getLoopID())
    for (const MDOperand &Op : drop_begin(Properties->operands()))
      if (const auto *N = dyn_cast<MDNode>(Op))
        if (cast<MDString>(N->getOperand(0))->getString() == UnrolledLoop)
          line("#pragma unroll");
  line("for (" + Type + Name + " = " + First + "; " + Test + "; " +
       (Step == "1" ? "++" + Name : Name + " += " + Step) + ") {");
}

/// The text of \p L; where the way goes on, or null.
const BasicBlock *FunctionText::loop(const Loop &L) {
  const BasicBlock *Header = L.getHeader(), *Exit = L.getUniqueExitBlock();
  if (!Exit)
    return nullptr;
  const PHINode *Counter = Counters.lookup(&L);
  bool WasNamed = Counter && Text.isNamed(Counter);
  // What its end says of variables has to be where they are declared.
  declarePhis(*Exit);
  if (Counter)
    forHeader(L, *Counter);
  else
    line("for (;;) {");
  ++Depth;
  bool Good;
  if (Counter) {
    Seen.insert(Header);
    const auto *Br = cast<BranchInst>(Header->getTerminator());
    const BasicBlock *In = Br->getSuccessor(!L.contains(Br->getSuccessor(0)));
    assignPhis(*Header, *In);
    Good = region(In, Header, &L);
  } else {
    Seen.insert(Header);
    Good = true;
    const BasicBlock *Next = step(Header, &L, Good);
    Good = Good && Next && (Next == Header || region(Next, Header, &L));
  }
  --Depth;
  line("}");
  if (!Good)
    return nullptr;
  if (Counter) {
    assignPhis(*Header, *Exit);
    if (!WasNamed)
      Scope.release(Text.nameOf(Counter));
  }
  return Exit;
}

/// Behind \p BB, which ends in \p Br.
const BasicBlock *FunctionText::branch(const BasicBlock *BB,
                                       const BranchInst &Br, const Loop *L,
                                       bool &Good) {
  const BasicBlock *T = Br.getSuccessor(0), *E = Br.getSuccessor(1);
  const Value *Test = Br.getCondition();
  bool Leaves = L && !L->contains(T), ElseLeaves = L && !L->contains(E);
  auto Not = [&] { return Text.negated(Test); };
  if (Leaves || ElseLeaves) {
    Good = Good && !(Leaves && ElseLeaves);
    line("if (" + (Leaves ? Text.text(Test) : Not()) + ") {");
    ++Depth;
    assignPhis(*BB, Leaves ? *T : *E);
    line("break;");
    --Depth;
    line("}");
    assignPhis(*BB, Leaves ? *E : *T);
    return Leaves ? E : T;
  }
  const auto *Node = PDT.getNode(BB);
  const BasicBlock *Join =
      Node && Node->getIDom() ? Node->getIDom()->getBlock() : nullptr;
  Good = Good && Join && (!L || L->contains(Join));
  if (!Good)
    return nullptr;
  declarePhis(*Join);
  auto Arm = [&](const BasicBlock *First) {
    ++Depth;
    assignPhis(*BB, *First);
    Good = Good && (First == Join || region(First, Join, L));
    --Depth;
  };
  auto IsEmpty = [&](const BasicBlock *First) {
    return First == Join &&
           (Join->phis().empty() ||
            all_of(Join->phis(), [&](const PHINode &Phi) {
              return isa<UndefValue>(Phi.getIncomingValueForBlock(BB));
            }));
  };
  if (IsEmpty(T)) {
    line("if (" + Not() + ") {");
    Arm(E);
  } else {
    line("if (" + Text.text(Test) + ") {");
    Arm(T);
    if (!IsEmpty(E)) {
      line("} else {");
      Arm(E);
    }
  }
  line("}");
  return Join;
}

/// The text of \p BB; where the way goes on, null at the end.
const BasicBlock *FunctionText::step(const BasicBlock *BB, const Loop *L,
                                     bool &Good) {
  statements(*BB);
  const auto *Br = dyn_cast<BranchInst>(BB->getTerminator());
  if (!Br) {
    Good = Good && isa<ReturnInst>(BB->getTerminator()) && Depth == 1;
    return nullptr;
  }
  if (Br->isConditional() && Br->getSuccessor(0) != Br->getSuccessor(1))
    return branch(BB, *Br, L, Good);
  const BasicBlock *To = Br->getSuccessor(0);
  assignPhis(*BB, *To);
  return To;
}

/// The text from \p BB to \p Stop, inside of \p L; false if it has not the form
/// of loops and conditions.
bool FunctionText::region(const BasicBlock *BB, const BasicBlock *Stop,
                          const Loop *L) {
  bool Good = true;
  while (Good && BB && BB != Stop) {
    const Loop *Own = LI.getLoopFor(BB);
    if (Own != L) {
      Good = Own && Own->getHeader() == BB && Own->getParentLoop() == L;
      BB = Good ? loop(*Own) : nullptr;
      Good = Good && BB;
      continue;
    }
    Good = Seen.insert(BB).second;
    if (Good)
      BB = step(BB, L, Good);
  }
  return Good && BB == Stop;
}

/// Blocks with labels.
void FunctionText::labelled() {
  ReversePostOrderTraversal<Function *> Order(&F);
  for (BasicBlock *BB : Order)
    Numbers.insert({BB, Numbers.size()});
  for (BasicBlock *BB : Order) {
    if (Numbers[BB])
      Body += "L" + std::to_string(Numbers[BB]) + ":\n";
    statements(*BB);
    auto Go = [&](const BasicBlock *To) {
      assignPhis(*BB, *To);
      line("goto L" + std::to_string(Numbers[To]) + ";");
    };
    const auto *Br = dyn_cast<BranchInst>(BB->getTerminator());
    if (!Br) {
      line("return;");
      continue;
    }
    if (Br->isConditional()) {
      line("if (" + Text.text(Br->getCondition()) + ") {");
      ++Depth;
      Go(Br->getSuccessor(0));
      --Depth;
      line("}");
    }
    Go(Br->getSuccessor(Br->isConditional()));
  }
}

std::string FunctionText::run(CallText Statements) {
  Calls = &Statements;
  Names Outside = Scope;
  nameAll();
  bool Good = region(&F.getEntryBlock(), nullptr, nullptr);
  for (BasicBlock *BB : depth_first(&F))
    Good = Good && Seen.count(BB);
  if (!Good) {
    Labels = true;
    Scope = Outside;
    Counters.clear();
    Declared.clear();
    Top.clear();
    Body.clear();
    Numbered = 0;
    Depth = 1;
    nameAll();
    labelled();
  }
  return Top + Body;
}

} // namespace polygpu
