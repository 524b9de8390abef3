import type { Size } from '../zones/index.ts'
import type { TrackDrawing as Drawn } from './track-drawing.ts'

/** The track without a map: until the map is there, and where the browser has no WebGL. */
export function TrackDrawing({ drawing, size }: { drawing: Drawn; size: Size }) {
  const [first, last] = [drawing.spots[0], drawing.spots.at(-1)]
  return (
    <svg aria-hidden="true" viewBox={`0 0 ${size.width} ${size.height}`} className="absolute inset-0 size-full">
      {drawing.lines.map((line) => (
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
      <circle cx={first?.x} cy={first?.y} r={6} strokeWidth={3} className="fill-surface stroke-control" />
      <circle cx={last?.x} cy={last?.y} r={8} className="fill-control" />
    </svg>
  )
}
