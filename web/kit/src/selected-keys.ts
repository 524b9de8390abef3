/** The selection with those keys added or removed. */
export function withKeys<Key>(
  chosen: ReadonlySet<Key>,
  keys: readonly Key[],
  { on }: { on: boolean },
): ReadonlySet<Key> {
  const changed = new Set(chosen)
  for (const key of keys) {
    if (on) changed.add(key)
    else changed.delete(key)
  }
  return changed
}

/** Whether all, some or none of those keys are selected. */
export function selectedShare<Key>(chosen: ReadonlySet<Key>, keys: readonly Key[]): boolean | 'some' {
  const count = keys.filter((key) => chosen.has(key)).length
  if (count === 0) return false
  return count === keys.length ? true : 'some'
}
