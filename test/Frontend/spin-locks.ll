; A critical section is put back into the loop that takes its lock, and stays
; there; other loops are left.
; RUN: split-file %s %t
; RUN: %opt -load-pass-plugin=%spin_locks -passes='function(regshare-spin-locks),verify' -S %t/changed.ll | FileCheck %s
; RUN: %opt -load-pass-plugin=%spin_locks -passes='function(regshare-spin-locks),default<O3>' -S %t/changed.ll | FileCheck %s --check-prefix=LATER
; RUN: %opt -load-pass-plugin=%spin_locks -passes='default<O2>' -S %t/changed.ll | FileCheck %s --check-prefix=LATER
; What it leaves is what was there, to the letter.
; RUN: %opt -S %t/left.ll -o %t/before
; RUN: %opt -load-pass-plugin=%spin_locks -passes='function(regshare-spin-locks)' -S %t/left.ll -o %t/after
; RUN: cmp %t/before %t/after

;--- changed.ll
target triple = "nvptx64-nvidia-cuda"

; Both sides meet after the lock has been given back; a value that the section
; computes goes on from there.
; CHECK-LABEL: define i32 @exchange(
; CHECK: {{^}}try:
; CHECK: atomicrmw xchg ptr %lock, i32 1
; CHECK: br i1 %got, label %section, label %[[AGAIN:.*]]
; CHECK: {{^}}section:
; CHECK: %value = load i32
; CHECK: atomicrmw xchg ptr %lock, i32 0
; CHECK-NEXT: br label %[[MEETING:.*]]
; CHECK: {{^}}[[AGAIN]]:
; CHECK-NEXT: br label %[[MEETING]]
; CHECK: {{^}}[[MEETING]]:
; CHECK-NEXT: [[VALUE:%.*]] = phi i32 [ poison, %[[AGAIN]] ], [ %value, %section ]
; CHECK-NEXT: [[WAY:%.*]] = phi i32 [ 0, %[[AGAIN]] ], [ 1, %section ]
; CHECK-NEXT: call void @llvm.sideeffect() [[CONVERGENT:#[0-9]+]]
; CHECK-NEXT: [[TRIES:%.*]] = icmp eq i32 [[WAY]], 0
; CHECK-NEXT: br i1 [[TRIES]], label %try, label %[[REST:.*]]
; LATER-LABEL: define {{.*}}i32 @exchange(
; LATER: {{^}}try.meeting:
; LATER: call void @llvm.sideeffect()
; LATER: br i1 %{{.*}}, label %{{try|section.split}}, label %{{try|section.split}}
define i32 @exchange(ptr %lock, ptr %data) {
entry:
  br label %try
try:
  %old = atomicrmw xchg ptr %lock, i32 1 monotonic
  %got = icmp eq i32 %old, 0
  br i1 %got, label %section, label %try
section:
  %value = load i32, ptr %data
  %more = add i32 %value, 1
  store i32 %more, ptr %data
  %gone = atomicrmw xchg ptr %lock, i32 0 monotonic
  %twice = shl i32 %value, 1
  ret i32 %twice
}

; A comparison and exchange, given back by a store through the same address,
; computed again; a value that changes from turn to turn.
; CHECK-LABEL: define i32 @compare(
; CHECK: {{^}}try:
; CHECK-NEXT: %turn = phi i32 [ 0, %entry ], [ [[NEXT:%.*]], %[[MEETING:.*]] ]
; CHECK: store volatile i32 0
; CHECK-NEXT: br label %[[MEETING]]
; CHECK: {{^}}[[MEETING]]:
; CHECK-NEXT: [[NEXT]] = phi i32 [ %next, %{{.*}} ], [ poison, %section ]
; CHECK: phi i32 [ 0, %{{.*}} ], [ 1, %section ]
; CHECK-NEXT: call void @llvm.sideeffect() [[CONVERGENT]]
define i32 @compare(ptr %locks, i64 %i) {
entry:
  %lock = getelementptr i32, ptr %locks, i64 %i
  br label %try
try:
  %turn = phi i32 [ 0, %entry ], [ %next, %again ]
  %pair = cmpxchg ptr %lock, i32 0, i32 1 monotonic monotonic
  %got = extractvalue { i32, i1 } %pair, 1
  br i1 %got, label %section, label %again
again:
  %next = add i32 %turn, 1
  br label %try
section:
  %same = getelementptr i32, ptr %locks, i64 %i
  store volatile i32 0, ptr %same
  ret i32 %turn
}

; The lock is given back on either way, and lanes leave without it.
; CHECK-LABEL: define i32 @ways(
; CHECK: [[WAY:%.*]] = phi i32 [ 1, %{{.*}} ], [ 0, %{{.*}} ], [ 2, %zero ], [ 3, %other ]
; CHECK-NEXT: call void @llvm.sideeffect() [[CONVERGENT]]
; CHECK-NEXT: switch i32 [[WAY]]
define i32 @ways(ptr %lock, ptr %data, i32 %n) {
entry:
  br label %try
try:
  %turn = phi i32 [ 0, %entry ], [ %next, %again ]
  %pair = cmpxchg ptr %lock, i32 0, i32 1 monotonic monotonic
  %got = extractvalue { i32, i1 } %pair, 1
  br i1 %got, label %section, label %again
again:
  %next = add i32 %turn, 1
  %enough = icmp eq i32 %next, %n
  br i1 %enough, label %without, label %try
section:
  %value = load i32, ptr %data
  %is = icmp eq i32 %value, 0
  br i1 %is, label %zero, label %other
zero:
  store i32 0, ptr %lock
  ret i32 1
other:
  store i32 0, ptr %lock
  ret i32 2
without:
  ret i32 3
}

; One lock inside of the other: a meeting for each.
; CHECK-LABEL: define void @nested(
; CHECK-COUNT-2: call void @llvm.sideeffect() [[CONVERGENT]]
define void @nested(ptr %outer, ptr %inner, ptr %data) {
entry:
  br label %first
first:
  %a = atomicrmw xchg ptr %outer, i32 1 monotonic
  %gota = icmp eq i32 %a, 0
  br i1 %gota, label %second, label %first
second:
  %b = atomicrmw xchg ptr %inner, i32 1 monotonic
  %gotb = icmp eq i32 %b, 0
  br i1 %gotb, label %section, label %second
section:
  store i32 1, ptr %data
  store volatile i32 0, ptr %inner
  store volatile i32 0, ptr %outer
  ret void
}

; CHECK: attributes [[CONVERGENT]] = { convergent }

;--- left.ll
target triple = "nvptx64-nvidia-cuda"

declare void @llvm.nvvm.barrier.cta.sync.aligned.all(i32)

; What a turn compares with comes from the turn before: an update, no lock.
define void @update(ptr %at, i32 %v) {
entry:
  %first = load i32, ptr %at
  br label %try
try:
  %seen = phi i32 [ %first, %entry ], [ %old, %try ]
  %sum = add i32 %seen, %v
  %pair = cmpxchg ptr %at, i32 %seen, i32 %sum monotonic monotonic
  %old = extractvalue { i32, i1 } %pair, 0
  %done = extractvalue { i32, i1 } %pair, 1
  br i1 %done, label %end, label %try
end:
  store volatile i32 %old, ptr %at
  ret void
}

; Pieces of work are handed out.
define void @work(ptr %next, i32 %n) {
entry:
  br label %take
take:
  %i = atomicrmw add ptr %next, i32 1 monotonic
  %more = icmp ult i32 %i, %n
  br i1 %more, label %take, label %end
end:
  store i32 0, ptr %next
  ret void
}

; Nobody gives it back here.
define void @kept(ptr %lock, ptr %other) {
entry:
  br label %try
try:
  %old = atomicrmw xchg ptr %lock, i32 1 monotonic
  %got = icmp eq i32 %old, 0
  br i1 %got, label %end, label %try
end:
  store i32 0, ptr %other
  ret void
}

; The section is in the loop already.
define void @inside(ptr %lock, ptr %data) {
entry:
  br label %try
try:
  %old = atomicrmw xchg ptr %lock, i32 1 monotonic
  %got = icmp eq i32 %old, 0
  br i1 %got, label %section, label %next
section:
  store i32 1, ptr %data
  store volatile i32 0, ptr %lock
  br label %next
next:
  br i1 %got, label %end, label %try
end:
  ret void
}

; All of the CTA wait for each other in the section.
define void @together(ptr %lock, ptr %data) {
entry:
  br label %try
try:
  %old = atomicrmw xchg ptr %lock, i32 1 monotonic
  %got = icmp eq i32 %old, 0
  br i1 %got, label %section, label %try
section:
  call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)
  store volatile i32 0, ptr %lock
  ret void
}
