; The mark of an argument that is set is taken where it is not set on every way,
; through functions and results, and kept everywhere else.
; RUN: %opt -load-pass-plugin=%unset_arguments -passes='default<O0>' -S %s | FileCheck %s

target triple = "nvptx64-nvidia-cuda"

declare i32 @value()
declare void @last(i32 noundef)
declare noundef i32 @llvm.nvvm.shfl.sync.idx.i32(i32, i32, i32, i32)

; What is not set on one way.
; CHECK-LABEL: define void @oneWay(
; CHECK: call void @direct(i32 %{{.*}}, i32 noundef 1)
define void @oneWay(i1 noundef %If) {
  %V = alloca i32
  br i1 %If, label %set, label %join
set:
  %Value = call i32 @value()
  store i32 %Value, ptr %V
  br label %join
join:
  %Now = load i32, ptr %V
  call void @direct(i32 noundef %Now, i32 noundef 1)
  ret void
}

; The function that is given it hands on a sum, and what it was given itself.
; CHECK-LABEL: define void @direct(i32 %A, i32 noundef %B)
; CHECK: call void @last(i32 %{{.*}})
; CHECK: call void @last(i32 noundef %{{.*}})
define void @direct(i32 noundef %A, i32 noundef %B) {
  %Kept = alloca i32
  store i32 %A, ptr %Kept
  %Again = load i32, ptr %Kept
  %Sum = add i32 %Again, %B
  call void @last(i32 noundef %Sum)
  call void @last(i32 noundef %B)
  ret void
}

; What every way sets, a loop as well.
; CHECK-LABEL: define void @everyWay(
; CHECK: call void @last(i32 noundef %{{.*}})
; CHECK: call void @last(i32 noundef %{{.*}})
define void @everyWay(i1 noundef %If) {
  %V = alloca i32
  br i1 %If, label %set, label %other
set:
  store i32 1, ptr %V
  br label %join
other:
  store i32 2, ptr %V
  br label %join
join:
  %Now = load i32, ptr %V
  call void @last(i32 noundef %Now)
  br i1 %If, label %join, label %end
end:
  %Then = load i32, ptr %V
  call void @last(i32 noundef %Then)
  ret void
}

; What an earlier turn of a loop has set, or none has.
; CHECK-LABEL: define void @loop(
; CHECK: call void @last(i32 %{{.*}})
define void @loop(i32 noundef %N) {
  %V = alloca i32
  br label %head
head:
  %I = phi i32 [ 0, %0 ], [ %Next, %body ]
  %More = icmp ult i32 %I, %N
  br i1 %More, label %body, label %end
body:
  store i32 %I, ptr %V
  %Next = add i32 %I, 1
  br label %head
end:
  %Now = load i32, ptr %V
  call void @last(i32 noundef %Now)
  ret void
}

; A result, to those who call for it; functions may call each other.
; CHECK-LABEL: define i32 @result(
; CHECK: call i32 @resultOfOther(
define noundef i32 @result(i1 noundef %If) {
  %V = alloca i32
  br i1 %If, label %set, label %join
set:
  %Other = call noundef i32 @resultOfOther(i1 noundef false)
  store i32 %Other, ptr %V
  br label %join
join:
  %Now = load i32, ptr %V
  ret i32 %Now
}
; CHECK-LABEL: define i32 @resultOfOther(
; CHECK: call i32 @result(i1 noundef %If)
define noundef i32 @resultOfOther(i1 noundef %If) {
  %R = call noundef i32 @result(i1 noundef %If)
  ret i32 %R
}

; A member of a structure; the other one is set.
; CHECK-LABEL: define void @member(
; CHECK: call void @last(i32 %{{.*}})
; CHECK: call void @last(i32 noundef %{{.*}})
define void @member(i1 noundef %If) {
  %S = alloca { i32, i32 }
  %B = getelementptr inbounds { i32, i32 }, ptr %S, i32 0, i32 1
  store i32 0, ptr %B
  br i1 %If, label %set, label %join
set:
  %Value = call i32 @value()
  store i32 %Value, ptr %S
  br label %join
join:
  %First = load i32, ptr %S
  call void @last(i32 noundef %First)
  %Second = load i32, ptr %B
  call void @last(i32 noundef %Second)
  ret void
}

; What lanes exchange is set.
; CHECK-LABEL: define void @exchange(
; CHECK: call void @last(i32 noundef %{{.*}})
define void @exchange(i1 noundef %If) {
  %V = alloca i32
  br i1 %If, label %set, label %join
set:
  %Value = call i32 @value()
  store i32 %Value, ptr %V
  br label %join
join:
  %Now = load i32, ptr %V
  %All = call i32 @llvm.nvvm.shfl.sync.idx.i32(i32 -1, i32 %Now, i32 0, i32 31)
  call void @last(i32 noundef %All)
  ret void
}
