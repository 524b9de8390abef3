import { useEffect, useState } from 'react'

/** While something moves, what is read aloud waits. */
const SETTLE_MS = 400

/** The last value that stayed the same for a while. */
export function useSettled<T>(value: T): T {
  const [settled, setSettled] = useState(value)
  useEffect(() => {
    const timer = setTimeout(() => setSettled(value), SETTLE_MS)
    return () => clearTimeout(timer)
  }, [value])
  return settled
}
