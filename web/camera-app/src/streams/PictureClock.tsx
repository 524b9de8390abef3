import { type CameraView, useViewState } from '@sightline/player'
import { useApplication } from '@sightline/shell'
import { useMemo } from 'react'
import { browserLocale } from '../locale.ts'

/** Date and time of the current picture, in the camera's time zone. */
export function PictureClock({ view, timeZone }: { view: CameraView | undefined; timeZone: string }) {
  const { languages } = useApplication()
  const locale = browserLocale(languages.current())
  const second = useViewState(view, ({ wallclock }) =>
    wallclock === undefined ? undefined : Math.floor(wallclock / 1000),
  )
  const format = useMemo(() => {
    return new Intl.DateTimeFormat(locale, {
      timeZone,
      weekday: 'short',
      day: 'numeric',
      month: 'short',
      hourCycle: 'h23',
      hour: '2-digit',
      minute: '2-digit',
      second: '2-digit',
      timeZoneName: 'short',
    })
  }, [locale, timeZone])
  return (
    <time
      data-picture-time={second === undefined ? '' : second * 1000}
      dateTime={second === undefined ? undefined : new Date(second * 1000).toISOString()}
      className="rounded-sm bg-black/70 px-2 py-0.5 text-xs text-white tabular-nums empty:hidden"
    >
      {second === undefined ? null : format.format(second * 1000)}
    </time>
  )
}
