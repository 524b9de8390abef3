/** A fault and its location, as far as known. */
export interface Finding {
  readonly accountId?: string | undefined
  /** In the account's chain. */
  readonly sequence?: number | undefined
  readonly auditLogId?: string | undefined
  readonly checkpoint?: number | undefined
  readonly what: string
}

/** After this many findings the log is clearly damaged. */
const MAX_KEPT = 1000

/** Collects findings: counts all, keeps the first. */
export interface Findings {
  add(finding: Finding): void
  readonly kept: readonly Finding[]
  readonly count: () => number
}

export function findings(): Findings {
  const kept: Finding[] = []
  let count = 0
  return {
    kept,
    count: () => count,
    add(finding) {
      count += 1
      if (kept.length < MAX_KEPT) kept.push(finding)
    },
  }
}

/** As an operator reads it: `account 5, sequence 12, entry 77: the entry is missing`. */
export function describeFinding({ accountId, sequence, auditLogId, checkpoint, what }: Finding): string {
  const places = [
    checkpoint === undefined ? [] : `checkpoint ${checkpoint}`,
    accountId === undefined ? [] : `account ${accountId}`,
    sequence === undefined ? [] : `sequence ${sequence}`,
    auditLogId === undefined ? [] : `entry ${auditLogId}`,
  ].flat()
  return places.length === 0 ? what : `${places.join(', ')}: ${what}`
}
