# Tasks and merge source it: repeats a task that ended with 75.

# Runs the command and passes SIGTERM of this task on to it; `status` is its.
run_child() { # command...
  "$@" &
  child=$!
  trap 'kill -TERM "$child" 2>/dev/null || true' TERM
  while :; do
    status=0
    wait "$child" || status=$?
    kill -0 "$child" 2>/dev/null || break
  done
}

# Puts this task back into the queue if `status` is 75 or that of a kill, unless it was
# there as often as it may. RequeueExit=75 in slurm.conf does that as well, but few
# have it, and it knows no end.
try_again() { # how often at most, how often it was put back for another reason, status when that is over
  local restarts=${SLURM_RESTART_COUNT:-0} before task=$SLURM_JOB_ID
  # The arithmetic below would evaluate other text.
  [[ "$restarts" =~ ^(0|[1-9][0-9]{0,6})$ ]] || {
    echo "slurm: found SLURM_RESTART_COUNT \"$restarts\"; a number is allowed"
    return 0
  }
  before=$((restarts - $2))
  # The last task of an array has the id of the array, which is all of them.
  [ -z "${SLURM_ARRAY_TASK_ID:-}" ] || task=${SLURM_ARRAY_JOB_ID:-$SLURM_JOB_ID}_$SLURM_ARRAY_TASK_ID
  [ "$status" -eq 75 ] || [ "$status" -gt 128 ] || return 0
  if [ "$before" -ge "$1" ]; then
    echo "slurm: it was tried $((before + 1)) times; no more"
    status=$3
  elif scontrol requeue "$task"; then
    exec sleep 600 # which Slurm ends
  else
    echo "slurm: can't be put back into the queue; scontrol has the reason above"
  fi
}
