; ModuleID = 'matrices.ac2955aff430e8c3-cgu.0'
source_filename = "matrices.ac2955aff430e8c3-cgu.0"
target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
target triple = "x86_64-unknown-linux-gnu"

@alloc_a29035eaaf9428fc6bb3bd1cdac57179 = private unnamed_addr constant [90 x i8] c"/rustc/59807616e1fa2540724bfbac14d7976d7e4a3860/library/core/src/iter/adapters/step_by.rs\00", align 1
@alloc_99540c61d1c340c039d43cb775ee8250 = private unnamed_addr constant <{ ptr, [16 x i8] }> <{ ptr @alloc_a29035eaaf9428fc6bb3bd1cdac57179, [16 x i8] c"Y\00\00\00\00\00\00\008\02\00\00\01\00\00\00" }>, align 8
@alloc_4aead6e2018a46d0df208d5729447de7 = private unnamed_addr constant [27 x i8] c"assertion failed: step != 0", align 1
@alloc_c7baa26b60c90f85c8064a305f54009b = private unnamed_addr constant <{ ptr, [16 x i8] }> <{ ptr @alloc_a29035eaaf9428fc6bb3bd1cdac57179, [16 x i8] c"Y\00\00\00\00\00\00\00#\00\00\00\09\00\00\00" }>, align 8
@alloc_2320f5b7d74fea37c05b6b7d7cfff2c0 = private unnamed_addr constant [17 x i8] c"rust/matrices.rs\00", align 1
@alloc_48f533ceba143bb5aa1ef8c8b66f587d = private unnamed_addr constant <{ ptr, [16 x i8] }> <{ ptr @alloc_2320f5b7d74fea37c05b6b7d7cfff2c0, [16 x i8] c"\10\00\00\00\00\00\00\00\0A\00\00\00\0D\00\00\00" }>, align 8
@alloc_5968057ef4a3eec992e88a2f750494cf = private unnamed_addr constant <{ ptr, [16 x i8] }> <{ ptr @alloc_2320f5b7d74fea37c05b6b7d7cfff2c0, [16 x i8] c"\10\00\00\00\00\00\00\00\08\00\00\00\16\00\00\00" }>, align 8
@alloc_1d5bed897a8304acf5272eadf6548c0e = private unnamed_addr constant <{ ptr, [16 x i8] }> <{ ptr @alloc_2320f5b7d74fea37c05b6b7d7cfff2c0, [16 x i8] c"\10\00\00\00\00\00\00\00\08\00\00\00%\00\00\00" }>, align 8
@alloc_c12b4502d0a3ed4a4c8516ce871bb2dc = private unnamed_addr constant <{ ptr, [16 x i8] }> <{ ptr @alloc_2320f5b7d74fea37c05b6b7d7cfff2c0, [16 x i8] c"\10\00\00\00\00\00\00\00\14\00\00\00\09\00\00\00" }>, align 8
@alloc_cb01abb94e11269cc9497590b23822ad = private unnamed_addr constant <{ ptr, [16 x i8] }> <{ ptr @alloc_2320f5b7d74fea37c05b6b7d7cfff2c0, [16 x i8] c"\10\00\00\00\00\00\00\00\11\00\00\00\09\00\00\00" }>, align 8

; <usize as core::iter::range::Step>::backward_unchecked
; Function Attrs: inlinehint nonlazybind uwtable
define internal noundef i64 @_RNvXsF_NtNtCsgEmfK2I1SDS_4core4iter5rangejNtB5_4Step18backward_unchecked(i64 noundef %start1, i64 noundef %n) unnamed_addr #0 {
start:
  br label %bb2

bb2:                                              ; preds = %start
  %_0 = sub nuw i64 %start1, %n
  ret i64 %_0

bb1:                                              ; No predecessors!
  unreachable
}

; <usize as core::cmp::PartialOrd>::le
; Function Attrs: alwaysinline nonlazybind uwtable
define internal noundef zeroext i1 @_RNvXsU_NtNtCsgEmfK2I1SDS_4core3cmp5implsjNtB7_10PartialOrd2le(ptr noalias noundef readonly align 8 captures(address, read_provenance) dereferenceable(8) %self, ptr noalias noundef readonly align 8 captures(address, read_provenance) dereferenceable(8) %other) unnamed_addr #1 {
start:
  %_3 = load i64, ptr %self, align 8, !noundef !3
  %_4 = load i64, ptr %other, align 8, !noundef !3
  %_0 = icmp ule i64 %_3, %_4
  ret i1 %_0
}

; <usize as core::cmp::PartialOrd>::lt
; Function Attrs: alwaysinline nonlazybind uwtable
define internal noundef zeroext i1 @_RNvXsU_NtNtCsgEmfK2I1SDS_4core3cmp5implsjNtB7_10PartialOrd2lt(ptr noalias noundef readonly align 8 captures(address, read_provenance) dereferenceable(8) %self, ptr noalias noundef readonly align 8 captures(address, read_provenance) dereferenceable(8) %other) unnamed_addr #1 {
start:
  %_3 = load i64, ptr %self, align 8, !noundef !3
  %_4 = load i64, ptr %other, align 8, !noundef !3
  %_0 = icmp ult i64 %_3, %_4
  ret i1 %_0
}

; <core::ops::range::Range<usize> as core::iter::adapters::step_by::SpecRangeSetup<core::ops::range::Range<usize>>>::setup
; Function Attrs: inlinehint nonlazybind uwtable
define internal { i64, i64 } @_RNvXsh_NtNtNtCsgEmfK2I1SDS_4core4iter8adapters7step_byINtNtNtBb_3ops5range5RangejEINtB5_14SpecRangeSetupBQ_E5setup(i64 noundef %0, i64 noundef %1, i64 noundef %step) unnamed_addr #0 {
start:
  %inner_len = alloca [8 x i8], align 8
  %yield_count = alloca [8 x i8], align 8
  %r = alloca [16 x i8], align 8
  store i64 %0, ptr %r, align 8
  %2 = getelementptr inbounds i8, ptr %r, i64 8
  store i64 %1, ptr %2, align 8
  %_10 = load i64, ptr %r, align 8, !noundef !3
  %3 = getelementptr inbounds i8, ptr %r, i64 8
  %_11 = load i64, ptr %3, align 8, !noundef !3
  %_5 = icmp ult i64 %_10, %_11
  br i1 %_5, label %bb1, label %bb2

bb2:                                              ; preds = %start
  store i64 0, ptr %inner_len, align 8
  br label %bb3

bb1:                                              ; preds = %start
  %_13 = load i64, ptr %r, align 8, !noundef !3
  %4 = getelementptr inbounds i8, ptr %r, i64 8
  %_14 = load i64, ptr %4, align 8, !noundef !3
  %_12 = icmp ule i64 %_13, %_14
  br i1 %_12, label %bb4, label %bb5

bb3:                                              ; preds = %bb6, %bb2
  %_17 = icmp eq i64 %step, 0
  br i1 %_17, label %panic, label %bb7

bb5:                                              ; preds = %bb1
  store i64 0, ptr %inner_len, align 8
  br label %bb6

bb4:                                              ; preds = %bb1
  %5 = sub i64 %_14, %_13
  store i64 %5, ptr %inner_len, align 8
  br label %bb6

bb6:                                              ; preds = %bb4, %bb5
  br label %bb3

bb7:                                              ; preds = %bb3
  %6 = load i64, ptr %inner_len, align 8, !noundef !3
  %d = udiv i64 %6, %step
  %7 = load i64, ptr %inner_len, align 8, !noundef !3
  %r1 = urem i64 %7, %step
  %_19 = icmp ugt i64 %r1, 0
  br i1 %_19, label %bb8, label %bb9

panic:                                            ; preds = %bb3
; call core::panicking::panic_const::panic_const_div_by_zero
  call void @_RNvNtNtCsgEmfK2I1SDS_4core9panicking11panic_const23panic_const_div_by_zero(ptr noalias noundef readonly align 8 captures(address, read_provenance) dereferenceable(24) @alloc_99540c61d1c340c039d43cb775ee8250) #10
  unreachable

bb9:                                              ; preds = %bb7
  store i64 %d, ptr %yield_count, align 8
  br label %bb10

bb8:                                              ; preds = %bb7
  %8 = add i64 %d, 1
  store i64 %8, ptr %yield_count, align 8
  br label %bb10

bb10:                                             ; preds = %bb8, %bb9
  %9 = getelementptr inbounds i8, ptr %r, i64 8
  %10 = load i64, ptr %yield_count, align 8, !noundef !3
  store i64 %10, ptr %9, align 8
  %_0.0 = load i64, ptr %r, align 8, !noundef !3
  %11 = getelementptr inbounds i8, ptr %r, i64 8
  %_0.1 = load i64, ptr %11, align 8, !noundef !3
  %12 = insertvalue { i64, i64 } poison, i64 %_0.0, 0
  %13 = insertvalue { i64, i64 } %12, i64 %_0.1, 1
  ret { i64, i64 } %13
}

; <core::ops::range::RangeInclusive<T> as core::iter::range::RangeInclusiveIteratorImpl>::spec_next_back
; Function Attrs: inlinehint nonlazybind uwtable
define internal { i64, i64 } @"_ZN107_$LT$core..ops..range..RangeInclusive$LT$T$GT$$u20$as$u20$core..iter..range..RangeInclusiveIteratorImpl$GT$14spec_next_back17hb5c4d8eaa867f8acE"(ptr noalias noundef align 8 dereferenceable(24) %self) unnamed_addr #0 {
start:
  %_6 = alloca [8 x i8], align 8
  %_0 = alloca [16 x i8], align 8
  %0 = getelementptr inbounds i8, ptr %self, i64 16
  %1 = load i8, ptr %0, align 8, !range !4, !noundef !3
  %_10 = trunc nuw i8 %1 to i1
  br i1 %_10, label %bb9, label %bb10

bb10:                                             ; preds = %start
  %_13 = getelementptr inbounds i8, ptr %self, i64 8
; call <usize as core::cmp::PartialOrd>::le
  %_11 = call noundef zeroext i1 @_RNvXsU_NtNtCsgEmfK2I1SDS_4core3cmp5implsjNtB7_10PartialOrd2le(ptr noalias noundef readonly align 8 captures(address, read_provenance) dereferenceable(8) %self, ptr noalias noundef readonly align 8 captures(address, read_provenance) dereferenceable(8) %_13) #11
  %_2 = xor i1 %_11, true
  br i1 %_2, label %bb1, label %bb2

bb9:                                              ; preds = %start
  br label %bb1

bb2:                                              ; preds = %bb10
  %_5 = getelementptr inbounds i8, ptr %self, i64 8
; call <usize as core::cmp::PartialOrd>::lt
  %is_iterating = call noundef zeroext i1 @_RNvXsU_NtNtCsgEmfK2I1SDS_4core3cmp5implsjNtB7_10PartialOrd2lt(ptr noalias noundef readonly align 8 captures(address, read_provenance) dereferenceable(8) %self, ptr noalias noundef readonly align 8 captures(address, read_provenance) dereferenceable(8) %_5) #11
  call void @llvm.lifetime.start.p0(ptr %_6)
  br i1 %is_iterating, label %bb4, label %bb6

bb1:                                              ; preds = %bb9, %bb10
  store i64 0, ptr %_0, align 8
  br label %bb8

bb6:                                              ; preds = %bb2
  %2 = getelementptr inbounds i8, ptr %self, i64 16
  store i8 1, ptr %2, align 8
  %3 = getelementptr inbounds i8, ptr %self, i64 8
  %4 = load i64, ptr %3, align 8, !noundef !3
  store i64 %4, ptr %_6, align 8
  br label %bb7

bb4:                                              ; preds = %bb2
  %5 = getelementptr inbounds i8, ptr %self, i64 8
  %_8 = load i64, ptr %5, align 8, !noundef !3
; call <usize as core::iter::range::Step>::backward_unchecked
  %n = call noundef i64 @_RNvXsF_NtNtCsgEmfK2I1SDS_4core4iter5rangejNtB5_4Step18backward_unchecked(i64 noundef %_8, i64 noundef 1) #12
  %6 = getelementptr inbounds i8, ptr %self, i64 8
  %7 = load i64, ptr %6, align 8, !noundef !3
  store i64 %7, ptr %_6, align 8
  %8 = getelementptr inbounds i8, ptr %self, i64 8
  store i64 %n, ptr %8, align 8
  br label %bb7

bb7:                                              ; preds = %bb4, %bb6
  %9 = load i64, ptr %_6, align 8, !noundef !3
  %10 = getelementptr inbounds i8, ptr %_0, i64 8
  store i64 %9, ptr %10, align 8
  store i64 1, ptr %_0, align 8
  call void @llvm.lifetime.end.p0(ptr %_6)
  br label %bb8

bb8:                                              ; preds = %bb1, %bb7
  %11 = load i64, ptr %_0, align 8, !range !5, !noundef !3
  %12 = getelementptr inbounds i8, ptr %_0, i64 8
  %13 = load i64, ptr %12, align 8
  %14 = insertvalue { i64, i64 } poison, i64 %11, 0
  %15 = insertvalue { i64, i64 } %14, i64 %13, 1
  ret { i64, i64 } %15
}

; core::iter::adapters::step_by::StepBy<I>::new
; Function Attrs: inlinehint nonlazybind uwtable
define internal void @"_ZN4core4iter8adapters7step_by15StepBy$LT$I$GT$3new17h87e7612c8900d166E"(ptr dead_on_unwind noalias noundef writable sret([32 x i8]) align 8 captures(none) dereferenceable(32) %_0, i64 noundef %iter.0, i64 noundef %iter.1, i64 noundef %step) unnamed_addr #0 personality ptr @rust_eh_personality {
start:
  %0 = alloca [16 x i8], align 8
  %_7 = alloca [1 x i8], align 1
  store i8 1, ptr %_7, align 1
  %1 = icmp eq i64 %step, 0
  %2 = call i1 @llvm.expect.i1(i1 %1, i1 false)
  br i1 %2, label %bb2, label %bb1

bb2:                                              ; preds = %start
; invoke core::panicking::panic
  invoke void @_RNvNtCsgEmfK2I1SDS_4core9panicking5panic(ptr noalias noundef nonnull readonly align 1 captures(address, read_provenance) @alloc_4aead6e2018a46d0df208d5729447de7, i64 noundef 27, ptr noalias noundef readonly align 8 captures(address, read_provenance) dereferenceable(24) @alloc_c7baa26b60c90f85c8064a305f54009b) #13
          to label %unreachable unwind label %cleanup

bb1:                                              ; preds = %start
  store i8 0, ptr %_7, align 1
; invoke <core::ops::range::Range<usize> as core::iter::adapters::step_by::SpecRangeSetup<core::ops::range::Range<usize>>>::setup
  %3 = invoke { i64, i64 } @_RNvXsh_NtNtNtCsgEmfK2I1SDS_4core4iter8adapters7step_byINtNtNtBb_3ops5range5RangejEINtB5_14SpecRangeSetupBQ_E5setup(i64 noundef %iter.0, i64 noundef %iter.1, i64 noundef %step)
          to label %bb3 unwind label %cleanup

bb6:                                              ; preds = %cleanup
  %4 = load i8, ptr %_7, align 1, !range !4, !noundef !3
  %5 = trunc nuw i8 %4 to i1
  br i1 %5, label %bb5, label %bb4

cleanup:                                          ; preds = %bb1, %bb2
  %6 = landingpad { ptr, i32 }
          cleanup
  %7 = extractvalue { ptr, i32 } %6, 0
  %8 = extractvalue { ptr, i32 } %6, 1
  call void @llvm.lifetime.start.p0(ptr %0)
  store ptr %7, ptr %0, align 8
  %9 = getelementptr inbounds i8, ptr %0, i64 8
  store i32 %8, ptr %9, align 8
  br label %bb6

unreachable:                                      ; preds = %bb2
  unreachable

bb3:                                              ; preds = %bb1
  %iter.01 = extractvalue { i64, i64 } %3, 0
  %iter.12 = extractvalue { i64, i64 } %3, 1
  %_6 = sub i64 %step, 1
  store i64 %iter.01, ptr %_0, align 8
  %10 = getelementptr inbounds i8, ptr %_0, i64 8
  store i64 %iter.12, ptr %10, align 8
  %11 = getelementptr inbounds i8, ptr %_0, i64 16
  store i64 %_6, ptr %11, align 8
  %12 = getelementptr inbounds i8, ptr %_0, i64 24
  store i8 1, ptr %12, align 8
  ret void

bb4:                                              ; preds = %bb5, %bb6
  %13 = load ptr, ptr %0, align 8, !noundef !3
  %14 = getelementptr inbounds i8, ptr %0, i64 8
  %15 = load i32, ptr %14, align 8, !noundef !3
  call void @llvm.lifetime.end.p0(ptr %0)
  %16 = insertvalue { ptr, i32 } poison, ptr %13, 0
  %17 = insertvalue { ptr, i32 } %16, i32 %15, 1
  resume { ptr, i32 } %17

bb5:                                              ; preds = %bb6
  br label %bb4
}

; Function Attrs: nonlazybind uwtable
define void @gemm(i64 noundef %n, ptr noalias noundef nonnull readonly align 4 captures(address, read_provenance) %a.0, i64 noundef range(i64 0, 2305843009213693952) %a.1, ptr noalias noundef nonnull readonly align 4 captures(address, read_provenance) %b.0, i64 noundef range(i64 0, 2305843009213693952) %b.1, ptr noalias noundef nonnull align 4 %c.0, i64 noundef range(i64 0, 2305843009213693952) %c.1) unnamed_addr #2 {
start:
  %iter2 = alloca [8 x i8], align 8
  %iter1 = alloca [8 x i8], align 8
  %iter = alloca [8 x i8], align 8
  %_10 = alloca [16 x i8], align 8
  %s = alloca [4 x i8], align 4
  %_7 = alloca [16 x i8], align 8
  %_5 = alloca [16 x i8], align 8
  store i64 0, ptr %iter, align 8
  br label %bb1

bb1:                                              ; preds = %bb10, %start
  call void @llvm.lifetime.start.p0(ptr %_5)
  %_30 = load i64, ptr %iter, align 8, !noundef !3
  %_27 = icmp ult i64 %_30, %n
  br i1 %_27, label %bb7, label %bb8

bb8:                                              ; preds = %bb1
  call void @llvm.lifetime.end.p0(ptr %_5)
  ret void

bb7:                                              ; preds = %bb1
  %_28 = load i64, ptr %iter, align 8, !noundef !3
  %0 = add nuw i64 %_28, 1
  store i64 %0, ptr %iter, align 8
  %1 = getelementptr inbounds i8, ptr %_5, i64 8
  store i64 %_28, ptr %1, align 8
  store i64 1, ptr %_5, align 8
  %2 = getelementptr inbounds i8, ptr %_5, i64 8
  %i = load i64, ptr %2, align 8, !noundef !3
  store i64 0, ptr %iter1, align 8
  br label %bb2

bb2:                                              ; preds = %bb6, %bb7
  call void @llvm.lifetime.start.p0(ptr %_7)
  %_34 = load i64, ptr %iter1, align 8, !noundef !3
  %_31 = icmp ult i64 %_34, %n
  br i1 %_31, label %bb9, label %bb10

bb10:                                             ; preds = %bb2
  call void @llvm.lifetime.end.p0(ptr %_7)
  call void @llvm.lifetime.end.p0(ptr %_5)
  br label %bb1

bb9:                                              ; preds = %bb2
  %_32 = load i64, ptr %iter1, align 8, !noundef !3
  %3 = add nuw i64 %_32, 1
  store i64 %3, ptr %iter1, align 8
  %4 = getelementptr inbounds i8, ptr %_7, i64 8
  store i64 %_32, ptr %4, align 8
  store i64 1, ptr %_7, align 8
  %5 = getelementptr inbounds i8, ptr %_7, i64 8
  %j = load i64, ptr %5, align 8, !noundef !3
  store float 0.000000e+00, ptr %s, align 4
  store i64 0, ptr %iter2, align 8
  br label %bb3

bb3:                                              ; preds = %bb5, %bb9
  call void @llvm.lifetime.start.p0(ptr %_10)
  %_38 = load i64, ptr %iter2, align 8, !noundef !3
  %_35 = icmp ult i64 %_38, %n
  br i1 %_35, label %bb11, label %bb12

bb12:                                             ; preds = %bb3
  call void @llvm.lifetime.end.p0(ptr %_10)
  %_24 = mul i64 %i, %n
  %_23 = add i64 %_24, %j
  %_26 = icmp ult i64 %_23, %c.1
  br i1 %_26, label %bb6, label %panic

bb11:                                             ; preds = %bb3
  %_36 = load i64, ptr %iter2, align 8, !noundef !3
  %6 = add nuw i64 %_36, 1
  store i64 %6, ptr %iter2, align 8
  %7 = getelementptr inbounds i8, ptr %_10, i64 8
  store i64 %_36, ptr %7, align 8
  store i64 1, ptr %_10, align 8
  %8 = getelementptr inbounds i8, ptr %_10, i64 8
  %k = load i64, ptr %8, align 8, !noundef !3
  %_15 = mul i64 %i, %n
  %_14 = add i64 %_15, %k
  %_17 = icmp ult i64 %_14, %a.1
  br i1 %_17, label %bb4, label %panic3

bb6:                                              ; preds = %bb12
  %9 = getelementptr inbounds nuw float, ptr %c.0, i64 %_23
  %10 = load float, ptr %s, align 4, !noundef !3
  store float %10, ptr %9, align 4
  call void @llvm.lifetime.end.p0(ptr %_7)
  br label %bb2

panic:                                            ; preds = %bb12
; call core::panicking::panic_bounds_check
  call void @_RNvNtCsgEmfK2I1SDS_4core9panicking18panic_bounds_check(i64 noundef %_23, i64 noundef %c.1, ptr noalias noundef readonly align 8 captures(address, read_provenance) dereferenceable(24) @alloc_48f533ceba143bb5aa1ef8c8b66f587d) #10
  unreachable

bb4:                                              ; preds = %bb11
  %11 = getelementptr inbounds nuw float, ptr %a.0, i64 %_14
  %_13 = load float, ptr %11, align 4, !noundef !3
  %_20 = mul i64 %k, %n
  %_19 = add i64 %_20, %j
  %_22 = icmp ult i64 %_19, %b.1
  br i1 %_22, label %bb5, label %panic4

panic3:                                           ; preds = %bb11
; call core::panicking::panic_bounds_check
  call void @_RNvNtCsgEmfK2I1SDS_4core9panicking18panic_bounds_check(i64 noundef %_14, i64 noundef %a.1, ptr noalias noundef readonly align 8 captures(address, read_provenance) dereferenceable(24) @alloc_5968057ef4a3eec992e88a2f750494cf) #10
  unreachable

bb5:                                              ; preds = %bb4
  %12 = getelementptr inbounds nuw float, ptr %b.0, i64 %_19
  %_18 = load float, ptr %12, align 4, !noundef !3
  %_12 = fmul float %_13, %_18
  %13 = load float, ptr %s, align 4, !noundef !3
  %14 = fadd float %13, %_12
  store float %14, ptr %s, align 4
  call void @llvm.lifetime.end.p0(ptr %_10)
  br label %bb3

panic4:                                           ; preds = %bb4
; call core::panicking::panic_bounds_check
  call void @_RNvNtCsgEmfK2I1SDS_4core9panicking18panic_bounds_check(i64 noundef %_19, i64 noundef %b.1, ptr noalias noundef readonly align 8 captures(address, read_provenance) dereferenceable(24) @alloc_1d5bed897a8304acf5272eadf6548c0e) #10
  unreachable
}

; Function Attrs: nonlazybind uwtable
define void @steps(ptr noalias noundef align 4 dereferenceable(400) %a) unnamed_addr #2 {
start:
  %iter2 = alloca [8 x i8], align 8
  %_20 = alloca [8 x i8], align 8
  %iter1 = alloca [8 x i8], align 8
  %_9 = alloca [16 x i8], align 8
  %iter = alloca [24 x i8], align 8
  %_7 = alloca [24 x i8], align 8
  %_6 = alloca [24 x i8], align 8
  %_3 = alloca [16 x i8], align 8
  %_2 = alloca [32 x i8], align 8
  call void @llvm.lifetime.start.p0(ptr %_2)
; call core::iter::adapters::step_by::StepBy<I>::new
  call void @"_ZN4core4iter8adapters7step_by15StepBy$LT$I$GT$3new17h87e7612c8900d166E"(ptr noalias noundef sret([32 x i8]) align 8 captures(none) dereferenceable(32) %_2, i64 noundef 0, i64 noundef 100, i64 noundef 3) #12
  %0 = load i64, ptr %_2, align 8, !noundef !3
  store i64 %0, ptr %iter1, align 8
  %1 = getelementptr inbounds i8, ptr %_2, i64 8
  %2 = load i64, ptr %1, align 8, !noundef !3
  store i64 %2, ptr %iter2, align 8
  %3 = getelementptr inbounds i8, ptr %_2, i64 16
  %iter3 = load i64, ptr %3, align 8, !noundef !3
  %4 = getelementptr inbounds i8, ptr %_2, i64 24
  %5 = load i8, ptr %4, align 8, !range !4, !noundef !3
  %iter4 = trunc nuw i8 %5 to i1
  call void @llvm.lifetime.end.p0(ptr %_2)
  br label %bb1

bb1:                                              ; preds = %bb3, %start
  call void @llvm.lifetime.start.p0(ptr %_3)
  %_19 = add nuw i64 %iter3, 1
  call void @llvm.lifetime.start.p0(ptr %_20)
  store i64 %_19, ptr %_20, align 8
  %6 = load i64, ptr %_20, align 8, !noundef !3
  %7 = icmp eq i64 %6, 0
  %_21 = select i1 %7, i64 0, i64 1
  %_26 = icmp eq i64 %_21, 1
  call void @llvm.assume(i1 %_26)
  %_14 = load i64, ptr %_20, align 8, !range !6, !noundef !3
  call void @llvm.lifetime.end.p0(ptr %_20)
  %8 = sub i64 %_14, 1
  %9 = icmp ule i64 %8, -2
  call void @llvm.assume(i1 %9)
  %_15 = load i64, ptr %iter2, align 8, !noundef !3
  %_16 = icmp ugt i64 %_15, 0
  br i1 %_16, label %bb9, label %bb10

bb10:                                             ; preds = %bb1
  call void @llvm.lifetime.end.p0(ptr %_3)
  call void @llvm.lifetime.start.p0(ptr %_7)
  store i64 0, ptr %_7, align 8
  %10 = getelementptr inbounds i8, ptr %_7, i64 8
  store i64 50, ptr %10, align 8
  %11 = getelementptr inbounds i8, ptr %_7, i64 16
  store i8 0, ptr %11, align 8
  call void @llvm.memcpy.p0.p0.i64(ptr align 8 %_6, ptr align 8 %_7, i64 24, i1 false)
  call void @llvm.lifetime.end.p0(ptr %_7)
  call void @llvm.lifetime.start.p0(ptr %iter)
  call void @llvm.memcpy.p0.p0.i64(ptr align 8 %iter, ptr align 8 %_6, i64 24, i1 false)
  br label %bb4

bb9:                                              ; preds = %bb1
  %_17 = load i64, ptr %iter1, align 8, !noundef !3
  %12 = add i64 %_17, %_14
  store i64 %12, ptr %iter1, align 8
  %13 = sub i64 %_15, 1
  store i64 %13, ptr %iter2, align 8
  %14 = getelementptr inbounds i8, ptr %_3, i64 8
  store i64 %_17, ptr %14, align 8
  store i64 1, ptr %_3, align 8
  %15 = getelementptr inbounds i8, ptr %_3, i64 8
  %i5 = load i64, ptr %15, align 8, !noundef !3
  %_5 = icmp ult i64 %i5, 100
  br i1 %_5, label %bb3, label %panic6

bb4:                                              ; preds = %bb7, %bb10
  call void @llvm.lifetime.start.p0(ptr %_9)
; call <core::ops::range::RangeInclusive<T> as core::iter::range::RangeInclusiveIteratorImpl>::spec_next_back
  %16 = call { i64, i64 } @"_ZN107_$LT$core..ops..range..RangeInclusive$LT$T$GT$$u20$as$u20$core..iter..range..RangeInclusiveIteratorImpl$GT$14spec_next_back17hb5c4d8eaa867f8acE"(ptr noalias noundef align 8 dereferenceable(24) %iter) #12
  %17 = extractvalue { i64, i64 } %16, 0
  %18 = extractvalue { i64, i64 } %16, 1
  store i64 %17, ptr %_9, align 8
  %19 = getelementptr inbounds i8, ptr %_9, i64 8
  store i64 %18, ptr %19, align 8
  %_10 = load i64, ptr %_9, align 8, !range !5, !noundef !3
  %20 = getelementptr inbounds i8, ptr %_9, i64 8
  %21 = load i64, ptr %20, align 8
  %22 = trunc nuw i64 %_10 to i1
  br i1 %22, label %bb5, label %bb6

bb5:                                              ; preds = %bb4
  %23 = getelementptr inbounds i8, ptr %_9, i64 8
  %i = load i64, ptr %23, align 8, !noundef !3
  %_12 = icmp ult i64 %i, 100
  br i1 %_12, label %bb7, label %panic

bb6:                                              ; preds = %bb4
  call void @llvm.lifetime.end.p0(ptr %_9)
  call void @llvm.lifetime.end.p0(ptr %iter)
  ret void

bb7:                                              ; preds = %bb5
  %24 = getelementptr inbounds nuw i32, ptr %a, i64 %i
  %25 = getelementptr inbounds nuw i32, ptr %a, i64 %i
  %26 = load i32, ptr %25, align 4, !noundef !3
  %27 = add i32 %26, 2
  store i32 %27, ptr %24, align 4
  call void @llvm.lifetime.end.p0(ptr %_9)
  br label %bb4

panic:                                            ; preds = %bb5
; call core::panicking::panic_bounds_check
  call void @_RNvNtCsgEmfK2I1SDS_4core9panicking18panic_bounds_check(i64 noundef %i, i64 noundef 100, ptr noalias noundef readonly align 8 captures(address, read_provenance) dereferenceable(24) @alloc_c12b4502d0a3ed4a4c8516ce871bb2dc) #10
  unreachable

bb2:                                              ; No predecessors!
  unreachable

bb3:                                              ; preds = %bb9
  %28 = getelementptr inbounds nuw i32, ptr %a, i64 %i5
  store i32 1, ptr %28, align 4
  call void @llvm.lifetime.end.p0(ptr %_3)
  br label %bb1

panic6:                                           ; preds = %bb9
; call core::panicking::panic_bounds_check
  call void @_RNvNtCsgEmfK2I1SDS_4core9panicking18panic_bounds_check(i64 noundef %i5, i64 noundef 100, ptr noalias noundef readonly align 8 captures(address, read_provenance) dereferenceable(24) @alloc_cb01abb94e11269cc9497590b23822ad) #10
  unreachable
}

; core::panicking::panic_const::panic_const_div_by_zero
; Function Attrs: cold noinline noreturn nonlazybind uwtable
declare void @_RNvNtNtCsgEmfK2I1SDS_4core9panicking11panic_const23panic_const_div_by_zero(ptr noalias noundef readonly align 8 captures(address, read_provenance) dereferenceable(24)) unnamed_addr #3

; Function Attrs: nocallback nofree nosync nounwind willreturn memory(argmem: readwrite)
declare void @llvm.lifetime.start.p0(ptr captures(none)) #4

; Function Attrs: nocallback nofree nosync nounwind willreturn memory(argmem: readwrite)
declare void @llvm.lifetime.end.p0(ptr captures(none)) #4

; Function Attrs: nounwind nonlazybind uwtable
declare noundef range(i32 0, 10) i32 @rust_eh_personality(i32 noundef, i32 noundef, i64 noundef, ptr noundef, ptr noundef) unnamed_addr #5

; Function Attrs: nocallback nofree nosync nounwind willreturn memory(none)
declare i1 @llvm.expect.i1(i1, i1) #6

; core::panicking::panic
; Function Attrs: cold noinline noreturn nonlazybind uwtable
declare void @_RNvNtCsgEmfK2I1SDS_4core9panicking5panic(ptr noalias noundef nonnull readonly align 1 captures(address, read_provenance), i64 noundef, ptr noalias noundef readonly align 8 captures(address, read_provenance) dereferenceable(24)) unnamed_addr #3

; core::panicking::panic_bounds_check
; Function Attrs: cold minsize noinline noreturn nonlazybind optsize uwtable
declare void @_RNvNtCsgEmfK2I1SDS_4core9panicking18panic_bounds_check(i64 noundef, i64 noundef, ptr noalias noundef readonly align 8 captures(address, read_provenance) dereferenceable(24)) unnamed_addr #7

; Function Attrs: nocallback nofree nosync nounwind willreturn memory(inaccessiblemem: write)
declare void @llvm.assume(i1 noundef) #8

; Function Attrs: nocallback nofree nounwind willreturn memory(argmem: readwrite)
declare void @llvm.memcpy.p0.p0.i64(ptr noalias writeonly captures(none), ptr noalias readonly captures(none), i64, i1 immarg) #9

attributes #0 = { inlinehint nonlazybind uwtable "probe-stack"="inline-asm" "target-cpu"="x86-64" }
attributes #1 = { alwaysinline nonlazybind uwtable "probe-stack"="inline-asm" "target-cpu"="x86-64" }
attributes #2 = { nonlazybind uwtable "probe-stack"="inline-asm" "target-cpu"="x86-64" }
attributes #3 = { cold noinline noreturn nonlazybind uwtable "probe-stack"="inline-asm" "target-cpu"="x86-64" }
attributes #4 = { nocallback nofree nosync nounwind willreturn memory(argmem: readwrite) }
attributes #5 = { nounwind nonlazybind uwtable "probe-stack"="inline-asm" "target-cpu"="x86-64" }
attributes #6 = { nocallback nofree nosync nounwind willreturn memory(none) }
attributes #7 = { cold minsize noinline noreturn nonlazybind optsize uwtable "probe-stack"="inline-asm" "target-cpu"="x86-64" }
attributes #8 = { nocallback nofree nosync nounwind willreturn memory(inaccessiblemem: write) }
attributes #9 = { nocallback nofree nounwind willreturn memory(argmem: readwrite) }
attributes #10 = { noinline noreturn }
attributes #11 = { alwaysinline }
attributes #12 = { inlinehint }
attributes #13 = { noreturn }

!llvm.module.flags = !{!0, !1}
!llvm.ident = !{!2}

!0 = !{i32 8, !"PIC Level", i32 2}
!1 = !{i32 2, !"RtLibUseGOT", i32 1}
!2 = !{!"rustc version 1.95.0 (59807616e 2026-04-14)"}
!3 = !{}
!4 = !{i8 0, i8 2}
!5 = !{i64 0, i64 2}
!6 = !{i64 1, i64 0}
