import type { TrackPoint } from '@sightline/contract/body-cameras'
import { useEffect, useMemo, useRef, useState } from 'react'
import { useMoments } from '../account-time/index.ts'
import { MapCredits, MapScale, type MapState, MapTools, unwrap, useMapMoves, useWorldMap } from '../world-map/index.ts'
import { type Coordinates, useDrawingSize } from '../zones/index.ts'
import { TrackDrawing } from './TrackDrawing.tsx'
import { Pointer, Surface } from './TrackSurface.tsx'
import { useText } from './text.ts'
import { drawTrack, trackShapes } from './track-drawing.ts'

const MARGIN = 40

/** Puts the track on the map once it is there, and the map where the track is. */
function useTrackOn(map: MapState, points: readonly TrackPoint[], places: readonly Coordinates[]): void {
  useEffect(() => {
    if (typeof map === 'string') return
    map.show(trackShapes(points, places))
    map.fit(places)
  }, [map, points, places])
}

/** The position that was chosen last; before, the newest one. */
function useChosen(points: readonly TrackPoint[]): [number, (index: number) => void] {
  const [time, setTime] = useState<string>()
  const found = points.findIndex((point) => point.time === time)
  return [found === -1 ? points.length - 1 : found, (index) => setTime(points[index]?.time)]
}

function Legend() {
  const t = useText()
  return (
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
  )
}

interface TimeSliderProps {
  points: readonly TrackPoint[]
  chosen: number
  onChoose: (index: number) => void
}

/** Moves along the track: with the arrow keys, Home and End too. */
function TimeSlider({ points, chosen, onChoose }: TimeSliderProps) {
  const t = useText()
  const { when } = useMoments()
  const time = when(points[chosen]?.time ?? '')
  return (
    <label className="mt-3 block">
      <span className="flex flex-wrap justify-between gap-x-4">
        <span className="font-medium">{t('Time on the track')}</span>
        <span aria-hidden="true" className="tabular-nums">
          {time}
        </span>
      </span>
      <input
        type="range"
        min={0}
        max={points.length - 1}
        step={1}
        value={chosen}
        aria-label={t('Time on the track')}
        aria-valuetext={time}
        onChange={({ target }) => onChoose(Number(target.value))}
        className="h-6 w-full accent-control pointer-coarse:h-11"
      />
    </label>
  )
}

/** The track on a map of the world, north up, with a pointer that names the time. No position is sent to anyone else. */
export function TrackMap({ points, label }: { points: readonly TrackPoint[]; label: string }) {
  const { when } = useMoments()
  const canvas = useRef<HTMLDivElement>(null)
  const places = useMemo(() => unwrap(points), [points])
  const size = useDrawingSize(canvas)
  const map = useWorldMap(canvas)
  const [chosen, choose] = useChosen(points)
  useTrackOn(map, points, places)
  useMapMoves(map)
  const drawing = drawTrack(points, { ...size, margin: MARGIN })
  const [point, place] = [points[chosen], places[chosen]]
  if (drawing === undefined || point === undefined || place === undefined) return null
  const open = typeof map === 'string' ? undefined : map
  const chooseOnMap = (index: number) => {
    choose(index)
    const chosenPlace = places[index]
    if (chosenPlace !== undefined) open?.reveal(chosenPlace)
  }
  return (
    <figure className="m-0">
      <div className="relative [direction:ltr]">
        <Surface
          label={label}
          size={size}
          spots={() => (open === undefined ? drawing.spots : places.map(open.spotOf))}
          onPoint={choose}
        >
          <div className={`absolute inset-0 ${open === undefined ? 'opacity-0' : ''}`}>
            {/* The map adds classes of its own here, so these never change. */}
            <div ref={canvas} className="size-full" />
          </div>
          {open === undefined ? <TrackDrawing drawing={drawing} size={size} /> : null}
          <MapScale size={size} metresPerUnit={open?.metresPerPixel() ?? drawing.metresPerUnit} />
          <Pointer
            spot={open?.spotOf(place) ?? drawing.spots[chosen] ?? { x: 0, y: 0 }}
            size={size}
            text={when(point.time)}
          />
        </Surface>
        {open === undefined ? null : <MapTools map={open} onFit={() => open.fit(places)} />}
      </div>
      <Legend />
      {open === undefined ? null : <MapCredits />}
      <TimeSlider points={points} chosen={chosen} onChoose={chooseOnMap} />
    </figure>
  )
}
