import 'maplibre-gl/dist/maplibre-gl.css'
import { type GeoJSONSource, Map as MapLibreMap, setWorkerUrl } from 'maplibre-gl'
import worker from 'maplibre-gl/dist/maplibre-gl-worker.mjs?url'
import type { Coordinates } from '../zones/index.ts'
import { enclose, gridLines, type Spot } from './map-geometry.ts'
import { fetchOutlines } from './outlines.ts'
import { mapStyle, readMapColours, watchScheme } from './theme.ts'
import { trustWorker } from './worker-address.ts'

/** What is shown on the map besides the world. */
export interface Shapes {
  readonly lines: readonly (readonly Coordinates[])[]
  readonly dots: readonly { readonly place: Coordinates; readonly kind: 'first' | 'last' | 'between' }[]
}

export interface WorldMap {
  show(shapes: Shapes): void
  /** Shows all of these places, as near as possible, and up to a zoom level; without places, the world. */
  fit(places: readonly Coordinates[], nearest?: number): void
  zoomBy(levels: number): void
  /** Moves the map if the place is not on it. */
  reveal(place: Coordinates): void
  spotOf(place: Coordinates): Spot
  /** The place at a spot, with a longitude from -180 to 180. */
  placeAt(spot: Spot): Coordinates
  /** Past the date line, its longitude continues beyond 180. */
  center(): Coordinates
  metresPerPixel(): number
  /** Until the returned function is called. */
  onMove(listener: () => void): () => void
  close(): void
}

/** Shown over the map when a gesture scrolls the page and not the map. */
export interface GestureTexts {
  readonly touch: string
  readonly wheel: string
  readonly wheelOnMac: string
}

const EARTH_M = 40_075_017
const TILE = 512
/** A single place is shown with its surroundings. */
const NEAREST_FIT = 16
const MARGIN = 48
/** Where people live. */
const WORLD = { south: -56, west: -170, north: 72, east: 179 }

const position = ({ latitude, longitude }: Coordinates): GeoJSON.Position => [longitude, latitude]
const collection = (features: GeoJSON.Feature[]): GeoJSON.FeatureCollection => ({ type: 'FeatureCollection', features })
const lineFeature = (places: readonly Coordinates[]): GeoJSON.Feature => ({
  type: 'Feature',
  properties: {},
  geometry: { type: 'LineString', coordinates: places.map(position) },
})

function setData(map: MapLibreMap, source: string, data: GeoJSON.GeoJSON): void {
  map.getSource<GeoJSONSource>(source)?.setData(data)
}

function drawGrid(map: MapLibreMap): void {
  const bounds = map.getBounds()
  const [south, west, north, east] = [bounds.getSouth(), bounds.getWest(), bounds.getNorth(), bounds.getEast()]
  setData(map, 'grid', collection(gridLines({ south, west, north, east }).map(lineFeature)))
}

/** Colors of the theme now and later; what the sources hold stays. */
function recolour(map: MapLibreMap, container: HTMLElement): void {
  const { layers } = mapStyle(readMapColours(container))
  for (const { id, ...layer } of layers) {
    for (const [name, value] of Object.entries(layer.paint ?? {})) map.setPaintProperty(id, name as 'fill-color', value)
  }
}

function create(container: HTMLElement, texts: GestureTexts): MapLibreMap {
  trustWorker(worker)
  setWorkerUrl(worker)
  const map = new MapLibreMap({
    container,
    style: mapStyle(readMapColours(container)),
    maxZoom: 19,
    maxPitch: 0,
    // North stays up, and the page scrolls over the map.
    dragRotate: false,
    touchPitch: false,
    cooperativeGestures: true,
    // The keys move along what is shown; that is up to the screen.
    keyboard: false,
    attributionControl: false,
    locale: {
      'CooperativeGesturesHandler.MobileHelpText': texts.touch,
      'CooperativeGesturesHandler.WindowsHelpText': texts.wheel,
      'CooperativeGesturesHandler.MacHelpText': texts.wheelOnMac,
    },
  })
  map.touchZoomRotate.disableRotation()
  map.getCanvas().tabIndex = -1
  return map
}

const loaded = (map: MapLibreMap): Promise<unknown> =>
  new Promise((resolve, reject) => {
    map.once('load', resolve)
    map.once('error', ({ error }) => reject(error))
  })

/** Draws the world into an element. @throws if the browser can't, or without a connection */
export async function openWorldMap(container: HTMLElement, texts: GestureTexts): Promise<WorldMap> {
  const map = create(container, texts)
  try {
    const [{ land, borders }] = await Promise.all([fetchOutlines(), loaded(map)])
    setData(map, 'land', land)
    setData(map, 'borders', borders)
  } catch (error) {
    map.remove()
    throw error
  }
  map.on('moveend', () => drawGrid(map))
  const unwatch = watchScheme(() => recolour(map, container))
  return control(map, unwatch)
}

function control(map: MapLibreMap, onClose: () => void): WorldMap {
  return {
    show({ lines, dots }) {
      setData(map, 'lines', collection(lines.filter((line) => line.length > 1).map(lineFeature)))
      const points = dots.map(
        ({ place, kind }): GeoJSON.Feature => ({
          type: 'Feature',
          properties: { kind },
          geometry: { type: 'Point', coordinates: position(place) },
        }),
      )
      setData(map, 'dots', collection(points))
    },
    fit(places, nearest = NEAREST_FIT) {
      const { south, west, north, east } = enclose(places) ?? WORLD
      map.fitBounds([west, south, east, north], { padding: MARGIN, maxZoom: nearest, animate: false })
    },
    zoomBy: (levels) => void map.zoomTo(map.getZoom() + levels),
    reveal(place) {
      const { x, y } = map.project([place.longitude, place.latitude])
      const { clientWidth, clientHeight } = map.getContainer()
      const isShown =
        x >= MARGIN / 2 && y >= MARGIN / 2 && x <= clientWidth - MARGIN / 2 && y <= clientHeight - MARGIN / 2
      if (!isShown) map.easeTo({ center: [place.longitude, place.latitude] })
    },
    spotOf: ({ latitude, longitude }) => map.project([longitude, latitude]),
    placeAt({ x, y }) {
      const { lat, lng } = map.unproject([x, y]).wrap()
      return { latitude: lat, longitude: lng }
    },
    center() {
      const { lat, lng } = map.getCenter()
      return { latitude: lat, longitude: lng }
    },
    metresPerPixel: () => (Math.cos((map.getCenter().lat * Math.PI) / 180) * EARTH_M) / (TILE * 2 ** map.getZoom()),
    onMove(listener) {
      const subscriptions = [map.on('move', listener), map.on('resize', listener)]
      return () => {
        for (const subscription of subscriptions) subscription.unsubscribe()
      }
    },
    close() {
      onClose()
      map.remove()
    },
  }
}
