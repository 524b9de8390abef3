import type { SettingsTabProps } from '../camera-settings/index.ts'
import { Cards } from './Cards.tsx'
import { SyncCard } from './SyncCard.tsx'

/** The card in a camera, and gaps that are filled from it. */
export function StorageTab({ camera, readOnly }: SettingsTabProps) {
  const { cameraId } = camera
  const disabled = readOnly !== undefined
  return (
    <div className="space-y-5">
      <Cards cameraId={cameraId} disabled={disabled} />
      <SyncCard cameraId={cameraId} disabled={disabled} />
    </div>
  )
}
