import type { ExpressionSpecification, GeoJSONSourceSpecification, StyleSpecification } from 'maplibre-gl'

const variables = {
  sea: '--tone-sunken',
  land: '--tone-surface',
  coast: '--tone-outline',
  line: '--tone-border',
  mark: '--tone-control',
} as const

export type MapColours = Readonly<Record<keyof typeof variables, string>>

/** What the map is drawn with, from the theme at that element. */
export function readMapColours(element: Element): MapColours {
  const style = getComputedStyle(element)
  const read = Object.entries(variables).map(([name, variable]) => [name, style.getPropertyValue(variable).trim()])
  return Object.fromEntries(read) as MapColours
}

/** Calls back when the theme changes between light and dark, until the returned function is called. */
export function watchScheme(onChange: () => void): () => void {
  const own = new MutationObserver(onChange)
  own.observe(document.documentElement, { attributeFilter: ['data-scheme'] })
  const system = matchMedia('(prefers-color-scheme: dark)')
  system.addEventListener('change', onChange)
  return () => {
    own.disconnect()
    system.removeEventListener('change', onChange)
  }
}

/** The outlines are exact to some kilometers: at these zoom levels that is seen, so they vanish between them. */
const OUTLINES = { fade: 9, gone: 11 } as const
const fading = <Value extends string | number>(far: Value, near: Value): ExpressionSpecification => [
  'interpolate',
  ['linear'],
  ['zoom'],
  OUTLINES.fade,
  far,
  OUTLINES.gone,
  near,
]

const empty: GeoJSONSourceSpecification = { type: 'geojson', data: { type: 'FeatureCollection', features: [] } }

/** Sea, land and borders below; the grid; above them lines and points that are shown. All without a server. */
export function mapStyle({ sea, land, coast, line, mark }: MapColours): StyleSpecification {
  return {
    version: 8,
    sources: { land: empty, borders: empty, grid: empty, lines: empty, dots: empty },
    layers: [
      {
        id: 'sea',
        type: 'background',
        paint: {
          'background-color': fading(sea, land),
        },
      },
      { id: 'land', type: 'fill', source: 'land', paint: { 'fill-color': land, 'fill-antialias': false } },
      { id: 'grid', type: 'line', source: 'grid', paint: { 'line-color': line, 'line-width': 1 } },
      {
        id: 'borders',
        type: 'line',
        source: 'borders',
        paint: { 'line-color': coast, 'line-width': 1, 'line-dasharray': [3, 2], 'line-opacity': fading(1, 0) },
      },
      {
        id: 'coasts',
        type: 'line',
        source: 'land',
        paint: { 'line-color': coast, 'line-width': 1, 'line-opacity': fading(1, 0) },
      },
      {
        id: 'lines',
        type: 'line',
        source: 'lines',
        layout: { 'line-cap': 'round', 'line-join': 'round' },
        paint: { 'line-color': mark, 'line-width': 4 },
      },
      {
        id: 'dots',
        type: 'circle',
        source: 'dots',
        paint: {
          'circle-color': ['match', ['get', 'kind'], 'first', land, mark],
          'circle-radius': ['match', ['get', 'kind'], 'first', 6, 'last', 8, 3],
          'circle-stroke-color': mark,
          'circle-stroke-width': ['match', ['get', 'kind'], 'first', 3, 0],
        },
      },
    ],
  }
}
