import type { Spot } from '../world-map/index.ts'
import type { Coordinates, Size } from '../zones/index.ts'
import { isInView } from './LocationMarker.tsx'

export interface CameraOnMap {
  readonly cameraId: number
  readonly name: string
  readonly place: Coordinates
}

interface OtherCamerasProps {
  cameras: readonly CameraOnMap[]
  spotOf: (place: Coordinates) => Spot
  size: Size
}

/** With more of them in view, the map has dots only: names would hide each other. */
const MOST_NAMED = 100

/** Links over the dots of the other cameras, with their names. The keyboard reaches them in the list of cameras. */
export function OtherCameras({ cameras, spotOf, size }: OtherCamerasProps) {
  const shown = cameras
    .map(({ cameraId, name, place }) => ({ cameraId, name, spot: spotOf(place) }))
    .filter(({ spot }) => isInView(spot, size))
  if (shown.length > MOST_NAMED) return null
  return shown.map(({ cameraId, name, spot }) => (
    <a
      key={cameraId}
      href={`/app/cameras/${cameraId}`}
      tabIndex={-1}
      className="group absolute -start-3 -top-3 flex size-6 items-center justify-center rounded-full hover:z-10"
      style={{ transform: `translate(${spot.x}px, ${spot.y}px)` }}
    >
      <span
        dir="auto"
        className="pointer-events-none absolute bottom-full hidden max-w-48 truncate rounded-sm bg-text px-2 py-1 text-xs text-surface group-hover:block"
      >
        {name}
      </span>
      <span className="sr-only">{name}</span>
    </a>
  ))
}
