#!/bin/sh
# Starts Slurm on this machine, runs the array of docs/cluster.md with 8 parts, and compares the result with one search.
# usage: slurm.sh CQLGEN GAMES        as root; installs slurm-wlm and munge. Run by hand: it takes a minute and starts services.
set -eu
cqlgen=$(realpath "$1")
games=$(realpath "$2")
folder=$(mktemp -d)
chmod 755 "$folder"
node=$(hostname -s)

command -v sbatch >/dev/null || { apt-get update -qq && DEBIAN_FRONTEND=noninteractive apt-get install -y -qq slurm-wlm munge >/dev/null; }
mkdir -p /run/munge /var/lib/munge /var/log/munge "$folder/state" "$folder/spool"
chown munge: /run/munge /var/lib/munge /var/log/munge
[ -e /etc/munge/munge.key ] || { dd if=/dev/urandom bs=1 count=1024 of=/etc/munge/munge.key 2>/dev/null; chown munge: /etc/munge/munge.key; chmod 400 /etc/munge/munge.key; }
pgrep -x munged >/dev/null || runuser -u munge -- munged
cat >"$folder/slurm.conf" <<EOF
ClusterName=one
SlurmctldHost=$node
SlurmUser=root
SlurmdUser=root
AuthType=auth/munge
StateSaveLocation=$folder/state
SlurmdSpoolDir=$folder/spool
SlurmctldPidFile=$folder/slurmctld.pid
SlurmdPidFile=$folder/slurmd.pid
SlurmctldLogFile=$folder/slurmctld.log
SlurmdLogFile=$folder/slurmd.log
ProctrackType=proctrack/pgid
TaskPlugin=task/none
SelectType=select/cons_tres
ReturnToService=2
NodeName=$node CPUs=$(nproc) State=UNKNOWN
PartitionName=all Nodes=ALL Default=YES MaxTime=INFINITE State=UP
EOF
export SLURM_CONF="$folder/slurm.conf"
clean() {
    kill "$(cat "$folder/slurmd.pid" 2>/dev/null)" "$(cat "$folder/slurmctld.pid" 2>/dev/null)" 2>/dev/null || true
}
trap clean EXIT
slurmctld
slurmd
cd "$folder"
echo 'cql() check' >query.cql
cat >array.sh <<EOF
#!/bin/sh
#SBATCH --array=1-8 --cpus-per-task=1
exec "$cqlgen" search query.cql "$games" -f jsonl -q -j 1 --part "\$SLURM_ARRAY_TASK_ID/8" -o "found-\$SLURM_ARRAY_TASK_ID.part"
EOF
job=$(sbatch --parsable array.sh)
sbatch --wait --dependency=afterok:"$job" --wrap "'$cqlgen' merge found-*.part -o found.jsonl"
"$cqlgen" search query.cql "$games" -f jsonl -q -j 1 | cmp - found.jsonl
cat slurm-*.out
echo "8 jobs and a merge wrote the $(wc -l <found.jsonl) games that one search writes"
