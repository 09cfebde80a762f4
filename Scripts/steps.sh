# Functions of .ci/run and of Scripts/nightly.sh, which source this file: steps with a table of their seconds. The output of each
# step is in $steps.
steps=${steps:?}
rm -rf "$steps" .build/logs
mkdir -p "$steps"
table= count=0 failed=0

# Runs a command as a step, and shows its output without the steps of the compiler. The exit code is that of the command.
step() {
    local start=$SECONDS code log
    count=$((count + 1))
    log=$(printf '%s/%02d.log' "$steps" "$count")
    printf '\n== %s\n' "$*"
    "$@" > >(tee "$log" | grep --line-buffered -vE '^\[[0-9]+/[0-9]+\]') 2>&1
    code=$?
    [ "$code" = 0 ] || failed=$((failed + 1))
    table+=$(printf '%6d s  %s%s' $((SECONDS - start)) "$*" "$([ "$code" = 0 ] || echo "  FAILED ($code)")")$'\n'
    return "$code"
}

# Prints the table.
print_steps() {
    sleep 1 # until the output of the last step is shown
    printf '\n%s%6d s  in all\n' "$table" "$SECONDS"
}
