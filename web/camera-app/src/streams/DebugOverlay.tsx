import { type CameraView, useViewState } from '@sightline/player'
import { useEffect, useState } from 'react'
import { useText } from '../text.ts'

/** Over the last second: pictures per second, and the delay of sound. */
function useMeasured(view: CameraView | undefined) {
  const [measured, setMeasured] = useState<{ fps?: number; soundBehindMs?: number }>({})
  useEffect(() => {
    let before = { pictures: view?.state.pictures ?? 0, at: performance.now() }
    const timer = setInterval(() => {
      const after = { pictures: view?.state.pictures ?? 0, at: performance.now() }
      const fps = ((after.pictures - before.pictures) * 1000) / (after.at - before.at)
      const behind = view?.soundBehind()
      setMeasured({ fps, ...(behind === undefined ? {} : { soundBehindMs: behind * 1000 }) })
      before = after
    }, 1000)
    return () => clearInterval(timer)
  }, [view])
  return measured
}

const milliseconds = (value: number | undefined) => (value === undefined ? '–' : `${Math.round(value)} ms`)

/** The player's data about its stream, for support and for tests, as `data-debug` attributes. */
export function DebugOverlay({ view }: { view: CameraView | undefined }) {
  const t = useText()
  const { fps, soundBehindMs } = useMeasured(view)
  const transport = useViewState(view, (state) => state.transport)
  const resolution = useViewState(view, ({ width, height }) => (width === undefined ? '–' : `${width} × ${height}`))
  const latency = useViewState(view, (state) => state.latencyMs)
  const first = useViewState(view, (state) => state.firstPictureMs)
  const pictures = useViewState(view, (state) => state.pictures)
  const rows = [
    ['transport', t('Transport'), transport ?? '–'],
    ['resolution', t('Resolution'), resolution],
    ['fps', t('Frames per second'), fps === undefined ? '–' : fps.toFixed(1)],
    ['latency', t('Delay'), milliseconds(latency)],
    ['sound', t('Audio delay'), milliseconds(soundBehindMs)],
    ['first-picture', t('Time to first frame'), milliseconds(first)],
    ['pictures', t('Frames'), String(pictures)],
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
