import type { Session } from '@sightline/contract/sessions'

/** Sessions of one browser or app at one place. */
export interface DeviceGroup {
  /** The same as long as the group has sessions. */
  readonly key: string
  /** Holds the session that asks. */
  readonly isCurrent: boolean
  /** One at least; the session that asks first, then the one used last. */
  readonly sessions: readonly [Session, ...Session[]]
}

const keyOf = ({ device, address, clientName }: Session): string =>
  // A program names no browser: each is a device of its own.
  JSON.stringify([device.browser, device.system, device.kind, address, device.browser === null ? clientName : null])

const byUse = (one: Session, other: Session): number =>
  Number(other.current) - Number(one.current) || Date.parse(other.lastSeenAt) - Date.parse(one.lastSeenAt)

/** The sessions by device: the device that asks first, then the one used last. */
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
