# jobs.awk - says of the files that clang or flang compiles whether loops are
# offloaded: of those that another compiler gets, as a remark, and of all others
# where "verbose" is set.  Remarks need "missed", the argument of -Rpass-missed=,
# to match.  Reads the jobs as `clang -###` prints them.
#
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

BEGIN {
    FS = "\" \""
    told = verbose || "gpu-polyhedral" ~ missed
}

# A job: ` "program" "argument" ...`.
/^ "/ {
    program = substr($1, 3)
    file = substr($NF, 1, length($NF) - 1)
    language = ""
    compiles = offload = 0
    level = "-O0"
    for (i = 2; i <= NF; i++) {
        if ($i == "-x")
            language = $(i + 1)
        else if ($i ~ /^-O/)
            level = $i
        else if ($i ~ /^-(S|emit-obj|emit-llvm|emit-llvm-bc)$/)
            compiles = 1
        else if ($i == "-mllvm" && $(i + 1) ~ /^--?gpu-offload/)
            offload = $(i + 1) !~ /=(off|false|0)$/
    }
    if (language == "" || $2 == "-cc1as")
        next
    if ($2 !~ /^-[cf]c1$/)
        other()
    else if (compiles && verbose && !/"-disable-llvm-passes"/)
        print "polygpu: " file ": " \
            (!offload ? "not offloaded: -gpu-offload=off" : \
            level == "-O0" ? "not offloaded: -O0" : "offloading is on")
}

function other() {
    if (told)
        print file ": remark: file not offloaded: " program \
            " compiles it, without the plugin" \
            (language ~ /^f/ ? "; compile it with polygpu-flang" : "") \
            " [-Rpass-missed=gpu-polyhedral]"
}
