import { type CameraView, useViewState } from '@sightline/player'
import { useEffect, useState } from 'react'
import { useText } from '../text.ts'

/** Pictures a second, counted over the last one. */
function useFrameRate(view: CameraView | undefined): number | undefined {
  const [rate, setRate] = useState<number>()
  useEffect(() => {
    let before = { pictures: view?.state.pictures ?? 0, at: performance.now() }
    const timer = setInterval(() => {
      const after = { pictures: view?.state.pictures ?? 0, at: performance.now() }
      setRate(((after.pictures - before.pictures) * 1000) / (after.at - before.at))
      before = after
    }, 1000)
    return () => clearInterval(timer)
  }, [view])
  return rate
}

const milliseconds = (value: number | undefined) => (value === undefined ? '–' : `${Math.round(value)} ms`)

/** What the player knows of its stream, for support and for tests: each value under `data-debug`. */
export function DebugOverlay({ view }: { view: CameraView | undefined }) {
  const t = useText()
  const fps = useFrameRate(view)
  const transport = useViewState(view, (state) => state.transport)
  const resolution = useViewState(view, ({ width, height }) => (width === undefined ? '–' : `${width} × ${height}`))
  const latency = useViewState(view, (state) => state.latencyMs)
  const first = useViewState(view, (state) => state.firstPictureMs)
  const pictures = useViewState(view, (state) => state.pictures)
  const rows = [
    ['transport', t('Transport'), transport ?? '–'],
    ['resolution', t('Resolution'), resolution],
    ['fps', t('Pictures a second'), fps === undefined ? '–' : fps.toFixed(1)],
    ['latency', t('Delay'), milliseconds(latency)],
    ['first-picture', t('First picture after'), milliseconds(first)],
    ['pictures', t('Pictures'), String(pictures)],
  ] as const
  return (
    <dl className="absolute start-2 bottom-2 grid grid-cols-[auto_auto] gap-x-2 sm:gap-x-4 gap-y-0.5 rounded-md bg-black/75 px-2 py-1.5 text-xs text-white tabular-nums">
      {rows.map(([key, label, value]) => (
        <div key={key} className="contents">
          <dt>{label}</dt>
          <dd data-debug={key} className="text-end">
            {value}
          </dd>
        </div>
      ))}
    </dl>
  )
}
