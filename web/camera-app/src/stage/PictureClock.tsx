import { type FootagePlayer, type PictureView, useFootageState, useViewState } from '@sightline/player'
import { useApplication } from '@sightline/shell'
import { useMemo } from 'react'
import { browserLocale } from '../locale.ts'
import { clockFormat } from './clock-format.ts'

const clockClass = 'pointer-events-none rounded-sm bg-black/70 px-2 py-0.5 text-xs text-white tabular-nums empty:hidden'

function useClockFormat(timeZone: string) {
  const { languages } = useApplication()
  const locale = browserLocale(languages.current())
  return useMemo(() => clockFormat(timeZone, locale), [locale, timeZone])
}

/** Date and time of the live picture, in the camera's time zone. */
export function PictureClock({ view, timeZone }: { view: PictureView | undefined; timeZone: string }) {
  const second = useViewState(view, ({ wallclock }) =>
    wallclock === undefined ? undefined : Math.floor(wallclock / 1000),
  )
  const format = useClockFormat(timeZone)
  return (
    <time
      data-picture-time={second === undefined ? '' : second * 1000}
      dateTime={second === undefined ? undefined : new Date(second * 1000).toISOString()}
      className={clockClass}
    >
      {second === undefined ? null : format(second * 1000)}
    </time>
  )
}

/** The one time that all recorded pictures show. */
export function FootageClock({ player, timeZone }: { player: FootagePlayer; timeZone: string }) {
  const second = useFootageState(player, ({ time }) => Math.floor(time / 1000))
  // To the millisecond while it stands still, for tests and for support.
  const exact = useFootageState(player, ({ time, isPaused }) => (isPaused ? time : Math.floor(time / 1000) * 1000))
  const isStill = useFootageState(player, (state) => state.isStill)
  const format = useClockFormat(timeZone)
  return (
    <time
      data-footage-time={exact}
      data-still={isStill}
      dateTime={new Date(second * 1000).toISOString()}
      className={clockClass}
    >
      {format(second * 1000)}
    </time>
  )
}
