//===- Options.td - The options of regshare-clang++ -----------------------===//
//
// Part of RegShare, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// nvcc's options, all that `nvcc --help` of CUDA 13 lists, and those of clang
/// that more than one step of a compile sees or whose value is a word of its
/// own. What is not here is clang's to know.
///
/// An option without a group has a case in CommandLine.cpp. HelpText is for
/// --help; of a refused option it is why.
///
//===----------------------------------------------------------------------===//

include "llvm/Option/OptParser.td"

/// Says what is so anyway, or steers what has no part in this: ptxas, nvlink,
/// nvcc's own front end.
def nothing_Group : OptionGroup<"nothing">;
/// Asks for something that is not done; that is told, and the rest is.
def idle_Group : OptionGroup<"idle">;
def refused_Group : OptionGroup<"refused">;
/// Of the host half, in the same words for clang.
def host_Group : OptionGroup<"host">;
/// For every step, in the same words for clang.
def clang_Group : OptionGroup<"clang">;

/// nvcc takes a name of an option after one dash and after two.
class NFlag<string name> : Flag<["-", "--"], name>;

/// A flag of nvcc's by its long name and by its short one.
multiclass F<string long, string short> {
  def NAME : NFlag<long>;
  if !ne(short, long) then
    def NAME#_short : NFlag<short>, Alias<!cast<Option>(NAME)>;
}

/// An option of nvcc's with a value: after '=' or as the next word.
multiclass V<string long, string short> {
  def NAME : Separate<["-", "--"], long>;
  def NAME#_eq : Joined<["-", "--"], long#"=">, Alias<!cast<Option>(NAME)>;
  if !ne(short, long) then {
    def NAME#_short : Separate<["-", "--"], short>, Alias<!cast<Option>(NAME)>;
    def NAME#_short_eq : Joined<["-", "--"], short#"=">,
                         Alias<!cast<Option>(NAME)>;
  }
}

/// The same, where the value may also follow a short name at once.
multiclass J<string long, string short> {
  def NAME : Separate<["--"], long>;
  def NAME#_eq : Joined<["--"], long#"=">, Alias<!cast<Option>(NAME)>;
  def NAME#_short : JoinedOrSeparate<["-"], short>, Alias<!cast<Option>(NAME)>;
}

//===----------------------------------------------------------------------===//
// What is made, and where
//===----------------------------------------------------------------------===//

let HelpText = "write the object or program to this file" in
defm output : J<"output-file", "o">;
let HelpText = "write objects to this folder" in
defm output_directory : V<"output-directory", "odir">;
let HelpText = "compile to objects and do not link" in
defm compile : F<"compile", "c">;
let HelpText = "write device code alone, as a program loads it by cuModuleLoad" in
defm fatbin : F<"fatbin", "fatbin">;
let HelpText = "write device code alone, as PTX" in
defm ptx : F<"ptx", "ptx">;
// Together what -ptx is: clang's words for it, which CMake uses.
let Flags = [HelpHidden] in {
def device_only : NFlag<"cuda-device-only">;
def assembly : Flag<["-"], "S">;
} // Flags = [HelpHidden]
let HelpText = "preprocess the host half" in
defm preprocess : F<"preprocess", "E">;
defm dependencies : F<"generate-dependencies", "M">;
defm user_dependencies : F<"generate-nonsystem-dependencies", "MM">;
def syntax_only : Flag<["-"], "fsyntax-only">,
                  HelpText<"check both halves and write nothing">;
defm link : F<"link", "link">;
let HelpText = "language of the inputs that follow; 'cu' and 'cuda' are CUDA" in
defm language : J<"x", "x">;
let HelpText = "read more options from this file" in
defm options_file : V<"options-file", "optf">;

defm dependencies_too : F<"generate-dependencies-with-compile", "MD">;
defm user_dependencies_too
    : F<"generate-nonsystem-dependencies-with-compile", "MMD">;
defm dependency_targets : F<"generate-dependency-targets", "MP">;
defm dependency_output : J<"dependency-output", "MF">;
defm dependency_name : J<"dependency-target-name", "MT">;
def dependency_quoted : JoinedOrSeparate<["-"], "MQ">, Group<host_Group>;

let HelpText = "print the steps and do none of them" in
defm dryrun : F<"dryrun", "dryrun">;
def hash_hash_hash : Flag<["-"], "###">, Alias<dryrun>;
let HelpText = "print the steps" in
defm verbose : F<"verbose", "v">;
let HelpText = "print this" in
defm help : F<"help", "h">;
let HelpText = "print clang's version" in
defm version : F<"version", "V">;

//===----------------------------------------------------------------------===//
// Device code
//===----------------------------------------------------------------------===//

let HelpText = "processor to compile device code for (default sm_75)" in
defm gpu_architecture : V<"gpu-architecture", "arch">;
def cuda_gpu_arch : Joined<["--"], "cuda-gpu-arch=">, Alias<gpu_architecture>;
def offload_arch : Joined<["--"], "offload-arch=">, Alias<gpu_architecture>;
let HelpText = "the same, as arch=compute_75,code=sm_75; the newest of several" in
defm generate_code : V<"generate-code", "gencode">;
let HelpText = "approximate functions and flushing of subnormals in device code" in
defm use_fast_math : F<"use_fast_math", "use_fast_math">;
let HelpText = "true: flush subnormals in device code" in
defm ftz : V<"ftz", "ftz">;
let HelpText = "false: keep multiplies and adds of device code apart" in
defm fmad : V<"fmad", "fmad">;
let HelpText = "false: divide with the accuracy of div.full in device code" in
defm prec_div : V<"prec-div", "prec-div">;
let HelpText = "false: approximate square roots in device code" in
defm prec_sqrt : V<"prec-sqrt", "prec-sqrt">;
let HelpText = "registers of a thread at most, where the source does not say" in
defm maxrregcount : V<"maxrregcount", "maxrregcount">;
let HelpText = "spill registers to shared memory first: every kernel that can has CUDA 13's pragma" in
defm smem_spilling : F<"smem-spilling", "smem-spilling">;
let HelpText = "no two pointer parameters of a kernel lead to the same memory" in
defm restrict : F<"restrict", "restrict">;
let HelpText = "do not optimise device code" in
defm device_debug : F<"device-debug", "G">;
let HelpText = "legacy, null or per-thread; what a device does is the same" in
defm default_stream : V<"default-stream", "default-stream">;
let HelpText = "use the headers of this CUDA toolkit instead of RegShare's own" in
defm cuda_path : V<"cuda-path", "cuda-path">;
let HelpText = "take Thrust, CUB and libcu++ from this folder or checkout of CCCL" in
defm cccl_path : V<"cccl-path", "cccl-path">;
let HelpText = "true: kernels call functions of other source files" in
defm relocatable : V<"relocatable-device-code", "rdc">;
defm device_c : F<"device-c", "dc">;
def gpu_rdc : Flag<["-"], "fgpu-rdc">;
def no_gpu_rdc : Flag<["-"], "fno-gpu-rdc">, Group<nothing_Group>;

//===----------------------------------------------------------------------===//
// The host half and the link
//===----------------------------------------------------------------------===//

let HelpText = "options for the host half, separated by commas" in
defm compiler_options : V<"compiler-options", "Xcompiler">;
defm linker_options : V<"linker-options", "Xlinker">;
defm library : J<"library", "l">;
defm library_path : J<"library-path", "L">;
defm include_path : J<"include-path", "I">;
defm system_include : J<"system-include", "isystem">;
defm pre_include : V<"pre-include", "include">;
defm define_macro : J<"define-macro", "D">;
defm undefine_macro : J<"undefine-macro", "U">;
defm optimize : V<"optimize", "optimize">;
def O : Joined<["-"], "O">;
defm standard : V<"std", "std">;
defm profile : F<"profile", "pg">;
defm debug : F<"debug", "debug">;
defm shared : F<"shared", "shared">;
defm disable_warnings : F<"disable-warnings", "w">;
defm no_exceptions : F<"no-exceptions", "noeh">;
defm relaxed_constexpr : F<"expt-relaxed-constexpr", "expt-relaxed-constexpr">;
defm extended_lambda : F<"extended-lambda", "expt-extended-lambda">;
def m64 : NFlag<"m64">;
def no_deprecated : NFlag<"Wno-deprecated-declarations">;
defm machine : V<"machine", "m">;
def werror : Flag<["-", "--"], "Werror">;
def werror_kind : Joined<["-", "--"], "Werror=">;
defm template_depth : V<"ftemplate-depth", "ftemplate-depth">;
defm template_backtrace
    : V<"ftemplate-backtrace-limit", "ftemplate-backtrace-limit">;
defm forward_to_compiler : F<"forward-unknown-to-host-compiler",
                             "forward-unknown-to-host-compiler">;
defm forward_to_linker : F<"forward-unknown-to-host-linker",
                           "forward-unknown-to-host-linker">;
defm forward_unknown : F<"forward-unknown-opts", "forward-unknown-opts">;

//===----------------------------------------------------------------------===//
// Nothing to do
//===----------------------------------------------------------------------===//

let Group = nothing_Group in {
defm line_info : F<"generate-line-info", "lineinfo">;
defm source_in_ptx : F<"source-in-ptx", "src-in-ptx">;
defm device_vectorization
    : F<"extra-device-vectorization", "extra-device-vectorization">;
defm threads : V<"threads", "threads">;
def threads_short : JoinedOrSeparate<["-"], "t">;
defm split_compile : V<"split-compile", "split-compile">;
defm split_compile_extended
    : V<"split-compile-extended", "split-compile-extended">;
defm jobserver : F<"jobserver", "jobserver">;
defm objdir : F<"objdir-as-tempdir", "objtemp">;
defm no_compress : F<"no-compress", "no-compress">;
defm compress_mode : V<"compress-mode", "compress-mode">;
defm gpu_code : V<"gpu-code", "code">;
defm ptxas_options : V<"ptxas-options", "Xptxas">;
def cuda_ptxas_options : Separate<["-"], "Xcuda-ptxas">;
defm nvlink_options : V<"nvlink-options", "Xnvlink">;
defm archive_options : V<"archive-options", "Xarchive">;
defm compiler_bindir : V<"compiler-bindir", "ccbin">;
defm archiver : V<"archiver-binary", "arbin">;
defm unsupported_compiler
    : F<"allow-unsupported-compiler", "allow-unsupported-compiler">;
defm cudart : V<"cudart", "cudart">;
defm cudadevrt : V<"cudadevrt", "cudadevrt">;
defm libdevice_directory : V<"libdevice-directory", "ldir">;
defm target_directory : V<"target-directory", "target-dir">;
defm local_env : F<"use-local-env", "use-local-env">;
defm cl_env : F<"force-cl-env-setup", "force-cl-env-setup">;
defm device_optimisation : V<"dopt", "dopt">;
defm fast_compile : V<"Ofast-compile", "Ofc">;
defm lto_flag : F<"dlink-time-opt", "dlto">;
defm lto : F<"lto", "lto">;
defm gen_opt_lto : F<"gen-opt-lto", "gen-opt-lto">;
defm initializer_list : F<"no-host-device-initializer-list", "nohdinitlist">;
defm move_forward : F<"no-host-device-move-forward", "nohdmoveforward">;
defm template_stub
    : V<"static-global-template-stub", "static-global-template-stub">;
defm hidden_visibility : V<"device-entity-has-hidden-visibility",
                           "device-entity-has-hidden-visibility">;
defm no_profile : F<"dont-use-profile", "noprof">;
defm input_prefix : V<"input-drive-prefix", "idp">;
defm dependency_prefix : V<"dependency-drive-prefix", "ddp">;
defm drive_prefix : V<"drive-prefix", "dp">;
defm align_double : F<"no-align-double", "no-align-double">;
defm no_device_link : F<"no-device-link", "nodlink">;
defm whole_program : F<"extensible-whole-program", "ewp">;
defm device_functions : F<"keep-device-functions", "keep-device-functions">;
defm qpp_config : F<"qpp-config", "qpp-config">;
defm error_numbers : F<"display-error-number", "err-no">;
defm no_error_numbers : F<"no-display-error-number", "no-err-no">;
defm diag_error : V<"diag-error", "diag-error">;
defm diag_suppress : V<"diag-suppress", "diag-suppress">;
defm diag_warn : V<"diag-warn", "diag-warn">;
// Of NVIDIA's front end: what it warns of.
def cudafe_options : Separate<["-"], "Xcudafe">;
defm brief_diagnostics : V<"brief-diagnostics", "brief-diag">;
defm random_seed : V<"frandom-seed", "frandom-seed">;
defm jump_tables : V<"jump-table-density", "jtd">;
defm warn_reorder : F<"Wreorder", "Wreorder">;
defm warn_stream : F<"Wdefault-stream-launch", "Wdefault-stream-launch">;
defm warn_bounds : F<"Wmissing-launch-bounds", "Wmissing-launch-bounds">;
defm warn_this : F<"Wext-lambda-captures-this", "Wext-lambda-captures-this">;
defm no_old_targets
    : F<"Wno-deprecated-gpu-targets", "Wno-deprecated-gpu-targets">;
defm linker_script : V<"host-linker-script", "hls">;
defm augment_script : F<"augment-host-linker-script", "aug-hls">;
} // Group = nothing_Group

let Group = idle_Group in {
defm keep : F<"keep", "keep">;
defm keep_dir : V<"keep-dir", "keep-dir">;
defm save_temps : F<"save-temps", "save-temps">;
defm resource_usage : F<"resource-usage", "res-usage">;
defm optimization_info : V<"optimization-info", "opt-info">;
defm time : V<"time", "time">;
defm device_time_trace : V<"fdevice-time-trace", "fdevice-time-trace">;
defm stack_protector : V<"device-stack-protector", "device-stack-protector">;
defm sanitize : V<"sanitize", "sanitize">;
} // Group = idle_Group

//===----------------------------------------------------------------------===//
// Refused
//===----------------------------------------------------------------------===//

class Why<string text> {
  OptionGroup Group = refused_Group;
  list<OptionFlag> Flags = [HelpHidden];
  string HelpText = text;
}
/// A flag that is refused.
multiclass R<string long, string short, string why> {
  def NAME : NFlag<long>, Why<why>;
  if !ne(short, long) then
    def NAME#_short : NFlag<short>, Alias<!cast<Option>(NAME)>;
}

defvar DeviceAlone = "for device code alone use -fatbin, -ptx or "
                     "regshare-opt --emit=ptx";
defm cubin : R<"cubin", "cubin", DeviceAlone>;
defm optix_ir : R<"optix-ir", "optix-ir", DeviceAlone>;
defm ltoir : R<"ltoir", "ltoir", DeviceAlone>;
defm device_syntax : R<"fdevice-syntax-only", "fdevice-syntax-only",
                       "-fsyntax-only checks both halves">;
def emit_llvm : Flag<["-"], "emit-llvm">, Why<DeviceAlone>;
defm host_only : R<"cuda-host-only", "cuda-host-only",
                   "for the host half alone use clang++">;
defm cuda : R<"cuda", "cuda", "no source of the host half is written">;
defvar NoRDC = "device code is linked with the program, by regshare-clang++";
defm device_w : R<"device-w", "dw", NoRDC>;
defm device_link : R<"device-link", "dlink", NoRDC>;
defm relocatable_ptx : R<"relocatable-ptx", "reloc-ptx", NoRDC>;
defm archive : R<"lib", "lib", "compile with -c and use ar">;
defm run : R<"run", "run", "start the program yourself">;
defm clean : R<"clean-targets", "clean", "remove the files yourself">;
defm relocatable_link : R<"relocatable-link", "r", "use ld -r">;
defm tools_patch : R<"compile-as-tools-patch", "astoolspatch",
                     "no tool patches the reference SM's code">;
defm list_code : R<"list-gpu-code", "code-ls",
                   "regshare-opt --list-devices has what there is">;
defm list_arch : R<"list-gpu-arch", "arch-ls",
                   "regshare-opt --list-devices has what there is">;
defvar AllKernels = "all kernels are compiled";
def entries : Separate<["-", "--"], "entries">, Why<AllKernels>;
def entries_eq : Joined<["-", "--"], "entries=">, Alias<entries>;
def entries_short : Separate<["-"], "e">, Alias<entries>;
defvar StartYourself = "start the program yourself";
def run_args : Separate<["-", "--"], "run-args">, Why<StartYourself>;
def run_args_eq : Joined<["-", "--"], "run-args=">, Alias<run_args>;

//===----------------------------------------------------------------------===//
// clang's, with a word after them
//===----------------------------------------------------------------------===//

let Group = clang_Group in {
foreach name = ["T", "u", "z", "cxx-isystem", "iquote", "idirafter", "imacros",
                "isysroot", "iprefix", "iwithprefix", "resource-dir", "rpath",
                "target", "mllvm", "Xclang", "Xassembler", "Xpreprocessor",
                "Xarch_host", "Xarch_device", "Xopenmp-target"] in
  def clang_#!subst("-", "_", name) : Separate<["-"], name>;
def clang_param : Separate<["--"], "param">;
// Known to be clang's without asking it; of others it is asked.
foreach name = ["g", "g0", "g1", "g2", "g3", "ggdb", "fPIC", "fpic", "fPIE",
                "pie", "static", "pthread", "pedantic", "fopenmp",
                "ffast-math", "fno-exceptions", "fno-rtti", "pipe", "ansi",
                "rdynamic", "s"] in
  def clang_#!subst("-", "_", name) : Flag<["-"], name>;
foreach begin = ["W", "print-", "ffp-contract=", "march=", "mtune=",
                 "fvisibility="] in
  def clang_begin_#!subst("=", "", !subst("-", "_", begin))
      : Joined<["-"], begin>;
def clang_print : Joined<["--"], "print-">;
} // Group = clang_Group
