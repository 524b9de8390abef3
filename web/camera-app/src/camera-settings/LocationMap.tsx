import type { Camera } from '@sightline/contract/cameras'
import { Button, EmptyState, useAnnouncement } from '@sightline/kit'
import { useApplication } from '@sightline/shell'
import { useQuery } from '@tanstack/react-query'
import { type PointerEvent, type ReactNode, useEffect, useId, useMemo, useRef, useState } from 'react'
import { cameraQueries } from '../cameras/index.ts'
import {
  MapCredits,
  MapScale,
  MapTools,
  near,
  type Spot,
  useMapMoves,
  useWorldMap,
  type WorldMap,
} from '../world-map/index.ts'
import { type Coordinates, placeTexts, type Size, toCoordinates, useDrawingSize } from '../zones/index.ts'
import { CameraPlaces } from './CameraPlaces.tsx'
import { LocationMarker } from './LocationMarker.tsx'
import { type CameraOnMap, OtherCameras } from './OtherCameras.tsx'
import { useText } from './text.ts'

/** A single location is shown with its country, because streets are not on the map. */
const COUNTRY = 6
/** A press that moves farther moves the map. */
const CLICK_WITHIN = 5
const SPEAK_AFTER_MS = 600

interface LocationMapProps {
  camera: Camera
  /** Where the form says that the camera is; undefined without a location, or while one is being typed. */
  place: Coordinates | undefined
  /** Without it the map can only be looked at. */
  onPlace: ((place: Coordinates) => void) | undefined
}

function useOthers(camera: Camera): readonly CameraOnMap[] {
  const { client } = useApplication()
  const all = useQuery(cameraQueries(client).list).data
  return useMemo(
    () =>
      (all ?? []).flatMap((one) => {
        const place = one.cameraId === camera.cameraId ? undefined : toCoordinates(one)
        return place === undefined ? [] : [{ cameraId: one.cameraId, name: one.name, place }]
      }),
    [all, camera.cameraId],
  )
}

interface MapContents {
  readonly place: Coordinates | undefined
  readonly others: readonly CameraOnMap[]
  readonly size: Size
}

/** Shows the other cameras, and at first, and when the map gets another size, the part of the world where the camera is. */
function useView(map: WorldMap | undefined, { place, others, size }: MapContents): void {
  const latest = useRef({ place, others })
  latest.current = { place, others }
  useEffect(() => {
    const { place: own, others: around } = latest.current
    map?.fit(own === undefined ? around.map((other) => other.place) : [own], COUNTRY)
  }, [map])
  const { width } = size
  // biome-ignore lint/correctness/useExhaustiveDependencies: only another width hides the marker.
  useEffect(() => {
    const { place: own } = latest.current
    if (map !== undefined && own !== undefined) map.reveal(hereabouts(map, own))
  }, [map, width])
  useEffect(() => {
    map?.show({ lines: [], dots: others.map((other) => ({ place: other.place, kind: 'between' })) })
  }, [map, others])
}

/** The same place in the copy of the world that the map shows: past the date line, longitudes continue beyond 180. */
const hereabouts = (map: WorldMap, { latitude, longitude }: Coordinates): Coordinates => ({
  latitude,
  longitude: near(longitude, map.center().longitude),
})

/** What can be clicked or tapped. Screen readers get its name; the marker and the fields are beside it. */
function ClickSurface({
  label,
  onSpot,
  children,
}: {
  label: string
  onSpot: (spot: Spot) => void
  children: ReactNode
}) {
  const pressed = useRef<Spot>({ x: 0, y: 0 })
  const onPointerUp = ({ currentTarget, clientX, clientY, button }: PointerEvent) => {
    const { x, y } = pressed.current
    const box = currentTarget.getBoundingClientRect()
    const isClick = button === 0 && Math.hypot(clientX - x, clientY - y) < CLICK_WITHIN
    if (isClick) onSpot({ x: clientX - box.left, y: clientY - box.top })
  }
  return (
    <div
      role="img"
      aria-label={label}
      className="relative size-full overflow-hidden rounded-lg border border-border bg-sunken"
      onPointerDown={({ clientX, clientY }) => {
        pressed.current = { x: clientX, y: clientY }
      }}
      onPointerUp={onPointerUp}
    >
      {children}
    </div>
  )
}

function Legend({ hasOthers }: { hasOthers: boolean }) {
  const t = useText()
  if (!hasOthers) return null
  return (
    <span className="flex items-center gap-2 text-muted">
      <span className="size-1.5 rounded-full bg-control" />
      {t('Other cameras')}
    </span>
  )
}

function Hint({ id, isPlaced }: { id: string; isPlaced: boolean }) {
  const t = useText()
  return (
    <p id={id} className="text-muted">
      {isPlaced
        ? t(
            'Click or tap the map, or drag the marker. On a keyboard, use the arrow keys; with Shift, it moves farther.',
          )
        : t('Click or tap the map to place the camera. Zoom in to be exact.')}
    </p>
  )
}

interface OnMapProps extends LocationMapProps {
  map: WorldMap
  size: Size
  others: readonly CameraOnMap[]
  hintId: string
}

/** What is over the map: the marker and the buttons. */
function OnMap({ map, size, place, onPlace, others, hintId }: OnMapProps) {
  const [isMoved, setMoved] = useState(false)
  useAnnouncement(place === undefined || !isMoved ? undefined : placeTexts(place).join(', '), SPEAK_AFTER_MS)
  const onMove = (spot: Spot) => {
    setMoved(true)
    const next = map.placeAt(spot)
    onPlace?.(next)
    map.reveal(hereabouts(map, next))
  }
  const own = place === undefined ? [] : [place]
  return (
    <>
      <OtherCameras cameras={others} spotOf={(at) => map.spotOf(hereabouts(map, at))} size={size} />
      {own.map((at) => (
        <LocationMarker
          key="own"
          spot={map.spotOf(hereabouts(map, at))}
          size={size}
          hintId={hintId}
          onMove={onPlace === undefined ? undefined : onMove}
        />
      ))}
      <MapTools map={map} onFit={() => map.fit([...own, ...others.map((other) => other.place)], COUNTRY)} />
    </>
  )
}

function NoMap({ camera, place }: LocationMapProps) {
  const t = useText()
  return (
    <>
      <p className="text-muted">{t('This browser can’t show the map. You can enter the coordinates above.')}</p>
      <CameraPlaces camera={camera} place={place ?? { latitude: null, longitude: null }} />
    </>
  )
}

function OpenedMap(props: LocationMapProps) {
  const { camera, place, onPlace } = props
  const t = useText()
  const canvas = useRef<HTMLDivElement>(null)
  const hintId = useId()
  const size = useDrawingSize(canvas)
  const state = useWorldMap(canvas)
  useMapMoves(state)
  const others = useOthers(camera)
  const map = typeof state === 'string' ? undefined : state
  useView(map, { place, others, size })
  if (state === 'missing') return <NoMap {...props} />
  return (
    <figure className="m-0 space-y-2">
      {onPlace === undefined ? null : <Hint id={hintId} isPlaced={place !== undefined} />}
      <div className="relative [direction:ltr]" style={{ height: size.height }}>
        <ClickSurface
          label={t('Map with the location of {camera}', { camera: camera.name })}
          onSpot={(spot) => map !== undefined && onPlace?.(map.placeAt(spot))}
        >
          <div className={`absolute inset-0 ${map === undefined ? 'opacity-0' : ''}`}>
            {/* The map adds classes of its own here, so these never change. */}
            <div ref={canvas} className="size-full" />
          </div>
          {map === undefined ? null : <MapScale size={size} metresPerUnit={map.metresPerPixel()} />}
        </ClickSurface>
        {map === undefined ? null : <OnMap {...props} {...{ map, size, others, hintId }} />}
      </div>
      <figcaption className="flex flex-wrap items-center justify-between gap-x-6 gap-y-1">
        <Legend hasOthers={others.length > 0} />
        <MapCredits />
      </figcaption>
      {map === undefined || place !== undefined || onPlace === undefined ? null : (
        <Button variant="secondary" icon="pin" onClick={() => onPlace(map.placeAt(map.spotOf(map.center())))}>
          {t('Place at the center of the map')}
        </Button>
      )}
    </figure>
  )
}

/** Where the camera is on a map of the world. Without a location, the map loads when it is asked for. */
export function LocationMap(props: LocationMapProps) {
  const t = useText()
  const { place, onPlace } = props
  const [isAskedFor, setAskedFor] = useState(place !== undefined)
  if (isAskedFor || place !== undefined) return <OpenedMap {...props} />
  return (
    <div className="rounded-lg border border-border">
      <EmptyState
        icon="pin"
        title={t('No location yet')}
        action={
          onPlace === undefined ? undefined : (
            <Button variant="secondary" onClick={() => setAskedFor(true)}>
              {t('Choose on the map')}
            </Button>
          )
        }
      >
        {onPlace === undefined
          ? t('Users who may edit this camera can set where it is.')
          : t('Set where this camera is: choose it on the map, or enter the coordinates above.')}
      </EmptyState>
    </div>
  )
}
