import type { Zone } from '@sightline/contract/zones'
import { placeTexts, toCoordinates } from './coordinates.ts'
import { useText } from './text.ts'

/** The coordinates of a zone in degrees; in a narrow container on two lines. */
export function PlaceShown({ zone }: { zone: Zone }) {
  const t = useText()
  const place = toCoordinates(zone)
  if (place === undefined) return <span className="text-muted">{t('No location')}</span>
  const [latitude, longitude] = placeTexts(place)
  return (
    <bdi dir="ltr">
      <span className="whitespace-nowrap">{latitude},</span> <span className="whitespace-nowrap">{longitude}</span>
    </bdi>
  )
}
