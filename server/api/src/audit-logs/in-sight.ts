import type { VisibleTargets } from './entries-store.ts'

type Sight = ReadonlyMap<string, ReadonlySet<number>>

const sightOf = ({ cameraIds, zoneIds, deviceIds }: VisibleTargets): Sight =>
  new Map(
    Object.entries({ camera: cameraIds, zone: zoneIds, device: deviceIds }).map(([kind, ids]) => [kind, new Set(ids)]),
  )

/**
 * The values before or after, without the ids of cameras, zones and devices that the reader has no access to. Otherwise
 * an entry about a user would reveal them and their number.
 */
export function inSight<Value>(value: Value, visible: VisibleTargets | undefined): Value {
  return visible === undefined ? value : (cut(value, sightOf(visible)) as Value)
}

function cut(value: unknown, sight: Sight): unknown {
  if (Array.isArray(value)) return value.map((item) => cut(item, sight))
  if (typeof value !== 'object' || value === null) return value
  const kept = Object.entries(value).flatMap(([name, of]): [string, unknown][] => {
    const seen = sight.get(name.replace(/Ids?$/, ''))
    if (seen === undefined) return [[name, cut(of, sight)]]
    if (Array.isArray(of)) return [[name, of.filter((id) => seen.has(Number(id)))]]
    return of === null || seen.has(Number(of)) ? [[name, of]] : []
  })
  return Object.fromEntries(kept)
}
