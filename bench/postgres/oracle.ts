// What a read of a passage may have seen: its single writer's versions from the newest that was
// acknowledged when the read began to the newest that was begun when it ended.

interface Write {
  version: number;
  isPresent: boolean;
  begun: number;
  /** Infinity where the call failed or its process died. */
  acknowledged: number;
}

export interface Findings {
  reads: number;
  writes: number;
  acknowledged: number;
  opens: number;
  errors: string[];
  /** Reads that saw what they cannot have seen. */
  wrong: string[];
}

export class Oracle {
  private readonly writes = new Map<number, Write[]>();
  private readonly reads: [id: number, version: number, start: number, end: number][] = [];
  private readonly counts: [count: number, start: number, end: number][] = [];
  private opens = 0;
  private readonly errors: string[] = [];

  /** Reads the log of one actor, of all its processes in order. */
  load(log: string): void {
    for (const line of log.split('\n')) {
      const [kind, ...words] = line.split(' ');
      const numbers = words.map(Number);
      if (kind === 'w') {
        const [id, version, isPresent, begun] = numbers as [number, number, number, number];
        const list = this.writes.get(id) ?? [];
        this.writes.set(id, list);
        list.push({ version, isPresent: isPresent === 1, begun, acknowledged: Infinity });
      } else if (kind === 'a') {
        const [id, version, acknowledged] = numbers as [number, number, number];
        const write = this.writes.get(id)!.find((each) => each.version === version)!;
        write.acknowledged = acknowledged;
      } else if (kind === 'r') this.reads.push(numbers as [number, number, number, number]);
      else if (kind === 'c') this.counts.push(numbers as [number, number, number]);
      else if (kind === 'o') this.opens += 1;
      else if (kind === 'e') this.errors.push(words.join(' '));
    }
  }

  /** The newest version of each passage that was begun. */
  begun(): [number: number, version: number][] {
    return [...this.writes].map(([id, list]) => [id, list.at(-1)!.version]);
  }

  /** Versions that a read of a passage may have seen from start to end; 0 of none. */
  private allowed(id: number, start: number, end: number): number[] {
    const all = this.writes.get(id) ?? [];
    // Before the first one there is nothing.
    let oldest = -1;
    for (const [at, write] of all.entries()) if (write.acknowledged < start) oldest = at;
    const seen = all.slice(Math.max(0, oldest)).filter(({ begun }) => begun < end);
    return [
      ...(oldest < 0 ? [0] : []),
      ...seen.map(({ version, isPresent }) => (isPresent ? version : 0)),
    ];
  }

  findings(): Findings {
    const wrong: string[] = [];
    for (const [id, version, start, end] of this.reads) {
      const allowed = this.allowed(id, start, end);
      if (!allowed.includes(version))
        wrong.push(`p${id} was ${version} at ${start} to ${end}; it may be ${allowed.join(', ')}`);
    }
    for (const [count, start, end] of this.counts) {
      const states = [...this.writes.keys()].map((id) => this.allowed(id, start, end));
      const least = states.filter((each) => !each.includes(0)).length;
      const most = states.filter((each) => each.some((version) => version > 0)).length;
      if (count < least || count > most)
        wrong.push(`count was ${count} at ${start} to ${end}; it may be ${least} to ${most}`);
    }
    const writes = [...this.writes.values()].flat();
    return {
      reads: this.reads.length + this.counts.length,
      writes: writes.length,
      acknowledged: writes.filter((each) => each.acknowledged < Infinity).length,
      opens: this.opens,
      errors: this.errors,
      wrong,
    };
  }
}
