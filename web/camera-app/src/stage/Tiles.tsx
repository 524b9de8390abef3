import type { Camera, CameraStatus } from '@sightline/contract/cameras'
import { tileSize } from '@sightline/player'
import { lazy, Suspense } from 'react'
import type { StagePosition } from './stage-position.ts'
import { Tile } from './Tile.tsx'
import type { Arrangement } from './TileBar.tsx'
import type { TileSelection } from './use-selection.ts'

/**
 * Columns by the number of tiles: as many as fit a window that is wider than high. A low window has little height for
 * rows.
 */
const columns = [
  '',
  'grid-cols-1',
  'sm:grid-cols-2 short:grid-cols-2',
  'grid-cols-2 short:grid-cols-3',
  'grid-cols-2 short:grid-cols-4',
  'grid-cols-2 sm:grid-cols-3 short:grid-cols-3',
  'grid-cols-2 sm:grid-cols-3 short:grid-cols-3',
]
const columnsOf = (count: number): string => columns[count] ?? 'grid-cols-2 sm:grid-cols-3 short:grid-cols-5'
/** Rows in a wide or low window share its height. */
const rows = [
  '',
  'lg:grid-rows-1 short:grid-rows-1',
  'lg:grid-rows-1 short:grid-rows-1',
  'lg:grid-rows-2 short:grid-rows-1',
  'lg:grid-rows-2 short:grid-rows-1',
  'lg:grid-rows-2 short:grid-rows-2',
  'lg:grid-rows-2 short:grid-rows-2',
]
const rowsOf = (count: number): string => rows[count] ?? 'lg:grid-rows-3 short:grid-rows-2'

// The page of a single camera has none.
const TileBar = lazy(() => import('./TileBar.tsx').then((module) => ({ default: module.TileBar })))

interface TilesProps {
  /** All of the page. */
  cameras: readonly Camera[]
  selection: TileSelection
  position: StagePosition
  arrangement: Arrangement | undefined
  statuses: ReadonlyMap<number, CameraStatus> | undefined
  /** Of the selected camera. */
  volume: number
  layer: (element: HTMLElement | null) => void
}

/** The pictures of the cameras. */
export function Tiles({ cameras, selection, position, arrangement, statuses, volume, layer }: TilesProps) {
  const { shown, selected, enlarged, select, toggleEnlarged, onView } = selection
  const size = tileSize({ count: shown.length, cores: navigator.hardwareConcurrency })
  const isSeveral = cameras.length > 1
  const fit = shown.length === 1 ? '' : 'max-lg:not-short:*:aspect-video'
  return (
    <ul className={`grid size-full gap-px ${columnsOf(shown.length)} ${rowsOf(shown.length)} ${fit}`}>
      {shown.map((camera) => {
        const { cameraId } = camera
        const place = cameras.indexOf(camera)
        const isSelected = camera === selected
        return (
          <Tile
            key={cameraId}
            {...{ camera, position, size, isSelected, onView }}
            status={statuses?.get(cameraId)}
            isAlone={shown.length === 1}
            volume={isSelected ? volume : 0}
            layer={isSelected ? layer : undefined}
            onSelect={isSeveral ? () => select(cameraId) : undefined}
            onEnlarge={isSeveral ? () => toggleEnlarged(cameraId) : undefined}
            onDrop={arrangement && ((dropped) => arrangement.onMove(dropped, place))}
          >
            {arrangement === undefined ? null : (
              <Suspense fallback={null}>
                <TileBar
                  {...{ camera, arrangement, place }}
                  count={shown.length}
                  isEnlarged={enlarged !== undefined}
                  player={position.player}
                  onEnlarge={() => toggleEnlarged(cameraId)}
                />
              </Suspense>
            )}
          </Tile>
        )
      })}
    </ul>
  )
}
