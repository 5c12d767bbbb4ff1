"""Tables in Markdown. One row a program; the first of each job is nfcprog, with what the others take in its place."""

COLUMNS = [
    "job", "program", "commands", "RF exchanges", "EEPROM writes", "modelled ms", "link", "RF", "EEPROM", "chip",
    "at work ms", "wall ms", "CPU ms", "MB", "best peer: whole, at work", "floor ms", "at work / floor",
    "commands / least",
]


def line(cells):
    return "| " + " | ".join(cells) + " |"


def heading(speed):
    title = "At 115200 baud, all of them" if speed == "115200" else "At each program's own best speed"
    return f"\n### {title}\n\n" + line(COLUMNS) + "\n" + line(["---"] * len(COLUMNS))


def number(value, digits=0):
    return f"{value:.{digits}f}"


def rows(job, measured):
    peers = [row for row in measured[1:] if row.board and not (row.contender.does_less or row.contender.is_ours)]
    return "\n".join(cells(job, row, peers if row is measured[0] else None) for row in measured)


def cells(job, row, peers):
    name = row.contender.name + (" (less)" if row.contender.does_less else "")
    if not row.board:
        return line([job.name, name, "failed"] + [""] * (len(COLUMNS) - 3))
    time, work = row.board["time"], row.board["work"]["time"]["totalMs"]
    result = [
        job.name if peers is not None else "", name, str(sum(row.board["commands"].values())),
        str(row.board["rfExchanges"]), str(row.board["eepromWrites"]), number(time["totalMs"]), number(time["linkMs"]),
        number(time["rfMs"]), number(time["eepromMs"]), number(time["chipMs"]), number(work),
        number(1000 * row.median(row.wall)), number(1000 * row.median(row.cpu)),
        number(row.median(row.memory) / 1e6),
    ]
    commands = row.board["work"]["commands"]
    least = f"{commands} / {job.least}" if job.least and row.contender.is_ours else ""
    if peers is None:
        return line(result + [""] * 3 + [least])
    best = "none does it"
    if peers:
        whole = min(peer.board["time"]["totalMs"] for peer in peers) / time["totalMs"]
        working = min(peer.board["work"]["time"]["totalMs"] for peer in peers) / work
        best = f"{number(whole, 1)} ×, {number(working, 1)} ×"
    return line(result + [best, number(job.floor, 1), number(work / job.floor, 1), least])


def starts(times):
    head = "\n### From the start of a program to its first byte on the wire\n"
    table = [line(["program", "ms"]), line(["---", "---"])]
    return "\n".join([head, *table, *(line([name, number(1000 * seconds, 1)]) for name, seconds in times.items())])
