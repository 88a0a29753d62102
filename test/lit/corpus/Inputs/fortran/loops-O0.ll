; ModuleID = 'FIRModule'
source_filename = "FIRModule"
target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
target triple = "x86_64-pc-linux-gnu"

define void @loops_(ptr noalias %0, ptr noalias %1) #0 {
  %3 = alloca i32, i64 1, align 4
  %4 = alloca i32, i64 1, align 4
  %5 = alloca i32, i64 1, align 4
  %6 = alloca i32, i64 1, align 4
  %7 = load i32, ptr %0, align 4
  %8 = sext i32 %7 to i64
  %9 = icmp sgt i64 %8, 0
  %10 = select i1 %9, i64 %8, i64 0
  br label %11

11:                                               ; preds = %48, %2
  %12 = phi i32 [ %50, %48 ], [ 1, %2 ]
  %13 = phi i64 [ %51, %48 ], [ %8, %2 ]
  %14 = icmp sgt i64 %13, 0
  br i1 %14, label %15, label %52

15:                                               ; preds = %11
  store i32 %12, ptr %4, align 4
  %16 = load i32, ptr %4, align 4
  %17 = sext i32 %16 to i64
  %18 = load i32, ptr %0, align 4
  %19 = sext i32 %18 to i64
  %20 = trunc i64 %17 to i32
  %21 = sub i64 %19, %17
  %22 = add i64 %21, 1
  br label %23

23:                                               ; preds = %27, %15
  %24 = phi i32 [ %46, %27 ], [ %20, %15 ]
  %25 = phi i64 [ %47, %27 ], [ %22, %15 ]
  %26 = icmp sgt i64 %25, 0
  br i1 %26, label %27, label %48

27:                                               ; preds = %23
  store i32 %24, ptr %3, align 4
  %28 = load i32, ptr %4, align 4
  %29 = load i32, ptr %3, align 4
  %30 = add i32 %28, %29
  %31 = sitofp i32 %30 to float
  %32 = sext i32 %29 to i64
  %33 = sext i32 %28 to i64
  %34 = sub nsw i64 %32, 1
  %35 = mul nsw i64 %34, 1
  %36 = mul nsw i64 %35, 1
  %37 = add nsw i64 %36, 0
  %38 = mul nsw i64 1, %10
  %39 = sub nsw i64 %33, 1
  %40 = mul nsw i64 %39, 1
  %41 = mul nsw i64 %40, %38
  %42 = add nsw i64 %41, %37
  %43 = mul nsw i64 %38, %10
  %44 = getelementptr float, ptr %1, i64 %42
  store float %31, ptr %44, align 4
  %45 = load i32, ptr %3, align 4
  %46 = add nsw i32 %45, 1
  %47 = sub i64 %25, 1
  br label %23

48:                                               ; preds = %23
  store i32 %24, ptr %3, align 4
  %49 = load i32, ptr %4, align 4
  %50 = add nsw i32 %49, 1
  %51 = sub i64 %13, 1
  br label %11

52:                                               ; preds = %11
  store i32 %12, ptr %4, align 4
  %53 = load i32, ptr %0, align 4
  %54 = sext i32 %53 to i64
  %55 = trunc i64 %54 to i32
  %56 = sub i64 -1, %54
  %57 = sdiv i64 %56, -2
  br label %58

58:                                               ; preds = %62, %52
  %59 = phi i32 [ %75, %62 ], [ %55, %52 ]
  %60 = phi i64 [ %76, %62 ], [ %57, %52 ]
  %61 = icmp sgt i64 %60, 0
  br i1 %61, label %62, label %77

62:                                               ; preds = %58
  store i32 %59, ptr %4, align 4
  %63 = load i32, ptr %4, align 4
  %64 = sext i32 %63 to i64
  %65 = sub nsw i64 %64, 1
  %66 = mul nsw i64 %65, 1
  %67 = mul nsw i64 %66, 1
  %68 = add nsw i64 %67, 0
  %69 = mul nsw i64 1, %10
  %70 = mul nsw i64 0, %69
  %71 = add nsw i64 %70, %68
  %72 = mul nsw i64 %69, %10
  %73 = getelementptr float, ptr %1, i64 %71
  store float 0.000000e+00, ptr %73, align 4
  %74 = load i32, ptr %4, align 4
  %75 = add nsw i32 %74, -2
  %76 = sub i64 %60, 1
  br label %58

77:                                               ; preds = %58
  store i32 %59, ptr %4, align 4
  %78 = load i32, ptr %0, align 4
  store i32 %78, ptr %5, align 4
  store i32 1, ptr %4, align 4
  br label %79

79:                                               ; preds = %143, %77
  %80 = load i32, ptr %5, align 4
  %81 = icmp sgt i32 %80, 0
  br i1 %81, label %82, label %148

82:                                               ; preds = %79
  %83 = load i32, ptr %0, align 4
  store i32 %83, ptr %6, align 4
  store i32 1, ptr %3, align 4
  br label %84

84:                                               ; preds = %123, %82
  %85 = load i32, ptr %6, align 4
  %86 = icmp sgt i32 %85, 0
  br i1 %86, label %87, label %143

87:                                               ; preds = %84
  %88 = load i32, ptr %3, align 4
  %89 = sext i32 %88 to i64
  %90 = load i32, ptr %4, align 4
  %91 = sext i32 %90 to i64
  %92 = sub nsw i64 %89, 1
  %93 = mul nsw i64 %92, 1
  %94 = mul nsw i64 %93, 1
  %95 = add nsw i64 %94, 0
  %96 = mul nsw i64 1, %10
  %97 = sub nsw i64 %91, 1
  %98 = mul nsw i64 %97, 1
  %99 = mul nsw i64 %98, %96
  %100 = add nsw i64 %99, %95
  %101 = mul nsw i64 %96, %10
  %102 = getelementptr float, ptr %1, i64 %100
  %103 = load float, ptr %102, align 4
  %104 = fcmp contract olt float %103, 0.000000e+00
  br i1 %104, label %143, label %105

105:                                              ; preds = %87
  %106 = load i32, ptr %3, align 4
  %107 = sext i32 %106 to i64
  %108 = load i32, ptr %4, align 4
  %109 = sext i32 %108 to i64
  %110 = sub nsw i64 %107, 1
  %111 = mul nsw i64 %110, 1
  %112 = mul nsw i64 %111, 1
  %113 = add nsw i64 %112, 0
  %114 = mul nsw i64 1, %10
  %115 = sub nsw i64 %109, 1
  %116 = mul nsw i64 %115, 1
  %117 = mul nsw i64 %116, %114
  %118 = add nsw i64 %117, %113
  %119 = mul nsw i64 %114, %10
  %120 = getelementptr float, ptr %1, i64 %118
  %121 = load float, ptr %120, align 4
  %122 = fcmp contract ogt float %121, 1.000000e+02
  br i1 %122, label %148, label %123

123:                                              ; preds = %105
  %124 = load i32, ptr %3, align 4
  %125 = sext i32 %124 to i64
  %126 = load i32, ptr %4, align 4
  %127 = sext i32 %126 to i64
  %128 = sub nsw i64 %125, 1
  %129 = mul nsw i64 %128, 1
  %130 = mul nsw i64 %129, 1
  %131 = add nsw i64 %130, 0
  %132 = mul nsw i64 1, %10
  %133 = sub nsw i64 %127, 1
  %134 = mul nsw i64 %133, 1
  %135 = mul nsw i64 %134, %132
  %136 = add nsw i64 %135, %131
  %137 = mul nsw i64 %132, %10
  %138 = getelementptr float, ptr %1, i64 %136
  store float 1.000000e+00, ptr %138, align 4
  %139 = load i32, ptr %6, align 4
  %140 = sub i32 %139, 1
  store i32 %140, ptr %6, align 4
  %141 = load i32, ptr %3, align 4
  %142 = add nsw i32 %141, 1
  store i32 %142, ptr %3, align 4
  br label %84

143:                                              ; preds = %87, %84
  %144 = load i32, ptr %5, align 4
  %145 = sub i32 %144, 1
  store i32 %145, ptr %5, align 4
  %146 = load i32, ptr %4, align 4
  %147 = add nsw i32 %146, 1
  store i32 %147, ptr %4, align 4
  br label %79

148:                                              ; preds = %105, %79
  store i32 1, ptr %4, align 4
  br label %149

149:                                              ; preds = %153, %148
  %150 = load i32, ptr %4, align 4
  %151 = load i32, ptr %0, align 4
  %152 = icmp slt i32 %150, %151
  br i1 %152, label %153, label %169

153:                                              ; preds = %149
  %154 = load i32, ptr %4, align 4
  %155 = sext i32 %154 to i64
  %156 = sub nsw i64 %155, 1
  %157 = mul nsw i64 %156, 1
  %158 = mul nsw i64 %157, 1
  %159 = add nsw i64 %158, 0
  %160 = mul nsw i64 1, %10
  %161 = sub nsw i64 %155, 1
  %162 = mul nsw i64 %161, 1
  %163 = mul nsw i64 %162, %160
  %164 = add nsw i64 %163, %159
  %165 = mul nsw i64 %160, %10
  %166 = getelementptr float, ptr %1, i64 %164
  store float 2.000000e+00, ptr %166, align 4
  %167 = load i32, ptr %4, align 4
  %168 = mul i32 %167, 2
  store i32 %168, ptr %4, align 4
  br label %149

169:                                              ; preds = %149
  ret void
}

attributes #0 = { "frame-pointer"="all" "target-cpu"="x86-64" }

!llvm.ident = !{!0}
!llvm.module.flags = !{!1, !2, !3}

!0 = !{!"Debian flang version 22.1.8"}
!1 = !{i32 2, !"Debug Info Version", i32 3}
!2 = !{i32 8, !"PIC Level", i32 2}
!3 = !{i32 7, !"PIE Level", i32 2}
