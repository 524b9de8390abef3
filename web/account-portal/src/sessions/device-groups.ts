import type { Session } from '@sightline/contract/sessions'

/** Sessions of one browser or app at one place. */
export interface DeviceGroup {
  /** Stable while the group has sessions. */
  readonly key: string
  /** Contains the current session. */
  readonly isCurrent: boolean
  /** At least one; the current session first, then the most recently used. */
  readonly sessions: readonly [Session, ...Session[]]
}

const keyOf = ({ device, address, clientName }: Session): string =>
  // A program has no browser name, so each client is a separate device.
  JSON.stringify([device.browser, device.system, device.kind, address, device.browser === null ? clientName : null])

const byUse = (one: Session, other: Session): number =>
  Number(other.current) - Number(one.current) || Date.parse(other.lastSeenAt) - Date.parse(one.lastSeenAt)

/** The sessions by device: the current device first, then the most recently used. */
export function groupByDevice(sessions: readonly Session[]): readonly DeviceGroup[] {
  const groups = new Map<string, [Session, ...Session[]]>()
  for (const session of [...sessions].sort(byUse)) {
    const group = groups.get(keyOf(session))
    if (group === undefined) groups.set(keyOf(session), [session])
    else group.push(session)
  }
  return [...groups].map(([key, [first, ...others]]) => ({
    key,
    isCurrent: first.current,
    sessions: [first, ...others],
  }))
}
