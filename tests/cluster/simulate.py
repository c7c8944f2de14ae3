#!/usr/bin/env python3
"""Simulates a search by many ranks: how long it takes, and what rank 0 has to do.

usage: simulate.py [--bytes N] [--chunk N] [--rate N] [--disk N] [--message S] [--block S] [--per-byte S] [--hit N]

The ranks ask rank 0 for blocks as cqlgen-mpi does (runtime/share/hub.c): a claim is doubled after less than 50 ms and halved after
more than 200 ms, the next one is asked for while the last one is searched, and rank 0 answers one message after the other. The
numbers that describe the machines are measured ones (docs/cluster.md says how); times are in seconds.
"""
import argparse
import heapq

LATENCY = 50e-6  # of a message
SEND_BYTES = 256 << 10  # results are sent in messages of about this size
MOST_BLOCKS = 1024
MANY_BLOCKS, MOST_CHUNKS = 1 << 16, 64


def simulate(o, nodes, hits, from_disk):
    """Returns (seconds, share of the time in which rank 0 works, bytes to rank 0)."""
    chunks = max(1, min(MOST_CHUNKS, int(o.bytes / o.chunk) // MANY_BLOCKS + 1))  # of a block (runtime/search/inputs.c)
    block = chunks * o.chunk
    blocks = int(o.bytes / block)
    positions = block / o.bytes_a_position
    block_seconds = positions / (o.rate * o.threads)
    if from_disk:
        block_seconds = max(block_seconds, block / o.disk)
    result = o.result + hits / blocks * o.hit  # bytes of a block
    free = busy = end = 0.0  # rank 0: when it is free, how long it has worked, when the last result was taken
    next_block = 0
    claim_size, claimed = [1] * nodes, [None] * nodes
    events = [(LATENCY, 0, rank, "claim", 0) for rank in range(nodes)]  # (time, order, rank, what, blocks)
    heapq.heapify(events)
    ready = [0.0] * nodes  # when the rank has searched what it has
    order = nodes
    while events:
        time, _, rank, what, count = heapq.heappop(events)
        begin = max(time, free)
        if what == "claim":
            cost = o.message
        else:
            messages = max(1, count * result / SEND_BYTES)
            cost = messages * o.message + count * o.block + count * result * o.per_byte
        free = begin + cost
        busy += cost
        if what == "results":
            end = max(end, free)
            continue
        if next_block >= blocks:
            continue
        used = 1 if claimed[rank] is None else free - claimed[rank]
        if claimed[rank] is not None and used < 0.05 and claim_size[rank] < MOST_BLOCKS:
            claim_size[rank] *= 2
        elif used > 0.2 and claim_size[rank] > 1:
            claim_size[rank] //= 2
        claimed[rank] = free
        most = (blocks - next_block) // (4 * nodes) + 1
        count = min(claim_size[rank], most, blocks - next_block)
        next_block += count
        start = max(free + LATENCY, ready[rank])
        ready[rank] = start + count * block_seconds
        order += 1
        heapq.heappush(events, (start + LATENCY, order, rank, "claim", 0))  # asks again when it begins
        order += 1
        heapq.heappush(events, (ready[rank] + LATENCY, order, rank, "results", count))
    return end, busy / end, blocks * result


def text_of(seconds):
    return "%.1f s" % seconds if seconds < 120 else "%.1f min" % (seconds / 60) if seconds < 7200 else "%.1f h" % (seconds / 3600)


def main():
    p = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    p.add_argument("--bytes", type=float, default=9.7e11, help="of the moves in the database (default 9.7e11)")
    p.add_argument("--chunk", type=float, default=2.5e5, help="bytes of the moves of a chunk")
    p.add_argument("--bytes-a-position", type=float, default=2.13)
    p.add_argument("--rate", type=float, default=5e8, help="positions a second of a thread")
    p.add_argument("--threads", type=int, default=8, help="of a node")
    p.add_argument("--disk", type=float, default=3e9, help="bytes a second of a node")
    p.add_argument("--message", type=float, default=2e-5, help="seconds of rank 0 for a message")
    p.add_argument("--block", type=float, default=1e-5, help="seconds of rank 0 for a block")
    p.add_argument("--per-byte", type=float, default=2e-9, help="seconds of rank 0 for a byte of results")
    p.add_argument("--result", type=float, default=350, help="bytes of the result of a block without games")
    p.add_argument("--hit", type=float, default=900, help="bytes of a game in the result")
    p.add_argument("--nodes", default="1,8,64,1000")
    o = p.parse_args()
    print("| nodes | games found | from disk | from memory | efficiency | rank 0 works | bytes to rank 0 |")
    print("|---|---|---|---|---|---|---|")
    alone = {}
    for nodes in map(int, o.nodes.split(",")):
        for hits in (1, 1e4, 1e8):
            disk, _, _ = simulate(o, nodes, hits, True)
            memory, busy, size = simulate(o, nodes, hits, False)
            alone.setdefault(hits, (memory * nodes if nodes == 1 else None))
            efficiency = "%.2f" % (alone[hits] / (memory * nodes)) if alone[hits] else "-"
            print("| %d | %.0f | %s | %s | %s | %.1f %% | %.3g GB |" % (nodes, hits, text_of(disk), text_of(memory), efficiency, 100 * busy, size / 1e9))


if __name__ == "__main__":
    main()
