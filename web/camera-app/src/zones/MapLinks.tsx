import { Icon } from '@sightline/kit'
import { mapProgramAddress, openStreetMapAddress, toCoordinates } from './coordinates.ts'
import { useText } from './text.ts'

/** Links to real maps. Nothing is requested before the user opens one. */
export function MapLinks({ of }: { of: { readonly latitude: number | null; readonly longitude: number | null } }) {
  const t = useText()
  const place = toCoordinates(of)
  if (place === undefined) return null
  const link = 'text-link-underline inline-flex min-h-8 items-center gap-1.5 pointer-coarse:min-h-11'
  return (
    <p className="flex flex-wrap gap-x-6">
      <a href={mapProgramAddress(place)} className={link}>
        <Icon name="pin" size={16} />
        {t('Open in maps app')}
      </a>
      <a href={openStreetMapAddress(place)} target="_blank" rel="noreferrer" className={link}>
        <Icon name="external" size={16} />
        {t('View on openstreetmap.org')}
      </a>
    </p>
  )
}
