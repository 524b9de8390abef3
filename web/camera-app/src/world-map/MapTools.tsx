import { IconButton } from '@sightline/kit'
import type { WorldMap } from './open-map.ts'
import { useText } from './text.ts'

const toolClass = 'rounded-none first:rounded-t-md last:rounded-b-md'

/** Buttons at the side of a map. */
export function MapTools({ map, onFit }: { map: WorldMap; onFit: () => void }) {
  const t = useText()
  return (
    <div className="absolute end-3 bottom-3 flex flex-col divide-y divide-border rounded-md border border-border bg-surface">
      <IconButton icon="plus" label={t('Zoom in')} className={toolClass} onClick={() => map.zoomBy(1)} />
      <IconButton icon="minus" label={t('Zoom out')} className={toolClass} onClick={() => map.zoomBy(-1)} />
      <IconButton icon="fullScreen" label={t('Show everything')} className={toolClass} onClick={onFit} />
    </div>
  )
}

/** Whose map it is, and how exact. */
export function MapCredits() {
  const t = useText()
  return <p className="text-xs text-muted">{t('Map: Natural Earth. Coasts and borders are approximate.')}</p>
}
