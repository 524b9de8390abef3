import { useEffect, useEffectEvent, useState } from 'react'

const TYPED_MS = 250

/**
 * Shows input immediately and sends it after a short pause, because each change is a request. A new value from outside
 * replaces the text, unless it is the value that was just sent.
 */
export function useTyped(known: string, send: (text: string) => void) {
  const [typed, type] = useState(known)
  const [seen, see] = useState(known)
  const [sent, setSent] = useState(known)
  if (seen !== known) {
    see(known)
    if (known !== sent) {
      type(known)
      setSent(known)
    }
  }
  const onSettled = useEffectEvent((text: string) => {
    setSent(text)
    send(text)
  })
  useEffect(() => {
    if (typed === known) return undefined
    const timer = setTimeout(() => onSettled(typed), TYPED_MS)
    return () => clearTimeout(timer)
  }, [typed, known])
  return [typed, type] as const
}
