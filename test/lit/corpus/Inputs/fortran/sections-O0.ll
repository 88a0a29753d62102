; ModuleID = 'FIRModule'
source_filename = "FIRModule"
target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
target triple = "x86_64-pc-linux-gnu"

$_QQclX263b3697e1f6728cd021779f91aac552 = comdat any

@_QQclX263b3697e1f6728cd021779f91aac552 = linkonce constant [54 x i8] c"/tmp/wt-a/test/lit/corpus/Inputs/fortran/sections.f90\00", comdat

declare void @free(ptr)

declare ptr @malloc(i64)

define void @sections_(ptr noalias %0, ptr noalias %1, ptr noalias %2, ptr noalias %3) #0 {
  %5 = alloca { ptr, i64, i32, i8, i8, i8, i8, [1 x [3 x i64]] }, align 8
  %6 = alloca { ptr, i64, i32, i8, i8, i8, i8 }, align 8
  %7 = alloca float, i64 1, align 4
  %8 = alloca { ptr, i64, i32, i8, i8, i8, i8, [2 x [3 x i64]] }, align 8
  %9 = alloca { ptr, i64, i32, i8, i8, i8, i8, [1 x [3 x i64]] }, align 8
  %10 = alloca { ptr, i64, i32, i8, i8, i8, i8, [1 x [3 x i64]] }, align 8
  %11 = alloca { ptr, i64, i32, i8, i8, i8, i8, [1 x [3 x i64]] }, align 8
  %12 = alloca { ptr, i64, i32, i8, i8, i8, i8, [1 x [3 x i64]] }, align 8
  %13 = alloca { ptr, i64, i32, i8, i8, i8, i8, [1 x [3 x i64]] }, align 8
  %14 = alloca { ptr, i64, i32, i8, i8, i8, i8, [1 x [3 x i64]] }, align 8
  %15 = alloca { ptr, i64, i32, i8, i8, i8, i8, [1 x [3 x i64]] }, align 8
  %16 = alloca { ptr, i64, i32, i8, i8, i8, i8, [1 x [3 x i64]] }, align 8
  %17 = alloca { ptr, i64, i32, i8, i8, i8, i8, [1 x [3 x i64]] }, i64 1, align 8
  %18 = alloca { ptr, i64, i32, i8, i8, i8, i8, [1 x [3 x i64]] }, i64 1, align 8
  %19 = alloca { ptr, i64, i32, i8, i8, i8, i8, [1 x [3 x i64]] }, i64 1, align 8
  %20 = alloca { ptr, i64, i32, i8, i8, i8, i8, [1 x [3 x i64]] }, i64 1, align 8
  %21 = alloca { ptr, i64, i32, i8, i8, i8, i8, [2 x [3 x i64]] }, i64 1, align 8
  %22 = alloca { ptr, i64, i32, i8, i8, i8, i8, [1 x [3 x i64]] }, i64 1, align 8
  %23 = load i32, ptr %0, align 4
  %24 = sext i32 %23 to i64
  %25 = icmp sgt i64 %24, 0
  %26 = select i1 %25, i64 %24, i64 0
  %27 = sub i64 %24, 2
  %28 = add i64 %27, 2
  %29 = sdiv i64 %28, 2
  %30 = icmp sgt i64 %29, 0
  %31 = select i1 %30, i64 %29, i64 0
  %32 = insertvalue { ptr, i64, i32, i8, i8, i8, i8, [1 x [3 x i64]] } { ptr undef, i64 4, i32 20240719, i8 1, i8 27, i8 0, i8 0, [1 x [3 x i64]] [[3 x i64] [i64 1, i64 undef, i64 undef]] }, i64 %31, 7, 0, 1
  %33 = insertvalue { ptr, i64, i32, i8, i8, i8, i8, [1 x [3 x i64]] } %32, i64 8, 7, 0, 2
  %34 = mul i64 4, %26
  %35 = mul i64 1, %26
  %36 = getelementptr float, ptr %1, i64 1
  %37 = insertvalue { ptr, i64, i32, i8, i8, i8, i8, [1 x [3 x i64]] } %33, ptr %36, 0
  store { ptr, i64, i32, i8, i8, i8, i8, [1 x [3 x i64]] } %37, ptr %16, align 8
  %38 = sub i64 %24, 1
  %39 = add i64 %38, 2
  %40 = sdiv i64 %39, 2
  %41 = icmp sgt i64 %40, 0
  %42 = select i1 %41, i64 %40, i64 0
  %43 = insertvalue { ptr, i64, i32, i8, i8, i8, i8, [1 x [3 x i64]] } { ptr undef, i64 4, i32 20240719, i8 1, i8 27, i8 0, i8 0, [1 x [3 x i64]] [[3 x i64] [i64 1, i64 undef, i64 undef]] }, i64 %42, 7, 0, 1
  %44 = insertvalue { ptr, i64, i32, i8, i8, i8, i8, [1 x [3 x i64]] } %43, i64 8, 7, 0, 2
  %45 = mul i64 4, %26
  %46 = mul i64 1, %26
  %47 = getelementptr float, ptr %1, i64 0
  %48 = insertvalue { ptr, i64, i32, i8, i8, i8, i8, [1 x [3 x i64]] } %44, ptr %47, 0
  store { ptr, i64, i32, i8, i8, i8, i8, [1 x [3 x i64]] } %48, ptr %15, align 8
  call void @llvm.memcpy.p0.p0.i32(ptr %17, ptr %15, i32 48, i1 false)
  call void @_FortranAAssign(ptr %17, ptr %16, ptr @_QQclX263b3697e1f6728cd021779f91aac552, i32 5)
  %49 = load i32, ptr %0, align 4
  %50 = sub nsw i32 %49, 1
  %51 = sext i32 %50 to i64
  %52 = sub i64 %51, 1
  %53 = add i64 %52, 1
  %54 = sdiv i64 %53, 1
  %55 = icmp sgt i64 %54, 0
  %56 = select i1 %55, i64 %54, i64 0
  %57 = insertvalue { ptr, i64, i32, i8, i8, i8, i8, [1 x [3 x i64]] } { ptr undef, i64 4, i32 20240719, i8 1, i8 27, i8 0, i8 0, [1 x [3 x i64]] [[3 x i64] [i64 1, i64 undef, i64 undef]] }, i64 %56, 7, 0, 1
  %58 = insertvalue { ptr, i64, i32, i8, i8, i8, i8, [1 x [3 x i64]] } %57, i64 4, 7, 0, 2
  %59 = mul i64 4, %26
  %60 = mul i64 1, %26
  %61 = getelementptr float, ptr %1, i64 0
  %62 = insertvalue { ptr, i64, i32, i8, i8, i8, i8, [1 x [3 x i64]] } %58, ptr %61, 0
  store { ptr, i64, i32, i8, i8, i8, i8, [1 x [3 x i64]] } %62, ptr %14, align 8
  %63 = sext i32 %49 to i64
  %64 = sub i64 %63, 2
  %65 = add i64 %64, 1
  %66 = sdiv i64 %65, 1
  %67 = icmp sgt i64 %66, 0
  %68 = select i1 %67, i64 %66, i64 0
  %69 = insertvalue { ptr, i64, i32, i8, i8, i8, i8, [1 x [3 x i64]] } { ptr undef, i64 4, i32 20240719, i8 1, i8 27, i8 0, i8 0, [1 x [3 x i64]] [[3 x i64] [i64 1, i64 undef, i64 undef]] }, i64 %68, 7, 0, 1
  %70 = insertvalue { ptr, i64, i32, i8, i8, i8, i8, [1 x [3 x i64]] } %69, i64 4, 7, 0, 2
  %71 = mul i64 4, %26
  %72 = mul i64 1, %26
  %73 = getelementptr float, ptr %1, i64 1
  %74 = insertvalue { ptr, i64, i32, i8, i8, i8, i8, [1 x [3 x i64]] } %70, ptr %73, 0
  store { ptr, i64, i32, i8, i8, i8, i8, [1 x [3 x i64]] } %74, ptr %13, align 8
  call void @llvm.memcpy.p0.p0.i32(ptr %18, ptr %13, i32 48, i1 false)
  call void @_FortranAAssign(ptr %18, ptr %14, ptr @_QQclX263b3697e1f6728cd021779f91aac552, i32 6)
  %75 = mul i64 4, %26
  %76 = mul i64 1, %26
  %77 = mul i64 0, %76
  %78 = add i64 %77, 0
  %79 = sub i64 %26, 1
  %80 = add i64 %79, 1
  %81 = sdiv i64 %80, 1
  %82 = icmp sgt i64 %81, 0
  %83 = select i1 %82, i64 %81, i64 0
  %84 = insertvalue { ptr, i64, i32, i8, i8, i8, i8, [1 x [3 x i64]] } { ptr undef, i64 4, i32 20240719, i8 1, i8 27, i8 0, i8 0, [1 x [3 x i64]] [[3 x i64] [i64 1, i64 undef, i64 undef]] }, i64 %83, 7, 0, 1
  %85 = mul i64 %75, 1
  %86 = insertvalue { ptr, i64, i32, i8, i8, i8, i8, [1 x [3 x i64]] } %84, i64 %85, 7, 0, 2
  %87 = mul i64 %75, %26
  %88 = mul i64 %76, %26
  %89 = getelementptr float, ptr %2, i64 %78
  %90 = insertvalue { ptr, i64, i32, i8, i8, i8, i8, [1 x [3 x i64]] } %86, ptr %89, 0
  store { ptr, i64, i32, i8, i8, i8, i8, [1 x [3 x i64]] } %90, ptr %12, align 8
  %91 = sub i64 %26, 1
  %92 = add i64 %91, 1
  %93 = sdiv i64 %92, 1
  %94 = icmp sgt i64 %93, 0
  %95 = select i1 %94, i64 %93, i64 0
  %96 = insertvalue { ptr, i64, i32, i8, i8, i8, i8, [1 x [3 x i64]] } { ptr undef, i64 4, i32 20240719, i8 1, i8 27, i8 0, i8 0, [1 x [3 x i64]] [[3 x i64] [i64 1, i64 undef, i64 undef]] }, i64 %95, 7, 0, 1
  %97 = insertvalue { ptr, i64, i32, i8, i8, i8, i8, [1 x [3 x i64]] } %96, i64 4, 7, 0, 2
  %98 = mul i64 4, %26
  %99 = mul i64 1, %26
  %100 = mul i64 0, %99
  %101 = add i64 %100, 0
  %102 = mul i64 %98, %26
  %103 = mul i64 %99, %26
  %104 = getelementptr float, ptr %2, i64 %101
  %105 = insertvalue { ptr, i64, i32, i8, i8, i8, i8, [1 x [3 x i64]] } %97, ptr %104, 0
  store { ptr, i64, i32, i8, i8, i8, i8, [1 x [3 x i64]] } %105, ptr %11, align 8
  call void @llvm.memcpy.p0.p0.i32(ptr %19, ptr %11, i32 48, i1 false)
  call void @_FortranAAssign(ptr %19, ptr %12, ptr @_QQclX263b3697e1f6728cd021779f91aac552, i32 7)
  %106 = mul i64 4, %26
  %107 = icmp sgt i64 %106, 0
  %108 = select i1 %107, i64 %106, i64 1
  %109 = call ptr @malloc(i64 %108)
  %110 = insertvalue { ptr, i64, i32, i8, i8, i8, i8, [1 x [3 x i64]] } { ptr undef, i64 4, i32 20240719, i8 1, i8 27, i8 0, i8 0, [1 x [3 x i64]] [[3 x i64] [i64 1, i64 undef, i64 undef]] }, i64 %26, 7, 0, 1
  %111 = insertvalue { ptr, i64, i32, i8, i8, i8, i8, [1 x [3 x i64]] } %110, i64 4, 7, 0, 2
  %112 = mul i64 4, %26
  %113 = mul i64 1, %26
  %114 = insertvalue { ptr, i64, i32, i8, i8, i8, i8, [1 x [3 x i64]] } %111, ptr %109, 0
  store { ptr, i64, i32, i8, i8, i8, i8, [1 x [3 x i64]] } %114, ptr %10, align 8
  br label %115

115:                                              ; preds = %119, %4
  %116 = phi i64 [ %144, %119 ], [ 1, %4 ]
  %117 = phi i64 [ %145, %119 ], [ %26, %4 ]
  %118 = icmp sgt i64 %117, 0
  br i1 %118, label %119, label %146

119:                                              ; preds = %115
  %120 = sub nsw i64 %116, 1
  %121 = mul nsw i64 %120, 1
  %122 = mul nsw i64 %121, 1
  %123 = add nsw i64 %122, 0
  %124 = mul nsw i64 1, %26
  %125 = getelementptr i32, ptr %3, i64 %123
  %126 = load i32, ptr %125, align 4
  %127 = sext i32 %126 to i64
  %128 = sub nsw i64 %127, 1
  %129 = mul nsw i64 %128, 1
  %130 = mul nsw i64 %129, 1
  %131 = add nsw i64 %130, 0
  %132 = mul nsw i64 1, %26
  %133 = mul nsw i64 2, %132
  %134 = add nsw i64 %133, %131
  %135 = mul nsw i64 %132, %26
  %136 = getelementptr float, ptr %2, i64 %134
  %137 = load float, ptr %136, align 4
  %138 = sub nsw i64 %116, 1
  %139 = mul nsw i64 %138, 1
  %140 = mul nsw i64 %139, 1
  %141 = add nsw i64 %140, 0
  %142 = mul nsw i64 1, %26
  %143 = getelementptr float, ptr %109, i64 %141
  store float %137, ptr %143, align 4
  %144 = add nsw i64 %116, 1
  %145 = sub i64 %117, 1
  br label %115

146:                                              ; preds = %115
  %147 = insertvalue { ptr, i64, i32, i8, i8, i8, i8, [1 x [3 x i64]] } { ptr undef, i64 4, i32 20240719, i8 1, i8 27, i8 0, i8 0, [1 x [3 x i64]] [[3 x i64] [i64 1, i64 undef, i64 undef]] }, i64 %26, 7, 0, 1
  %148 = insertvalue { ptr, i64, i32, i8, i8, i8, i8, [1 x [3 x i64]] } %147, i64 4, 7, 0, 2
  %149 = mul i64 4, %26
  %150 = mul i64 1, %26
  %151 = insertvalue { ptr, i64, i32, i8, i8, i8, i8, [1 x [3 x i64]] } %148, ptr %1, 0
  store { ptr, i64, i32, i8, i8, i8, i8, [1 x [3 x i64]] } %151, ptr %9, align 8
  call void @llvm.memcpy.p0.p0.i32(ptr %20, ptr %9, i32 48, i1 false)
  call void @_FortranAAssign(ptr %20, ptr %10, ptr @_QQclX263b3697e1f6728cd021779f91aac552, i32 8)
  call void @free(ptr %109)
  %152 = mul nsw i64 1, %26
  %153 = getelementptr i32, ptr %3, i64 0
  %154 = load i32, ptr %153, align 4
  %155 = mul nsw i64 1, %26
  %156 = getelementptr i32, ptr %3, i64 1
  %157 = load i32, ptr %156, align 4
  %158 = sext i32 %154 to i64
  %159 = sext i32 %157 to i64
  %160 = sub i64 %158, 1
  %161 = mul i64 %160, 1
  %162 = add i64 %161, 0
  %163 = sub i64 %159, %158
  %164 = add i64 %163, 1
  %165 = sdiv i64 %164, 1
  %166 = icmp sgt i64 %165, 0
  %167 = select i1 %166, i64 %165, i64 0
  %168 = insertvalue { ptr, i64, i32, i8, i8, i8, i8, [2 x [3 x i64]] } { ptr undef, i64 4, i32 20240719, i8 2, i8 27, i8 0, i8 0, [2 x [3 x i64]] [[3 x i64] [i64 1, i64 undef, i64 undef], [3 x i64] undef] }, i64 %167, 7, 0, 1
  %169 = insertvalue { ptr, i64, i32, i8, i8, i8, i8, [2 x [3 x i64]] } %168, i64 4, 7, 0, 2
  %170 = mul i64 4, %26
  %171 = mul i64 1, %26
  %172 = mul i64 0, %171
  %173 = add i64 %172, %162
  %174 = sub i64 %26, 1
  %175 = add i64 %174, 3
  %176 = sdiv i64 %175, 3
  %177 = icmp sgt i64 %176, 0
  %178 = select i1 %177, i64 %176, i64 0
  %179 = insertvalue { ptr, i64, i32, i8, i8, i8, i8, [2 x [3 x i64]] } %169, i64 1, 7, 1, 0
  %180 = insertvalue { ptr, i64, i32, i8, i8, i8, i8, [2 x [3 x i64]] } %179, i64 %178, 7, 1, 1
  %181 = mul i64 %170, 3
  %182 = insertvalue { ptr, i64, i32, i8, i8, i8, i8, [2 x [3 x i64]] } %180, i64 %181, 7, 1, 2
  %183 = mul i64 %170, %26
  %184 = mul i64 %171, %26
  %185 = getelementptr float, ptr %2, i64 %173
  %186 = insertvalue { ptr, i64, i32, i8, i8, i8, i8, [2 x [3 x i64]] } %182, ptr %185, 0
  store { ptr, i64, i32, i8, i8, i8, i8, [2 x [3 x i64]] } %186, ptr %8, align 8
  store float 0.000000e+00, ptr %7, align 4
  %187 = insertvalue { ptr, i64, i32, i8, i8, i8, i8 } { ptr undef, i64 4, i32 20240719, i8 0, i8 27, i8 0, i8 0 }, ptr %7, 0
  store { ptr, i64, i32, i8, i8, i8, i8 } %187, ptr %6, align 8
  call void @llvm.memcpy.p0.p0.i32(ptr %21, ptr %8, i32 72, i1 false)
  call void @_FortranAAssign(ptr %21, ptr %6, ptr @_QQclX263b3697e1f6728cd021779f91aac552, i32 9)
  %188 = load i32, ptr %0, align 4
  %189 = sext i32 %188 to i64
  %190 = sub i64 %189, 1
  %191 = mul i64 %190, 1
  %192 = add i64 %191, 0
  %193 = sub i64 1, %189
  %194 = add i64 %193, -1
  %195 = sdiv i64 %194, -1
  %196 = icmp sgt i64 %195, 0
  %197 = select i1 %196, i64 %195, i64 0
  %198 = insertvalue { ptr, i64, i32, i8, i8, i8, i8, [1 x [3 x i64]] } { ptr undef, i64 4, i32 20240719, i8 1, i8 27, i8 0, i8 0, [1 x [3 x i64]] [[3 x i64] [i64 1, i64 undef, i64 undef]] }, i64 %197, 7, 0, 1
  %199 = insertvalue { ptr, i64, i32, i8, i8, i8, i8, [1 x [3 x i64]] } %198, i64 -4, 7, 0, 2
  %200 = mul i64 4, %26
  %201 = mul i64 1, %26
  %202 = getelementptr float, ptr %1, i64 %192
  %203 = insertvalue { ptr, i64, i32, i8, i8, i8, i8, [1 x [3 x i64]] } %199, ptr %202, 0
  store { ptr, i64, i32, i8, i8, i8, i8, [1 x [3 x i64]] } %203, ptr %5, align 8
  call void @llvm.memcpy.p0.p0.i32(ptr %22, ptr %5, i32 48, i1 false)
  call void @_FortranAAssign(ptr %22, ptr %9, ptr @_QQclX263b3697e1f6728cd021779f91aac552, i32 10)
  ret void
}

declare void @_FortranAAssign(ptr, ptr, ptr, i32) #1

; Function Attrs: nocallback nofree nounwind willreturn memory(argmem: readwrite)
declare void @llvm.memcpy.p0.p0.i32(ptr noalias writeonly captures(none), ptr noalias readonly captures(none), i32, i1 immarg) #2

attributes #0 = { "frame-pointer"="all" "target-cpu"="x86-64" }
attributes #1 = { "frame-pointer"="all" }
attributes #2 = { nocallback nofree nounwind willreturn memory(argmem: readwrite) }

!llvm.ident = !{!0}
!llvm.module.flags = !{!1, !2, !3}

!0 = !{!"Debian flang version 22.1.8"}
!1 = !{i32 2, !"Debug Info Version", i32 3}
!2 = !{i32 8, !"PIC Level", i32 2}
!3 = !{i32 7, !"PIE Level", i32 2}
