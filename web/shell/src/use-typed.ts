import { useEffect, useEffectEvent, useState } from 'react'

const TYPED_MS = 250

/**
 * What is typed shows at once and is sent when nobody has typed for a moment: each of them is a question to the server.
 * What is known there changes the text too, unless it is only what was sent a moment ago.
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
