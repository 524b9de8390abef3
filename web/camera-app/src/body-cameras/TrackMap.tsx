import type { TrackPoint } from '@sightline/contract/body-cameras'
import { useText } from './text.ts'
import { drawTrack } from './track-drawing.ts'

const BOX = { width: 640, height: 400, margin: 40 }
const BOTTOM = BOX.height - 16

/** The track, north up, with a scale. There is no street map: no position is sent to anyone else. */
export function TrackMap({ points, label }: { points: readonly TrackPoint[]; label: string }) {
  const t = useText()
  const drawing = drawTrack(points, BOX)
  if (drawing === undefined) return null
  const { lines, first, last, scale } = drawing
  const length = scale.metres < 1000 ? `${scale.metres} m` : `${scale.metres / 1000} km`
  return (
    <figure className="m-0">
      <svg
        viewBox={`0 0 ${BOX.width} ${BOX.height}`}
        role="img"
        aria-label={label}
        className="w-full rounded-lg border border-border bg-sunken [direction:ltr]"
      >
        {lines.map((line) => (
          <polyline
            key={line}
            points={line}
            fill="none"
            strokeWidth={4}
            strokeLinejoin="round"
            strokeLinecap="round"
            className="stroke-control"
          />
        ))}
        <circle cx={first.x} cy={first.y} r={7} strokeWidth={3} className="fill-surface stroke-control" />
        <circle cx={last.x} cy={last.y} r={8} className="fill-control" />
        <path d={`M16 ${BOTTOM - 6}v6h${scale.width}v-6`} fill="none" strokeWidth={2} className="stroke-text" />
        <text x={16} y={BOTTOM - 10} className="fill-text text-xs">
          {length}
        </text>
        <path d={`M${BOX.width - 28} 44V18l-7 9m7-9 7 9`} fill="none" strokeWidth={2} className="stroke-text" />
        <text x={BOX.width - 28} y={60} textAnchor="middle" className="fill-text text-xs">
          {t('N')}
        </text>
      </svg>
      <figcaption className="mt-2 flex flex-wrap gap-x-6 gap-y-1 text-muted">
        <span className="flex items-center gap-2">
          <span className="size-3 rounded-full border-2 border-control bg-surface" />
          {t('First position')}
        </span>
        <span className="flex items-center gap-2">
          <span className="size-3 rounded-full bg-control" />
          {t('Last position')}
        </span>
      </figcaption>
    </figure>
  )
}
