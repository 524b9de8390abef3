import type { Camera, CameraStatus } from '@sightline/contract/cameras'
import { useAllTexts } from '@sightline/shell'
import { useOwnPermissions } from '../rights/index.ts'
import { ModeMenu } from './ModeMenu.tsx'
import { PrivacyButton } from './PrivacyButton.tsx'
import { useModeChange } from './use-mode-change.ts'

interface CameraModeControlProps {
  camera: Camera
  status: CameraStatus | undefined
}

/** What the user may change about a camera's mode: all of it, private mode only, or nothing. */
export function CameraModeControl({ camera, status }: CameraModeControlProps) {
  const hasTexts = useAllTexts()
  const own = useOwnPermissions().data
  const { busy, change } = useModeChange(camera)
  const isReadOnly = own?.standstill !== undefined && own.standstill !== 'support'
  if (!hasTexts || own === undefined || status === undefined || isReadOnly) return null
  return (
    <>
      {own.rights.has('cameraPrivacyButton') ? <PrivacyButton camera={camera} status={status} /> : null}
      {own.rights.has('editCamera') ? (
        <ModeMenu name={camera.name} mode={status.mode} busy={busy} onChange={(mode) => void change(mode)} />
      ) : null}
    </>
  )
}
