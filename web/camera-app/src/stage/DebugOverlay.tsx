import { type PictureView, useViewState } from '@sightline/player'
import { useEffect, useState } from 'react'
import { useText } from './text.ts'

interface Measured {
  readonly fps?: number
  readonly kilobits?: number
  readonly dropped?: number
  readonly bufferedMs?: number | undefined
  readonly soundBehindMs?: number | undefined
}

/** Over the last second. */
function useMeasured(view: PictureView | undefined): Measured {
  const [measured, setMeasured] = useState<Measured>({})
  useEffect(() => {
    setMeasured({})
    if (view === undefined) return undefined
    const read = () => ({ at: performance.now(), pictures: view.state.pictures, ...view.statistics() })
    let before = read()
    const timer = setInterval(() => {
      const after = read()
      const seconds = (after.at - before.at) / 1000
      const behind = view.soundBehind()
      setMeasured({
        fps: (after.pictures - before.pictures) / seconds,
        kilobits: ((after.bytes - before.bytes) * 8) / 1000 / seconds,
        dropped: after.dropped,
        bufferedMs: after.bufferedMs,
        soundBehindMs: behind === undefined ? undefined : behind * 1000,
      })
      before = after
    }, 1000)
    return () => clearInterval(timer)
  }, [view])
  return measured
}

const milliseconds = (value: number | undefined) => (value === undefined ? '–' : `${Math.round(value)} ms`)

/** The player's data about the stream of the selected camera, for support and for tests, as `data-debug` attributes. */
export function DebugOverlay({ view, name }: { view: PictureView | undefined; name: string | undefined }) {
  const t = useText()
  const { fps, kilobits, dropped, bufferedMs, soundBehindMs } = useMeasured(view)
  const transport = useViewState(view, (state) => state.transport)
  const resolution = useViewState(view, ({ width, height }) => (width === undefined ? '–' : `${width} × ${height}`))
  const latency = useViewState(view, (state) => state.latencyMs)
  const first = useViewState(view, (state) => state.firstPictureMs)
  const pictures = useViewState(view, (state) => state.pictures)
  const rows = [
    ['transport', t('Transport'), transport ?? '–'],
    ['resolution', t('Resolution'), resolution],
    ['fps', t('Frames per second'), fps === undefined ? '–' : fps.toFixed(1)],
    ['bandwidth', t('Bandwidth'), kilobits === undefined ? '–' : `${Math.round(kilobits)} kbit/s`],
    ['buffer', t('Buffered'), milliseconds(bufferedMs)],
    ['latency', t('Delay'), milliseconds(latency)],
    ['sound', t('Audio delay'), milliseconds(soundBehindMs)],
    ['first-picture', t('Time to first frame'), milliseconds(first)],
    ['pictures', t('Frames'), String(pictures)],
    ['dropped', t('Dropped frames'), dropped === undefined ? '–' : String(dropped)],
  ] as const
  return (
    <div className="pointer-events-none absolute start-2 bottom-2 z-10 rounded-md bg-black/75 px-2 py-1.5 text-xs text-white tabular-nums short:top-9 short:bottom-auto">
      {name === undefined ? null : <p className="mb-1 max-w-48 truncate font-semibold">{name}</p>}
      <dl className="grid grid-cols-[auto_auto] gap-x-2 gap-y-0.5 sm:gap-x-4">
        {rows.map(([key, label, value]) => (
          <div key={key} className="contents">
            <dt>{label}</dt>
            <dd data-debug={key} className="text-end">
              {value}
            </dd>
          </div>
        ))}
      </dl>
    </div>
  )
}
