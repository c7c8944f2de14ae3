#!/bin/sh
# Runs mpirun with each rank in a network of its own, so that all messages cross a network.
# usage: namespaces.sh RANKS PROGRAM ARGUMENT...
# Needs root and ip (iproute2). Each rank is a host: a network namespace with an address on a bridge.
set -eu
ranks=$1
shift
id=cg$$
folder=$(mktemp -d)
clean() {
    for i in $(seq "$ranks"); do
        ip netns delete "$id-$i" 2>/dev/null || true
    done
    ip link delete "$id" 2>/dev/null || true
    rm -rf "$folder"
}
trap clean EXIT
trap 'exit 1' INT TERM HUP

ip link add "$id" type bridge
ip address add 10.213.77.254/24 dev "$id"
ip link set "$id" up
hosts=
for i in $(seq "$ranks"); do
    ip netns add "$id-$i"
    ip link add "$id.$i" type veth peer name eth0 netns "$id-$i"
    ip link set "$id.$i" master "$id" up
    ip -n "$id-$i" address add "10.213.77.$i/24" dev eth0
    ip -n "$id-$i" link set eth0 up
    ip -n "$id-$i" link set lo up
    hosts="$hosts${hosts:+,}10.213.77.$i"
done

# Stands in for ssh: HOST COMMAND... runs in the namespace of the host, with a folder for temporary files of its own, as daemons of
# Open MPI give theirs names that are the same on all hosts.
cat >"$folder/agent" <<EOF
#!/bin/sh
host=\$1
shift
mkdir -p "$folder/\$host"
TMPDIR=$folder/\$host exec ip netns exec "$id-\${host##*.}" sh -c "\$*"
EOF
chmod +x "$folder/agent"
export OMPI_MCA_plm_rsh_agent="$folder/agent" OMPI_MCA_plm=rsh OMPI_MCA_btl=self,tcp
# Ranks in different namespaces see different devices: no topology in shared memory.
export OMPI_MCA_rtc_hwloc_vmhole=none
export OMPI_MCA_btl_tcp_if_include=10.213.77.0/24 OMPI_MCA_oob_tcp_if_include=10.213.77.0/24
mpirun -n "$ranks" --host "$hosts" -x PATH "$@"
