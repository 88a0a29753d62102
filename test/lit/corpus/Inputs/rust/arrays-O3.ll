; ModuleID = 'arrays.f36be9699335df3f-cgu.0'
source_filename = "arrays.f36be9699335df3f-cgu.0"
target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
target triple = "x86_64-unknown-linux-gnu"

; Function Attrs: nofree norecurse nosync nounwind nonlazybind memory(argmem: readwrite) uwtable
define void @product(ptr noalias noundef readonly align 4 captures(none) dereferenceable(4096) %a, ptr noalias noundef readonly align 4 captures(none) dereferenceable(4096) %b, ptr noalias noundef writeonly align 4 captures(none) dereferenceable(4096) %c) unnamed_addr #0 {
start:
  br label %bb7

bb8:                                              ; preds = %middle.block
  ret void

bb7:                                              ; preds = %start, %middle.block
  %iter.sroa.0.011 = phi i64 [ 0, %start ], [ %131, %middle.block ]
  %0 = getelementptr inbounds nuw [32 x float], ptr %c, i64 %iter.sroa.0.011
  %1 = getelementptr inbounds nuw [32 x float], ptr %a, i64 %iter.sroa.0.011
  %2 = getelementptr inbounds nuw i8, ptr %1, i64 124
  %_13.31 = load float, ptr %2, align 4, !noundef !3
  %3 = getelementptr inbounds nuw i8, ptr %1, i64 120
  %_13.30 = load float, ptr %3, align 4, !noundef !3
  %4 = getelementptr inbounds nuw i8, ptr %1, i64 116
  %_13.29 = load float, ptr %4, align 4, !noundef !3
  %5 = getelementptr inbounds nuw i8, ptr %1, i64 112
  %_13.28 = load float, ptr %5, align 4, !noundef !3
  %6 = getelementptr inbounds nuw i8, ptr %1, i64 108
  %_13.27 = load float, ptr %6, align 4, !noundef !3
  %7 = getelementptr inbounds nuw i8, ptr %1, i64 104
  %_13.26 = load float, ptr %7, align 4, !noundef !3
  %8 = getelementptr inbounds nuw i8, ptr %1, i64 100
  %_13.25 = load float, ptr %8, align 4, !noundef !3
  %9 = getelementptr inbounds nuw i8, ptr %1, i64 96
  %_13.24 = load float, ptr %9, align 4, !noundef !3
  %10 = getelementptr inbounds nuw i8, ptr %1, i64 92
  %_13.23 = load float, ptr %10, align 4, !noundef !3
  %11 = getelementptr inbounds nuw i8, ptr %1, i64 88
  %_13.22 = load float, ptr %11, align 4, !noundef !3
  %12 = getelementptr inbounds nuw i8, ptr %1, i64 84
  %_13.21 = load float, ptr %12, align 4, !noundef !3
  %13 = getelementptr inbounds nuw i8, ptr %1, i64 80
  %_13.20 = load float, ptr %13, align 4, !noundef !3
  %14 = getelementptr inbounds nuw i8, ptr %1, i64 76
  %_13.19 = load float, ptr %14, align 4, !noundef !3
  %15 = getelementptr inbounds nuw i8, ptr %1, i64 72
  %_13.18 = load float, ptr %15, align 4, !noundef !3
  %16 = getelementptr inbounds nuw i8, ptr %1, i64 68
  %_13.17 = load float, ptr %16, align 4, !noundef !3
  %17 = getelementptr inbounds nuw i8, ptr %1, i64 64
  %_13.16 = load float, ptr %17, align 4, !noundef !3
  %18 = getelementptr inbounds nuw i8, ptr %1, i64 60
  %_13.15 = load float, ptr %18, align 4, !noundef !3
  %19 = getelementptr inbounds nuw i8, ptr %1, i64 56
  %_13.14 = load float, ptr %19, align 4, !noundef !3
  %20 = getelementptr inbounds nuw i8, ptr %1, i64 52
  %_13.13 = load float, ptr %20, align 4, !noundef !3
  %21 = getelementptr inbounds nuw i8, ptr %1, i64 48
  %_13.12 = load float, ptr %21, align 4, !noundef !3
  %22 = getelementptr inbounds nuw i8, ptr %1, i64 44
  %_13.11 = load float, ptr %22, align 4, !noundef !3
  %23 = getelementptr inbounds nuw i8, ptr %1, i64 40
  %_13.10 = load float, ptr %23, align 4, !noundef !3
  %24 = getelementptr inbounds nuw i8, ptr %1, i64 36
  %_13.9 = load float, ptr %24, align 4, !noundef !3
  %25 = getelementptr inbounds nuw i8, ptr %1, i64 32
  %_13.8 = load float, ptr %25, align 4, !noundef !3
  %26 = getelementptr inbounds nuw i8, ptr %1, i64 28
  %_13.7 = load float, ptr %26, align 4, !noundef !3
  %27 = getelementptr inbounds nuw i8, ptr %1, i64 24
  %_13.6 = load float, ptr %27, align 4, !noundef !3
  %28 = getelementptr inbounds nuw i8, ptr %1, i64 20
  %_13.5 = load float, ptr %28, align 4, !noundef !3
  %29 = getelementptr inbounds nuw i8, ptr %1, i64 16
  %_13.4 = load float, ptr %29, align 4, !noundef !3
  %30 = getelementptr inbounds nuw i8, ptr %1, i64 12
  %_13.3 = load float, ptr %30, align 4, !noundef !3
  %31 = getelementptr inbounds nuw i8, ptr %1, i64 8
  %_13.2 = load float, ptr %31, align 4, !noundef !3
  %32 = getelementptr inbounds nuw i8, ptr %1, i64 4
  %_13.1 = load float, ptr %32, align 4, !noundef !3
  %_13 = load float, ptr %1, align 4, !noundef !3
  %broadcast.splatinsert = insertelement <4 x float> poison, float %_13, i64 0
  %broadcast.splat = shufflevector <4 x float> %broadcast.splatinsert, <4 x float> poison, <4 x i32> zeroinitializer
  %broadcast.splatinsert13 = insertelement <4 x float> poison, float %_13.1, i64 0
  %broadcast.splat14 = shufflevector <4 x float> %broadcast.splatinsert13, <4 x float> poison, <4 x i32> zeroinitializer
  %broadcast.splatinsert15 = insertelement <4 x float> poison, float %_13.2, i64 0
  %broadcast.splat16 = shufflevector <4 x float> %broadcast.splatinsert15, <4 x float> poison, <4 x i32> zeroinitializer
  %broadcast.splatinsert17 = insertelement <4 x float> poison, float %_13.3, i64 0
  %broadcast.splat18 = shufflevector <4 x float> %broadcast.splatinsert17, <4 x float> poison, <4 x i32> zeroinitializer
  %broadcast.splatinsert19 = insertelement <4 x float> poison, float %_13.4, i64 0
  %broadcast.splat20 = shufflevector <4 x float> %broadcast.splatinsert19, <4 x float> poison, <4 x i32> zeroinitializer
  %broadcast.splatinsert21 = insertelement <4 x float> poison, float %_13.5, i64 0
  %broadcast.splat22 = shufflevector <4 x float> %broadcast.splatinsert21, <4 x float> poison, <4 x i32> zeroinitializer
  %broadcast.splatinsert23 = insertelement <4 x float> poison, float %_13.6, i64 0
  %broadcast.splat24 = shufflevector <4 x float> %broadcast.splatinsert23, <4 x float> poison, <4 x i32> zeroinitializer
  %broadcast.splatinsert25 = insertelement <4 x float> poison, float %_13.7, i64 0
  %broadcast.splat26 = shufflevector <4 x float> %broadcast.splatinsert25, <4 x float> poison, <4 x i32> zeroinitializer
  %broadcast.splatinsert27 = insertelement <4 x float> poison, float %_13.8, i64 0
  %broadcast.splat28 = shufflevector <4 x float> %broadcast.splatinsert27, <4 x float> poison, <4 x i32> zeroinitializer
  %broadcast.splatinsert29 = insertelement <4 x float> poison, float %_13.9, i64 0
  %broadcast.splat30 = shufflevector <4 x float> %broadcast.splatinsert29, <4 x float> poison, <4 x i32> zeroinitializer
  %broadcast.splatinsert31 = insertelement <4 x float> poison, float %_13.10, i64 0
  %broadcast.splat32 = shufflevector <4 x float> %broadcast.splatinsert31, <4 x float> poison, <4 x i32> zeroinitializer
  %broadcast.splatinsert33 = insertelement <4 x float> poison, float %_13.11, i64 0
  %broadcast.splat34 = shufflevector <4 x float> %broadcast.splatinsert33, <4 x float> poison, <4 x i32> zeroinitializer
  %broadcast.splatinsert35 = insertelement <4 x float> poison, float %_13.12, i64 0
  %broadcast.splat36 = shufflevector <4 x float> %broadcast.splatinsert35, <4 x float> poison, <4 x i32> zeroinitializer
  %broadcast.splatinsert37 = insertelement <4 x float> poison, float %_13.13, i64 0
  %broadcast.splat38 = shufflevector <4 x float> %broadcast.splatinsert37, <4 x float> poison, <4 x i32> zeroinitializer
  %broadcast.splatinsert39 = insertelement <4 x float> poison, float %_13.14, i64 0
  %broadcast.splat40 = shufflevector <4 x float> %broadcast.splatinsert39, <4 x float> poison, <4 x i32> zeroinitializer
  %broadcast.splatinsert41 = insertelement <4 x float> poison, float %_13.15, i64 0
  %broadcast.splat42 = shufflevector <4 x float> %broadcast.splatinsert41, <4 x float> poison, <4 x i32> zeroinitializer
  %broadcast.splatinsert43 = insertelement <4 x float> poison, float %_13.16, i64 0
  %broadcast.splat44 = shufflevector <4 x float> %broadcast.splatinsert43, <4 x float> poison, <4 x i32> zeroinitializer
  %broadcast.splatinsert45 = insertelement <4 x float> poison, float %_13.17, i64 0
  %broadcast.splat46 = shufflevector <4 x float> %broadcast.splatinsert45, <4 x float> poison, <4 x i32> zeroinitializer
  %broadcast.splatinsert47 = insertelement <4 x float> poison, float %_13.18, i64 0
  %broadcast.splat48 = shufflevector <4 x float> %broadcast.splatinsert47, <4 x float> poison, <4 x i32> zeroinitializer
  %broadcast.splatinsert49 = insertelement <4 x float> poison, float %_13.19, i64 0
  %broadcast.splat50 = shufflevector <4 x float> %broadcast.splatinsert49, <4 x float> poison, <4 x i32> zeroinitializer
  %broadcast.splatinsert51 = insertelement <4 x float> poison, float %_13.20, i64 0
  %broadcast.splat52 = shufflevector <4 x float> %broadcast.splatinsert51, <4 x float> poison, <4 x i32> zeroinitializer
  %broadcast.splatinsert53 = insertelement <4 x float> poison, float %_13.21, i64 0
  %broadcast.splat54 = shufflevector <4 x float> %broadcast.splatinsert53, <4 x float> poison, <4 x i32> zeroinitializer
  %broadcast.splatinsert55 = insertelement <4 x float> poison, float %_13.22, i64 0
  %broadcast.splat56 = shufflevector <4 x float> %broadcast.splatinsert55, <4 x float> poison, <4 x i32> zeroinitializer
  %broadcast.splatinsert57 = insertelement <4 x float> poison, float %_13.23, i64 0
  %broadcast.splat58 = shufflevector <4 x float> %broadcast.splatinsert57, <4 x float> poison, <4 x i32> zeroinitializer
  %broadcast.splatinsert59 = insertelement <4 x float> poison, float %_13.24, i64 0
  %broadcast.splat60 = shufflevector <4 x float> %broadcast.splatinsert59, <4 x float> poison, <4 x i32> zeroinitializer
  %broadcast.splatinsert61 = insertelement <4 x float> poison, float %_13.25, i64 0
  %broadcast.splat62 = shufflevector <4 x float> %broadcast.splatinsert61, <4 x float> poison, <4 x i32> zeroinitializer
  %broadcast.splatinsert63 = insertelement <4 x float> poison, float %_13.26, i64 0
  %broadcast.splat64 = shufflevector <4 x float> %broadcast.splatinsert63, <4 x float> poison, <4 x i32> zeroinitializer
  %broadcast.splatinsert65 = insertelement <4 x float> poison, float %_13.27, i64 0
  %broadcast.splat66 = shufflevector <4 x float> %broadcast.splatinsert65, <4 x float> poison, <4 x i32> zeroinitializer
  %broadcast.splatinsert67 = insertelement <4 x float> poison, float %_13.28, i64 0
  %broadcast.splat68 = shufflevector <4 x float> %broadcast.splatinsert67, <4 x float> poison, <4 x i32> zeroinitializer
  %broadcast.splatinsert69 = insertelement <4 x float> poison, float %_13.29, i64 0
  %broadcast.splat70 = shufflevector <4 x float> %broadcast.splatinsert69, <4 x float> poison, <4 x i32> zeroinitializer
  %broadcast.splatinsert71 = insertelement <4 x float> poison, float %_13.30, i64 0
  %broadcast.splat72 = shufflevector <4 x float> %broadcast.splatinsert71, <4 x float> poison, <4 x i32> zeroinitializer
  %broadcast.splatinsert73 = insertelement <4 x float> poison, float %_13.31, i64 0
  %broadcast.splat74 = shufflevector <4 x float> %broadcast.splatinsert73, <4 x float> poison, <4 x i32> zeroinitializer
  br label %vector.body

vector.body:                                      ; preds = %vector.body, %bb7
  %index = phi i64 [ 0, %bb7 ], [ %index.next, %vector.body ]
  %33 = getelementptr inbounds nuw float, ptr %b, i64 %index
  %wide.load = load <4 x float>, ptr %33, align 4
  %34 = fmul <4 x float> %broadcast.splat, %wide.load
  %35 = fadd <4 x float> %34, zeroinitializer
  %36 = getelementptr inbounds nuw i8, ptr %33, i64 128
  %wide.load75 = load <4 x float>, ptr %36, align 4
  %37 = fmul <4 x float> %broadcast.splat14, %wide.load75
  %38 = fadd <4 x float> %35, %37
  %39 = getelementptr inbounds nuw i8, ptr %33, i64 256
  %wide.load76 = load <4 x float>, ptr %39, align 4
  %40 = fmul <4 x float> %broadcast.splat16, %wide.load76
  %41 = fadd <4 x float> %38, %40
  %42 = getelementptr inbounds nuw i8, ptr %33, i64 384
  %wide.load77 = load <4 x float>, ptr %42, align 4
  %43 = fmul <4 x float> %broadcast.splat18, %wide.load77
  %44 = fadd <4 x float> %41, %43
  %45 = getelementptr inbounds nuw i8, ptr %33, i64 512
  %wide.load78 = load <4 x float>, ptr %45, align 4
  %46 = fmul <4 x float> %broadcast.splat20, %wide.load78
  %47 = fadd <4 x float> %44, %46
  %48 = getelementptr inbounds nuw i8, ptr %33, i64 640
  %wide.load79 = load <4 x float>, ptr %48, align 4
  %49 = fmul <4 x float> %broadcast.splat22, %wide.load79
  %50 = fadd <4 x float> %47, %49
  %51 = getelementptr inbounds nuw i8, ptr %33, i64 768
  %wide.load80 = load <4 x float>, ptr %51, align 4
  %52 = fmul <4 x float> %broadcast.splat24, %wide.load80
  %53 = fadd <4 x float> %50, %52
  %54 = getelementptr inbounds nuw i8, ptr %33, i64 896
  %wide.load81 = load <4 x float>, ptr %54, align 4
  %55 = fmul <4 x float> %broadcast.splat26, %wide.load81
  %56 = fadd <4 x float> %53, %55
  %57 = getelementptr inbounds nuw i8, ptr %33, i64 1024
  %wide.load82 = load <4 x float>, ptr %57, align 4
  %58 = fmul <4 x float> %broadcast.splat28, %wide.load82
  %59 = fadd <4 x float> %56, %58
  %60 = getelementptr inbounds nuw i8, ptr %33, i64 1152
  %wide.load83 = load <4 x float>, ptr %60, align 4
  %61 = fmul <4 x float> %broadcast.splat30, %wide.load83
  %62 = fadd <4 x float> %59, %61
  %63 = getelementptr inbounds nuw i8, ptr %33, i64 1280
  %wide.load84 = load <4 x float>, ptr %63, align 4
  %64 = fmul <4 x float> %broadcast.splat32, %wide.load84
  %65 = fadd <4 x float> %62, %64
  %66 = getelementptr inbounds nuw i8, ptr %33, i64 1408
  %wide.load85 = load <4 x float>, ptr %66, align 4
  %67 = fmul <4 x float> %broadcast.splat34, %wide.load85
  %68 = fadd <4 x float> %65, %67
  %69 = getelementptr inbounds nuw i8, ptr %33, i64 1536
  %wide.load86 = load <4 x float>, ptr %69, align 4
  %70 = fmul <4 x float> %broadcast.splat36, %wide.load86
  %71 = fadd <4 x float> %68, %70
  %72 = getelementptr inbounds nuw i8, ptr %33, i64 1664
  %wide.load87 = load <4 x float>, ptr %72, align 4
  %73 = fmul <4 x float> %broadcast.splat38, %wide.load87
  %74 = fadd <4 x float> %71, %73
  %75 = getelementptr inbounds nuw i8, ptr %33, i64 1792
  %wide.load88 = load <4 x float>, ptr %75, align 4
  %76 = fmul <4 x float> %broadcast.splat40, %wide.load88
  %77 = fadd <4 x float> %74, %76
  %78 = getelementptr inbounds nuw i8, ptr %33, i64 1920
  %wide.load89 = load <4 x float>, ptr %78, align 4
  %79 = fmul <4 x float> %broadcast.splat42, %wide.load89
  %80 = fadd <4 x float> %77, %79
  %81 = getelementptr inbounds nuw i8, ptr %33, i64 2048
  %wide.load90 = load <4 x float>, ptr %81, align 4
  %82 = fmul <4 x float> %broadcast.splat44, %wide.load90
  %83 = fadd <4 x float> %80, %82
  %84 = getelementptr inbounds nuw i8, ptr %33, i64 2176
  %wide.load91 = load <4 x float>, ptr %84, align 4
  %85 = fmul <4 x float> %broadcast.splat46, %wide.load91
  %86 = fadd <4 x float> %83, %85
  %87 = getelementptr inbounds nuw i8, ptr %33, i64 2304
  %wide.load92 = load <4 x float>, ptr %87, align 4
  %88 = fmul <4 x float> %broadcast.splat48, %wide.load92
  %89 = fadd <4 x float> %86, %88
  %90 = getelementptr inbounds nuw i8, ptr %33, i64 2432
  %wide.load93 = load <4 x float>, ptr %90, align 4
  %91 = fmul <4 x float> %broadcast.splat50, %wide.load93
  %92 = fadd <4 x float> %89, %91
  %93 = getelementptr inbounds nuw i8, ptr %33, i64 2560
  %wide.load94 = load <4 x float>, ptr %93, align 4
  %94 = fmul <4 x float> %broadcast.splat52, %wide.load94
  %95 = fadd <4 x float> %92, %94
  %96 = getelementptr inbounds nuw i8, ptr %33, i64 2688
  %wide.load95 = load <4 x float>, ptr %96, align 4
  %97 = fmul <4 x float> %broadcast.splat54, %wide.load95
  %98 = fadd <4 x float> %95, %97
  %99 = getelementptr inbounds nuw i8, ptr %33, i64 2816
  %wide.load96 = load <4 x float>, ptr %99, align 4
  %100 = fmul <4 x float> %broadcast.splat56, %wide.load96
  %101 = fadd <4 x float> %98, %100
  %102 = getelementptr inbounds nuw i8, ptr %33, i64 2944
  %wide.load97 = load <4 x float>, ptr %102, align 4
  %103 = fmul <4 x float> %broadcast.splat58, %wide.load97
  %104 = fadd <4 x float> %101, %103
  %105 = getelementptr inbounds nuw i8, ptr %33, i64 3072
  %wide.load98 = load <4 x float>, ptr %105, align 4
  %106 = fmul <4 x float> %broadcast.splat60, %wide.load98
  %107 = fadd <4 x float> %104, %106
  %108 = getelementptr inbounds nuw i8, ptr %33, i64 3200
  %wide.load99 = load <4 x float>, ptr %108, align 4
  %109 = fmul <4 x float> %broadcast.splat62, %wide.load99
  %110 = fadd <4 x float> %107, %109
  %111 = getelementptr inbounds nuw i8, ptr %33, i64 3328
  %wide.load100 = load <4 x float>, ptr %111, align 4
  %112 = fmul <4 x float> %broadcast.splat64, %wide.load100
  %113 = fadd <4 x float> %110, %112
  %114 = getelementptr inbounds nuw i8, ptr %33, i64 3456
  %wide.load101 = load <4 x float>, ptr %114, align 4
  %115 = fmul <4 x float> %broadcast.splat66, %wide.load101
  %116 = fadd <4 x float> %113, %115
  %117 = getelementptr inbounds nuw i8, ptr %33, i64 3584
  %wide.load102 = load <4 x float>, ptr %117, align 4
  %118 = fmul <4 x float> %broadcast.splat68, %wide.load102
  %119 = fadd <4 x float> %116, %118
  %120 = getelementptr inbounds nuw i8, ptr %33, i64 3712
  %wide.load103 = load <4 x float>, ptr %120, align 4
  %121 = fmul <4 x float> %broadcast.splat70, %wide.load103
  %122 = fadd <4 x float> %119, %121
  %123 = getelementptr inbounds nuw i8, ptr %33, i64 3840
  %wide.load104 = load <4 x float>, ptr %123, align 4
  %124 = fmul <4 x float> %broadcast.splat72, %wide.load104
  %125 = fadd <4 x float> %122, %124
  %126 = getelementptr inbounds nuw i8, ptr %33, i64 3968
  %wide.load105 = load <4 x float>, ptr %126, align 4
  %127 = fmul <4 x float> %broadcast.splat74, %wide.load105
  %128 = fadd <4 x float> %125, %127
  %129 = getelementptr inbounds nuw float, ptr %0, i64 %index
  store <4 x float> %128, ptr %129, align 4
  %index.next = add nuw i64 %index, 4
  %130 = icmp eq i64 %index.next, 32
  br i1 %130, label %middle.block, label %vector.body, !llvm.loop !4

middle.block:                                     ; preds = %vector.body
  %131 = add nuw nsw i64 %iter.sroa.0.011, 1
  %exitcond12.not = icmp eq i64 %131, 32
  br i1 %exitcond12.not, label %bb8, label %bb7
}

; Function Attrs: nofree norecurse nosync nounwind nonlazybind memory(argmem: readwrite) uwtable
define void @table(ptr dead_on_unwind noalias noundef writable writeonly sret([800 x i8]) align 8 captures(none) dereferenceable(800) %_0) unnamed_addr #0 personality ptr @rust_eh_personality {
start:
  %t = alloca [800 x i8], align 8
  call void @llvm.lifetime.start.p0(ptr nonnull %t)
  call void @llvm.memset.p0.i64(ptr noundef nonnull align 8 dereferenceable(800) %t, i8 0, i64 800, i1 false)
  br label %vector.body

vector.body:                                      ; preds = %vector.body, %start
  %index = phi i64 [ 0, %start ], [ %index.next, %vector.body ]
  %vec.ind = phi <2 x i64> [ <i64 0, i64 1>, %start ], [ %vec.ind.next, %vector.body ]
  %step.add = add <2 x i64> %vec.ind, splat (i64 2)
  %offset.idx = shl i64 %index, 3
  %0 = getelementptr inbounds nuw i8, ptr %t, i64 %offset.idx
  %1 = mul <2 x i64> %vec.ind, %vec.ind
  %2 = mul <2 x i64> %step.add, %step.add
  %3 = getelementptr inbounds nuw i8, ptr %0, i64 16
  store <2 x i64> %1, ptr %0, align 8
  store <2 x i64> %2, ptr %3, align 8
  %index.next = add nuw i64 %index, 4
  %vec.ind.next = add <2 x i64> %vec.ind, splat (i64 4)
  %4 = icmp eq i64 %index.next, 100
  br i1 %4, label %bb5, label %vector.body, !llvm.loop !7

bb5:                                              ; preds = %vector.body
  call void @llvm.memcpy.p0.p0.i64(ptr noundef nonnull align 8 dereferenceable(800) %_0, ptr noundef nonnull align 8 dereferenceable(800) %t, i64 800, i1 false)
  call void @llvm.lifetime.end.p0(ptr nonnull %t)
  ret void
}

; Function Attrs: nounwind nonlazybind uwtable
declare noundef range(i32 0, 10) i32 @rust_eh_personality(i32 noundef, i32 noundef, i64 noundef, ptr noundef, ptr noundef) unnamed_addr #1

; Function Attrs: mustprogress nocallback nofree nosync nounwind willreturn memory(argmem: readwrite)
declare void @llvm.lifetime.start.p0(ptr captures(none)) #2

; Function Attrs: mustprogress nocallback nofree nosync nounwind willreturn memory(argmem: readwrite)
declare void @llvm.lifetime.end.p0(ptr captures(none)) #2

; Function Attrs: mustprogress nocallback nofree nounwind willreturn memory(argmem: write)
declare void @llvm.memset.p0.i64(ptr writeonly captures(none), i8, i64, i1 immarg) #3

; Function Attrs: mustprogress nocallback nofree nounwind willreturn memory(argmem: readwrite)
declare void @llvm.memcpy.p0.p0.i64(ptr noalias writeonly captures(none), ptr noalias readonly captures(none), i64, i1 immarg) #4

attributes #0 = { nofree norecurse nosync nounwind nonlazybind memory(argmem: readwrite) uwtable "probe-stack"="inline-asm" "target-cpu"="x86-64" }
attributes #1 = { nounwind nonlazybind uwtable "probe-stack"="inline-asm" "target-cpu"="x86-64" }
attributes #2 = { mustprogress nocallback nofree nosync nounwind willreturn memory(argmem: readwrite) }
attributes #3 = { mustprogress nocallback nofree nounwind willreturn memory(argmem: write) }
attributes #4 = { mustprogress nocallback nofree nounwind willreturn memory(argmem: readwrite) }

!llvm.module.flags = !{!0, !1}
!llvm.ident = !{!2}

!0 = !{i32 8, !"PIC Level", i32 2}
!1 = !{i32 2, !"RtLibUseGOT", i32 1}
!2 = !{!"rustc version 1.95.0 (59807616e 2026-04-14)"}
!3 = !{}
!4 = distinct !{!4, !5, !6}
!5 = !{!"llvm.loop.isvectorized", i32 1}
!6 = !{!"llvm.loop.unroll.runtime.disable"}
!7 = distinct !{!7, !5, !6}
