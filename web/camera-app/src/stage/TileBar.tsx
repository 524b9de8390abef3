import type { Camera } from '@sightline/contract/cameras'
import { Icon, Menu, type MenuItem } from '@sightline/kit'
import type { FootagePlayer } from '@sightline/player'
import { useSyncExternalStore } from 'react'
import { stageToolClass } from './StageTools.tsx'
import { useText } from './text.ts'

/** How the page arranges the tiles of several cameras. */
export interface Arrangement {
  /** Puts a camera at that place of the view. */
  readonly onMove: (cameraId: number, place: number) => void
  readonly onRemove: (cameraId: number) => void
}

interface TileBarProps {
  camera: Camera
  arrangement: Arrangement
  /** The place of the tile, from 0, and the number of tiles. */
  place: number
  count: number
  isEnlarged: boolean
  /** Undefined while live. */
  player: FootagePlayer | undefined
  onEnlarge: () => void
}

const never = () => () => undefined

/** The recorded time that is watched, to a second; undefined while live. */
const useWatchedTime = (player: FootagePlayer | undefined): number | undefined =>
  useSyncExternalStore(player?.subscribe ?? never, () =>
    player === undefined ? undefined : Math.floor(player.state.time / 1000) * 1000,
  )

/** The camera's name, and the menu of the tile. */
export function TileBar({ camera, arrangement, place, count, isEnlarged, player, onEnlarge }: TileBarProps) {
  const t = useText()
  const { cameraId, name } = camera
  const time = useWatchedTime(player)
  const search = time === undefined ? '' : `?t=${encodeURIComponent(new Date(time).toISOString())}`
  const { onMove, onRemove } = arrangement
  const moves: readonly MenuItem[] =
    count < 2 || isEnlarged
      ? []
      : [
          { label: t('Move back one place'), disabled: place === 0, onSelect: () => onMove(cameraId, place - 1) },
          {
            label: t('Move forward one place'),
            disabled: place === count - 1,
            onSelect: () => onMove(cameraId, place + 1),
          },
        ]
  const items: readonly MenuItem[] = [
    { label: t(isEnlarged ? 'Show all cameras' : 'Show only this camera'), icon: 'fullScreen', onSelect: onEnlarge },
    { label: t('Open camera page'), icon: 'camera', href: `/app/cameras/${cameraId}${search}` },
    ...moves,
    {
      label: t('Remove from this view'),
      icon: 'close',
      disabled: count === 1,
      onSelect: () => onRemove(cameraId),
    },
  ]
  return (
    <div className="absolute inset-x-0 bottom-0 flex items-center gap-1 bg-linear-to-t from-black/80 to-transparent ps-2 pt-4 text-white">
      <span className="min-w-0 flex-1 truncate text-sm">{name}</span>
      <Menu
        label={t('Actions for {camera}', { camera: name })}
        trigger={<Icon name="more" />}
        triggerClass={stageToolClass}
        items={items}
        align="end"
      />
    </div>
  )
}
