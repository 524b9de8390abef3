import { localDate, localDay } from '@sightline/shell/local-day'
import { useMemo, useState } from 'react'

/** The day of the timeline: the chosen one, until playback reaches another. */
export function useDay({ timeZone, playhead, now }: { timeZone: string; playhead: number | undefined; now: number }) {
  const today = localDate(now, timeZone)
  const played = playhead === undefined ? undefined : localDate(playhead, timeZone)
  const [chosen, choose] = useState(played)
  const [before, setBefore] = useState(played)
  if (before !== played) {
    setBefore(played)
    choose(played)
  }
  const date = chosen ?? today
  const day = useMemo(() => localDay(date, timeZone), [date, timeZone])
  return { date, today, day: day ?? { from: now, till: now + 86_400_000 }, choose }
}
