/// What the completion script for bash needs beside the parser's own.
enum BashCompletion {
  /// bash divides words at colons, so that behind `sim:` nothing would be completed: a function
  /// that joins them again, and takes from each answer what stands before the last colon.
  static let joiningColons = #"""


    _nfcprog_joining_colons() {
        local -a joined=()
        local word is_open=
        for word in "${COMP_WORDS[@]:0:COMP_CWORD+1}"; do
            if [[ ${#joined[@]} -gt 0 && ( "$word" == : || -n "$is_open" ) ]]; then
                joined[${#joined[@]}-1]+=$word
            else
                joined+=("$word")
            fi
            if [[ "$word" == : ]]; then is_open=1; else is_open=; fi
        done
        local -a COMP_WORDS=("${joined[@]}")
        local -i COMP_CWORD=${#joined[@]}-1
        local whole=${COMP_WORDS[COMP_CWORD]}
        _nfcprog "$1" "$whole" "${COMP_WORDS[COMP_CWORD-1]}"
        if [[ "$whole" == *:* ]]; then COMPREPLY=("${COMPREPLY[@]#"${whole%"${whole##*:}"}"}"); fi
    }
    complete -o filenames -F _nfcprog_joining_colons nfcprog
    """#
}
