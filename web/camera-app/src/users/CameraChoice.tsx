import type { Client } from '@sightline/client'
import { getZones } from '@sightline/contract/zones'
import { CheckList, SettingSwitch } from '@sightline/kit'
import { useApplication } from '@sightline/shell'
import { queryOptions, useQuery } from '@tanstack/react-query'
import { cameraQueries } from '../cameras/index.ts'
import { useText } from './text.ts'

export const zonesQuery = (client: Client) =>
  queryOptions({
    queryKey: ['zones'],
    queryFn: ({ signal }) => client.call(getZones, {}, { signal }),
    staleTime: 5000,
  })

/** The cameras and zones to assign, ids as text. */
export interface CameraSelection {
  readonly allCameras: boolean
  readonly cameraIds: ReadonlySet<string>
  readonly zoneIds: ReadonlySet<string>
}

export const nothingChosen: CameraSelection = { allCameras: false, cameraIds: new Set(), zoneIds: new Set() }
export const isNothing = ({ allCameras, cameraIds, zoneIds }: CameraSelection): boolean =>
  !allCameras && cameraIds.size === 0 && zoneIds.size === 0

interface CameraChoiceProps {
  chosen: CameraSelection
  /** Whether the current user has access to all cameras. */
  mayGiveAll: boolean
  onChange: (chosen: CameraSelection) => void
}

/** The cameras of a new user: all, or whole zones and single cameras. */
export function CameraChoice({ chosen, mayGiveAll, onChange }: CameraChoiceProps) {
  const { client } = useApplication()
  const t = useText()
  const { data: zones = [] } = useQuery(zonesQuery(client))
  const { data: cameras = [] } = useQuery(cameraQueries(client).list)
  const zoneNames = new Map(zones.map(({ zoneId, name }) => [zoneId, name]))
  const zoneOptions = zones
    .filter(({ whole }) => whole)
    .map(({ zoneId, name, cameraIds }) => ({
      value: String(zoneId),
      label: name,
      hint: t('Cameras: {count}', { count: cameraIds.length }),
    }))
  const cameraOptions = cameras.map(({ cameraId, name, zoneId }) => ({
    value: String(cameraId),
    label: name,
    hint: zoneNames.get(zoneId) ?? '',
  }))
  return (
    <div className="space-y-4">
      <SettingSwitch
        label={t('All cameras')}
        description={t('Includes cameras added later.')}
        checked={chosen.allCameras}
        fixed={mayGiveAll ? undefined : t("You can't give access to all cameras because you don't have it yourself.")}
        onChange={(allCameras) => onChange({ ...chosen, allCameras })}
      />
      {chosen.allCameras ? null : (
        <>
          <CheckList
            label={t('Zones')}
            searchLabel={t('Search zones')}
            options={zoneOptions}
            chosen={chosen.zoneIds}
            onChange={(zoneIds) => onChange({ ...chosen, zoneIds })}
            empty={<p className="text-muted">{t('There are no zones you can assign.')}</p>}
          />
          <CheckList
            label={t('Cameras')}
            searchLabel={t('Search cameras')}
            options={cameraOptions}
            chosen={chosen.cameraIds}
            onChange={(cameraIds) => onChange({ ...chosen, cameraIds })}
            empty={<p className="text-muted">{t('There are no cameras you can assign.')}</p>}
          />
        </>
      )}
    </div>
  )
}
