import type { Zone } from '@sightline/contract/zones'
import { Card } from '@sightline/kit'
import { toCoordinates } from './coordinates.ts'
import { PlacesDrawing } from './PlacesDrawing.tsx'
import { useText } from './text.ts'

/** The relative locations of the zones. */
export function ZoneMapDrawing({ zones }: { zones: readonly Zone[] }) {
  const t = useText()
  const placed = zones.flatMap((zone) => {
    const place = toCoordinates(zone)
    if (place === undefined) return []
    const note = t('Cameras: {count}', { count: zone.cameraIds.length })
    return [{ thing: { name: zone.name, href: `/app/zones/${zone.zoneId}`, note }, place }]
  })
  if (placed.length === 0) return null
  const names = placed.map(({ thing }) => thing.name).join(', ')
  const missing = zones.length - placed.length
  return (
    <Card
      title={t('Zone locations')}
      description={t('Zones are drawn relative to each other, with north up. No online map is loaded.')}
      className="mt-6"
    >
      <PlacesDrawing placed={placed} label={t('Drawing of zone locations: {zones}', { zones: names })} />
      {missing === 0 ? null : (
        <p className="mt-3 text-xs text-muted">{t('Zones without a location: {count}', { count: missing })}</p>
      )}
    </Card>
  )
}
